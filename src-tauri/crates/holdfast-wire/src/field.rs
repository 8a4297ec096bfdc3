//! What an inspector carries: the visits of the day, from copies with their age.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::record::RecordRow;

/// The signed-in person's inspections that are due, in visit order, overdue ones first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct InspectionsView {
    /// When they were copied from the SoR; none before the first copy.
    pub copied_at: Option<String>,
    /// Whether the copy is within its ceiling; past it, rows are not shown.
    pub age: CopyAge,
    /// The local day that they are for, `YYYY-MM-DD`.
    pub day: String,
    /// The rows.
    pub rows: Vec<InspectionRow>,
}

/// How a copy stands against its ceiling.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum CopyAge {
    /// There is none.
    None,
    /// It may be used.
    Usable,
    /// It is too old to show.
    TooOld,
    /// It is dated in the future, and refused.
    FromTheFuture,
}

/// One visit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct InspectionRow {
    /// The inspection, as the SoR names it.
    pub inspection_id: String,
    /// Its application.
    pub application_id: String,
    /// The permit number, if known.
    pub permit_num: Option<String>,
    /// Where.
    pub address: Option<String>,
    /// `InspType`.
    pub insp_type: String,
    /// `ScheduledDate`, `YYYY-MM-DD`.
    pub scheduled_date: String,
    /// `ScheduledTime`, `HH:MM`.
    pub scheduled_time: Option<String>,
    /// Days past its day; 0 on it.
    pub overdue_days: u32,
    /// What was recorded here for it.
    pub result: Option<ResultHere>,
}

/// A result that was accepted on this computer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ResultHere {
    /// The operation.
    pub operation_id: String,
    /// Its receipt number.
    pub receipt_no: String,
    /// `ResultMapped`.
    pub result: String,
    /// When it was accepted.
    pub accepted_at: String,
    /// State of the item.
    pub state: String,
    /// Until when it has to be seen again.
    pub reinspection_due_at: Option<String>,
}

/// One visit, opened.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct InspectionView {
    /// The visit.
    #[serde(flatten)]
    pub row: InspectionRow,
    /// When it was copied.
    pub copied_at: String,
    /// The application.
    pub record: RecordRow,
    /// What the SoR's copy says about it: `Description` and the like.
    #[ts(type = "Record<string, unknown>")]
    pub planned: serde_json::Value,
}

/// Copies were fetched from the SoR.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct CopiesView {
    /// When.
    pub copied_at: String,
    /// Inspections in the copy.
    pub inspections: u32,
    /// Records that came: all of them, or, where the SoR has a feed of changes, those that changed since.
    pub records: u32,
}
