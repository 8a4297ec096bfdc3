// A station in memory, for tests and the gallery: it keeps what it is given, in one of five scripted conditions. It has
// no rules but one (a site address must be there), so that a refusal can be shown; real rules are the station's.

import { type Backend, Refusal } from './backend'
import type {
  ApplicationView,
  BooksView,
  ListRequest,
  QueueItemView,
  QueueRow,
  ReceiptView,
  SessionView,
  StationEvent,
  SubmitRequest,
  Told,
} from './generated/wire'
import { conditionOf, type MemoryMode } from './memoryConditions'

export type MemoryBackend = Backend & {
  /** What the station's clock does every two seconds; silent once contact is lost. */
  beat(): void
  become(mode: MemoryMode): void
  tell(told: Told): void
}

type Options = { mode?: MemoryMode; now?: () => Date; session?: SessionView | null }

export const house = {
  city: 'Alder Falls',
  station: 'front-1',
  version: '0.1.0',
  contact: 'IT desk, (555) 010-0199',
  rules_contact: 'the rules office',
  rehearsal: 'demo',
} as const

export function memoryBackend({
  mode = 'calm',
  now = () => new Date(),
  session = null,
}: Options = {}): MemoryBackend {
  const items: QueueItemView[] = []
  const listeners = new Set<(event: StationEvent) => void>()
  let current = mode
  let who = session
  const at = () => now().toISOString()
  const tell = (told: Told) => {
    if (current === 'lost') return
    for (const listener of listeners) listener({ at: at(), told })
  }
  const become = (next: MemoryMode) => {
    current = next
    tell({ told: 'changed', topics: ['standing'] })
  }
  const enter = async (user: string): Promise<SessionView> => {
    who = { actor: user, roles: [user], until: new Date(now().getTime() + 8 * 3_600_000).toISOString() }
    tell({ told: 'changed', topics: ['session'] })
    return who
  }
  return {
    house: async () => house,
    standing: async () => conditionOf(current, now(), booksOf(items)),
    status: async () => conditionOf(current, now(), booksOf(items)).status,
    contract: async () => conditionOf(current, now(), booksOf(items)).status.contract,
    refreshContract: async () => conditionOf(current, now(), booksOf(items)).status.contract,
    session: async () => who,
    signIn: ({ user }) => enter(user),
    async submit(request) {
      const receipt = accept(items, request, current, at())
      tell({ told: 'changed', topics: ['queue', 'standing', 'applications'] })
      return receipt
    },
    queue: async (request) => page(items.map(rowOf), request),
    operation: async (key) => found(items.find((item) => item.idempotency_key === key)),
    applications: async (request) => page(applicationsOf(items), request),
    application: async (id) =>
      found(applicationsOf(items).find((application) => application.application_id === id)),
    async drain() {
      const sent = current === 'not_answering' ? [] : items.filter((item) => item.state === 'pending')
      for (const item of sent) Object.assign(item, { state: 'committed', committed_at: at() })
      const pending = items.filter((item) => item.state === 'pending').length
      tell({ told: 'drain_ended', recorded: sent.length, decisions: 0, waiting: pending })
      return {
        committed: sent.length,
        already_committed: 0,
        quarantined: 0,
        pending,
        stopped_because: pending > 0 ? 'pass' : 'empty',
      }
    },
    events(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    demo: {
      break: async () => become('not_answering'),
      mend: async () => become('calm'),
      switchPerson: (person) => enter(person),
    },
    beat: () => tell({ told: 'heartbeat' }),
    become,
    tell,
  }
}

function accept(items: QueueItemView[], request: SubmitRequest, mode: MemoryMode, at: string): ReceiptView {
  if (mode === 'paused') throw new Refusal({ code: 'rules_out_of_date' })
  const twin = items.find((item) => item.idempotency_key === request.operation_id)
  if (twin) return receiptOf(twin, items.indexOf(twin), request)
  if (request.kind === 'application' && !request.payload.OriginalAddress1) {
    const message = 'Enter the site address.'
    throw new Refusal({
      code: 'refused',
      problems: [{ pointer: '/payload/OriginalAddress1', code: 'required', message }],
    })
  }
  const item = itemOf(request, items.length + 1, mode, at)
  items.push(item)
  return receiptOf(item, items.length - 1, request)
}

function itemOf(request: SubmitRequest, n: number, mode: MemoryMode, at: string): QueueItemView {
  const direct = mode === 'calm'
  return {
    idempotency_key: request.operation_id ?? `operation-${n}`,
    receipt_no: `${house.station}-${n}`,
    kind: request.kind,
    application_id: request.application_id ?? `application-${n}`,
    state: direct ? 'committed' : 'pending',
    doubt: 'none',
    accepted_at: at,
    attempts: direct ? 1 : 0,
    last_outcome: null,
    waits_until: null,
    reason: null,
    committed_at: direct ? at : null,
    record_id: null,
    permit_num: null,
    body: { payload: request.payload },
  }
}

function receiptOf(item: QueueItemView, index: number, request: SubmitRequest): ReceiptView {
  const { idempotency_key, application_id, receipt_no, permit_num, kind, accepted_at, state } = item
  const route = state === 'committed' ? 'direct' : 'defer'
  return {
    idempotency_key,
    operation_id: request.operation_id ?? idempotency_key,
    application_id,
    receipt_no,
    permit_num,
    kind,
    accepted_at,
    local_seq: index + 1,
    route,
    state,
  }
}

function rowOf({ committed_at, record_id, permit_num, body, ...row }: QueueItemView): QueueRow {
  return row
}

function applicationsOf(items: readonly QueueItemView[]): ApplicationView[] {
  return items
    .filter((item) => item.kind === 'application')
    .map((item) => {
      const operations = items.filter((other) => other.application_id === item.application_id).map(rowOf)
      const payload = (item.body as { payload: Record<string, unknown> }).payload
      return {
        application_id: item.application_id,
        permit_num: item.permit_num,
        stage: 'Intake',
        waiting: operations.filter((row) => row.state === 'pending').length,
        address: String(payload.OriginalAddress1 ?? ''),
        updated_at: item.accepted_at,
        record_id: item.record_id,
        etag: null,
        payload,
        operations,
      }
    })
}

function booksOf(items: readonly QueueItemView[]): BooksView {
  const of = (state: string) => items.filter((item) => item.state === state).length
  return {
    accepted: items.length,
    pending: of('pending'),
    in_flight: of('in_flight'),
    committed: of('committed'),
    quarantined: of('quarantined'),
    voided: of('voided'),
  }
}

function page<T>(rows: readonly T[], { skip, rows: wanted }: ListRequest): T[] {
  return rows.slice(skip, skip + wanted)
}

function found<T>(item: T | undefined): T {
  if (item === undefined) throw new Refusal({ code: 'not_found' })
  return item
}
