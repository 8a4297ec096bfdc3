// Written by the tests of holdfast-wire from the station's own types; never by hand.

export type ApiCode = "not_an_object" | "refused" | "busy" | "not_signed_in" | "not_permitted" | "rules_out_of_date" | "disk_full" | "not_answering" | "impostor" | "system_refused" | "not_found" | "storage" | "integrity" | "in_use" | "not_started";

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
 * Its parcels, as they were seen when it was accepted.
 */
parcels?: Array<ParcelView>, 
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
message: string, 
/**
 * Numbers and words of the rule, for whoever says it in other words; left out where nobody does.
 */
params?: Record<string, string>, };

export type Problems = { 
/**
 * Each problem.
 */
problems: Array<ProblemView>, };

export type RemarkView = { 
/**
 * Stable code.
 */
code: string, 
/**
 * Text for a person; may hold personal data.
 */
text: string, };

export type TwinView = { 
/**
 * What carries the operation's reference there.
 */
record_ids: Array<string>, 
/**
 * The one that stays.
 */
stays: string | null, 
/**
 * Those that are to be voided.
 */
voids: Array<string>, 
/**
 * When they were found.
 */
found_at: string, 
/**
 * When a person decided that the one stays.
 */
kept_at: string | null, };

export type FoundView = { 
/**
 * Who.
 */
by: string, 
/**
 * When that was said.
 */
at: string, 
/**
 * The record that was seen.
 */
record_id: string, };

export type SaidView = { 
/**
 * Its remarks, in its own words.
 */
remarks: Array<RemarkView>, 
/**
 * Its records of the operation, if they are more than one.
 */
twin: TwinView | null, 
/**
 * By whom it was found there, if a person said so and no look could.
 */
found?: FoundView, };

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
 * What the SoR has said of it beside its receipt.
 */
said?: SaidView, 
/**
 * Receipt number of the item whose place it took.
 */
replaces?: string, 
/**
 * Receipt number of the item that took its place.
 */
replaced_by?: string, 
/**
 * Its parcels, as they were seen when it was accepted.
 */
parcels?: Array<ParcelView>, 
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
reason: string | null, 
/**
 * Other applications that it looks like, until somebody has had a second look.
 */
looks_like?: Array<LikeView>, 
/**
 * What a mirror that holds copies has of it, as long as it is not disposed of.
 */
copy?: CopyInCustody, };

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
reason: string | null, 
/**
 * Other applications that it looks like, until somebody has had a second look.
 */
looks_like?: Array<LikeView>, 
/**
 * What a mirror that holds copies has of it, as long as it is not disposed of.
 */
copy?: CopyInCustody, };

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
state: string, 
/**
 * Other applications that it looks like, until somebody has had a second look.
 */
looks_like?: Array<LikeView>, 
/**
 * What a person is warned of.
 */
warnings?: Array<ReceiptWarning>, 
/**
 * Its parcels, as they were seen when it was accepted.
 */
parcels?: Array<ParcelView>, };

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
missing: number, } | { "cause": "station_restored", 
/**
 * When it was noticed.
 */
at: string, 
/**
 * The first receipt number that is not given out again.
 */
first: number, 
/**
 * The last.
 */
last: number, } | { "cause": "wedged", 
/**
 * Since when.
 */
since: string, 
/**
 * Operations waiting.
 */
waiting: number, } | { "cause": "drift", 
/**
 * Which field, as a JSON pointer; empty for the whole.
 */
pointer: string, 
/**
 * Operations set aside for it.
 */
count: number, } | { "cause": "configuration_refused", 
/**
 * The file, or the environment.
 */
file: string, 
/**
 * The key that is wrong, where there is one.
 */
key: string | null, 
/**
 * What is wrong, for whoever looks after the computer.
 */
problem: string, } | { "cause": "numbers_low", 
/**
 * How many.
 */
left: number, } | { "cause": "numbers_none_left" } | { "cause": "certificate_refused", 
/**
 * Whose fault that is.
 */
fault: CertificateFault, 
/**
 * When it ended, or begins.
 */
at: string, 
/**
 * What time it is, by this computer's clock.
 */
here: string, } | { "cause": "station_refused", 
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
 * What a mirror that holds copies has of the backlog; none where there is no such mirror.
 */
custody?: CustodyView, 
/**
 * Outages going on.
 */
outages_open: number, 
/**
 * What somebody has to look at: an older copy put back, an alarm.
 */
notices: Array<ModeCause>, 
/**
 * The copy of the city's parcels; none where this station has no GIS.
 */
parcels?: ParcelCopyView, };

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
waiting: number, } | { "told": "closing", 
/**
 * How much.
 */
waiting: number, };

