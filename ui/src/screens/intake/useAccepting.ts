// Handing in: one press at a time, under the draft's own id, so that it is accepted once however often it is pressed.
// What the station answers is either a receipt or the reason why not; a missing answer is neither.

import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { Refusal } from '../../api/backend'
import type { ApiCode, DraftView, FormView, ProblemView } from '../../api/generated/wire'
import { type Payload, payloadOf } from '../../forms/payload'
import { draftKey, type Filling } from '../../forms/useFilling'
import { go } from '../../frame/routes'
import { useBackend, useStanding } from '../../frame/StandingContext'
import { alreadyAccepted, receiptAddress } from './addresses'

/** Why a press led to no receipt; `no_answer` is everything that is not a refusal of the station. */
export type NotAccepted =
  | { why: 'problems'; problems: readonly ProblemView[] }
  | { why: 'no_contact'; since: string }
  | { why: 'no_answer' }
  | { why: 'code'; code: ApiCode }

export type Accepting = {
  pending: boolean
  /** Of the latest press; none before the first, and while one is on its way. */
  outcome: NotAccepted | null
  /** How many presses were answered with a reason: each moves the focus to it. */
  attempt: number
  accept: () => void
}

/** How what was typed is written for the station, and where in the form its problems belong. */
export type Written = {
  payload: (typed: Payload) => Payload
  problems: (found: readonly ProblemView[]) => readonly ProblemView[]
}

const asTyped: Written = { payload: (typed) => typed, problems: (found) => found }

export function useAccepting(
  form: FormView,
  draft: DraftView,
  filling: Filling,
  written: Written = asTyped,
): Accepting {
  const backend = useBackend()
  const client = useQueryClient()
  const { lostSince } = useStanding()
  const [state, setState] = useState({ pending: false, outcome: null as NotAccepted | null, attempt: 0 })
  const busy = useRef(false)
  const not = (outcome: NotAccepted) =>
    setState(({ attempt }) => ({ pending: false, outcome, attempt: attempt + 1 }))
  const accepted = (acceptedAt: string, pressedAt: number) => {
    filling.end()
    client.removeQueries({ queryKey: draftKey(draft.operation_id) })
    const earlier = new Date(acceptedAt).getTime() < pressedAt
    go(earlier ? alreadyAccepted(draft.operation_id) : receiptAddress(draft.operation_id))
  }
  async function handIn() {
    const pressedAt = Date.now()
    const { kind, operation_id, application_id } = draft
    const payload = written.payload(payloadOf(form, filling.latest()))
    try {
      const receipt = await backend.submit({ kind, operation_id, application_id, payload })
      accepted(receipt.accepted_at, pressedAt)
    } catch (error) {
      const outcome = notAccepted(error, written)
      if (outcome.why === 'problems') filling.refused(outcome.problems)
      not(outcome)
    }
  }
  const accept = () => {
    if (busy.current) return
    if (lostSince !== null) return not({ why: 'no_contact', since: lostSince })
    busy.current = true
    setState((before) => ({ ...before, pending: true }))
    filling.saveNow()
    void handIn().finally(() => {
      busy.current = false
    })
  }
  return { ...state, accept }
}

function notAccepted(error: unknown, written: Written): NotAccepted {
  if (!(error instanceof Refusal)) return { why: 'no_answer' }
  if (error.code === 'refused' && error.problems.length > 0)
    return { why: 'problems', problems: written.problems(error.problems) }
  return { why: 'code', code: error.code }
}
