// Filling in and handing in, in memory. It has three rules (a site address must be there, an amount is digits, an email
// has an at sign), so that a refusal can be shown; real rules are the station's.

import { type FormBackend, Refusal } from '../backend'
import { FORMS } from '../generated/forms'
import type {
  DraftRow,
  DraftView,
  ItemView,
  ProblemView,
  ReceiptView,
  SubmitRequest,
} from '../generated/wire'
import { change, isChange } from './replacing'
import type { MemoryState } from './state'

const STATION = 'front-1'
/** Ids of drafts, apart from those of items that never were one. */
const DRAFTS_FROM = 1_000_000

export function formsInMemory(state: MemoryState): FormBackend {
  let minted = 0
  return {
    async form(kind) {
      const form = FORMS[kind]
      if (!form) throw new Refusal({ code: 'not_found' })
      return form
    },
    async check({ payload, pointers }) {
      const under = (at: string) => pointers.some((pointer) => at === pointer || at.startsWith(`${pointer}/`))
      return { problems: problemsOf(payload).filter(({ pointer }) => under(pointer)) }
    },
    // No GIS here: nothing is said of parcels.
    parcels: async () => ({ parcels: [], copy: null }),
    async submit(request) {
      const receipt = accept(state, request)
      if (request.operation_id) state.drafts.delete(request.operation_id)
      state.tell({ told: 'changed', topics: ['queue', 'standing', 'applications'] })
      return receipt
    },
    async openDraft({ kind, application_id }) {
      // As the station: an untouched one is the next new one, and is listed nowhere.
      const same = (draft: DraftView) => draft.kind === kind && draft.application_id === application_id
      const untouched = [...state.drafts.values()].find((draft) => isUntouched(draft) && same(draft))
      if (untouched) return untouched
      minted += 1
      const operation_id = uuid(DRAFTS_FROM + minted)
      const draft = { operation_id, kind, application_id, saved_at: state.at(), about: null, values: {} }
      state.drafts.set(operation_id, draft)
      return draft
    },
    async keepDraft({ operation_id, values }) {
      const draft = state.drafts.get(operation_id)
      if (!draft) throw new Refusal({ code: 'not_found' })
      const about = typeof values.OriginalAddress1 === 'string' ? values.OriginalAddress1 : null
      Object.assign(draft, { values, about, saved_at: state.at() })
      return { saved_at: draft.saved_at }
    },
    drafts: async () =>
      [...state.drafts.values()]
        .filter((draft) => !isUntouched(draft))
        .map(({ values, ...row }): DraftRow => row),
    async draft(id) {
      const draft = state.drafts.get(id)
      if (!draft) throw new Refusal({ code: 'not_found' })
      return draft
    },
    discardDraft: async (id) => state.drafts.delete(id),
  }
}

function isUntouched({ values }: DraftView): boolean {
  return Object.keys(values).length === 0
}

function accept(state: MemoryState, request: SubmitRequest): ReceiptView {
  if (state.mode === 'paused') throw new Refusal({ code: 'rules_out_of_date' })
  const twin = state.items.find((item) => item.operation_id === request.operation_id)
  if (twin) return receiptOf(twin, state.items.indexOf(twin))
  if (isChange(request)) return change(state, request)
  const problems = request.kind === 'application' ? problemsOf(request.payload) : problemsOfMove(request)
  if (problems.length > 0) throw new Refusal({ code: 'refused', problems })
  const item = itemOf(state, request)
  state.items.push(item)
  return receiptOf(item, state.items.length - 1)
}

export function problemsOf(payload: Record<string, unknown>): ProblemView[] {
  const { OriginalAddress1: address, EstProjectCost: cost, ApplicantEmail: email } = payload
  const at = (name: string, code: string, message: string, params: Record<string, string> = {}) => ({
    pointer: `/payload/${name}`,
    code,
    message,
    params,
  })
  return [
    ...(address ? [] : [at('OriginalAddress1', 'missing', 'must be given')]),
    ...(cost === undefined || /^\d{1,13}(\.\d{1,2})?$/.test(String(cost))
      ? []
      : [at('EstProjectCost', 'pattern', 'must be a decimal number', { shape: 'a decimal number as text' })]),
    ...(email === undefined || String(email).includes('@')
      ? []
      : [at('ApplicantEmail', 'format', 'is not a valid email', { format: 'email' })]),
  ]
}

/** A withdrawal needs a reason. */
function problemsOfMove({ payload }: SubmitRequest): ProblemView[] {
  if (payload.to !== 'Withdrawn' || String(payload.reason ?? '').trim() !== '') return []
  return [{ pointer: '/payload/reason', code: 'missing', message: 'must be given' }]
}

export function itemOf(state: MemoryState, request: SubmitRequest): ItemView {
  const n = state.items.length + 1
  const direct = state.mode === 'calm'
  const address = request.payload.OriginalAddress1
  return {
    idempotency_key: n.toString(16).padStart(64, '0'),
    operation_id: request.operation_id ?? uuid(n),
    receipt_no: `${STATION}-${n}`,
    kind: request.kind,
    application_id: request.application_id ?? uuid(1000 + n),
    state: direct ? 'committed' : 'pending',
    doubt: 'none',
    accepted_at: state.at(),
    attempts: direct ? 1 : 0,
    last_outcome: null,
    waits_until: null,
    reason: null,
    about: aboutOf(request),
    committed_at: direct ? state.at() : null,
    recorded: direct ? 'sent' : null,
    permit_num: null,
    address: typeof address === 'string' ? address : null,
    behind: null,
    actor: state.who?.actor ?? 'clerk',
    clock: 'ok',
    payload: request.payload,
    record_id: null,
    followers: 0,
    answer: null,
    reinspection_due_at: null,
    conflict: null,
  }
}

function aboutOf({ kind, payload }: SubmitRequest): ItemView['about'] {
  const text = (name: string) => (typeof payload[name] === 'string' ? String(payload[name]) : null)
  if (kind === 'application') return { about: 'application', permit_type: text('PermitTypeMapped') }
  if (kind === 'stage') return { about: 'move', to: text('to') ?? '', reason: text('reason') }
  if (kind === 'inspection')
    return { about: 'inspection', insp_type: text('InspType') ?? '', result: text('ResultMapped') }
  return { about: 'other' }
}

export function receiptOf(item: ItemView, index: number): ReceiptView {
  const { idempotency_key, operation_id, application_id, receipt_no, permit_num, kind, accepted_at } = item
  const route = item.state === 'committed' ? 'direct' : 'defer'
  return {
    idempotency_key,
    operation_id,
    application_id,
    receipt_no,
    permit_num,
    kind,
    accepted_at,
    local_seq: index + 1,
    route,
    state: item.state,
  }
}

export function uuid(n: number): string {
  return `01932c6f-8f0a-7cc3-98a1-${n.toString(16).padStart(12, '0')}`
}