export type Topic = "standing" | "queue" | "applications" | "contract" | "session" | "copies" | "outages" | "start";

export type CheckRequest = { 
/**
 * The kind of operation.
 */
kind: string, 
/**
 * The payload as it would be handed in.
 */
payload: Record<string, unknown>, 
/**
 * Which fields are asked about, each with all that lies under it.
 */
pointers: Array<string>, };

export type CheckView = { 
/**
 * Each problem.
 */
problems: Array<ProblemView>, };

export type DraftKept = { 
/**
 * When, RFC 3339 UTC.
 */
saved_at: string, };

export type DraftRow = { 
/**
 * The operation's id.
 */
operation_id: string, 
/**
 * Its kind.
 */
kind: string, 
/**
 * The application that it is about; none for a new one.
 */
application_id: string | null, 
/**
 * When it was last kept.
 */
saved_at: string, 
/**
 * The site address in it, if one was typed.
 */
about: string | null, };

export type DraftView = { 
/**
 * Fields by name, as typed.
 */
values: Record<string, unknown>, 
/**
 * The operation's id.
 */
operation_id: string, 
/**
 * Its kind.
 */
kind: string, 
/**
 * The application that it is about; none for a new one.
 */
application_id: string | null, 
/**
 * When it was last kept.
 */
saved_at: string, 
/**
 * The site address in it, if one was typed.
 */
about: string | null, };

export type FieldControl = { "control": "line", 
/**
 * Most characters (code points).
 */
limit: number, } | { "control": "long_text", 
/**
 * Most characters (code points).
 */
limit: number, } | { "control": "phone", 
/**
 * Most characters.
 */
limit: number, } | { "control": "email", 
/**
 * Most characters.
 */
limit: number, } | { "control": "count" } | { "control": "money" } | { "control": "measure", 
/**
 * Its unit, after the value.
 */
unit: Words, } | { "control": "day" } | { "control": "time_of_day" } | { "control": "choice", 
/**
 * In order.
 */
options: Array<FormOption>, } | { "control": "several", 
/**
 * In order.
 */
options: Array<FormOption>, 
/**
 * Most of them.
 */
entries_max: number, } | { "control": "address", 
/**
 * Most characters.
 */
limit: number, } | { "control": "parcels", 
/**
 * Most numbers.
 */
entries_max: number, 
/**
 * Pointer of the reason.
 */
reason_pointer: string, 
/**
 * Name of the member of the reason.
 */
reason_name: string, } | { "control": "unknown", 
/**
 * What the rules asked for.
 */
widget: string, 
/**
 * Most characters.
 */
limit: number, };

export type FieldNeed = "required" | "optional";

export type FieldWidth = "xs" | "sm" | "md" | "lg" | "xl" | "full";

export type FormField = { 
/**
 * Name of the member of the payload, as in BLDS.
 */
name: string, 
/**
 * RFC 6901 pointer into a submission: `/payload/EstProjectCost`.
 */
pointer: string, 
/**
 * What it is called.
 */
label: Words, 
/**
 * An example, not an instruction.
 */
hint: Words | null, 
/**
 * What a value looks like, the same in every language: completes "must look like …". Days and times have none,
 * since each reader's language writes them in its own way.
 */
example: string | null, 
/**
 * Whether it may be left out.
 */
need: FieldNeed, 
/**
 * The expected length.
 */
width: FieldWidth, 
/**
 * What takes the value.
 */
control: FieldControl, };

export type FormGroup = { 
/**
 * Its name in the rules: `site`, `work`, `people`, `money`, …
 */
id: string, 
/**
 * Its legend.
 */
legend: Words, 
/**
 * Its fields in order.
 */
fields: Array<FormField>, };

export type FormOption = { 
/**
 * What is stored.
 */
code: string, 
/**
 * What is read.
 */
word: Words, };

export type FormView = { 
/**
 * The kind.
 */
kind: string, 
/**
 * Version of the rules that it comes from.
 */
contract_version: number, 
/**
 * Groups in the order of the page.
 */
groups: Array<FormGroup>, };

export type KeepDraftRequest = { 
/**
 * The operation's id.
 */
operation_id: string, 
/**
 * Fields by name, as typed; at most 256 KiB as JSON.
 */
values: Record<string, unknown>, };

export type OpenDraftRequest = { 
/**
 * The kind of operation.
 */
kind: string, 
/**
 * The application that it is about; none for a new one.
 */
application_id: string | null, };

