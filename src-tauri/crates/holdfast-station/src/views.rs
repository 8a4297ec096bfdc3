//! From the station's own types to the shapes that cross to the screen. No decision is made here.

use std::collections::BTreeMap;

use holdfast_core::contract::{Attested, Validity};
use holdfast_core::ids::RecordId;
use holdfast_core::outcome::Warning;
use holdfast_core::problem::Problem;
use holdfast_core::settle::prepared_void;
use holdfast_core::time::Now;
use holdfast_wire::{
    ApiCode, ApiError, ApplicationRow, ApplicationView, BooksView, ContractView, CountsView, FoundView,
    ProblemView, QueueItemView, QueueRow, ReceiptView, RemarkView, SaidView, TwinView,
};
use serde_json::Value;

use crate::ports::{
    ApplicationRecord, Counts, FoundBy, JournalError, OperationRecord, Receipt, RefusalReason, Replacements,
    Said, SorFault, TwinRecord,
};

pub(crate) fn receipt(receipt: &Receipt) -> ReceiptView {
    ReceiptView {
        idempotency_key: receipt.idempotency_key.to_string(),
        operation_id: receipt.operation_id.to_string(),
        application_id: receipt.application_id.to_string(),
        receipt_no: receipt.receipt_no.to_string(),
        permit_num: receipt.permit_num.as_ref().map(ToString::to_string),
        kind: receipt.kind.to_string(),
        accepted_at: receipt.accepted_at.to_string(),
        local_seq: receipt.local_seq.0,
        route: match receipt.route {
            holdfast_core::operation::OriginRoute::Direct => "direct",
            holdfast_core::operation::OriginRoute::Probe => "probe",
            holdfast_core::operation::OriginRoute::Defer => "defer",
        }
        .to_owned(),
        state: receipt.state.word().to_owned(),
        looks_like: Vec::new(),
        warnings: Vec::new(),
        parcels: Vec::new(),
    }
}

pub(crate) fn queue_row(record: &OperationRecord, now: Now) -> QueueRow {
    QueueRow {
        idempotency_key: record.receipt.idempotency_key.to_string(),
        receipt_no: record.receipt.receipt_no.to_string(),
        kind: record.receipt.kind.to_string(),
        application_id: record.receipt.application_id.to_string(),
        state: record.receipt.state.word().to_owned(),
        doubt: record.doubt.word().to_owned(),
        accepted_at: record.receipt.accepted_at.to_string(),
        attempts: record.attempts,
        last_outcome: record.last_outcome.clone(),
        waits_until: record
            .wait
            .as_ref()
            .filter(|wait| !wait.is_over(now))
            .map(|wait| wait.ends_at(now).to_string()),
        reason: record.reason.map(|reason| reason.word().to_owned()),
        looks_like: Vec::new(),
        copy: None,
    }
}

/// None when it has said nothing more.
pub(crate) fn said(said: &Said) -> Option<SaidView> {
    let remark = |one: &Warning| RemarkView { code: one.code.clone(), text: one.text.clone() };
    let view = SaidView {
        remarks: said.warnings.iter().map(remark).collect(),
        twin: said.twin.as_ref().map(twin),
        found: said.found.as_ref().map(found),
    };
    (view != SaidView::default()).then_some(view)
}

fn twin(found: &TwinRecord) -> TwinView {
    let recorded = found.receipt.as_ref().map(|receipt| &receipt.record_id);
    let void = prepared_void(&found.record_ids, found.stays.as_ref().or(recorded));
    let texts = |ids: &[RecordId]| ids.iter().map(ToString::to_string).collect();
    TwinView {
        record_ids: texts(&found.record_ids),
        stays: void.stays.as_ref().map(ToString::to_string),
        voids: texts(&void.voids),
        found_at: found.found_at.to_string(),
        kept_at: found.kept_at.map(|at| at.to_string()),
    }
}

fn found(found: &FoundBy) -> FoundView {
    FoundView {
        by: found.actor.to_string(),
        at: found.at.to_string(),
        record_id: found.record_id.to_string(),
    }
}

pub(crate) fn queue_item(
    record: &OperationRecord,
    replacements: &Replacements,
    beside: &Said,
    now: Now,
) -> QueueItemView {
    QueueItemView {
        row: queue_row(record, now),
        committed_at: record.committed_at.map(|at| at.to_string()),
        replaces: replacements.replaces.as_ref().map(ToString::to_string),
        replaced_by: replacements.replaced_by.as_ref().map(ToString::to_string),
        record_id: record.record_id.as_ref().map(ToString::to_string),
        permit_num: record.receipt.permit_num.as_ref().map(ToString::to_string),
        said: said(beside),
        parcels: Vec::new(),
        body: serde_json::from_slice(&record.body).unwrap_or(Value::Null),
    }
}

