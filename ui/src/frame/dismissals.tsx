// Which ended outages a person has read and put away, for as long as the page lives. One outage at a time: the next one
// is told again.

import { createContext, type ReactNode, useContext, useMemo, useState } from 'react'
import type { ModeCause } from '../api/generated/wire'

type Held = { away: ReadonlySet<string>; dismiss: (cause: ModeCause) => void }

const DismissalsContext = createContext<Held>({ away: new Set(), dismiss: () => {} })

export function Dismissals({ children }: { children: ReactNode }) {
  const [away, setAway] = useState<ReadonlySet<string>>(new Set())
  const held = useMemo<Held>(
    () => ({ away, dismiss: (cause) => setAway((before) => new Set([...before, nameOf(cause)])) }),
    [away],
  )
  return <DismissalsContext value={held}>{children}</DismissalsContext>
}

export function useDismissals() {
  const { away, dismiss } = useContext(DismissalsContext)
  return {
    dismiss,
    left: (causes: readonly ModeCause[]) => causes.filter((cause) => !away.has(nameOf(cause))),
  }
}

function nameOf(cause: ModeCause): string {
  return cause.cause === 'outage_over' ? `${cause.from} ${cause.until}` : cause.cause
}