export type StartProblem = { "problem": "not_set_up" } | { "problem": "key_absent" } | { "problem": "key_locked" } | { "problem": "key_wrong" } | { "problem": "keyring_mute" } | { "problem": "keyring_none" } | { "problem": "in_use" } | { "problem": "other_user" } | { "problem": "damaged" } | { "problem": "newer_version" } | { "problem": "folder" } | { "problem": "configuration", 
/**
 * Which.
 */
key: string, } | { "problem": "failed" };

export type StartView = { "start": "ready" } | { "start": "problem", 
/**
 * Why.
 */
problem: StartProblem, 
/**
 * The data folder.
 */
folder: string, 
/**
 * Whom to call, if the configuration could be read.
 */
contact: string | null, };

export type Words = { 
/**
 * English of the United States.
 */
en: string, 
/**
 * Spanish of the United States.
 */
es: string, };

export type About = { "about": "application", 
/**
 * `PermitTypeMapped`.
 */
permit_type: string | null, } | { "about": "move", 
/**
 * The stage.
 */
to: string, 
/**
 * Why, in the person's words.
 */
reason: string | null, } | { "about": "inspection", 
/**
 * `InspType`.
 */
insp_type: string, 
/**
 * `ResultMapped`.
 */
result: string | null, } | { "about": "other" };

export type AnswerView = { 
/**
 * Status of the HTTP answer, if there was one.
 */
status: number | null, 
/**
 * Name of the problem type.
 */
problem: string | null, 
/**
 * Pointers into the body that the SoR named.
 */
pointers: Array<string>, 
/**
 * Codes that the SoR named.
 */
codes: Array<string>, };

export type BacklogHour = { 
/**
 * Its beginning, RFC 3339 UTC.
 */
from: string, 
/**
 * Accepted in it and still waiting.
 */
waiting: number, };

export type BacklogHours = { 
/**
 * The latest hours.
 */
hours: Array<BacklogHour>, 
/**
 * What waits from before them.
 */
earlier: number, };

export type CopiesView = { 
/**
 * When.
 */
copied_at: string, 
/**
 * Inspections in the copy.
 */
inspections: number, 
/**
 * Records that came: all of them, or, where the SoR has a feed of changes, those that changed since.
 */
records: number, };

export type CopyAge = "none" | "usable" | "too_old" | "from_the_future";

export type DecideRequest = { 
/**
 * The item's key.
 */
key: string, 
/**
 * What is done with it.
 */
decision: Decision, 
/**
 * Why, in the person's words.
 */
reason: string, };

export type Decided = { 
/**
 * The item's receipt number.
 */
receipt_no: string, 
/**
 * Its state now.
 */
state: string, 
/**
 * Items of its lane that now go on.
 */
going_on: number, 
/**
 * Items of its lane that now wait for a decision of their own.
 */
set_aside: number, };

export type Decision = "requeue" | "void" | "keep" | { "found": { 
/**
 * The SoR's own name for the record, or its number.
 */
record: string, } } | { "take_ours": { 
/**
 * See above.
 */
seen: string | null, } } | { "take_theirs": { 
/**
 * See above.
 */
seen: string | null, } } | { "merge": { 
/**
 * See above.
 */
seen: string | null, 
/**
 * All fields, as they shall be.
 */
merged: Record<string, unknown>, } } | { "choose": { 
/**
 * See above.
 */
seen: string | null, 
/**
 * Pointers of fields that shall be as the item says.
 */
ours: Array<string>, 
/**
 * Pointers of fields that shall be as the SoR has them.
 */
theirs: Array<string>, } };

export type FindRequest = { 
/**
 * Address, permit or receipt number, applicant; empty: the ones that changed last.
 */
text: string, 
/**
 * Rows to pass over.
 */
skip: number, 
/**
 * Rows wanted.
 */
rows: number, };

export type FindView = { 
/**
 * The rows asked for.
 */
rows: Array<RecordRow>, 
/**
 * How many match in all.
 */
matching: number, 
/**
 * How many records are known here.
 */
known: number, 
/**
 * When records were last copied from the SoR.
 */
copied_at: string | null, };

export type InspectionRow = { 
/**
 * The inspection, as the SoR names it.
 */
inspection_id: string, 
/**
 * Its application.
 */
application_id: string, 
/**
 * The permit number, if known.
 */
permit_num: string | null, 
/**
 * Where.
 */
address: string | null, 
/**
 * `InspType`.
 */
insp_type: string, 
/**
 * `ScheduledDate`, `YYYY-MM-DD`.
 */
scheduled_date: string, 
/**
 * `ScheduledTime`, `HH:MM`.
 */
scheduled_time: string | null, 
/**
 * Days past its day; 0 on it.
 */
overdue_days: number, 
/**
 * What was recorded here for it.
 */
result: ResultHere | null, };

