// As many items as a list is to be tried with: made-up applications in many states, names of every script among them,
// and every fifth item a later step of the application before it.

import type { ItemView } from '../generated/wire'
import { uuid } from './forms'

const STREETS = ['Oak St', 'Mill Rd', 'Calle Peñón', 'Harbor Ave', 'Railway Ter', 'Olive Ct'] as const
const NAMES = ['Ana Núñez', 'R. Ortiz', 'שרה לוי', 'علي حسن', 'Kim & Sons 🏗️', '<b>Bold Builders</b>'] as const
const TYPES = ['Building', 'Roof', 'Electrical', 'Plumbing', 'Fence'] as const
const ANSWERS = [null, 'unanswered', 'unreachable', 'unavailable', 'untyped', 'throttled'] as const
const LONG_NAME_AT = 7
const MINUTE_MS = 60_000
const LANE = 5

export function manyItems(n: number, now: Date = new Date()): ItemView[] {
  return Array.from({ length: n }, (_, index) => itemAt(index, n, now))
}

function itemAt(index: number, of: number, now: Date): ItemView {
  const step = index % LANE === LANE - 1
  const first = step ? index - 1 : index
  const accepted_at = new Date(now.getTime() - (of - index) * MINUTE_MS).toISOString()
  const address = `${first + 1} ${at(STREETS, first)}`
  const applicant = index === LONG_NAME_AT ? 'Long '.repeat(40).trim() : at(NAMES, first)
  const permit_type = at(TYPES, first)
  const payload = { OriginalAddress1: address, ApplicantName: applicant, PermitTypeMapped: permit_type }
  return {
    idempotency_key: (index + 1).toString(16).padStart(64, '0'),
    operation_id: uuid(100_000 + index),
    receipt_no: `front-1-${index + 1}`,
    kind: step ? 'stage' : 'application',
    application_id: uuid(500_000 + first),
    state: 'pending',
    doubt: index % 11 === 3 ? 'sent' : 'none',
    accepted_at,
    attempts: index % 4,
    last_outcome: at(ANSWERS, index),
    waits_until: null,
    reason: null,
    about: step ? { about: 'move', to: 'PrelimReview', reason: null } : { about: 'application', permit_type },
    committed_at: null,
    recorded: null,
    permit_num: null,
    address,
    behind: step ? `front-1-${index}` : null,
    actor: 'clerk',
    clock: index % 97 === 5 ? 'suspect' : 'ok',
    payload: step ? { to: 'PrelimReview' } : payload,
    record_id: null,
    followers: 0,
    answer: null,
    reinspection_due_at: null,
    conflict: null,
  }
}

function at<T>(of: readonly [T, ...T[]], index: number): T {
  return of[index % of.length] ?? of[0]
}
