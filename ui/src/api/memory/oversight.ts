// What a supervisor sees and decides, in memory: an outage of yesterday, the one going on if there is one, and what waits
// by the hour in which it was accepted.

import { type OversightBackend, Refusal } from '../backend'
import type { AnswerView, ConflictView, Decision, ItemView, OutageRow, TryView } from '../generated/wire'
import { boardInMemory } from './board'
import { booksOf } from './books'
import type { MemoryState } from './state'

const HOUR_MS = 3_600_000
const HOURS_SHOWN = 24
const TRY_EVERY_MS = 30_000

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
      const stays = staysOf(item, decision)
      if (stays !== null) {
        if (!/^[!-~]{1,128}$/.test(stays))
          throw new Refusal({
            code: 'refused',
            problems: [{ pointer: '/decision/record', code: 'no-choice-fits', message: 'fits none' }],
          })
        recordAs(state, item, stays)
        return { receipt_no: item.receipt_no, state: item.state, going_on, set_aside: 0 }
      }
      const gone = decision === 'void' || (typeof decision === 'object' && 'take_theirs' in decision)
      const conflict = gone ? item.conflict : null
      Object.assign(item, { state: gone ? 'voided' : 'pending', reason: null, followers: 0, conflict })
      state.tell({ told: 'changed', topics: ['queue', 'standing', 'applications'] })
      return { receipt_no: item.receipt_no, state: item.state, going_on, set_aside: 0 }
    },
    async fetchTheirs(key) {
      const item = state.items.find((other) => other.idempotency_key === key)
      if (!item?.conflict) throw new Refusal({ code: 'not_found' })
      if (state.mode === 'not_answering') throw new Refusal({ code: 'not_answering' })
      item.conflict = twoVersions(state, item)
      return item.conflict
    },
    async outages() {
      const rows = outagesOf(state)
      return { rows, all: rows.length }
    },
    async outage(id) {
      const outage = outagesOf(state).find((other) => other.outage_id === id)
      if (!outage) throw new Refusal({ code: 'not_found' })
      const tries = triesOf(outage)
      return { outage, tries, left_out: outage.tries - tries.length, holds: outage.held ? [outage.held] : [] }
    },
    async holdEndpoint({ endpoint, until, reason }) {
      const missing = [reason.trim() === '' && 'reason', until === '' && 'until'].filter(Boolean)
      if (missing.length > 0)
        throw new Refusal({
          code: 'refused',
          problems: missing.map((field) => ({
            pointer: `/${field}`,
            code: field === 'until' ? 'format' : 'missing',
            message: 'must be given',
          })),
        })
      const by = state.who?.actor ?? ''
      state.held = { held_at: state.at(), until: new Date(until).toISOString(), by, reason, ended_at: null }
      state.tell({ told: 'changed', topics: ['standing', 'outages'] })
      return { endpoint, state: 'open', next_try_at: state.held.until, held: state.held }
    },
    async releaseEndpoint({ endpoint }) {
      state.held = null
      state.tell({ told: 'changed', topics: ['standing', 'outages'] })
      return { endpoint, state: 'open', next_try_at: state.at(), held: null }
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
    ...boardInMemory(state),
  }
}

/** The record that a person names, or keeps; none of any other decision. */
function staysOf(item: ItemView, decision: Decision): string | null {
  if (decision === 'keep') return item.said?.twin?.stays ?? ''
  return typeof decision === 'object' && 'found' in decision ? decision.found.record : null
}

function recordAs(state: MemoryState, item: ItemView, record: string) {
  const at = state.at()
  const { said } = item
  const voids = said?.twin?.record_ids.filter((id) => id !== record) ?? []
  const twin = said?.twin ? { ...said.twin, stays: record, voids, kept_at: at } : null
  const found = { by: state.who?.actor ?? '', at, record_id: record }
  const news = { state: 'committed', reason: null, committed_at: at, recorded: 'found', followers: 0 }
  Object.assign(item, news, { said: { remarks: [], twin, ...(twin ? {} : { found }) } })
  state.tell({ told: 'changed', topics: ['queue', 'standing', 'applications'] })
}