export type InspectionView = { 
/**
 * When it was copied.
 */
copied_at: string, 
/**
 * The application.
 */
record: RecordRow, 
/**
 * What the SoR's copy says about it: `Description` and the like.
 */
planned: Record<string, unknown>, 
/**
 * The inspection, as the SoR names it.
 */
inspection_id: string, 
/**
 * Its application.
 */
application_id: string, 
/**
 * The permit number, if known.
 */
permit_num: string | null, 
/**
 * Where.
 */
address: string | null, 
/**
 * `InspType`.
 */
insp_type: string, 
/**
 * `ScheduledDate`, `YYYY-MM-DD`.
 */
scheduled_date: string, 
/**
 * `ScheduledTime`, `HH:MM`.
 */
scheduled_time: string | null, 
/**
 * Days past its day; 0 on it.
 */
overdue_days: number, 
/**
 * What was recorded here for it.
 */
result: ResultHere | null, };

export type InspectionsView = { 
/**
 * When they were copied from the SoR; none before the first copy.
 */
copied_at: string | null, 
/**
 * Whether the copy is within its ceiling; past it, rows are not shown.
 */
age: CopyAge, 
/**
 * The local day that they are for, `YYYY-MM-DD`.
 */
day: string, 
/**
 * The rows.
 */
rows: Array<InspectionRow>, };

export type ItemOrder = "oldest_first" | "newest_first";

export type ItemRow = { 
/**
 * The operation.
 */
operation_id: string, 
/**
 * What it does.
 */
about: About, 
/**
 * When the SoR had it.
 */
committed_at: string | null, 
/**
 * How it came to be recorded, if it was.
 */
recorded: RecordedAs | null, 
/**
 * The permit number, if known.
 */
permit_num: string | null, 
/**
 * Address of its application.
 */
address: string | null, 
/**
 * Receipt number of the item before it in its lane that is not disposed of.
 */
behind: string | null, 
/**
 * Receipt number of the item whose place it took.
 */
replaces?: string, 
/**
 * Receipt number of the item that took its place.
 */
replaced_by?: string, 
/**
 * Who accepted it.
 */
actor: string, 
/**
 * By which clock: `ok` or `suspect`.
 */
clock: string, 
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
reason: string | null, 
/**
 * Other applications that it looks like, until somebody has had a second look.
 */
looks_like?: Array<LikeView>, 
/**
 * What a mirror that holds copies has of it, as long as it is not disposed of.
 */
copy?: CopyInCustody, };

export type ItemView = { 
/**
 * What was accepted.
 */
payload: Record<string, unknown>, 
/**
 * The SoR's record.
 */
record_id: string | null, 
/**
 * Its parcels, as they were seen when it was accepted.
 */
parcels?: Array<ParcelView>, 
/**
 * Items behind it in its lane.
 */
followers: number, 
/**
 * What the SoR answered last, as far as it is kept.
 */
answer: AnswerView | null, 
/**
 * What the SoR has said of it beside its receipt.
 */
said?: SaidView, 
/**
 * Until when a failed inspection has to be seen again.
 */
reinspection_due_at: string | null, 
/**
 * The versions of its record, if they are two.
 */
conflict: ConflictView | null, 
/**
 * What can be done with it.
 */
offered?: OfferedView, 
/**
 * The operation.
 */
operation_id: string, 
/**
 * What it does.
 */
about: About, 
/**
 * When the SoR had it.
 */
committed_at: string | null, 
/**
 * How it came to be recorded, if it was.
 */
recorded: RecordedAs | null, 
/**
 * The permit number, if known.
 */
permit_num: string | null, 
/**
 * Address of its application.
 */
address: string | null, 
/**
 * Receipt number of the item before it in its lane that is not disposed of.
 */
behind: string | null, 
/**
 * Receipt number of the item whose place it took.
 */
replaces?: string, 
/**
 * Receipt number of the item that took its place.
 */
replaced_by?: string, 
/**
 * Who accepted it.
 */
actor: string, 
/**
 * By which clock: `ok` or `suspect`.
 */
clock: string, 
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
reason: string | null, 
/**
 * Other applications that it looks like, until somebody has had a second look.
 */
looks_like?: Array<LikeView>, 
/**
 * What a mirror that holds copies has of it, as long as it is not disposed of.
 */
copy?: CopyInCustody, };

export type ItemsOf = "waiting" | "decisions" | "sent_back" | "own";

