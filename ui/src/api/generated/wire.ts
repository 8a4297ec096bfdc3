// Written by the tests of holdfast-wire from the station's own types; never by hand.

export type ApiCode = "not_an_object" | "refused" | "busy" | "not_signed_in" | "not_permitted" | "rules_out_of_date" | "disk_full" | "not_answering" | "impostor" | "system_refused" | "not_found" | "storage" | "integrity" | "in_use";

export type ApiError = { 
/**
 * Why.
 */
code: ApiCode, 
/**
 * What was wrong with the input, if it was.
 */
problems?: Array<ProblemView>, };

export type ApplicationRow = { 
/**
 * The application.
 */
application_id: string, 
/**
 * The permit number, if known.
 */
permit_num: string | null, 
/**
 * Where it stands, with what was accepted here.
 */
stage: string, 
/**
 * Operations of it that still wait.
 */
waiting: number, 
/**
 * `OriginalAddress1`.
 */
address: string | null, 
/**
 * When the copy last changed.
 */
updated_at: string, };

export type ApplicationView = { 
/**
 * The SoR's record, once it has one.
 */
record_id: string | null, 
/**
 * Entity tag of the last receipt.
 */
etag: string | null, 
/**
 * The payload as last accepted.
 */
payload: Record<string, unknown>, 
/**
 * Its operations, oldest first.
 */
operations: Array<QueueRow>, 
/**
 * The application.
 */
application_id: string, 
/**
 * The permit number, if known.
 */
permit_num: string | null, 
/**
 * Where it stands, with what was accepted here.
 */
stage: string, 
/**
 * Operations of it that still wait.
 */
waiting: number, 
/**
 * `OriginalAddress1`.
 */
address: string | null, 
/**
 * When the copy last changed.
 */
updated_at: string, };

export type DrainReport = { 
/**
 * Recorded now.
 */
committed: number, 
/**
 * Found to be recorded already.
 */
already_committed: number, 
/**
 * Put before a person.
 */
quarantined: number, 
/**
 * Still waiting.
 */
pending: number, 
/**
 * Why it stopped.
 */
stopped_because: DrainStop, };

export type DrainRequest = { 
/**
 * Wait through open breakers until nothing is left, instead of one pass.
 */
until_empty: boolean, 
/**
 * Stop after so many seconds.
 */
max_s: number | null, };

export type DrainStop = "empty" | "time" | "held" | "unauthorized" | "paused" | "pass";

export type ListRequest = { 
/**
 * Rows to pass over.
 */
skip: number, 
/**
 * Rows wanted.
 */
rows: number, };

export type ProblemView = { 
/**
 * RFC 6901 pointer to the field.
 */
pointer: string, 
/**
 * Stable code.
 */
code: string, 
/**
 * Short English text for the terminal.
 */
message: string, };

export type Problems = { 
/**
 * Each problem.
 */
problems: Array<ProblemView>, };

export type QueueItemView = { 
/**
 * When the SoR had it.
 */
committed_at: string | null, 
/**
 * The SoR's record.
 */
record_id: string | null, 
/**
 * The permit number, if known.
 */
permit_num: string | null, 
/**
 * The stored body.
 */
body: unknown, 
/**
 * The operation's key.
 */
idempotency_key: string, 
/**
 * `{station}-{n}`.
 */
receipt_no: string, 
/**
 * Kind.
 */
kind: string, 
/**
 * Its lane.
 */
application_id: string, 
/**
 * State.
 */
state: string, 
/**
 * `none`, `sent` or `received`.
 */
doubt: string, 
/**
 * When it was accepted.
 */
accepted_at: string, 
/**
 * Attempts so far.
 */
attempts: number, 
/**
 * Word for the last answer.
 */
last_outcome: string | null, 
/**
 * Until when it waits.
 */
waits_until: string | null, 
/**
 * Why it waits for a person.
 */
reason: string | null, };

export type QueueRow = { 
/**
 * The operation's key.
 */
idempotency_key: string, 
/**
 * `{station}-{n}`.
 */
receipt_no: string, 
/**
 * Kind.
 */
kind: string, 
/**
 * Its lane.
 */
application_id: string, 
/**
 * State.
 */
state: string, 
/**
 * `none`, `sent` or `received`.
 */
doubt: string, 
/**
 * When it was accepted.
 */
accepted_at: string, 
/**
 * Attempts so far.
 */
attempts: number, 
/**
 * Word for the last answer.
 */
last_outcome: string | null, 
/**
 * Until when it waits.
 */
waits_until: string | null, 
/**
 * Why it waits for a person.
 */
reason: string | null, };

