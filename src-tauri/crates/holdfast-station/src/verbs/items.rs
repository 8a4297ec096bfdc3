//! Items: operations as the desks list them, and one opened as a receipt that stays true.
//!
//! Promise: an item follows the state of its operation, never the mode; what it says of the accepted operation is read
//! from the accepted bytes.

use holdfast_core::ids::OperationId;
use holdfast_core::operation::{Body, ClockTrust, Kind};
use holdfast_core::outcome::Archived;
use holdfast_core::reinspection;
use holdfast_core::search::words;
use holdfast_core::time::Now;
use holdfast_wire::{
    About, AnswerView, ApiCode, ApiError, ItemOrder, ItemRow, ItemView, ItemsOf, ItemsRequest, ItemsView,
    RecordedAs,
};
use serde_json::Value;
use validator::Validate as _;

use crate::ports::{ItemRecord, ItemsAsk, ItemsOrder, ItemsWanted, Page};
use crate::station::Station;
use crate::views;

impl Station {
    /// A page of a list of operations.
    ///
    /// # Errors
    /// The request is beyond its limits; `NotSignedIn` for a person's own when nobody is; the journal cannot be read.
    pub fn items(&self, request: ItemsRequest) -> Result<ItemsView, ApiError> {
        let _place = self.read_place()?;
        request.validate().map_err(|_| views::error(ApiCode::Refused))?;
        let ask = ItemsAsk {
            of: self.wanted(request.of)?,
            words: words(&request.text),
            order: match request.order {
                ItemOrder::OldestFirst => ItemsOrder::OfWork,
                ItemOrder::NewestFirst => ItemsOrder::LatestFirst,
            },
            page: Page { skip: request.skip, rows: request.rows },
        };
        let listed = self.ports.journal.items(&ask).map_err(|cause| views::journal_error(&cause))?;
        let now = self.now();
        let mut rows: Vec<ItemRow> = listed.rows.iter().map(|item| row(item, now)).collect();
        self.say_what_they_look_like(rows.iter_mut().map(|item| &mut item.row))?;
        self.say_what_lies_in_custody(rows.iter_mut().map(|item| &mut item.row))?;
        Ok(ItemsView {
            rows,
            matching: listed.matching,
            all: listed.all,
            last_recorded_at: listed.last_recorded_at.map(|at| at.to_string()),
        })
    }

    /// One operation by its id, waiting or archived.
    ///
    /// # Errors
    /// `NotFound`, or the journal cannot be read.
    pub fn item(&self, id: &str) -> Result<ItemView, ApiError> {
        let _place = self.read_place()?;
        let id: OperationId = id.parse().map_err(|_| views::error(ApiCode::NotFound))?;
        let found = self.ports.journal.item(id).map_err(|cause| views::journal_error(&cause))?;
        let opened = found.ok_or_else(|| views::error(ApiCode::NotFound))?;
        let body = body(&opened.item);
        let said = self.ports.journal.said(id).map_err(|cause| views::journal_error(&cause))?;
        let mut item = row(&opened.item, self.now());
        self.say_what_they_look_like(std::iter::once(&mut item.row))?;
        self.say_what_lies_in_custody(std::iter::once(&mut item.row))?;
        Ok(ItemView {
            item,
            record_id: opened.item.operation.record_id.as_ref().map(ToString::to_string),
            parcels: self.parcels_seen(id)?,
            followers: opened.followers,
            answer: opened.answer.as_ref().map(answer),
            said: views::said(&said),
            conflict: self.conflict_of(id)?,
            offered: self.offered(id, body.as_ref())?,
            reinspection_due_at: body.as_ref().and_then(|body| self.reinspection_due_at(body)),
            payload: body.map_or(Value::Null, |body| body.payload),
        })
    }