export type ItemsRequest = { 
/**
 * Which.
 */
of: ItemsOf, 
/**
 * Receipt or permit number, address; empty: all.
 */
text: string, 
/**
 * Order.
 */
order: ItemOrder, 
/**
 * Rows to pass over.
 */
skip: number, 
/**
 * Rows wanted.
 */
rows: number, };

export type ItemsView = { 
/**
 * The rows.
 */
rows: Array<ItemRow>, 
/**
 * How many match the text.
 */
matching: number, 
/**
 * How many there are without it.
 */
all: number, 
/**
 * When an item was last recorded by the SoR.
 */
last_recorded_at: string | null, };

export type MoveRefusal = { "why": "no_such_step" } | { "why": "never_chosen" } | { "why": "ended" } | { "why": "not_permitted", 
/**
 * Them.
 */
roles: Array<string>, } | { "why": "not_now" };

export type MoveView = { 
/**
 * The stage.
 */
to: string, 
/**
 * Whether it needs a reason.
 */
reason: ReasonNeed, 
/**
 * Why it cannot be made now; none when it can.
 */
refused: MoveRefusal | null, };

export type OutageRow = { 
/**
 * The outage.
 */
outage_id: string, 
/**
 * The endpoint.
 */
endpoint: string, 
/**
 * The first failure that was counted.
 */
first_failure_at: string, 
/**
 * When sending stopped because of it.
 */
tripped_at: string, 
/**
 * When it ended; none while it goes on.
 */
closed_at: string | null, 
/**
 * Why: `failures`, `announced`, `probes_failed`, `probes_slow` or `held`; none for one of an older version.
 */
cause: string | null, 
/**
 * Until when the endpoint said last that it would be away.
 */
announced_until: string | null, 
/**
 * The latest time for which a person held the endpoint in it.
 */
held: HeldView | null, 
/**
 * How often it was tried.
 */
tries: number, 
/**
 * What was accepted in it, and what became of that.
 */
books: BooksView, };

export type OutageView = { 
/**
 * Its row.
 */
outage: OutageRow, 
/**
 * What was tried, oldest first: the first tries and the latest.
 */
tries: Array<TryView>, 
/**
 * How many tries are left out between them.
 */
left_out: number, 
/**
 * When persons held the endpoint, oldest first.
 */
holds: Array<HeldView>, };

export type TryView = { 
/**
 * Its number in the outage, from 1.
 */
n: number, 
/**
 * When it ended.
 */
at: string, 
/**
 * `operation`, `look_up` or `probe`.
 */
what: string, 
/**
 * Word for what came of it.
 */
outcome: string, 
/**
 * When the next one might go; none when it ended the outage.
 */
next_try_at: string | null, };

export type HeldView = { 
/**
 * From when on, RFC 3339 UTC.
 */
held_at: string, 
/**
 * Until when at the latest.
 */
until: string, 
/**
 * By whom.
 */
by: string, 
/**
 * Why.
 */
reason: string, 
/**
 * When a person ended it; none when its time ends it.
 */
ended_at: string | null, };

export type EndpointSteered = { 
/**
 * Its name.
 */
endpoint: string, 
/**
 * `closed`, `open` or `half_open`.
 */
state: string, 
/**
 * When the next try may go.
 */
next_try_at: string | null, 
/**
 * The hold in force.
 */
held: HeldView | null, };

export type HoldEndpointRequest = { 
/**
 * Its name.
 */
endpoint: string, 
/**
 * Until when: RFC 3339, or without an offset as a clock here shows it (`2026-12-05T12:00`).
 */
until: string, 
/**
 * Why, in the person's words.
 */
reason: string, };

export type ReleaseEndpointRequest = { 
/**
 * Its name.
 */
endpoint: string, };

export type OutagesView = { 
/**
 * The rows.
 */
rows: Array<OutageRow>, 
/**
 * How many there are.
 */
all: number, };

export type OfferRefusal = { "why": "in_doubt" } | { "why": "voided" } | { "why": "a_void" } | { "why": "nothing_to_build_on" } | { "why": "no_form" } | { "why": "not_permitted", 
/**
 * Them.
 */
roles: Array<string>, } | { "why": "not_now" };

export type OfferView = { "offer": "takes_place" } | { "offer": "follows" } | { "offer": "refused", 
/**
 * Why.
 */
refusal: OfferRefusal, };

export type CopyInCustody = "held";

export type CorrectingView = { 
/**
 * The kind whose form it is.
 */
kind: string, 
/**
 * What it begins with: what holds now.
 */
payload: Record<string, unknown>, 
/**
 * The operation that is corrected, and, where that is a correction, what it corrects, and so on.
 */
of: Array<string>, };

