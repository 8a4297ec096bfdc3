//! Reprove: what the SoR lacks since it came back from an older copy, and what a supervisor does about it.
//!
//! Promise: one transaction, decided inside it; nothing is sent from here. Looking is the drain's errand
//! ([`crate::errands::reprove`]).

use holdfast_core::problem::{Problem, ProblemCode};
use holdfast_core::reprove::Sign;
use holdfast_wire::{
    ApiCode, ApiError, ListRequest, MissingRow, RestoreDecided, RestoreDecision, RestoreInfo, RestoreRequest,
    RestoreSign, RestoreView, SkippedNumbers,
};
use validator::Validate as _;

use crate::deciding::{Right, right};
use crate::ports::{MissingRecord, MissingRuled, RestoreRecord, RestoreStage, SkippedRecord};
use crate::proving::{Settling, rule};
use crate::station::Station;
use crate::verbs::queue::page;
use crate::verbs::submit::refused;
use crate::views::{self, shown};

impl Station {
    /// What the SoR lacks, of the return that is not settled, else of the last one; and numbers that were passed over.
    ///
    /// # Errors
    /// The request is beyond its limits, or the journal cannot be read.
    pub fn restore(&self, request: ListRequest) -> Result<RestoreView, ApiError> {
        let _place = self.read_place()?;
        let page = page(request)?;
        let failed = |cause: crate::ports::JournalError| views::journal_error(&cause);
        let (restore, rows) = self.ports.journal.missing(page).map_err(failed)?;
        let skipped = self.ports.journal.skipped().map_err(failed)?;
        Ok(RestoreView {
            restore: restore.as_ref().map(info),
            rows: rows.iter().map(row).collect(),
            skipped: skipped.iter().map(numbers).collect(),
        })
    }

    /// Sends what the SoR lacks again, or leaves it missing.
    ///
    /// Blocks for one transaction; call it where blocking is allowed.
    ///
    /// # Errors
    /// `NotSignedIn`, `NotPermitted`, `RulesOutOfDate` when nobody may decide; `Refused` with `not-waiting` at `/decision`
    /// when nothing is asked (any more, or not yet).
    pub fn settle_restore(&self, request: RestoreRequest) -> Result<RestoreDecided, ApiError> {
        if request.reason.trim().is_empty() {
            let missing = Problem::of_field("reason", ProblemCode::Missing);
            return Err(views::refused(ApiCode::Refused, &[missing]));
        }
        request.validate().map_err(|_| views::error(ApiCode::Refused))?;
        let settling = self.settling(request);
        let decide = Box::new(move |facts: &_| rule(&settling, facts));
        let ruled = self.ports.journal.decide_missing(self.now(), decide);
        match ruled.map_err(|cause| views::journal_error(&cause))? {
            MissingRuled::SentAgain { count } => {
                self.work_came();
                Ok(RestoreDecided { decision: RestoreDecision::SendAgain, count: shown(count) })
            }
            MissingRuled::Left { count } => {
                Ok(RestoreDecided { decision: RestoreDecision::Leave, count: shown(count) })
            }
            MissingRuled::Refused(refusal) => Err(refused(&refusal)),
        }
    }

    fn settling(&self, request: RestoreRequest) -> Settling {
        let session = self.signed();
        let held = session.as_ref().map_or(&[][..], |signed| &signed.statement.roles);
        let right = self.rules().map_or(Right::NoRules, |in_use| right(in_use.rules.roles(), held));
        let mut salt = [0; 32];
        self.ports.entropy.fill(&mut salt);
        Settling { decision: request.decision, reason: request.reason, session, right, salt }
    }
}

fn info(restore: &RestoreRecord) -> RestoreInfo {
    RestoreInfo {
        stage: match restore.stage {
            RestoreStage::Looking => holdfast_wire::RestoreStage::Looking,
            RestoreStage::Asking => holdfast_wire::RestoreStage::Asking,
            RestoreStage::NothingMissing => holdfast_wire::RestoreStage::NothingMissing,
            RestoreStage::SentAgain => holdfast_wire::RestoreStage::SentAgain,
            RestoreStage::Left => holdfast_wire::RestoreStage::Left,
        },
        sign: match restore.sign {
            Sign::Epoch { .. } => RestoreSign::Epoch,
            Sign::Sequence { .. } => RestoreSign::Sequence,
            Sign::Count { .. } => RestoreSign::Count,
            Sign::Sample { .. } => RestoreSign::Sample,
        },
        noticed_at: restore.noticed_at.to_string(),
        found: shown(restore.walk.found),
        missing: shown(restore.walk.missing),
        official: shown(restore.official),
    }
}

fn row(missing: &MissingRecord) -> MissingRow {
    let now = missing.permit_num_now.as_ref().filter(|now| missing.permit_num.as_ref() != Some(*now));
    MissingRow {
        operation_id: missing.operation_id.to_string(),
        application_id: missing.application_id.to_string(),
        receipt_no: missing.receipt_no.to_string(),
        kind: missing.kind.to_string(),
        accepted_at: missing.accepted_at.to_string(),
        recorded_at: missing.committed_at.to_string(),
        permit_num: missing.permit_num.as_ref().map(ToString::to_string),
        permit_num_now: now.map(ToString::to_string),
    }
}

fn numbers(skipped: &SkippedRecord) -> SkippedNumbers {
    SkippedNumbers {
        first: shown(skipped.numbers.first.0),
        last: shown(skipped.numbers.last.0),
        noticed_at: skipped.noticed_at.to_string(),
    }
}
