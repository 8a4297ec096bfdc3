//! What the station shows, in the shapes of `docs/formats.md`.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::custody::{CopyInCustody, CustodyView};
use crate::likeness::LikeView;
use crate::parcel::{ParcelCopyView, ParcelView, ReceiptWarning};
use crate::said::SaidView;

use crate::window::ModeCause;

/// Proof that an operation is accepted: given only after it is on the disk.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ReceiptView {
    /// The operation's key.
    pub idempotency_key: String,
    /// The operation.
    pub operation_id: String,
    /// The application that it belongs to.
    pub application_id: String,
    /// `{station}-{n}`.
    pub receipt_no: String,
    /// Only if known.
    pub permit_num: Option<String>,
    /// What was accepted.
    pub kind: String,
    /// When, RFC 3339 UTC.
    pub accepted_at: String,
    /// Position among all that this station accepted.
    #[ts(type = "number")]
    pub local_seq: u64,
    /// `direct`, `probe` or `defer`.
    pub route: String,
    /// `pending`, `in_flight`, `committed`, `quarantined` or `voided`.
    pub state: String,
    /// Other applications that it looks like, until somebody has had a second look.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, type = "Array<LikeView>")]
    pub looks_like: Vec<LikeView>,
    /// What a person is warned of.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, type = "Array<ReceiptWarning>")]
    pub warnings: Vec<ReceiptWarning>,
    /// Its parcels, as they were seen when it was accepted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, type = "Array<ParcelView>")]
    pub parcels: Vec<ParcelView>,
}

/// What is wrong with an input, all at once.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Problems {
    /// Each problem.
    pub problems: Vec<ProblemView>,
}

/// One problem; never repeats the value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ProblemView {
    /// RFC 6901 pointer to the field.
    pub pointer: String,
    /// Stable code.
    pub code: String,
    /// Short English text for the terminal.
    pub message: String,
    /// Numbers and words of the rule, for whoever says it in other words; left out where nobody does.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    #[ts(optional, type = "Record<string, string>")]
    pub params: BTreeMap<String, String>,
}

/// In which mode the station works, and what it has.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct StatusView {
    /// `intake_paused`, `held`, `degraded`, `recovering` or `normal`.
    pub mode: String,
    /// One per endpoint.
    pub breakers: Vec<BreakerView>,
    /// What is not disposed of.
    pub backlog: BacklogView,
    /// The books; they balance.
    pub books: BooksView,
    /// What was done since the station was set up.
    pub counts: CountsView,
    /// The rules in use.
    pub contract: ContractView,
    /// Room on the disk.
    pub headroom: HeadroomView,
    /// What a mirror that holds copies has of the backlog; none where there is no such mirror.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub custody: Option<CustodyView>,
    /// Outages going on.
    pub outages_open: u32,
    /// What somebody has to look at: an older copy put back, an alarm.
    pub notices: Vec<ModeCause>,
    /// The copy of the city's parcels; none where this station has no GIS.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub parcels: Option<ParcelCopyView>,
}

/// One endpoint's breaker.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct BreakerView {
    /// The endpoint's name.
    pub endpoint: String,
    /// `closed`, `open` or `half_open`.
    pub state: String,
    /// Since when.
    pub since: String,
    /// When the next try is due, while open.
    pub next_try_at: Option<String>,
}

/// Operations not yet disposed of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct BacklogView {
    /// How many.
    #[ts(type = "number")]
    pub count: u64,
    /// When the oldest was accepted.
    pub oldest_accepted_at: Option<String>,
}

/// accepted = pending + in_flight + committed + quarantined + voided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct BooksView {
    /// All that was ever accepted.
    #[ts(type = "number")]
    pub accepted: u64,
    /// Waiting.
    #[ts(type = "number")]
    pub pending: u64,
    /// Being sent.
    #[ts(type = "number")]
    pub in_flight: u64,
    /// Recorded by the SoR.
    #[ts(type = "number")]
    pub committed: u64,
    /// Waiting for a person.
    #[ts(type = "number")]
    pub quarantined: u64,
    /// Taken back.
    #[ts(type = "number")]
    pub voided: u64,
}

/// Counted since the station was set up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct CountsView {
    /// Accepted with the route direct.
    #[ts(type = "number")]
    pub direct: u64,
    /// Accepted with the route probe.
    #[ts(type = "number")]
    pub probe: u64,
    /// Accepted with the route defer.
    #[ts(type = "number")]
    pub deferred: u64,
    /// Refused at the counter.
    #[ts(type = "number")]
    pub refused: u64,
    /// Attempts that ended in the verdict failure.
    #[ts(type = "number")]
    pub failed: u64,
}

/// The rules in use.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ContractView {
    /// Version; none before the first contract.
    #[ts(type = "number | null")]
    pub version: Option<u64>,
    /// The signed moment from which validity counts.
    pub valid_as_of: Option<String>,
    /// Seconds since then.
    #[ts(type = "number | null")]
    pub age_s: Option<u64>,
    /// Whether the rules hold now.
    pub valid: bool,
}

/// Room on the disk of the data folder.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct HeadroomView {
    /// Mebibytes available to this user.
    #[ts(type = "number")]
    pub free_mib: u64,
    /// What is still taken in.
    pub class: String,
}

/// What a drain did.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct DrainReport {
    /// Recorded now.
    #[ts(type = "number")]
    pub committed: u64,
    /// Found to be recorded already.
    #[ts(type = "number")]
    pub already_committed: u64,
    /// Put before a person.
    #[ts(type = "number")]
    pub quarantined: u64,
    /// Still waiting.
    #[ts(type = "number")]
    pub pending: u64,
    /// Why it stopped.
    pub stopped_because: DrainStop,
}