export type CustodyView = { 
/**
 * A copy is there.
 */
held: number, 
/**
 * None is there yet.
 */
waiting: number, 
/**
 * None is there, and the mirror refuses it.
 */
refused: number, };

export type DecisionWord = "requeue" | "void" | "keep" | "found";

export type DecisionRefusal = "in_doubt" | "nothing_to_build_on" | "not_now";

export type DecisionOffer = { 
/**
 * Which.
 */
decision: DecisionWord, 
/**
 * Why not; none when it can be made.
 */
refused: DecisionRefusal | null, };

export type OfferedView = { 
/**
 * A whole new payload instead.
 */
correct: OfferView, 
/**
 * Nothing instead.
 */
take_back: OfferView, 
/**
 * What a correction is filled in from; none for what has no form.
 */
correcting: CorrectingView | null, 
/**
 * While it waits for a decision: what can be decided, but for the choice between two versions of its record.
 */
decisions: Array<DecisionOffer>, };

export type ConflictRow = { 
/**
 * RFC 6901 pointer: `/stage`, `/payload/…`, `/holds/…`, `/notes/…`, and for what the item adds `/{kind}/…`.
 */
pointer: string, 
/**
 * As it was shown; `null` where it was not there.
 */
base: unknown, 
/**
 * As the item makes it.
 */
ours: unknown, 
/**
 * As the SoR has it.
 */
theirs: unknown, 
/**
 * `nobody`, `by_us`, `by_them`, `by_both_alike` or `by_both_differently`.
 */
changed: string, };

export type ConflictView = { 
/**
 * The record as it was shown when the item was accepted; none when there was none, or when it was not kept.
 */
base: VersionView | null, 
/**
 * What the item says.
 */
ours: Record<string, unknown>, 
/**
 * The record as the SoR has it; none while that is not known.
 */
theirs: TheirsView | null, 
/**
 * How the two changes meet: `apart`, `clash`, `held_back` or `base_unknown`; none while the SoR's is not known.
 */
meeting: string | null, 
/**
 * What may be proposed when they do not meet: `ours`, or `merge`.
 */
proposal: string | null, 
/**
 * Whether the fields can be chosen one by one.
 */
by_field: boolean, 
/**
 * Every field of each version.
 */
rows: Array<ConflictRow>, };

export type TheirsView = { 
/**
 * The SoR's own name for the record.
 */
record_id: string, 
/**
 * When it last changed there.
 */
updated_at: string, 
/**
 * When it was fetched.
 */
fetched_at: string, 
/**
 * Its entity tag.
 */
etag: string | null, 
/**
 * Where it stands.
 */
stage: string, 
/**
 * BLDS fields.
 */
payload: Record<string, unknown>, 
/**
 * Open holds.
 */
holds: unknown[], 
/**
 * Notes.
 */
notes: unknown[], };

export type VersionView = { 
/**
 * Its entity tag.
 */
etag: string | null, 
/**
 * Where it stands.
 */
stage: string, 
/**
 * BLDS fields.
 */
payload: Record<string, unknown>, 
/**
 * Open holds.
 */
holds: unknown[], 
/**
 * Notes.
 */
notes: unknown[], };

export type Reached = "done" | "now" | "to_come";

export type ReasonNeed = "needed" | "not_needed";

export type RecordRow = { 
/**
 * The application.
 */
application_id: string, 
/**
 * The permit number, if known.
 */
permit_num: string | null, 
/**
 * Receipt number of its intake, when it was taken in here.
 */
receipt_no: string | null, 
/**
 * `OriginalAddress1`.
 */
address: string | null, 
/**
 * `ApplicantName`, else the contractor.
 */
applicant: string | null, 
/**
 * `PermitTypeMapped`.
 */
permit_type: string | null, 
/**
 * Where it stands, with what was accepted here.
 */
stage: string, 
/**
 * Operations of it that still wait.
 */
waiting: number, 
/**
 * When it last changed here.
 */
updated_at: string, 
/**
 * When it was copied from the SoR; none when it was taken in here and never copied.
 */
copied_at: string | null, };