/** The permit system has an item more than once: it waits for a person. */
export function findTwice(state: MemoryState, operationId: string, records: readonly string[]) {
  const item = state.items.find((other) => other.operation_id === operationId)
  if (!item) return
  const [stays = null, ...voids] = records
  const twin = { record_ids: [...records], stays, voids, found_at: state.at(), kept_at: null }
  Object.assign(item, { said: { remarks: [], twin } })
  setAside(state, operationId, 'twin', null)
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

/** Somebody at city hall changed the record of an item, so that it needs a decision; what they made of it is known, or not
 * yet. */
export function meetAnother(state: MemoryState, operationId: string, known: 'known' | 'unknown') {
  const item = state.items.find((other) => other.operation_id === operationId)
  if (!item) return
  setAside(state, operationId, 'conflict', null)
  const both = twoVersions(state, item)
  const unknown = { theirs: null, meeting: null, proposal: null }
  const rows = both.rows.filter(({ changed }) => changed !== 'by_them')
  item.conflict =
    known === 'known' ? both : { ...both, ...unknown, rows: rows.map((row) => ({ ...row, theirs: null })) }
  state.tell({ told: 'changed', topics: ['queue', 'standing'] })
}

/** A correction of a record whose telephone number both changed, and to which city hall added a hold. */
function twoVersions(state: MemoryState, item: ItemView): ConflictView {
  const payload = {
    OriginalAddress1: '12 Oak St',
    ApplicantPhone: '555-0100',
    ApplicantEmail: 'rosa@example.org',
  }
  const hold = { hold_id: 'S-88', type: 'stop-work', reason: 'Gas smell' }
  const base = { etag: '"1"', stage: 'Intake', payload, holds: [], notes: [] }
  const row = (pointer: string, base: unknown, ours: unknown, theirs: unknown, changed: string) => ({
    pointer,
    base,
    ours,
    theirs,
    changed,
  })
  return {
    base,
    ours: item.payload,
    theirs: {
      ...base,
      etag: '"2"',
      payload: { ...payload, ApplicantPhone: '555-0102' },
      holds: [hold],
      record_id: 'AF-R-0000001',
      updated_at: state.at(),
      fetched_at: state.at(),
    },
    meeting: 'clash',
    proposal: null,
    by_field: true,
    rows: [
      row('/holds/S-88', null, null, hold, 'by_them'),
      row(
        '/payload/ApplicantEmail',
        payload.ApplicantEmail,
        'r.delgado@example.org',
        payload.ApplicantEmail,
        'by_us',
      ),
      row('/payload/ApplicantPhone', payload.ApplicantPhone, '555-0101', '555-0102', 'by_both_differently'),
      row(
        '/payload/OriginalAddress1',
        payload.OriginalAddress1,
        payload.OriginalAddress1,
        '12 Oak St',
        'nobody',
      ),
      row('/stage', 'Intake', 'Intake', 'Intake', 'nobody'),
    ],
  }
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
    cause: 'announced',
    announced_until: ago(24.6),
    held: null,
    tries: 3,
    books: { ...none, accepted: 71, committed: 69, quarantined: 2 },
  }
  if (state.mode !== 'not_answering') return [over]
  const now: OutageRow = {
    outage_id: '3',
    endpoint: 'primary',
    first_failure_at: ago(2.1),
    tripped_at: ago(2),
    closed_at: null,
    cause: 'failures',
    announced_until: null,
    held: state.held,
    tries: 612,
    books: booksOf(state.items),
  }
  return [now, over]
}

/** The first tries and the latest, as the station keeps them. */
function triesOf(outage: OutageRow): TryView[] {
  const began = new Date(outage.tripped_at).getTime()
  const numbers = outage.tries > 6 ? [1, 2, 3, outage.tries - 1, outage.tries] : [1, 2, 3]
  return numbers.map((n) => {
    const ends = outage.closed_at !== null && n === outage.tries
    const at = ends && outage.closed_at ? outage.closed_at : new Date(began + n * TRY_EVERY_MS).toISOString()
    const next_try_at = ends ? null : new Date(new Date(at).getTime() + TRY_EVERY_MS).toISOString()
    const outcome = ends ? 'alive' : 'unknown'
    return { n, at, what: n % 2 === 0 ? 'probe' : 'operation', outcome, next_try_at }
  })
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