/// Why a drain stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum DrainStop {
    /// Nothing is left.
    Empty,
    /// Its time was over, or it was asked to stop.
    Time,
    /// A person holds the endpoint.
    Held,
    /// The SoR refuses this station.
    Unauthorized,
    /// It paused by itself.
    Paused,
    /// One pass is done, or nothing can be sent now.
    Pass,
}

/// One row of the queue.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct QueueRow {
    /// The operation's key.
    pub idempotency_key: String,
    /// `{station}-{n}`.
    pub receipt_no: String,
    /// Kind.
    pub kind: String,
    /// Its lane.
    pub application_id: String,
    /// State.
    pub state: String,
    /// `none`, `sent` or `received`.
    pub doubt: String,
    /// When it was accepted.
    pub accepted_at: String,
    /// Attempts so far.
    pub attempts: u32,
    /// Word for the last answer.
    pub last_outcome: Option<String>,
    /// Until when it waits.
    pub waits_until: Option<String>,
    /// Why it waits for a person.
    pub reason: Option<String>,
    /// Other applications that it looks like, until somebody has had a second look.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, type = "Array<LikeView>")]
    pub looks_like: Vec<LikeView>,
    /// What a mirror that holds copies has of it, as long as it is not disposed of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub copy: Option<CopyInCustody>,
}

/// One operation in full, for whoever may see it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct QueueItemView {
    /// The row.
    #[serde(flatten)]
    pub row: QueueRow,
    /// When the SoR had it.
    pub committed_at: Option<String>,
    /// The SoR's record.
    pub record_id: Option<String>,
    /// The permit number, if known.
    pub permit_num: Option<String>,
    /// What the SoR has said of it beside its receipt.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub said: Option<SaidView>,
    /// Receipt number of the item whose place it took.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub replaces: Option<String>,
    /// Receipt number of the item that took its place.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub replaced_by: Option<String>,
    /// Its parcels, as they were seen when it was accepted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, type = "Array<ParcelView>")]
    pub parcels: Vec<ParcelView>,
    /// The stored body.
    #[ts(type = "unknown")]
    pub body: serde_json::Value,
}

/// One row of the list of applications.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ApplicationRow {
    /// The application.
    pub application_id: String,
    /// The permit number, if known.
    pub permit_num: Option<String>,
    /// Where it stands, with what was accepted here.
    pub stage: String,
    /// Operations of it that still wait.
    pub waiting: u32,
    /// `OriginalAddress1`.
    pub address: Option<String>,
    /// When the copy last changed.
    pub updated_at: String,
}

/// One application in full.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct ApplicationView {
    /// The row.
    #[serde(flatten)]
    pub row: ApplicationRow,
    /// The SoR's record, once it has one.
    pub record_id: Option<String>,
    /// Entity tag of the last receipt.
    pub etag: Option<String>,
    /// The payload as last accepted.
    #[ts(type = "Record<string, unknown>")]
    pub payload: serde_json::Value,
    /// Its operations, oldest first.
    pub operations: Vec<QueueRow>,
    /// Its parcels, as they were seen when it was accepted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, type = "Array<ParcelView>")]
    pub parcels: Vec<ParcelView>,
}

/// What an import did.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ImportReport {
    /// Rows accepted now.
    #[ts(type = "number")]
    pub accepted: u64,
    /// Rows that had been accepted before.
    #[ts(type = "number")]
    pub already: u64,
    /// Rows refused, each with its line.
    pub refused: Vec<RefusedRow>,
}

/// One refused row.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct RefusedRow {
    /// Line of the file, from 1, where the row begins.
    #[ts(type = "number")]
    pub line: u64,
    /// What is wrong with it.
    pub problems: Vec<ProblemView>,
}

/// What a verification of the audit found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct AuditReport {
    /// Events read and found whole.
    #[ts(type = "number")]
    pub events: u64,
    /// Whether everything holds.
    pub whole: bool,
    /// The first thing that does not, in words.
    pub first_fault: Option<String>,
    /// Which event it is about.
    #[ts(type = "number | null")]
    pub event: Option<u64>,
    /// Which page of the file it is about.
    #[ts(type = "number | null")]
    pub page: Option<u64>,
    /// Number of the event named by the head kept outside.
    #[ts(type = "number | null")]
    pub head_seq: Option<u64>,
    /// Hash of the last event.
    pub hash: Option<String>,
}

/// What recomputing the decisions of the audit chain showed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ReplayReport {
    /// Events read.
    #[ts(type = "number")]
    pub events: u64,
    /// Decisions recomputed from the inputs in their events.
    #[ts(type = "number")]
    pub decisions: u64,
    /// Decisions by rules of a version that this program does not know.
    #[ts(type = "number")]
    pub unknown: u64,
    /// Whether every decision came out as it is written, and none is unknown.
    pub agrees: bool,
    /// The first that did not: its event.
    #[ts(type = "number | null")]
    pub event: Option<u64>,
    /// What is written there.
    pub recorded: Option<String>,
    /// What its inputs lead to.
    pub recomputed: Option<String>,
    /// The first event of the chain that does not hold, in words: nothing behind it was read.
    pub broken: Option<String>,
}

/// Who is signed in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct SessionView {
    /// The person.
    pub actor: String,
    /// The person's roles.
    pub roles: Vec<String>,
    /// Until when.
    pub until: String,
}

/// What setting up did.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct SetUpReport {
    /// The station.
    pub station: String,
    /// The SoR's identity, pinned.
    pub identity: String,
    /// The rules in use, if they could be fetched.
    pub contract: ContractView,
    /// Fingerprint of the key that signs contracts, pinned.
    pub contract_key: Option<String>,
}

/// A warning of the SoR.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct WarningView {
    /// Code.
    pub code: String,
    /// Text.
    pub text: String,
}