export type RecordView = { 
/**
 * The SoR's record, once it has one.
 */
record_id: string | null, 
/**
 * The stages in their order, for the stepper.
 */
stages: Array<StageStep>, 
/**
 * Every move from here, possible or not.
 */
moves: Array<MoveView>, 
/**
 * The payload as last accepted.
 */
payload: Record<string, unknown>, 
/**
 * Its items, newest first.
 */
items: Array<ItemRow>, 
/**
 * When it was changed there under work that waits here.
 */
changed_there_at?: string, 
/**
 * Other applications that it looks like, until somebody has had a second look.
 */
looks_like?: Array<LikeView>, 
/**
 * Its parcels, as they were seen when it was accepted.
 */
parcels?: Array<ParcelView>, 
/**
 * The application.
 */
application_id: string, 
/**
 * The permit number, if known.
 */
permit_num: string | null, 
/**
 * Receipt number of its intake, when it was taken in here.
 */
receipt_no: string | null, 
/**
 * `OriginalAddress1`.
 */
address: string | null, 
/**
 * `ApplicantName`, else the contractor.
 */
applicant: string | null, 
/**
 * `PermitTypeMapped`.
 */
permit_type: string | null, 
/**
 * Where it stands, with what was accepted here.
 */
stage: string, 
/**
 * Operations of it that still wait.
 */
waiting: number, 
/**
 * When it last changed here.
 */
updated_at: string, 
/**
 * When it was copied from the SoR; none when it was taken in here and never copied.
 */
copied_at: string | null, };

export type RecordedAs = "sent" | "found" | "remarked";

export type ResultHere = { 
/**
 * The operation.
 */
operation_id: string, 
/**
 * Its receipt number.
 */
receipt_no: string, 
/**
 * `ResultMapped`.
 */
result: string, 
/**
 * When it was accepted.
 */
accepted_at: string, 
/**
 * State of the item.
 */
state: string, 
/**
 * Until when it has to be seen again.
 */
reinspection_due_at: string | null, };

export type StageStep = { 
/**
 * The stage.
 */
stage: string, 
/**
 * Where the application stands against it.
 */
reached: Reached, };

export type MissingRow = { 
/**
 * The operation.
 */
operation_id: string, 
/**
 * Its application.
 */
application_id: string, 
/**
 * Its receipt number.
 */
receipt_no: string, 
/**
 * Its kind.
 */
kind: string, 
/**
 * When it was accepted.
 */
accepted_at: string, 
/**
 * When it had been recorded.
 */
recorded_at: string, 
/**
 * The official number that it had, and that may stand on paper.
 */
permit_num: string | null, 
/**
 * The number that its application has now, when it is another one.
 */
permit_num_now: string | null, };

export type RestoreDecided = { 
/**
 * What was done.
 */
decision: RestoreDecision, 
/**
 * With how many.
 */
count: number, };

export type RestoreDecision = "send_again" | "leave";

export type RestoreInfo = { 
/**
 * How far it is.
 */
stage: RestoreStage, 
/**
 * By what it was noticed.
 */
sign: RestoreSign, 
/**
 * When, RFC 3339 UTC.
 */
noticed_at: string, 
/**
 * Recorded operations that were looked for and are there.
 */
found: number, 
/**
 * Those that are missing.
 */
missing: number, 
/**
 * How many of the missing have an official number, which may stand on paper.
 */
official: number, };

export type RestoreRequest = { 
/**
 * What is done.
 */
decision: RestoreDecision, 
/**
 * Why, in the person's words.
 */
reason: string, };

export type RestoreSign = "epoch" | "sequence" | "count" | "sample";

export type RestoreStage = "looking" | "asking" | "nothing_missing" | "sent_again" | "left";

export type RestoreView = { 
/**
 * None when it never happened.
 */
restore: RestoreInfo | null, 
/**
 * What is missing, or was, in the order in which it was accepted.
 */
rows: Array<MissingRow>, 
/**
 * Numbers that were passed over since this station itself came back from an older copy.
 */
skipped: Array<SkippedNumbers>, };

export type SkippedNumbers = { 
/**
 * The first.
 */
first: number, 
/**
 * The last.
 */
last: number, 
/**
 * When it was noticed.
 */
noticed_at: string, };

export type KeepLikenessRequest = { 
/**
 * One of them: the id of the application, or the key of its intake.
 */
of: string, 
/**
 * Why, in the person's words.
 */
reason: string, };

export type LikeView = { 
/**
 * It.
 */
application_id: string, 
/**
 * Receipt number of its intake, when it was taken in here.
 */
receipt_no: string | null, 
/**
 * Its permit number, if known.
 */
permit_num: string | null, 
/**
 * When it was filed: accepted here, or recorded there.
 */
filed_at: string, };

export type LikenessKept = { 
/**
 * The application.
 */
application_id: string, 
/**
 * Those that it is no longer said to look like.
 */
kept_beside: Array<string>, };

export type LikenessRow = { 
/**
 * The one that came later.
 */
application_id: string, 
/**
 * Receipt number of its intake, when it was taken in here.
 */
receipt_no: string | null, 
/**
 * Its permit number, if known.
 */
permit_num: string | null, 
/**
 * Key of its intake, when it was taken in here.
 */
idempotency_key: string | null, 
/**
 * When it was filed.
 */
filed_at: string, 
/**
 * The one before it.
 */
looks_like: LikeView, 
/**
 * When that was noticed.
 */
noticed_at: string, };

