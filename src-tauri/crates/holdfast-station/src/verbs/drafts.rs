//! Drafts: what is being filled in, kept while it is typed.
//!
//! Promise: when a draft was kept it is on the disk, through a crash of the program and of the machine; it is judged by
//! nobody, seen by its writer alone, and goes only with its operation or by its writer's hand. It is no act, so the audit
//! is not told.

use holdfast_core::ids::{ActorId, ApplicationId, OperationId};
use holdfast_core::limits::JSON_MAX_BYTES;
use holdfast_core::operation::Kind;
use holdfast_core::problem::{Problem, ProblemCode};
use holdfast_wire::{ApiCode, ApiError, DraftKept, DraftRow, DraftView, KeepDraftRequest, OpenDraftRequest};
use validator::Validate as _;

use crate::ports::{DraftAsk, DraftHead, DraftOpening, DraftRecord, random_id};
use crate::station::Station;
use crate::views;

/// Drafts of one person, in entries.
const DRAFTS_MAX: u32 = 200;

impl Station {
    /// Opens a form: the operation's id is minted now, so that handing in twice meets the same one.
    ///
    /// # Errors
    /// `NotSignedIn`; `Refused` for an unknown kind, or when the person has as many drafts as may be.
    pub fn open_draft(&self, request: OpenDraftRequest) -> Result<DraftView, ApiError> {
        let actor = self.signed_in()?.actor;
        let (kind, application_id) = about(&request)?;
        let now = self.now();
        let operation_id = OperationId::from_uuid(random_id(&*self.ports.entropy, now));
        let ask = DraftAsk { operation_id, kind, application_id, actor, at: now.wall };
        let opening = self.ports.journal.open_draft(ask, DRAFTS_MAX);
        match opening.map_err(|cause| views::journal_error(&cause))? {
            DraftOpening::Open(draft) => Ok(view(draft)),
            DraftOpening::TooMany => {
                Err(refused(Problem::at("", ProblemCode::TooMany).with("limit", DRAFTS_MAX)))
            }
        }
    }

    /// Keeps what was typed so far. A session that ended while its person was typing keeps nobody from keeping it.
    ///
    /// # Errors
    /// `NotSignedIn`; `NotFound` for another person's draft and for one that was handed in; `Refused` beyond its limit.
    pub fn keep_draft(&self, request: KeepDraftRequest) -> Result<DraftKept, ApiError> {
        let signed = self.signed().ok_or_else(|| views::error(ApiCode::NotSignedIn))?;
        let id = draft_id(&request.operation_id)?;
        within_limit(&request)?;
        let kept =
            self.ports.journal.keep_draft(&signed.statement.actor, id, request.values, self.now().wall);
        let saved_at = kept.map_err(|cause| views::journal_error(&cause))?;
        let saved_at = saved_at.ok_or_else(|| views::error(ApiCode::NotFound))?;
        Ok(DraftKept { saved_at: saved_at.to_string() })
    }

    /// The signed-in person's drafts in which something was typed, the one that was kept last first.
    ///
    /// # Errors
    /// `NotSignedIn`, or the journal cannot be read.
    pub fn drafts(&self) -> Result<Vec<DraftRow>, ApiError> {
        let _place = self.read_place()?;
        let actor = self.signed_in()?.actor;
        let heads = self.ports.journal.drafts(&actor).map_err(|cause| views::journal_error(&cause))?;
        Ok(heads.into_iter().map(row).collect())
    }

    /// One of the signed-in person's drafts.
    ///
    /// # Errors
    /// `NotSignedIn`, `NotFound`, or the journal cannot be read.
    pub fn draft(&self, id: &str) -> Result<DraftView, ApiError> {
        let _place = self.read_place()?;
        let (actor, id) = self.own_draft(id)?;
        let found = self.ports.journal.draft(&actor, id).map_err(|cause| views::journal_error(&cause))?;
        found.map(view).ok_or_else(|| views::error(ApiCode::NotFound))
    }

    /// Throws one of the signed-in person's drafts away.
    ///
    /// # Errors
    /// `NotSignedIn`, `NotFound`, or it is still there.
    pub fn discard_draft(&self, id: &str) -> Result<(), ApiError> {
        let (actor, id) = self.own_draft(id)?;
        let gone = self.ports.journal.discard_draft(&actor, id);
        let gone = gone.map_err(|cause| views::journal_error(&cause))?;
        gone.map(|_| ()).ok_or_else(|| views::error(ApiCode::NotFound))
    }

    fn own_draft(&self, id: &str) -> Result<(ActorId, OperationId), ApiError> {
        let actor = self.signed_in()?.actor;
        Ok((actor, draft_id(id)?))
    }
}

fn about(request: &OpenDraftRequest) -> Result<(Kind, Option<ApplicationId>), ApiError> {
    request.validate().map_err(|_| views::error(ApiCode::Refused))?;
    let unknown = |_| refused(Problem::of_field("kind", ProblemCode::UnknownKind));
    let kind: Kind = request.kind.parse().map_err(unknown)?;
    let application = request.application_id.as_deref().map(str::parse).transpose();
    Ok((kind, application.map_err(|_| views::error(ApiCode::NotFound))?))
}

fn draft_id(text: &str) -> Result<OperationId, ApiError> {
    text.parse().map_err(|_| views::error(ApiCode::NotFound))
}

fn within_limit(request: &KeepDraftRequest) -> Result<(), ApiError> {
    let text = serde_json::to_string(&request.values).map_err(|_| views::error(ApiCode::Refused))?;
    if text.len() <= JSON_MAX_BYTES {
        return Ok(());
    }
    Err(refused(Problem::of_field("values", ProblemCode::TooLong).with("limit", JSON_MAX_BYTES)))
}

fn refused(problem: Problem) -> ApiError {
    views::refused(ApiCode::Refused, &[problem])
}

fn view(draft: DraftRecord) -> DraftView {
    DraftView { row: row(draft.head), values: draft.typed }
}

fn row(head: DraftHead) -> DraftRow {
    DraftRow {
        operation_id: head.operation_id.to_string(),
        kind: head.kind.to_string(),
        application_id: head.application_id.map(|id| id.to_string()),
        saved_at: head.saved_at.to_string(),
        about: head.about,
    }
}
