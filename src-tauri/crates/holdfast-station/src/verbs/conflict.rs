//! Conflict: the versions of a record side by side, and asking the SoR for its own once more.
//!
//! Promise: what is shown is what is kept here; where the SoR's version is not known it is said so, and nothing else is
//! shown in its place.

use holdfast_core::breaker::Admission;
use holdfast_core::compare::{Changed, FieldRow, Meeting, Proposal, Snapshot, before_theirs, compare};
use holdfast_core::ids::{EndpointName, IdempotencyKey, OperationId};
use holdfast_wire::{ApiCode, ApiError, ConflictRow, ConflictView, TheirsView, VersionView};
use serde_json::Value;

use crate::errands::theirs::fetch_one;
use crate::ports::{Journal, JournalError, KeptConflict, Theirs, Unfetched};
use crate::station::Station;
use crate::verbs::drain::on_journal;
use crate::views;

impl Station {
    /// The versions of the record of an operation, by its key; none when they are not two.
    ///
    /// # Errors
    /// `NotFound`, or the journal cannot be read.
    pub fn conflict(&self, key: &str) -> Result<Option<ConflictView>, ApiError> {
        let _place = self.read_place()?;
        let sought =
            sought(&*self.ports.journal, &parsed(key)?).map_err(|cause| views::journal_error(&cause))?;
        let sought = sought.ok_or_else(|| views::error(ApiCode::NotFound))?;
        self.conflict_of(sought.operation_id)
    }

    /// Asks the SoR for its version once more.
    ///
    /// # Errors
    /// `NotFound` when there is no such conflict; `NotAnswering`, also when the breaker is not closed; `Impostor` or
    /// `SystemRefused`. What was known stays.
    pub async fn fetch_theirs(&self, key: &str) -> Result<ConflictView, ApiError> {
        let _place = self.ask_place()?;
        let (key, now) = (parsed(key)?, self.now());
        let read = move |journal: &dyn Journal| {
            let standing = journal.standing()?;
            let name = EndpointName::primary();
            let primary = standing.endpoints.iter().find(|endpoint| endpoint.name == name);
            let answers = primary.is_some_and(|primary| primary.breaker.admission(now) == Admission::Closed);
            Ok((answers, sought(journal, &key)?))
        };
        let read = on_journal(&self.ports.journal, read).await;
        let (answers, sought) = read.map_err(|cause| views::journal_error(&cause))?;
        let sought = sought.ok_or_else(|| views::error(ApiCode::NotFound))?;
        if !answers {
            return Err(views::error(ApiCode::NotAnswering));
        }
        let fetched = fetch_one(self, sought).await.map_err(|cause| views::journal_error(&cause))?;
        fetched.map_err(|fault| views::sor_error(&fault))?;
        self.conflict_of(sought.operation_id)?.ok_or_else(|| views::error(ApiCode::NotFound))
    }

    /// The same by its id.
    pub(crate) fn conflict_of(&self, id: OperationId) -> Result<Option<ConflictView>, ApiError> {
        let kept = self.ports.journal.conflict(id).map_err(|cause| views::journal_error(&cause))?;
        Ok(kept.as_ref().map(shown))
    }
}

fn parsed(key: &str) -> Result<IdempotencyKey, ApiError> {
    key.parse().map_err(|_| views::error(ApiCode::NotFound))
}

fn sought(journal: &dyn Journal, key: &IdempotencyKey) -> Result<Option<Unfetched>, JournalError> {
    let found = journal.operation(key)?.map(|operation| operation.receipt);
    Ok(found.map(|receipt| Unfetched {
        operation_id: receipt.operation_id,
        application_id: receipt.application_id,
    }))
}

fn shown(kept: &KeptConflict) -> ConflictView {
    let effect = kept.effect();
    let comparison = kept.theirs.as_ref().map(|theirs| compare(kept.base(), effect, &theirs.record));
    let proposal = comparison.as_ref().and_then(|comparison| comparison.proposal(effect));
    let meeting = comparison.as_ref().map(|comparison| meeting_word(comparison.meeting).to_owned());
    let rows = comparison.map_or_else(|| before_theirs(kept.base(), effect), |comparison| comparison.rows);
    ConflictView {
        base: kept.shown.as_ref().map(version),
        ours: Value::Object(kept.payload.clone()),
        theirs: kept.theirs.as_ref().map(theirs_view),
        meeting,
        proposal: proposal.map(|proposal| proposal_word(proposal).to_owned()),
        by_field: effect.is_chosen_by_field(),
        rows: rows.into_iter().map(row).collect(),
    }
}

fn version(snapshot: &Snapshot) -> VersionView {
    VersionView {
        etag: snapshot.etag.as_ref().map(ToString::to_string),
        stage: snapshot.stage.to_string(),
        payload: Value::Object(snapshot.payload.clone()),
        holds: snapshot.holds.clone(),
        notes: snapshot.notes.clone(),
    }
}

fn theirs_view(theirs: &Theirs) -> TheirsView {
    TheirsView {
        version: version(&theirs.record),
        record_id: theirs.record_id.to_string(),
        updated_at: theirs.updated_at.to_string(),
        fetched_at: theirs.fetched_at.to_string(),
    }
}

fn row(row: FieldRow) -> ConflictRow {
    ConflictRow {
        pointer: row.pointer,
        base: row.base.unwrap_or(Value::Null),
        ours: row.ours.unwrap_or(Value::Null),
        theirs: row.theirs.unwrap_or(Value::Null),
        changed: changed_word(row.changed).to_owned(),
    }
}

fn changed_word(changed: Changed) -> &'static str {
    match changed {
        Changed::Nobody => "nobody",
        Changed::ByUs => "by_us",
        Changed::ByThem => "by_them",
        Changed::ByBothAlike => "by_both_alike",
        Changed::ByBothDifferently => "by_both_differently",
    }
}

fn meeting_word(meeting: Meeting) -> &'static str {
    match meeting {
        Meeting::Apart => "apart",
        Meeting::Clash => "clash",
        Meeting::HeldBack => "held_back",
        Meeting::BaseUnknown => "base_unknown",
    }
}

fn proposal_word(proposal: Proposal) -> &'static str {
    match proposal {
        Proposal::Ours => "ours",
        Proposal::Merge => "merge",
    }
}
