//! Records and items as the desks show them: found, listed, opened.
//!
//! Promise: words of the store's own kinds and states; the window turns them into sentences. Order and filter are the
//! station's.

use serde::{Deserialize, Serialize};
use ts_rs::TS;
use validator::Validate;

use crate::conflict::ConflictView;
use crate::likeness::LikeView;
use crate::offered::OfferedView;
use crate::parcel::ParcelView;
use crate::said::SaidView;
use crate::view::QueueRow;

/// A search over the records that are known on this computer.
#[derive(Clone, Debug, Serialize, Deserialize, TS, Validate)]
#[serde(deny_unknown_fields)]
pub struct FindRequest {
    /// Address, permit or receipt number, applicant; empty: the ones that changed last.
    #[validate(length(max = 200))]
    pub text: String,
    /// Rows to pass over.
    #[validate(range(max = 10_000_000))]
    pub skip: u32,
    /// Rows wanted.
    #[validate(range(min = 1, max = 1_000))]
    pub rows: u32,
}

/// What was found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct FindView {
    /// The rows asked for.
    pub rows: Vec<RecordRow>,
    /// How many match in all.
    pub matching: u32,
    /// How many records are known here.
    pub known: u32,
    /// When records were last copied from the SoR.
    pub copied_at: Option<String>,
}

/// One application in a list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct RecordRow {
    /// The application.
    pub application_id: String,
    /// The permit number, if known.
    pub permit_num: Option<String>,
    /// Receipt number of its intake, when it was taken in here.
    pub receipt_no: Option<String>,
    /// `OriginalAddress1`.
    pub address: Option<String>,
    /// `ApplicantName`, else the contractor.
    pub applicant: Option<String>,
    /// `PermitTypeMapped`.
    pub permit_type: Option<String>,
    /// Where it stands, with what was accepted here.
    pub stage: String,
    /// Operations of it that still wait.
    pub waiting: u32,
    /// When it last changed here.
    pub updated_at: String,
    /// When it was copied from the SoR; none when it was taken in here and never copied.
    pub copied_at: Option<String>,
}

/// One application, opened.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct RecordView {
    /// The row.
    #[serde(flatten)]
    pub row: RecordRow,
    /// The SoR's record, once it has one.
    pub record_id: Option<String>,
    /// The stages in their order, for the stepper.
    pub stages: Vec<StageStep>,
    /// Every move from here, possible or not.
    pub moves: Vec<MoveView>,
    /// The payload as last accepted.
    #[ts(type = "Record<string, unknown>")]
    pub payload: serde_json::Value,
    /// Its items, newest first.
    pub items: Vec<ItemRow>,
    /// When it was changed there under work that waits here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub changed_there_at: Option<String>,
    /// Other applications that it looks like, until somebody has had a second look.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, type = "Array<LikeView>")]
    pub looks_like: Vec<LikeView>,
    /// Its parcels, as they were seen when it was accepted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, type = "Array<ParcelView>")]
    pub parcels: Vec<ParcelView>,
}

/// A stage on the way of an application.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct StageStep {
    /// The stage.
    pub stage: String,
    /// Where the application stands against it.
    pub reached: Reached,
}

/// Where an application stands against a stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Reached {
    /// It is past it.
    Done,
    /// It stands there.
    Now,
    /// It has not come there.
    ToCome,
}

/// A move to another stage.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct MoveView {
    /// The stage.
    pub to: String,
    /// Whether it needs a reason.
    pub reason: ReasonNeed,
    /// Why it cannot be made now; none when it can.
    pub refused: Option<MoveRefusal>,
}

/// Whether a move needs a reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum ReasonNeed {
    /// It does.
    Needed,
    /// It does not.
    NotNeeded,
}

/// Why a move cannot be made now.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "why", rename_all = "snake_case")]
pub enum MoveRefusal {
    /// No step leads there from where it stands.
    NoSuchStep,
    /// It is set by the SoR's answer, never chosen.
    NeverChosen,
    /// The application has ended.
    Ended,
    /// Only these roles may.
    NotPermitted {
        /// Them.
        roles: Vec<String>,
    },
    /// Nobody is signed in, or no rules are here.
    NotNow,
}

