// The one place that listens to chords. A screen says what a key does while it is shown; the latest to say so wins.

import { createContext, type ReactNode, useContext, useEffect, useMemo, useRef } from 'react'
import { matches } from './chords'
import { chordOf, type KeyId, keys } from './registry'

type Act = () => void
type Acting = { id: KeyId; act: { current: Act }; inDialog: boolean }
type Board = { put(acting: Acting): () => void; acting(): ReadonlySet<KeyId> }

/** Keys that React Aria listens to itself. */
const ENGINE: readonly KeyId[] = ['next_region', 'previous_region']

/** What these do is of the window, whatever lies over it. */
const ALSO_FROM_DIALOGS: readonly KeyId[] = ['say_status', 'larger', 'smaller', 'usual_size']

const BoardContext = createContext<Board>({ put: () => () => {}, acting: () => new Set(ENGINE) })

const InDialogContext = createContext(false)

/** Around what stands in a dialog: its keys act while it is open, all others wait. */
export function DialogKeys({ children }: { children: ReactNode }) {
  return <InDialogContext value={true}>{children}</InDialogContext>
}

export function KeysProvider({ children }: { children: ReactNode }) {
  const stack = useRef<Acting[]>([])
  const board = useMemo<Board>(
    () => ({
      put(acting) {
        stack.current.push(acting)
        return () => {
          stack.current = stack.current.filter((other) => other !== acting)
        }
      },
      acting: () => new Set([...ENGINE, ...stack.current.map(({ id }) => id)]),
    }),
    [],
  )
  useEffect(() => {
    const listen = (event: KeyboardEvent) => pressed(stack.current, event)
    const before = (event: KeyboardEvent) => {
      if (!matches(chordOf('primary'), event)) return
      event.stopPropagation()
      listen(event)
    }
    // Buttons, radios and segments of a date take every Enter for themselves, and go on with it no further.
    window.addEventListener('keydown', before, true)
    window.addEventListener('keydown', listen)
    return () => {
      window.removeEventListener('keydown', before, true)
      window.removeEventListener('keydown', listen)
    }
  }, [])
  return <BoardContext value={board}>{children}</BoardContext>
}

function pressed(stack: Acting[], event: KeyboardEvent) {
  if (event.defaultPrevented) return
  const ids = keys.filter((key) => matches(key.chord, event)).map((key) => key.id as KeyId)
  if (ids.length === 0 || ids.some((id) => ENGINE.includes(id))) return
  // Also where nobody acts on it: F5 must not reload the page under an open form.
  event.preventDefault()
  // A dialog has the page to itself: what lies behind it must not act.
  const dialog = document.querySelector('[role="dialog"], [role="alertdialog"]') !== null
  const heard = stack.filter(
    ({ id, inDialog }) => ids.includes(id) && (!dialog || inDialog || ALSO_FROM_DIALOGS.includes(id)),
  )
  heard.at(-1)?.act.current()
}

/** The keys that do something on the screen as it is now. */
export function useActingKeys(): () => ReadonlySet<KeyId> {
  return useContext(BoardContext).acting
}

/** While the caller is shown, this key does `act`; null, or no key, switches it off. */
export function useKey(id: KeyId | undefined, act: Act | null) {
  const board = useContext(BoardContext)
  const current = useRef<Act>(() => {})
  const inDialog = useContext(InDialogContext)
  const on = act !== null
  useEffect(() => {
    current.current = act ?? (() => {})
  })
  useEffect(
    () => (on && id ? board.put({ id, act: current, inDialog }) : undefined),
    [board, id, on, inDialog],
  )
}
