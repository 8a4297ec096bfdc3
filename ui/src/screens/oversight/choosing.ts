// Which of two versions shall hold, as far as the person has said. What follows from it the station decides.

import { useState } from 'react'
import type { ConflictView, Decision } from '../../api/generated/wire'

export type Holds = 'ours' | 'theirs' | 'both'
type Side = 'ours' | 'theirs'

export type Choosing = {
  holds: Holds | null
  choose: (holds: Holds) => void
  fields: Readonly<Record<string, Side>>
  chooseField: (pointer: string, side: Side) => void
}

/** Begins with what the station proposes, if it proposes anything. */
export function useChoosing(conflict: ConflictView | null): Choosing {
  const [chosen, choose] = useState<Holds | null>(null)
  const [fields, setFields] = useState<Readonly<Record<string, Side>>>({})
  return {
    holds: chosen ?? proposed(conflict),
    choose,
    fields,
    chooseField: (pointer, side) => setFields((before) => ({ ...before, [pointer]: side })),
  }
}

function proposed(conflict: ConflictView | null): Holds | null {
  if (conflict?.proposal === 'merge') return 'both'
  return conflict?.proposal === 'ours' ? 'ours' : null
}

/** The choice in the words of the station, upon the version that was on the screen. */
export function decisionOf({ holds, fields }: Choosing, conflict: ConflictView): Decision | null {
  const seen = conflict.theirs?.etag ?? null
  const of = (side: Side) => Object.keys(fields).filter((pointer) => fields[pointer] === side)
  switch (holds) {
    case null:
      return null
    case 'ours':
      return { take_ours: { seen } }
    case 'theirs':
      return { take_theirs: { seen } }
    case 'both':
      return { choose: { seen, ours: of('ours'), theirs: of('theirs') } }
  }
}
