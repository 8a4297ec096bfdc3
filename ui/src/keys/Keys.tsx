// The one place that listens to chords. A screen says what a key does while it is shown; the latest to say so wins.

import { createContext, type ReactNode, useContext, useEffect, useMemo, useRef } from 'react'
import { matches } from './chords'
import { type KeyId, keys } from './registry'

type Act = () => void
type Acting = { id: KeyId; act: { current: Act } }
type Board = { put(acting: Acting): () => void }

const BoardContext = createContext<Board>({ put: () => () => {} })

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
  const acting = stack.findLast(({ id }) => ids.includes(id))
  if (!acting) return
  event.preventDefault()
  // A dialog has the page to itself: what lies behind it must not act.
  if (document.querySelector('[role="dialog"], [role="alertdialog"]') && acting.id !== 'say_status') return
  acting.act.current()
}

/** While the caller is shown, this key does `act`; null switches it off. */
export function useKey(id: KeyId, act: Act | null) {
  const board = useContext(BoardContext)
  const current = useRef<Act>(() => {})
  const on = act !== null
  useEffect(() => {
    current.current = act ?? (() => {})
  })
  useEffect(() => (on ? board.put({ id, act: current }) : undefined), [board, id, on])
}
