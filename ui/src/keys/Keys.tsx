// The one place that listens to chords. A screen says what a key does while it is shown; the latest to say so wins.

import { createContext, type ReactNode, useContext, useEffect, useMemo, useRef } from 'react'
import { matches } from './chords'
import { type KeyId, keys } from './registry'

type Act = () => void
type Acting = { id: KeyId; act: { current: Act }; inDialog: boolean }
type Board = { put(acting: Acting): () => void }

const BoardContext = createContext<Board>({ put: () => () => {} })

/** Keys that React Aria or the shell listens to itself. */
const ENGINE: readonly KeyId[] = ['next_region', 'previous_region', 'larger', 'smaller', 'usual_size']

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
    }),
    [],
  )
  useEffect(() => {
    const listen = (event: KeyboardEvent) => pressed(stack.current, event)
    window.addEventListener('keydown', listen)
    return () => window.removeEventListener('keydown', listen)
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
    ({ id, inDialog }) => ids.includes(id) && (!dialog || inDialog || id === 'say_status'),
  )
  heard.at(-1)?.act.current()
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