export type ReceiptView = { 
/**
 * The operation's key.
 */
idempotency_key: string, 
/**
 * The operation.
 */
operation_id: string, 
/**
 * The application that it belongs to.
 */
application_id: string, 
/**
 * `{station}-{n}`.
 */
receipt_no: string, 
/**
 * Only if known.
 */
permit_num: string | null, 
/**
 * What was accepted.
 */
kind: string, 
/**
 * When, RFC 3339 UTC.
 */
accepted_at: string, 
/**
 * Position among all that this station accepted.
 */
local_seq: number, 
/**
 * `direct`, `probe` or `defer`.
 */
route: string, 
/**
 * `pending`, `in_flight`, `committed`, `quarantined` or `voided`.
 */
state: string, };

export type SessionView = { 
/**
 * The person.
 */
actor: string, 
/**
 * The person's roles.
 */
roles: Array<string>, 
/**
 * Until when.
 */
until: string, };

export type SignInRequest = { 
/**
 * The person's name at the SoR.
 */
user: string, 
/**
 * Never stored, never logged.
 */
password: string, };

export type SubmitRequest = { 
/**
 * What kind of thing is recorded.
 */
kind: string, 
/**
 * Minted when the form was opened; drawn here when absent.
 */
operation_id?: string | null, 
/**
 * Required for all but a new application.
 */
application_id?: string | null, 
/**
 * Entity tag of the copy that the person saw.
 */
base?: string | null, 
/**
 * What is to be recorded.
 */
payload: Record<string, unknown>, };

export type BacklogView = { 
/**
 * How many.
 */
count: number, 
/**
 * When the oldest was accepted.
 */
oldest_accepted_at: string | null, };

export type BooksView = { 
/**
 * All that was ever accepted.
 */
accepted: number, 
/**
 * Waiting.
 */
pending: number, 
/**
 * Being sent.
 */
in_flight: number, 
/**
 * Recorded by the SoR.
 */
committed: number, 
/**
 * Waiting for a person.
 */
quarantined: number, 
/**
 * Taken back.
 */
voided: number, };

export type BreakerView = { 
/**
 * The endpoint's name.
 */
endpoint: string, 
/**
 * `closed`, `open` or `half_open`.
 */
state: string, 
/**
 * Since when.
 */
since: string, 
/**
 * When the next try is due, while open.
 */
next_try_at: string | null, };

export type ContractView = { 
/**
 * Version; none before the first contract.
 */
version: number | null, 
/**
 * The signed moment from which validity counts.
 */
valid_as_of: string | null, 
/**
 * Seconds since then.
 */
age_s: number | null, 
/**
 * Whether the rules hold now.
 */
valid: boolean, };

export type CountsView = { 
/**
 * Accepted with the route direct.
 */
direct: number, 
/**
 * Accepted with the route probe.
 */
probe: number, 
/**
 * Accepted with the route defer.
 */
deferred: number, 
/**
 * Refused at the counter.
 */
refused: number, 
/**
 * Attempts that ended in the verdict failure.
 */
failed: number, };

export type DemoFault = "timeout" | "refuse" | "server_error" | "portal" | "succeeds_late";

export type DemoPerson = "clerk" | "inspector" | "supervisor";

export type EndpointDoing = { "doing": "answering" } | { "doing": "not_answering", 
/**
 * When it is asked again.
 */
next_try_at: string | null, } | { "doing": "trying_once" } | { "doing": "asks_to_wait", 
/**
 * Until when.
 */
until: string, } | { "doing": "stopped", 
/**
 * Who.
 */
by: string, } | { "doing": "wrong_system" } | { "doing": "refuses_station" } | { "doing": "not_tried" };

export type EndpointView = { 
/**
 * Its name in the configuration.
 */
name: string, 
/**
 * What it does.
 */
doing: EndpointDoing, };

export type HeadroomView = { 
/**
 * Mebibytes available to this user.
 */
free_mib: number, 
/**
 * What is still taken in.
 */
class: string, };

