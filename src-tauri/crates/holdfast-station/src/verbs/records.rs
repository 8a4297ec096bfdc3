//! Records: finding an application, and opening one.
//!
//! Promise: what is found is what is known on this computer, with the age of its copy; a move that is offered is one that
//! would be taken, and one that is not says why. Nobody is asked: the SoR may be away.

use holdfast_core::ids::ApplicationId;
use holdfast_core::lifecycle::Stage;
use holdfast_core::moves::{Move, Reached, Reason, Rights, Step, WhyNot, moves, way};
use holdfast_core::search::{folded, words};
use holdfast_wire::{
    ApiCode, ApiError, FindRequest, FindView, MoveRefusal, MoveView, ReasonNeed, RecordRow, RecordView,
    StageStep,
};
use serde_json::Value;
use validator::Validate as _;

use crate::accepting::move_target;
use crate::ports::{FoundRecord, ItemRecord, Page, Wanted};
use crate::station::Station;
use crate::verbs::items;
use crate::verbs::parcels::parcel_view;
use crate::views;

impl Station {
    /// Finds applications by every word of a text: the one with that very number first, then the latest change first.
    ///
    /// # Errors
    /// The request is beyond its limits, or the journal cannot be read.
    pub fn find(&self, request: FindRequest) -> Result<FindView, ApiError> {
        let _place = self.read_place()?;
        request.validate().map_err(|_| views::error(ApiCode::Refused))?;
        let wanted = Wanted { words: words(&request.text), number: folded(request.text.trim()) };
        let page = Page { skip: request.skip, rows: request.rows };
        let found = self.ports.journal.find(&wanted, page).map_err(|cause| views::journal_error(&cause))?;
        Ok(FindView {
            rows: found.rows.iter().map(row).collect(),
            matching: found.matching,
            known: found.known,
            copied_at: found.copied_at.map(|at| at.to_string()),
        })
    }

    /// One application with its way, its moves and its items.
    ///
    /// # Errors
    /// `NotFound`, or the journal cannot be read.
    pub fn record(&self, id: &str) -> Result<RecordView, ApiError> {
        let _place = self.read_place()?;
        let id: ApplicationId = id.parse().map_err(|_| views::error(ApiCode::NotFound))?;
        let found = self.ports.journal.found_record(id).map_err(|cause| views::journal_error(&cause))?;
        let (found, of_it) = found.ok_or_else(|| views::error(ApiCode::NotFound))?;
        let now = self.now();
        let stage = found.record.stage;
        let parcels = self.ports.journal.parcels_of(id).map_err(|cause| views::journal_error(&cause))?;
        let parcels = parcels.iter().map(parcel_view).collect();
        let changed_there_at =
            self.ports.journal.changed_there(id).map_err(|cause| views::journal_error(&cause))?;
        let looks_like = self.likes(&[id])?.remove(&id.to_string()).unwrap_or_default();
        Ok(RecordView {
            looks_like,
            changed_there_at: changed_there_at.map(|at| at.to_string()),
            parcels,
            row: row(&found),
            record_id: found.record.record_id.as_ref().map(ToString::to_string),
            stages: way(stage, &moved_to(&of_it)).iter().map(step_view).collect(),
            moves: self.moves_from(stage).iter().map(move_view).collect(),
            payload: found.record.payload,
            items: of_it.iter().map(|item| items::row(item, now)).collect(),
        })
    }

    fn moves_from(&self, stage: Stage) -> Vec<Move> {
        let signed = self.signed_in().ok();
        let in_use = self.rules();
        let rights = in_use.as_ref().zip(signed.as_ref());
        moves(
            stage,
            rights.map(|(in_use, signed)| Rights { roles: in_use.rules.roles(), held: &signed.roles }),
        )
    }
}

/// The stages that an application is known to have been moved to.
fn moved_to(of_it: &[ItemRecord]) -> Vec<Stage> {
    let target = |item: &ItemRecord| {
        let body = items::body(item)?;
        move_target(body.kind, &body.payload)
    };
    of_it.iter().filter_map(target).collect()
}

pub(crate) fn row(found: &FoundRecord) -> RecordRow {
    let FoundRecord { record, receipt_no, copied_at } = found;
    RecordRow {
        application_id: record.application_id.to_string(),
        permit_num: record.permit_num.as_ref().map(ToString::to_string),
        receipt_no: receipt_no.as_ref().map(ToString::to_string),
        address: named(&record.payload, &["OriginalAddress1"]),
        applicant: named(&record.payload, &["ApplicantName", "ContractorCompanyName", "ContractorFullName"]),
        permit_type: named(&record.payload, &["PermitTypeMapped"]),
        stage: record.stage.to_string(),
        waiting: record.waiting,
        updated_at: record.updated_at.to_string(),
        copied_at: copied_at.map(|at| at.to_string()),
    }
}

/// The first of these fields that holds a text.
fn named(payload: &Value, fields: &[&str]) -> Option<String> {
    let texts = fields.iter().filter_map(|field| payload.get(field)?.as_str());
    texts.map(str::trim).find(|text| !text.is_empty()).map(str::to_owned)
}

fn step_view(step: &Step) -> StageStep {
    let reached = match step.reached {
        Reached::Done => holdfast_wire::Reached::Done,
        Reached::Now => holdfast_wire::Reached::Now,
        Reached::ToCome => holdfast_wire::Reached::ToCome,
    };
    StageStep { stage: step.stage.to_string(), reached }
}

fn move_view(one: &Move) -> MoveView {
    let reason = match one.reason {
        Reason::Needed => ReasonNeed::Needed,
        Reason::NotNeeded => ReasonNeed::NotNeeded,
    };
    MoveView { to: one.to.to_string(), reason, refused: one.refused.as_ref().map(refusal) }
}

fn refusal(why: &WhyNot) -> MoveRefusal {
    match why {
        WhyNot::NoSuchStep => MoveRefusal::NoSuchStep,
        WhyNot::NeverChosen => MoveRefusal::NeverChosen,
        WhyNot::Ended => MoveRefusal::Ended,
        WhyNot::NotPermitted { roles } => {
            MoveRefusal::NotPermitted { roles: roles.iter().map(ToString::to_string).collect() }
        }
        WhyNot::NotNow => MoveRefusal::NotNow,
    }
}
