// Records and items, in memory: found by a plain search, in the order asked for.

import { type RecordBackend, Refusal } from '../backend'
import type { ItemRow, ItemsRequest, ItemView, RecordRow, RecordView } from '../generated/wire'
import { offeredFor } from './replacing'
import type { MemoryState } from './state'

export function recordsInMemory(state: MemoryState): RecordBackend {
  return {
    async find({ text, skip, rows }) {
      const all = recordsOf(state)
      const matching = all.filter((row) =>
        has(text, row.address, row.permit_num, row.receipt_no, row.applicant),
      )
      const page = matching.slice(skip, skip + rows)
      return { rows: page, matching: matching.length, known: all.length, copied_at: null }
    },
    async record(id) {
      const row = recordsOf(state).find((record) => record.application_id === id)
      if (!row) throw new Refusal({ code: 'not_found' })
      return opened(state, row)
    },
    async items(request) {
      const all = state.items.filter((item) => listed(state, request, item))
      const matching = all.filter((item) => has(request.text, item.receipt_no, item.permit_num, item.address))
      const ordered = request.order === 'newest_first' ? matching.toReversed() : matching
      const recorded = state.items.map((item) => item.committed_at).filter((at) => at !== null)
      return {
        rows: ordered.slice(request.skip, request.skip + request.rows).map(rowOf),
        matching: matching.length,
        all: all.length,
        last_recorded_at: recorded.at(-1) ?? null,
      }
    },
    async item(id) {
      const item = state.items.find((other) => other.operation_id === id)
      if (!item) throw new Refusal({ code: 'not_found' })
      return { ...item, offered: offeredFor(state, item) }
    },
    async keepLikeness({ of, reason }) {
      if (reason.trim() === '')
        throw new Refusal({
          code: 'refused',
          problems: [{ pointer: '/reason', code: 'missing', message: 'must be given' }],
        })
      const item = state.items.find((other) => other.application_id === of && other.looks_like)
      if (!item) throw new Refusal({ code: 'not_found' })
      const kept_beside = (item.looks_like ?? []).map((like) => like.application_id)
      delete item.looks_like
      state.tell({ told: 'changed', topics: ['queue', 'applications'] })
      return { application_id: of, kept_beside }
    },
  }
}

function listed(state: MemoryState, { of }: ItemsRequest, item: ItemView): boolean {
  switch (of) {
    case 'waiting':
      return item.state === 'pending' || item.state === 'in_flight'
    case 'decisions':
      return item.state === 'quarantined'
    case 'sent_back':
      return item.state === 'quarantined' && item.actor === state.who?.actor
    case 'own':
      return item.actor === state.who?.actor
  }
}

function has(text: string, ...places: (string | null)[]): boolean {
  const wanted = text.trim().toLowerCase()
  return wanted === '' || places.some((place) => place?.toLowerCase().includes(wanted))
}

/** What changed last comes first. */
function recordsOf(state: MemoryState): RecordRow[] {
  const rows = lanesOf(state.items).flatMap((lane) => recordOf(lane) ?? [])
  return rows.toSorted((a, b) => b.updated_at.localeCompare(a.updated_at))
}

function lanesOf(items: readonly ItemView[]): ItemView[][] {
  const lanes = new Map<string, ItemView[]>()
  for (const item of items) {
    const lane = lanes.get(item.application_id)
    if (lane) lane.push(item)
    else lanes.set(item.application_id, [item])
  }
  return [...lanes.values()]
}

function recordOf(lane: ItemView[]): RecordRow | null {
  const item = lane.find(({ kind }) => kind === 'application')
  if (!item) return null
  const moved = lane.findLast((other) => other.about.about === 'move')?.about
  const payload = item.payload as Record<string, unknown>
  const text = (name: string) => (typeof payload[name] === 'string' ? String(payload[name]) : null)
  return {
    application_id: item.application_id,
    permit_num: item.permit_num,
    receipt_no: item.receipt_no,
    address: item.address,
    applicant: text('ApplicantName'),
    permit_type: text('PermitTypeMapped'),
    stage: moved?.about === 'move' ? moved.to : 'Intake',
    waiting: lane.filter((other) => other.state === 'pending').length,
    updated_at: lane.at(-1)?.accepted_at ?? item.accepted_at,
    copied_at: null,
  }
}

const STAGES = ['Intake', 'PrelimReview', 'FeeEstimated', 'ConditionalApproval', 'Committed'] as const

function opened(state: MemoryState, row: RecordRow): RecordView {
  const at = (STAGES as readonly string[]).indexOf(row.stage)
  const lane = state.items.filter((item) => item.application_id === row.application_id)
  const intake = lane.find((item) => item.kind === 'application')
  return {
    ...row,
    record_id: null,
    stages: STAGES.map((stage, n) => ({ stage, reached: n < at ? 'done' : n === at ? 'now' : 'to_come' })),
    moves: movesFrom(at),
    payload: (intake?.payload ?? {}) as Record<string, unknown>,
    items: lane.toReversed().map(rowOf),
    ...(intake?.looks_like && { looks_like: intake.looks_like }),
  }
}

function movesFrom(at: number): RecordView['moves'] {
  if (at < 0) return [{ to: 'PrelimReview', reason: 'not_needed', refused: { why: 'ended' } }]
  const refusal = (n: number) => {
    if (n === STAGES.length - 1) return { why: 'never_chosen' as const }
    if (n === STAGES.length - 2) return { why: 'not_permitted' as const, roles: ['supervisor'] }
    return n === at + 1 ? null : { why: 'no_such_step' as const }
  }
  const forward = STAGES.map((to, n) => ({ to, reason: 'not_needed' as const, refused: refusal(n), n }))
  return [
    ...forward.filter(({ n }) => n > at).map(({ n, ...move }) => move),
    { to: 'Withdrawn', reason: 'needed', refused: null },
    { to: 'Voided', reason: 'needed', refused: { why: 'not_permitted', roles: ['supervisor'] } },
  ]
}

export function rowOf({
  payload,
  record_id,
  followers,
  answer,
  reinspection_due_at,
  offered,
  ...row
}: ItemView): ItemRow {
  return row
}
