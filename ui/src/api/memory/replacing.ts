// Corrections and voids, in memory: what waits is replaced or taken back, what is recorded is followed. Real rules are the
// station's; these are few, so that each of its answers can be shown.

import { Refusal } from '../backend'
import type {
  DecisionOffer,
  DecisionWord,
  ItemView,
  OfferedView,
  OfferView,
  ProblemView,
  ReceiptView,
  SubmitRequest,
} from '../generated/wire'
import { itemOf, problemsOf, receiptOf } from './forms'
import type { MemoryState } from './state'

/** What may have arrived, whatever is said of it. */
const IN_DOUBT = ['twin', 'unprovable']

export function offeredFor(state: MemoryState, item: ItemView): OfferedView {
  const way = wayOf(item)
  const lead = state.who?.roles.includes('supervisor') ?? false
  const not: OfferView = { offer: 'refused', refusal: { why: 'not_permitted', roles: ['supervisor'] } }
  const correct: OfferView =
    way.offer !== 'refused' && item.kind === 'attachment'
      ? { offer: 'refused', refusal: { why: 'no_form' } }
      : way
  return {
    correct,
    take_back: way.offer === 'refused' || lead ? way : not,
    correcting:
      correct.offer === 'refused'
        ? null
        : { kind: item.kind, payload: item.payload as Record<string, unknown>, of: [item.operation_id] },
    decisions: item.state === 'quarantined' ? decisionsOf(item) : [],
  }
}

function decisionsOf({ reason, doubt }: ItemView): DecisionOffer[] {
  const orphan = reason === 'parent-voided'
  const doubted = doubt !== 'none' || IN_DOUBT.includes(reason ?? '')
  const can = (decision: DecisionWord): DecisionOffer => ({ decision, refused: null })
  return [
    { decision: 'requeue', refused: orphan ? 'nothing_to_build_on' : null },
    { decision: 'void', refused: doubted ? 'in_doubt' : null },
    ...(reason === 'twin' ? [can('keep')] : []),
    ...(IN_DOUBT.includes(reason ?? '') ? [can('found')] : []),
  ]
}

function wayOf({ state, doubt, reason, kind }: ItemView): OfferView {
  if (kind === 'void') return { offer: 'refused', refusal: { why: 'a_void' } }
  if (state === 'voided') return { offer: 'refused', refusal: { why: 'voided' } }
  if (state === 'committed') return { offer: 'follows' }
  if (state === 'in_flight' || doubt !== 'none' || IN_DOUBT.includes(reason ?? ''))
    return { offer: 'refused', refusal: { why: 'in_doubt' } }
  return { offer: 'takes_place' }
}

export function isChange({ kind }: SubmitRequest): boolean {
  return kind === 'correction' || kind === 'void'
}

/** None of an operation that is accepted already. */
export function change(state: MemoryState, request: SubmitRequest): ReceiptView {
  const { of, payload, reason } = request.payload as { of?: string; payload?: object; reason?: string }
  const target = state.items.find((item) => item.operation_id === of)
  if (!target) throw refused('/payload/of', 'unknown-operation')
  const way = wayOf(target)
  if (way.offer === 'refused') throw refused('/payload/of', 'in-doubt')
  if (request.kind === 'void' && (reason ?? '').trim() === '') throw refused('/payload/reason', 'missing')
  if (request.kind === 'void' && way.offer === 'takes_place') {
    Object.assign(target, { state: 'voided', reason: null, followers: 0 })
    return receiptOf(target, state.items.indexOf(target))
  }
  const says = (payload ?? {}) as Record<string, unknown>
  const problems = target.kind === 'application' && request.kind === 'correction' ? problemsOf(says) : []
  if (problems.length > 0) throw new Refusal({ code: 'refused', problems: problems.map(inside) })
  const item = replacing(state, request, target, says)
  state.items.push(item)
  return receiptOf(item, state.items.length - 1)
}

function replacing(
  state: MemoryState,
  request: SubmitRequest,
  target: ItemView,
  says: Record<string, unknown>,
): ItemView {
  const application_id = target.application_id
  if (wayOf(target).offer === 'follows') {
    const item = itemOf(state, { ...request, application_id })
    return { ...item, address: target.address, permit_num: target.permit_num }
  }
  const made = itemOf(state, { ...request, kind: target.kind, application_id, payload: says })
  Object.assign(target, { state: 'voided', reason: null, replaced_by: made.receipt_no })
  return { ...made, replaces: target.receipt_no, address: made.address ?? target.address }
}

function inside(problem: ProblemView): ProblemView {
  return { ...problem, pointer: `/payload${problem.pointer}` }
}

function refused(pointer: string, code: string): Refusal {
  return new Refusal({ code: 'refused', problems: [{ pointer, code, message: code }] })
}
