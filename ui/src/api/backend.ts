// What the page asks of the station, whoever carries it there: the window's commands, the loopback bridge of browser
// tests, or memory. One method per command; an answer that is not given is a `Refusal`. Decides nothing.

import type {
  ApiCode,
  ApiError,
  ApplicationRow,
  ApplicationView,
  ContractView,
  DemoFault,
  DemoPerson,
  DrainReport,
  DrainRequest,
  HouseView,
  ListRequest,
  QueueItemView,
  QueueRow,
  ReceiptView,
  SessionView,
  SignInRequest,
  StandingView,
  StationEvent,
  StatusView,
  SubmitRequest,
} from './generated/wire'

export interface Backend {
  house(): Promise<HouseView>
  standing(): Promise<StandingView>
  status(): Promise<StatusView>
  submit(request: SubmitRequest): Promise<ReceiptView>
  queue(request: ListRequest): Promise<QueueRow[]>
  operation(key: string): Promise<QueueItemView>
  applications(request: ListRequest): Promise<ApplicationRow[]>
  application(id: string): Promise<ApplicationView>
  signIn(request: SignInRequest): Promise<SessionView>
  session(): Promise<SessionView | null>
  contract(): Promise<ContractView>
  /** Asks the SoR for the rules now. */
  refreshContract(): Promise<ContractView>
  drain(request: DrainRequest): Promise<DrainReport>
  /** Only in a demonstration: breaks and mends the SoR, and changes who is signed in. */
  demo?: {
    break(fault: DemoFault): Promise<unknown>
    mend(): Promise<unknown>
    switchPerson(person: DemoPerson): Promise<SessionView>
  }
  /** Told from now on, heartbeats included; the answer ends it. */
  events(listener: (event: StationEvent) => void): () => void
}

/** The station understood and did not do it; `code` says why, `problems` where. */
export class Refusal extends Error {
  readonly code: ApiCode
  readonly problems: NonNullable<ApiError['problems']>

  constructor(error: ApiError) {
    super(error.code)
    this.name = 'Refusal'
    this.code = error.code
    this.problems = error.problems ?? []
  }
}
