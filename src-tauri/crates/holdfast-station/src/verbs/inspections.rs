//! Inspections: the visits that a person carries, from the copy with its age.
//!
//! Promise: nobody is asked, the SoR may be away. A copy that is too old or dated in the future shows no visit, and says
//! so. Results are those that were accepted on this computer; a visit that another one closed is not shown.

use holdfast_core::copies::{Age, age};
use holdfast_core::ids::InspectionId;
use holdfast_core::operation::Body;
use holdfast_core::reinspection;
use holdfast_core::time::{Date, Now, TimeZone};
use holdfast_wire::{ApiCode, ApiError, CopyAge, InspectionRow, InspectionView, InspectionsView, ResultHere};
use serde_json::Value;

use crate::ports::{KeptVisit, OperationRecord};
use crate::station::Station;
use crate::verbs::records;
use crate::views;

/// On which day visits are looked at, and by which clock.
struct Today {
    day: Date,
    zone: TimeZone,
}

/// A result with what was accepted.
struct Answered<'a> {
    operation: &'a OperationRecord,
    body: Body,
}

impl Station {
    /// The signed-in person's visits that are due, overdue ones first, with what was recorded here for them.
    ///
    /// # Errors
    /// `NotSignedIn`, or the journal cannot be read.
    pub fn inspections(&self) -> Result<InspectionsView, ApiError> {
        let _place = self.read_place()?;
        let assignee = self.signed_in()?.actor;
        let now = self.now();
        let today = self.today(now);
        let kept = self.ports.journal.visits(&assignee).map_err(|cause| views::journal_error(&cause))?;
        let standing = kept.as_ref().map(|kept| self.age_of(kept.asked, now));
        let usable = kept.as_ref().filter(|_| standing == Some(Age::Usable));
        Ok(InspectionsView {
            copied_at: kept.as_ref().map(|kept| kept.asked.wall.to_string()),
            age: copy_age(standing),
            day: today.day.to_string(),
            rows: usable.map(|kept| rows(&kept.visits, &today)).unwrap_or_default(),
        })
    }

    /// One visit of the signed-in person's.
    ///
    /// # Errors
    /// `NotSignedIn`; `NotFound`, also when the copy may not be used any more; the journal cannot be read.
    pub fn inspection(&self, id: &str) -> Result<InspectionView, ApiError> {
        let _place = self.read_place()?;
        let assignee = self.signed_in()?.actor;
        let id: InspectionId = id.parse().map_err(|_| views::error(ApiCode::NotFound))?;
        let now = self.now();
        let found = self.ports.journal.visit(&assignee, &id).map_err(|cause| views::journal_error(&cause))?;
        let found = found.filter(|(asked, _)| self.age_of(*asked, now) == Age::Usable);
        let (asked, kept) = found.ok_or_else(|| views::error(ApiCode::NotFound))?;
        let today = self.today(now);
        Ok(InspectionView {
            row: row(&kept, answered(&kept).as_ref(), &today),
            copied_at: asked.wall.to_string(),
            record: records::row(&kept.record),
            planned: kept.visit.payload,
        })
    }

    fn today(&self, now: Now) -> Today {
        let zone = self.zone();
        Today { day: now.wall.day_in(&zone), zone }
    }

    fn age_of(&self, asked: Now, now: Now) -> Age {
        age(asked, now, self.settings().copy_inspections_max_h)
    }
}

fn copy_age(age: Option<Age>) -> CopyAge {
    match age {
        None => CopyAge::None,
        Some(Age::Usable) => CopyAge::Usable,
        Some(Age::TooOld) => CopyAge::TooOld,
        Some(Age::FromTheFuture) => CopyAge::FromTheFuture,
    }
}

fn rows(visits: &[KeptVisit], today: &Today) -> Vec<InspectionRow> {
    let shown = visits.iter().map(|kept| (kept, answered(kept))).filter(|(kept, answered)| {
        let recorded_on = answered.as_ref().map(|answered| answered.body.accepted_at.day_in(&today.zone));
        kept.visit.is_shown(today.day, recorded_on)
    });
    let mut shown: Vec<_> = shown.collect();
    shown.sort_by_cached_key(|(kept, _)| kept.visit.order(address(kept)));
    shown.iter().map(|(kept, answered)| row(kept, answered.as_ref(), today)).collect()
}

/// The latest result for the visit.
fn answered(kept: &KeptVisit) -> Option<Answered<'_>> {
    kept.results.iter().rev().find_map(|operation| {
        let body: Body = serde_json::from_slice(&operation.body).ok()?;
        kept.visit.is_answered_by(&body.payload).then_some(Answered { operation, body })
    })
}

fn row(kept: &KeptVisit, answered: Option<&Answered<'_>>, today: &Today) -> InspectionRow {
    let KeptVisit { visit, record, .. } = kept;
    InspectionRow {
        inspection_id: visit.inspection_id.to_string(),
        application_id: record.record.application_id.to_string(),
        permit_num: record.record.permit_num.as_ref().map(ToString::to_string),
        address: address(kept).map(str::to_owned),
        insp_type: visit.insp_type().to_owned(),
        scheduled_date: visit.scheduled_date().to_string(),
        scheduled_time: visit.scheduled_time().map(|time| format!("{:02}:{:02}", time.hour(), time.minute())),
        overdue_days: visit.overdue_days(today.day),
        result: answered.map(|answered| result_here(answered, today)),
    }
}

fn result_here(answered: &Answered<'_>, today: &Today) -> ResultHere {
    let Answered { operation, body } = answered;
    let word = ["ResultMapped", "Result"].iter().find_map(|field| body.payload.get(field)?.as_str());
    let due = reinspection::due(&body.payload, body.accepted_at, &today.zone);
    ResultHere {
        operation_id: body.operation_id.to_string(),
        receipt_no: operation.receipt.receipt_no.to_string(),
        result: word.unwrap_or_default().to_owned(),
        accepted_at: body.accepted_at.to_string(),
        state: operation.receipt.state.word().to_owned(),
        reinspection_due_at: due.map(|due| due.to_string()),
    }
}

fn address(kept: &KeptVisit) -> Option<&str> {
    kept.record.record.payload.get("OriginalAddress1").and_then(Value::as_str)
}