/// Which items are listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum ItemsOf {
    /// What the SoR has not confirmed: waiting or being sent.
    Waiting,
    /// What waits for a person, whoever's it is.
    Decisions,
    /// What waits for a person and was accepted by the signed-in one.
    SentBack,
    /// What the signed-in person accepted, recorded ones included.
    Own,
}

/// In which order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum ItemOrder {
    /// The order of work.
    OldestFirst,
    /// The latest first.
    NewestFirst,
}

/// A list of items.
#[derive(Clone, Debug, Serialize, Deserialize, TS, Validate)]
#[serde(deny_unknown_fields)]
pub struct ItemsRequest {
    /// Which.
    pub of: ItemsOf,
    /// Receipt or permit number, address; empty: all.
    #[validate(length(max = 200))]
    pub text: String,
    /// Order.
    pub order: ItemOrder,
    /// Rows to pass over.
    #[validate(range(max = 10_000_000))]
    pub skip: u32,
    /// Rows wanted.
    #[validate(range(min = 1, max = 1_000))]
    pub rows: u32,
}

/// The items asked for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ItemsView {
    /// The rows.
    pub rows: Vec<ItemRow>,
    /// How many match the text.
    pub matching: u32,
    /// How many there are without it.
    pub all: u32,
    /// When an item was last recorded by the SoR.
    pub last_recorded_at: Option<String>,
}

/// One operation as a desk lists it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ItemRow {
    /// The row of the queue.
    #[serde(flatten)]
    pub row: QueueRow,
    /// The operation.
    pub operation_id: String,
    /// What it does.
    pub about: About,
    /// When the SoR had it.
    pub committed_at: Option<String>,
    /// How it came to be recorded, if it was.
    pub recorded: Option<RecordedAs>,
    /// The permit number, if known.
    pub permit_num: Option<String>,
    /// Address of its application.
    pub address: Option<String>,
    /// Receipt number of the item before it in its lane that is not disposed of.
    pub behind: Option<String>,
    /// Receipt number of the item whose place it took.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub replaces: Option<String>,
    /// Receipt number of the item that took its place.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub replaced_by: Option<String>,
    /// Who accepted it.
    pub actor: String,
    /// By which clock: `ok` or `suspect`.
    pub clock: String,
}

/// How an item came to be recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum RecordedAs {
    /// By this sending.
    Sent,
    /// It was there already.
    Found,
    /// With a remark of the SoR.
    Remarked,
}

/// What an item does.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "about", rename_all = "snake_case")]
pub enum About {
    /// A new application.
    Application {
        /// `PermitTypeMapped`.
        permit_type: Option<String>,
    },
    /// A move to a stage.
    Move {
        /// The stage.
        to: String,
        /// Why, in the person's words.
        reason: Option<String>,
    },
    /// An inspection.
    Inspection {
        /// `InspType`.
        insp_type: String,
        /// `ResultMapped`.
        result: Option<String>,
    },
    /// Anything else, by its kind.
    Other,
}

/// One item, opened: a receipt that stays true.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct ItemView {
    /// The row.
    #[serde(flatten)]
    pub item: ItemRow,
    /// What was accepted.
    #[ts(type = "Record<string, unknown>")]
    pub payload: serde_json::Value,
    /// The SoR's record.
    pub record_id: Option<String>,
    /// Its parcels, as they were seen when it was accepted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, type = "Array<ParcelView>")]
    pub parcels: Vec<ParcelView>,
    /// Items behind it in its lane.
    pub followers: u32,
    /// What the SoR answered last, as far as it is kept.
    pub answer: Option<AnswerView>,
    /// What the SoR has said of it beside its receipt.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub said: Option<SaidView>,
    /// Until when a failed inspection has to be seen again.
    pub reinspection_due_at: Option<String>,
    /// The versions of its record, if they are two.
    pub conflict: Option<ConflictView>,
    /// What can be done with it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub offered: Option<OfferedView>,
}

/// What is kept of an answer of the SoR.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct AnswerView {
    /// Status of the HTTP answer, if there was one.
    pub status: Option<u16>,
    /// Name of the problem type.
    pub problem: Option<String>,
    /// Pointers into the body that the SoR named.
    pub pointers: Vec<String>,
    /// Codes that the SoR named.
    pub codes: Vec<String>,
}
