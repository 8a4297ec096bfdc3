// What a person has seen in the permit system, and which decision that is. Which decisions there are the station says.

import type { Decision, DecisionOffer, DecisionWord, ItemView } from '../../api/generated/wire'

/** One thing that can have been seen there: one of several records, some record, or none (any more). */
export type Seen =
  | { seen: 'one'; record: string }
  | { seen: 'there' }
  | { seen: 'not_there' }
  | { seen: 'again' }

export function codeOf(seen: Seen): string {
  return seen.seen === 'one' ? `one:${seen.record}` : seen.seen
}

/** In the order in which they are asked. */
export function choicesOf({ said, offered }: ItemView): Seen[] {
  const can = (word: DecisionWord) => isOffered(offered?.decisions ?? [], word)
  const several = said?.twin?.record_ids ?? []
  if (can('keep') && several.length > 0)
    return [
      ...several.map((record): Seen => ({ seen: 'one', record })),
      ...(can('requeue') ? [{ seen: 'again' } as const] : []),
    ]
  return [
    ...(can('found') ? [{ seen: 'there' } as const] : []),
    ...(can('requeue') ? [{ seen: 'not_there' } as const] : []),
  ]
}

export function isOffered(decisions: readonly DecisionOffer[], word: DecisionWord): boolean {
  return decisions.some(({ decision, refused }) => decision === word && refused === null)
}

/** `typed`: the record that a person has seen, where that has to be said. */
export function decisionFor(item: ItemView, seen: Seen, typed: string): Decision {
  switch (seen.seen) {
    case 'one':
      return seen.record === item.said?.twin?.stays ? 'keep' : { found: { record: seen.record } }
    case 'there':
      return { found: { record: typed } }
    case 'not_there':
    case 'again':
      return 'requeue'
  }
}