    fn wanted(&self, of: ItemsOf) -> Result<ItemsWanted, ApiError> {
        Ok(match of {
            ItemsOf::Waiting => ItemsWanted::Waiting,
            ItemsOf::Decisions => ItemsWanted::Decisions,
            ItemsOf::SentBack => ItemsWanted::SentBack(self.signed_in()?.actor),
            ItemsOf::Own => ItemsWanted::Own(self.signed_in()?.actor),
        })
    }

    fn reinspection_due_at(&self, body: &Body) -> Option<String> {
        let due = match body.kind {
            Kind::Inspection => reinspection::due(&body.payload, body.accepted_at, &self.zone()),
            Kind::Application
            | Kind::Stage
            | Kind::Correction
            | Kind::Void
            | Kind::Hold
            | Kind::Notice
            | Kind::Fee
            | Kind::Note
            | Kind::Tag
            | Kind::Attachment => None,
        };
        due.map(|at| at.to_string())
    }
}

/// The accepted operation; none when its bytes cannot be read any more, which the audit tells.
pub(crate) fn body(item: &ItemRecord) -> Option<Body> {
    serde_json::from_slice(&item.operation.body).ok()
}

/// One row of any list of items.
pub(crate) fn row(item: &ItemRecord, now: Now) -> ItemRow {
    let operation = &item.operation;
    let body = body(item);
    // Of bytes that cannot be read nothing is believed.
    let clock = body.as_ref().map_or(ClockTrust::Suspect, |body| body.clock);
    ItemRow {
        row: views::queue_row(operation, now),
        operation_id: operation.receipt.operation_id.to_string(),
        about: body.as_ref().map_or(About::Other, about),
        committed_at: operation.committed_at.map(|at| at.to_string()),
        recorded: recorded(item),
        permit_num: item.permit_num.as_ref().map(ToString::to_string),
        address: item.address.clone(),
        behind: item.behind.as_ref().map(ToString::to_string),
        replaces: item.replacements.replaces.as_ref().map(ToString::to_string),
        replaced_by: item.replacements.replaced_by.as_ref().map(ToString::to_string),
        actor: body.map(|body| body.actor.to_string()).unwrap_or_default(),
        clock: match clock {
            ClockTrust::Ok => "ok",
            ClockTrust::Suspect => "suspect",
        }
        .to_owned(),
    }
}

fn about(body: &Body) -> About {
    let text = |field: &str| body.payload.get(field).and_then(Value::as_str).map(str::to_owned);
    match body.kind {
        Kind::Application => About::Application { permit_type: text("PermitTypeMapped") },
        Kind::Stage => About::Move { to: text("to").unwrap_or_default(), reason: text("reason") },
        Kind::Inspection => About::Inspection {
            insp_type: text("InspType").unwrap_or_default(),
            result: text("ResultMapped"),
        },
        Kind::Correction
        | Kind::Void
        | Kind::Hold
        | Kind::Notice
        | Kind::Fee
        | Kind::Note
        | Kind::Tag
        | Kind::Attachment => About::Other,
    }
}

/// A remark of the SoR is told before the way in which it was recorded.
fn recorded(item: &ItemRecord) -> Option<RecordedAs> {
    item.operation.committed_at?;
    if item.remarks > 0 {
        return Some(RecordedAs::Remarked);
    }
    let how = item.operation.last_outcome.as_deref().and_then(Archived::from_outcome_word);
    how.map(|how| match how {
        Archived::Sent => RecordedAs::Sent,
        Archived::Found => RecordedAs::Found,
    })
}

fn answer(kept: &Value) -> AnswerView {
    let errors = kept.get("errors").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let texts = |member: &str| -> Vec<String> {
        errors.iter().filter_map(|error| error.get(member)?.as_str()).map(str::to_owned).collect()
    };
    AnswerView {
        status: kept.get("status").and_then(Value::as_u64).and_then(|status| u16::try_from(status).ok()),
        problem: kept.get("type").and_then(Value::as_str).map(str::to_owned),
        pointers: texts("pointer"),
        codes: texts("code"),
    }
}
