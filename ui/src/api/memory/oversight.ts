// What a supervisor sees and decides, in memory: an outage of yesterday, the one going on if there is one, and what waits
// by the hour in which it was accepted.

import { type OversightBackend, Refusal } from '../backend'
import type { AnswerView, OutageRow } from '../generated/wire'
import { booksOf } from './books'
import type { MemoryState } from './state'

const HOUR_MS = 3_600_000
const HOURS_SHOWN = 24

export function oversightInMemory(state: MemoryState): OversightBackend {
  return {
    async decide({ key, decision, reason }) {
      const item = state.items.find((other) => other.idempotency_key === key)
      if (reason.trim() === '')
        throw new Refusal({
          code: 'refused',
          problems: [{ pointer: '/reason', code: 'missing', message: 'must be given' }],
        })
      if (item?.state !== 'quarantined') throw new Refusal({ code: 'not_found' })
      const going_on = item.followers
      Object.assign(item, { state: decision === 'void' ? 'voided' : 'pending', reason: null, followers: 0 })
      state.tell({ told: 'changed', topics: ['queue', 'standing', 'applications'] })
      return { receipt_no: item.receipt_no, state: item.state, going_on, set_aside: 0 }
    },
    async outages() {
      const rows = outagesOf(state)
      return { rows, all: rows.length }
    },
    restore: async () => state.restore,
    async settleRestore({ decision, reason }) {
      const asked = state.restore.restore
      if (reason.trim() === '')
        throw new Refusal({
          code: 'refused',
          problems: [{ pointer: '/reason', code: 'missing', message: 'must be given' }],
        })
      if (asked?.stage !== 'asking') throw new Refusal({ code: 'refused' })
      const stage = decision === 'send_again' ? 'sent_again' : 'left'
      state.restore = { ...state.restore, restore: { ...asked, stage } }
      state.tell({ told: 'changed', topics: ['queue', 'standing', 'applications'] })
      return { decision, count: asked.missing }
    },
    backlogHours: async () => byHour(state),
  }
}

/** Puts an item before a person, as the station would after an answer. */
export function setAside(state: MemoryState, operationId: string, reason: string, answer: AnswerView | null) {
  const item = state.items.find((other) => other.operation_id === operationId)
  if (!item) return
  const followers = state.items.filter(
    (other) => other !== item && other.application_id === item.application_id && other.state === 'pending',
  ).length
  const last_outcome = reason.replace('-', '_')
  Object.assign(item, { state: 'quarantined', reason, answer, last_outcome, followers, committed_at: null })
  state.tell({ told: 'changed', topics: ['queue', 'standing'] })
}

/** The permit system came back from an older copy: so many of its items are gone there. */
export function loseRecorded(state: MemoryState, missing: number) {
  const ago = (hours: number) => new Date(state.now().getTime() - hours * HOUR_MS).toISOString()
  const rows = Array.from({ length: missing }, (_, nth) => ({
    operation_id: `lost-${nth + 1}`,
    application_id: `application-${nth + 1}`,
    receipt_no: `front-1-${nth + 1}`,
    kind: 'application',
    accepted_at: ago(30),
    recorded_at: ago(29),
    permit_num: `AF-2026-${String(nth + 1).padStart(5, '0')}`,
    permit_num_now: null,
  }))
  const noticed = { sign: 'epoch', noticed_at: ago(0.1), found: 20, missing, official: missing } as const
  state.restore = { ...state.restore, restore: { stage: 'asking', ...noticed }, rows }
  state.tell({ told: 'changed', topics: ['standing'] })
}

function outagesOf(state: MemoryState): OutageRow[] {
  const ago = (hours: number) => new Date(state.now().getTime() - hours * HOUR_MS).toISOString()
  const none = { accepted: 0, pending: 0, in_flight: 0, committed: 0, quarantined: 0, voided: 0 }
  const over: OutageRow = {
    outage_id: '2',
    endpoint: 'primary',
    first_failure_at: ago(27),
    tripped_at: ago(26.9),
    closed_at: ago(24.5),
    books: { ...none, accepted: 71, committed: 69, quarantined: 2 },
  }
  if (state.mode !== 'not_answering') return [over]
  const now: OutageRow = {
    outage_id: '3',
    endpoint: 'primary',
    first_failure_at: ago(2.1),
    tripped_at: ago(2),
    closed_at: null,
    books: booksOf(state.items),
  }
  return [now, over]
}

/** The latest hours from which something waits, as the station counts them. */
function byHour(state: MemoryState) {
  const waiting = new Map<number, number>()
  for (const item of state.items) {
    if (item.state !== 'pending') continue
    const from = Math.floor(new Date(item.accepted_at).getTime() / HOUR_MS) * HOUR_MS
    waiting.set(from, (waiting.get(from) ?? 0) + 1)
  }
  const all = [...waiting].toSorted(([a], [b]) => a - b)
  const earlier = all.slice(0, -HOURS_SHOWN).reduce((sum, [, count]) => sum + count, 0)
  const hours = all
    .slice(-HOURS_SHOWN)
    .map(([from, count]) => ({ from: new Date(from).toISOString(), waiting: count }))
  return { hours, earlier }
}
