// Whether the station is heard. A window that lost it must never look calm, so silence is a fact of its own.

import { useEffect, useState } from 'react'
import type { Backend } from '../api/backend'

export const LOST_AFTER_MS = 5_000
const LOOK_EVERY_MS = 1_000

/** `heardAt` is when it was last heard; lost contact keeps it, for "as of". */
export type Contact = { lost: boolean; heardAt: number }

export function contact(heardAt: number, now: number): Contact {
  return { lost: now - heardAt > LOST_AFTER_MS, heardAt }
}

export function useContact(backend: Backend): Contact {
  const [state, setState] = useState(() => contact(Date.now(), Date.now()))
  useEffect(() => {
    let heardAt = Date.now()
    const look = () =>
      setState((before) => {
        const after = contact(heardAt, Date.now())
        return before.lost === after.lost && !after.lost ? before : after
      })
    const end = backend.events(() => {
      heardAt = Date.now()
      look()
    })
    const timer = setInterval(look, LOOK_EVERY_MS)
    return () => {
      end()
      clearInterval(timer)
    }
  }, [backend])
  return state
}
