// What the page asks of the station, whoever carries it there: the window's commands, the loopback bridge of browser
// tests, or memory. One method per command; an answer that is not given is a `Refusal`. Decides nothing.

import type {
  ApiCode,
  ApiError,
  BacklogHours,
  CheckRequest,
  CheckView,
  ConflictView,
  ContractView,
  CopiesView,
  Decided,
  DecideRequest,
  DemoFault,
  DemoPerson,
  DraftKept,
  DraftRow,
  DraftView,
  DrainReport,
  DrainRequest,
  EndpointSteered,
  FindRequest,
  FindView,
  FormView,
  HoldEndpointRequest,
  HouseView,
  InspectionsView,
  InspectionView,
  ItemsRequest,
  ItemsView,
  ItemView,
  KeepDraftRequest,
  KeepLikenessRequest,
  LikenessKept,
  ListRequest,
  OpenDraftRequest,
  OutagesView,
  OutageView,
  ParcelsRequest,
  ParcelsView,
  ReceiptView,
  RecordView,
  ReleaseEndpointRequest,
  RestoreDecided,
  RestoreRequest,
  RestoreView,
  SessionView,
  SignInRequest,
  StandingView,
  StartView,
  StationEvent,
  StationsView,
  StationView,
  StatusView,
  SubmitRequest,
} from './generated/wire'

export type Backend = StandingBackend &
  SessionBackend &
  FormBackend &
  RecordBackend &
  FieldBackend &
  OversightBackend &
  ShellBackend

export interface StandingBackend {
  house(): Promise<HouseView>
  standing(): Promise<StandingView>
  status(): Promise<StatusView>
  contract(): Promise<ContractView>
  /** Asks the SoR for the rules now. */
  refreshContract(): Promise<ContractView>
  drain(request: DrainRequest): Promise<DrainReport>
  /** Told from now on, heartbeats included; the answer ends it. */
  events(listener: (event: StationEvent) => void): () => void
}

export interface SessionBackend {
  session(): Promise<SessionView | null>
  signIn(request: SignInRequest): Promise<SessionView>
  signOut(): Promise<unknown>
}

/** Filling in and handing in. */
export interface FormBackend {
  form(kind: string): Promise<FormView>
  check(request: CheckRequest): Promise<CheckView>
  /** What this computer's copy of the city's GIS says. */
  parcels(request: ParcelsRequest): Promise<ParcelsView>
  submit(request: SubmitRequest): Promise<ReceiptView>
  openDraft(request: OpenDraftRequest): Promise<DraftView>
  keepDraft(request: KeepDraftRequest): Promise<DraftKept>
  drafts(): Promise<DraftRow[]>
  draft(operationId: string): Promise<DraftView>
  discardDraft(operationId: string): Promise<unknown>
}

/** Records, and what was accepted. */
export interface RecordBackend {
  find(request: FindRequest): Promise<FindView>
  record(applicationId: string): Promise<RecordView>
  items(request: ItemsRequest): Promise<ItemsView>
  item(operationId: string): Promise<ItemView>
  /** Both of two that look alike are kept: the mark goes. */
  keepLikeness(request: KeepLikenessRequest): Promise<LikenessKept>
}

export interface FieldBackend {
  inspections(): Promise<InspectionsView>
  inspection(inspectionId: string): Promise<InspectionView>
  /** Asks the SoR for records and inspections now. */
  refreshCopies(): Promise<CopiesView>
}

export interface OversightBackend {
  decide(request: DecideRequest): Promise<Decided>
  fetchTheirs(key: string): Promise<ConflictView>
  outages(request: ListRequest): Promise<OutagesView>
  /** One outage with what was tried in it. */
  outage(outageId: string): Promise<OutageView>
  /** Stops what is sent to a system until a time, with a reason. */
  holdEndpoint(request: HoldEndpointRequest): Promise<EndpointSteered>
  releaseEndpoint(request: ReleaseEndpointRequest): Promise<EndpointSteered>
  /** What the SoR lacks since it came back from an older copy. */
  restore(request: ListRequest): Promise<RestoreView>
  settleRestore(request: RestoreRequest): Promise<RestoreDecided>
  backlogHours(): Promise<BacklogHours>
  /** What the board said last of all computers; nobody is asked. */
  stations(): Promise<StationsView>
  /** The same of one of them, with what waits there. */
  station(stationId: string): Promise<StationView>
  /** Asks the board now. */
  askBoard(): Promise<StationsView>
}

/** The window itself, and how the program began. */
export interface ShellBackend {
  start(): Promise<StartView>
  /** Tries to open the station once more. */
  startAgain(): Promise<StartView>
  /** Size of everything in the window, in percent of the usual one: 80 to 300. */
  setTextSize(percent: number): Promise<unknown>
  /** Closes the window; what waits goes on being sent. */
  closeWindow(): Promise<unknown>
  /** Only in a demonstration: breaks and mends the SoR, and changes who is signed in. */
  demo?: {
    break(fault: DemoFault): Promise<unknown>
    mend(): Promise<unknown>
    switchPerson(person: DemoPerson): Promise<SessionView>
  }
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