export type CertificateFault = "this_clock" | "certificate" | "unclear";

export type BoardSaid = { "said": "no_board" } | { "said": "not_asked" } | { "said": "answered" } | { "said": "not_answering", 
/**
 * When the next try may go.
 */
next_try_at: string | null, } | { "said": "refused" } | { "said": "wrong_system" };

export type StationContract = { 
/**
 * Its version.
 */
version: number, 
/**
 * Whether it held.
 */
valid: boolean, };

export type StationHead = { 
/**
 * The number of its last event.
 */
seq: string, 
/**
 * Its hash.
 */
hash: string, 
/**
 * When it was written.
 */
at: string, };

export type StationHearing = "heard" | "silent";

export type StationItem = { 
/**
 * On its receipt.
 */
receipt_no: string, 
/**
 * Its application's number.
 */
permit_num: string | null, 
/**
 * What it is.
 */
kind: string, 
/**
 * When it was accepted.
 */
accepted_at: string, 
/**
 * Who handed it in.
 */
actor: string | null, 
/**
 * `pending`, `in_flight` or `quarantined`.
 */
state: string, 
/**
 * Why it waits for a person.
 */
reason: string | null, };

export type StationRow = { 
/**
 * Its name.
 */
station_id: string, 
/**
 * Whether it is this one.
 */
whose: StationWhose, 
/**
 * Whether it was heard lately, when the board was asked.
 */
hearing: StationHearing, 
/**
 * When it was heard last, by this computer's clock.
 */
heard_at: string, 
/**
 * How it stood.
 */
mode: string, 
/**
 * Since when, in an outage.
 */
since: string | null, 
/**
 * The version of its program.
 */
program: string, 
/**
 * Its books.
 */
books: BooksView, 
/**
 * When the oldest of what waits to be sent was accepted.
 */
oldest_accepted_at: string | null, 
/**
 * Its contract.
 */
contract: StationContract | null, 
/**
 * The head of its audit: the highest that the board ever heard.
 */
head: StationHead, };

export type StationView = { 
/**
 * What came of asking the board.
 */
board: BoardSaid, 
/**
 * When what follows was copied from it, RFC 3339 UTC; none when nothing ever was.
 */
as_of: string | null, 
/**
 * Its row; none when the board has never heard of it.
 */
station: StationRow | null, 
/**
 * What waits there, the oldest first.
 */
waiting: Array<StationItem>, 
/**
 * How many more wait than are named.
 */
left_out: number, };

export type StationWhose = "this" | "other";

export type StationsView = { 
/**
 * What came of asking the board.
 */
board: BoardSaid, 
/**
 * When what follows was copied from it, RFC 3339 UTC; none when nothing ever was.
 */
as_of: string | null, 
/**
 * The stations, by their names.
 */
stations: Array<StationRow>, };

export type ParcelCopyView = { 
/**
 * When it was asked for, if there is one.
 */
copied_at: string | null, 
/**
 * Its age in seconds.
 */
age_s: number | null, 
/**
 * Whether it may be used.
 */
usable: boolean, };

export type ParcelView = { 
/**
 * Its number.
 */
pin: string, 
/**
 * `known`, `unknown`, `too_old` or `never_copied`.
 */
seen: string, 
/**
 * Its address, if it is known and has one.
 */
address: string | null, 
/**
 * Its zoning district, if it is known.
 */
zoning: string | null, 
/**
 * What else lies over it.
 */
overlays: Array<string>, 
/**
 * When the copy was asked for.
 */
as_of: string | null, 
/**
 * How old it was when it was looked into, in seconds.
 */
age_s: number | null, 
/**
 * What a person is warned of: `parcel-unknown`, `parcel-copy-old` or `parcel-never-copied`.
 */
warning: string | null, };

export type ParcelsRequest = { 
/**
 * Their numbers, as typed.
 */
pins: Array<string>, };

export type ParcelsView = { 
/**
 * Each of them, in the order of the question; none where this station has no GIS.
 */
parcels: Array<ParcelView>, 
/**
 * The copy; none where this station has no GIS.
 */
copy: ParcelCopyView | null, };

export type ReceiptWarning = { 
/**
 * `parcel-unknown`, `parcel-copy-old` or `parcel-never-copied`.
 */
code: string, 
/**
 * Where in what was handed in.
 */
pointer: string, 
/**
 * As of when what is known here is.
 */
as_of: string | null, };