export type HouseView = { 
/**
 * Name of the city, as on paper.
 */
city: string, 
/**
 * This station.
 */
station: string, 
/**
 * Version of Holdfast.
 */
version: string, 
/**
 * Whom to call, with the number, from the configuration.
 */
contact: string, 
/**
 * Who can load a rules file, from the configuration.
 */
rules_contact: string, 
/**
 * Whether what is done here reaches the permit system.
 */
rehearsal: Rehearsal, };

export type ModeCause = { "cause": "disk_failed", 
/**
 * When.
 */
at: string, } | { "cause": "rules_too_old", 
/**
 * Their age in hours.
 */
age_h: number, 
/**
 * How old they may be, in hours.
 */
limit_h: number, } | { "cause": "rules_absent" } | { "cause": "room_short", 
/**
 * Mebibytes left.
 */
free_mib: number, } | { "cause": "restored_older", 
/**
 * Recorded operations that it no longer has.
 */
missing: number, } | { "cause": "station_refused", 
/**
 * Since when.
 */
since: string, } | { "cause": "sending_stopped", 
/**
 * Until when.
 */
until: string, 
/**
 * Who.
 */
by: string, 
/**
 * Why, in that person's words.
 */
reason: string, } | { "cause": "maintenance", 
/**
 * Until when.
 */
until: string, } | { "cause": "not_answering", 
/**
 * Since when.
 */
since: string, 
/**
 * Operations waiting.
 */
waiting: number, 
/**
 * When the oldest of them was accepted.
 */
oldest: string | null, } | { "cause": "catching_up", 
/**
 * Recorded so far.
 */
recorded: number, 
/**
 * Of how many.
 */
of: number, 
/**
 * Estimate; none before twenty are recorded.
 */
minutes_left: number | null, } | { "cause": "session_ends", 
/**
 * When.
 */
at: string, } | { "cause": "needs_decision", 
/**
 * How many.
 */
count: number, 
/**
 * Whether they are the signed-in person's own, sent back.
 */
own: boolean, } | { "cause": "outage_over", 
/**
 * When it began.
 */
from: string, 
/**
 * When it ended.
 */
until: string, 
/**
 * How many were recorded.
 */
recorded: number, 
/**
 * How many need a decision.
 */
decisions: number, };

export type Rehearsal = "none" | "drill" | "demo";

export type StandingView = { 
/**
 * The moment of all of it, RFC 3339 UTC.
 */
at: string, 
/**
 * The numbers.
 */
status: StatusView, 
/**
 * Every cause that holds, in any order; none when all is calm.
 */
causes: Array<ModeCause>, 
/**
 * Each endpoint in a person's terms.
 */
endpoints: Array<EndpointView>, 
/**
 * Until when the rules are good.
 */
rules_until: string | null, };

export type StationEvent = { 
/**
 * When, RFC 3339 UTC.
 */
at: string, 
/**
 * What.
 */
told: Told, };

export type StatusView = { 
/**
 * `intake_paused`, `held`, `degraded`, `recovering` or `normal`.
 */
mode: string, 
/**
 * One per endpoint.
 */
breakers: Array<BreakerView>, 
/**
 * What is not disposed of.
 */
backlog: BacklogView, 
/**
 * The books; they balance.
 */
books: BooksView, 
/**
 * What was done since the station was set up.
 */
counts: CountsView, 
/**
 * The rules in use.
 */
contract: ContractView, 
/**
 * Room on the disk.
 */
headroom: HeadroomView, 
/**
 * Outages going on.
 */
outages_open: number, };

export type Told = { "told": "heartbeat" } | { "told": "changed", 
/**
 * Which.
 */
topics: Array<Topic>, } | { "told": "drain_began", 
/**
 * Operations to send.
 */
of: number, } | { "told": "drain_goes_on", 
/**
 * Recorded so far.
 */
recorded: number, 
/**
 * Of how many.
 */
of: number, } | { "told": "drain_ended", 
/**
 * Recorded in it.
 */
recorded: number, 
/**
 * Put before a person in it.
 */
decisions: number, 
/**
 * Still waiting.
 */
waiting: number, };

export type Topic = "standing" | "queue" | "applications" | "contract" | "session";
