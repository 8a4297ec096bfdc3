// Every state an item can be in, with its word in the catalogue, icon, tone and shape. No two share icon and shape
// except where the words beside them say the difference of a time only.

import type { ItemRow, QueueRow, RecordedAs } from '../api/generated/wire'
import type { IconName } from '../look/Icon'

export type Tone = 'quiet' | 'action' | 'attention' | 'stop' | 'done' | 'person'
export type Shape = 'outline' | 'dashed' | 'double' | 'bar' | 'solid'

export type Look = { icon: IconName; tone: Tone; shape: Shape; struck?: boolean }

export const looks = {
  draft: { icon: 'edit', tone: 'quiet', shape: 'dashed' },
  waiting: { icon: 'schedule', tone: 'quiet', shape: 'outline' },
  waiting_for: { icon: 'schedule', tone: 'quiet', shape: 'outline' },
  waiting_until: { icon: 'hourglass_empty', tone: 'quiet', shape: 'outline' },
  sending: { icon: 'send', tone: 'action', shape: 'outline' },
  received: { icon: 'update', tone: 'action', shape: 'outline' },
  being_checked: { icon: 'help_outline', tone: 'attention', shape: 'double' },
  recorded: { icon: 'check_circle', tone: 'done', shape: 'bar' },
  recorded_found: { icon: 'check_circle', tone: 'done', shape: 'double' },
  recorded_remark: { icon: 'check_circle_outline', tone: 'done', shape: 'double' },
  needs_decision: { icon: 'flag', tone: 'person', shape: 'solid' },
  voided: { icon: 'do_not_disturb', tone: 'quiet', shape: 'outline', struck: true },
  replaced: { icon: 'undo', tone: 'quiet', shape: 'outline', struck: true },
  missing_there: { icon: 'history', tone: 'stop', shape: 'bar' },
  unreadable: { icon: 'report', tone: 'stop', shape: 'solid' },
  copy_at_mirror: { icon: 'save_alt', tone: 'quiet', shape: 'outline' },
} as const satisfies Record<string, Look>

export type ItemState = keyof typeof looks

/** What of an item decides its word; who has more of it than the queue says so. */
type Stated = Pick<QueueRow, 'state' | 'doubt' | 'waits_until'> &
  Partial<Pick<ItemRow, 'behind' | 'recorded'>>

/** The state of an item, in the words of the screen. */
export function itemState(row: Stated): ItemState {
  switch (row.state) {
    case 'in_flight':
      return 'sending'
    case 'committed':
      return recorded(row.recorded ?? 'sent')
    case 'quarantined':
      return 'needs_decision'
    case 'voided':
      return 'voided'
    case 'pending':
      return waiting(row)
    default:
      return 'unreadable'
  }
}

function recorded(as: RecordedAs): ItemState {
  switch (as) {
    case 'sent':
      return 'recorded'
    case 'found':
      return 'recorded_found'
    case 'remarked':
      return 'recorded_remark'
  }
}

/** Doubt says most; then the item before it, then a time. */
function waiting({ doubt, behind = null, waits_until }: Stated): ItemState {
  if (doubt === 'sent') return 'being_checked'
  if (doubt === 'received') return 'received'
  if (behind !== null) return 'waiting_for'
  return waits_until === null ? 'waiting' : 'waiting_until'
}