pub(crate) fn application_row(record: &ApplicationRecord) -> ApplicationRow {
    ApplicationRow {
        application_id: record.application_id.to_string(),
        permit_num: record.permit_num.as_ref().map(ToString::to_string),
        stage: record.stage.to_string(),
        waiting: record.waiting,
        address: record.payload.get("OriginalAddress1").and_then(Value::as_str).map(str::to_owned),
        updated_at: record.updated_at.to_string(),
    }
}

pub(crate) fn application(
    record: &ApplicationRecord,
    operations: &[OperationRecord],
    now: Now,
) -> ApplicationView {
    ApplicationView {
        row: application_row(record),
        record_id: record.record_id.as_ref().map(ToString::to_string),
        etag: record.etag.as_ref().map(ToString::to_string),
        payload: record.payload.clone(),
        operations: operations.iter().map(|operation| queue_row(operation, now)).collect(),
        parcels: Vec::new(),
    }
}

pub(crate) fn contract(contract: Option<(u64, Attested)>, now: Now, ttl_h: u32) -> ContractView {
    ContractView {
        version: contract.map(|(version, _)| version),
        valid_as_of: contract.map(|(_, attested)| attested.valid_as_of.to_string()),
        age_s: contract.map(|(_, attested)| attested.age_ms(now) / 1_000),
        valid: contract.is_some_and(|(_, attested)| attested.validity(now, ttl_h) == Validity::Valid),
    }
}

pub(crate) fn books(books: &holdfast_core::books::Books) -> BooksView {
    BooksView {
        accepted: books.accepted,
        pending: books.pending,
        in_flight: books.in_flight,
        committed: books.committed,
        quarantined: books.quarantined,
        voided: books.voided,
    }
}

/// A window has no use for more.
pub(crate) fn shown(count: u64) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

pub(crate) fn counts(counts: &Counts) -> CountsView {
    CountsView {
        direct: counts.direct,
        probe: counts.probe,
        deferred: counts.deferred,
        refused: counts.refused,
        failed: counts.failed,
    }
}

/// A problem in the shape of the screen; for adapters that name problems of their own (a row that is not UTF-8).
#[must_use]
pub fn problem_view(problem: &Problem) -> ProblemView {
    ProblemView {
        pointer: problem.pointer.clone(),
        code: problem.code.as_str().to_owned(),
        message: problem.message(),
        params: BTreeMap::new(),
    }
}

/// The same for a window, which says it in words of its own.
pub(crate) fn told_problem(problem: &Problem) -> ProblemView {
    ProblemView { params: problem.params.clone(), ..problem_view(problem) }
}

pub(crate) fn error(code: ApiCode) -> ApiError {
    ApiError { code, problems: Vec::new() }
}

pub(crate) fn refused(code: ApiCode, problems: &[Problem]) -> ApiError {
    ApiError { code, problems: problems.iter().map(told_problem).collect() }
}

pub(crate) fn refusal_code(reason: RefusalReason) -> ApiCode {
    match reason {
        RefusalReason::Invalid | RefusalReason::Changed => ApiCode::Refused,
        RefusalReason::NotPermitted => ApiCode::NotPermitted,
        RefusalReason::NotSignedIn => ApiCode::NotSignedIn,
        RefusalReason::RulesOutOfDate => ApiCode::RulesOutOfDate,
        RefusalReason::DiskFull => ApiCode::DiskFull,
    }
}

/// The journal's own words go to the log, the code to the screen.
pub(crate) fn journal_error(cause: &JournalError) -> ApiError {
    tracing::error!(error = ?cause, "journal");
    error(match cause {
        JournalError::Busy { .. } => ApiCode::Busy,
        JournalError::DiskFull => ApiCode::DiskFull,
        JournalError::Damaged { .. } => ApiCode::Integrity,
        JournalError::ReadOnly => ApiCode::InUse,
        JournalError::Stopped | JournalError::Failed(_) => ApiCode::Storage,
    })
}

pub(crate) fn sor_error(fault: &SorFault) -> ApiError {
    tracing::warn!(error = %fault, "system of record");
    error(match fault {
        SorFault::NotAnswering => ApiCode::NotAnswering,
        SorFault::Impostor | SorFault::Unreadable => ApiCode::Impostor,
        SorFault::StationUnauthorized | SorFault::Refused { .. } => ApiCode::SystemRefused,
    })
}
