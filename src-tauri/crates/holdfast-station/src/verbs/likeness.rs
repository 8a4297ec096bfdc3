//! Applications that look alike: listing them, and keeping both.
//!
//! Promise: a mark is shown until somebody has looked, and then it is gone for good; nothing is merged and nothing dropped.

use std::collections::BTreeMap;

use holdfast_core::ids::{ApplicationId, IdempotencyKey};
use holdfast_core::operation::Kind;
use holdfast_core::problem::{Problem, ProblemCode};
use holdfast_wire::{
    ApiCode, ApiError, KeepLikenessRequest, LikeView, LikenessKept, LikenessRow, ListRequest, QueueRow,
};
use serde_json::Value;
use validator::Validate as _;

use crate::accepting::entitled;
use crate::likening::{Keeping, rule};
use crate::ports::{Like, LikePair, LikenessRuled};
use crate::station::Station;
use crate::verbs::queue::page;
use crate::verbs::submit::refused;
use crate::views;

impl Station {
    /// Pairs that nobody has looked at, the latest first.
    ///
    /// # Errors
    /// The request is beyond its limits, or the journal cannot be read.
    pub fn like_pairs(&self, request: ListRequest) -> Result<Vec<LikenessRow>, ApiError> {
        let _place = self.read_place()?;
        let pairs = self.ports.journal.like_pairs(page(request)?);
        Ok(pairs.map_err(|cause| views::journal_error(&cause))?.iter().map(row).collect())
    }

    /// Both are kept: an application loses the marks that it has.
    ///
    /// Blocks for one transaction; call it where blocking is allowed.
    ///
    /// # Errors
    /// `NotFound` when there is no such application; `NotSignedIn`, `NotPermitted` when nobody may say so; `Refused` with
    /// `not-waiting` at `/of` for what is not marked (any more), and `missing` at `/reason`.
    pub fn keep_likeness(&self, request: KeepLikenessRequest) -> Result<LikenessKept, ApiError> {
        if request.reason.trim().is_empty() {
            let problem = Problem::of_field("reason", ProblemCode::Missing);
            return Err(views::refused(ApiCode::Refused, &[problem]));
        }
        request.validate().map_err(|_| views::error(ApiCode::Refused))?;
        let of = self.application_of(&request.of)?;
        let keeping = self.keeping(request.reason);
        let ruled =
            self.ports.journal.keep_likeness(self.now(), of, Box::new(move |facts| rule(&keeping, facts)));
        match ruled.map_err(|cause| views::journal_error(&cause))? {
            LikenessRuled::Kept { application, beside } => Ok(LikenessKept {
                application_id: application.to_string(),
                kept_beside: beside.iter().map(ToString::to_string).collect(),
            }),
            LikenessRuled::Unknown => Err(views::error(ApiCode::NotFound)),
            LikenessRuled::Refused(refusal) => Err(refused(&refusal)),
        }
    }

    /// The application of that id, or of the operation with that key.
    fn application_of(&self, of: &str) -> Result<ApplicationId, ApiError> {
        if let Ok(id) = of.parse::<ApplicationId>() {
            return Ok(id);
        }
        let key: IdempotencyKey = of.parse().map_err(|_| views::error(ApiCode::NotFound))?;
        let found = self.ports.journal.operation(&key).map_err(|cause| views::journal_error(&cause))?;
        found.map(|found| found.receipt.application_id).ok_or_else(|| views::error(ApiCode::NotFound))
    }

    fn keeping(&self, reason: String) -> Keeping {
        let session = self.signed();
        let held = session.as_ref().map_or(&[][..], |signed| &signed.statement.roles);
        let may = |in_use: std::sync::Arc<crate::station::RulesInUse>| {
            entitled(in_use.rules.roles(), held, Kind::Application, &Value::Null)
        };
        let role = self.rules().and_then(may);
        let mut salt = [0; 32];
        self.ports.entropy.fill(&mut salt);
        Keeping { session, role, reason, salt }
    }

    /// Says of each new application of a list what it looks like.
    pub(crate) fn say_what_they_look_like<'r>(
        &self,
        rows: impl Iterator<Item = &'r mut QueueRow>,
    ) -> Result<(), ApiError> {
        let rows: Vec<&mut QueueRow> = rows.filter(|row| row.kind == Kind::Application.to_string()).collect();
        let ids: Vec<ApplicationId> = rows.iter().filter_map(|row| row.application_id.parse().ok()).collect();
        let found = self.likes(&ids)?;
        for row in rows {
            row.looks_like = found.get(&row.application_id).cloned().unwrap_or_default();
        }
        Ok(())
    }

    /// What these look like, by their ids.
    pub(crate) fn likes(&self, ids: &[ApplicationId]) -> Result<BTreeMap<String, Vec<LikeView>>, ApiError> {
        if ids.is_empty() {
            return Ok(BTreeMap::new());
        }
        let found = self.ports.journal.looks_like(ids).map_err(|cause| views::journal_error(&cause))?;
        Ok(found.iter().map(|(id, likes)| (id.to_string(), likes.iter().map(like).collect())).collect())
    }
}

fn like(like: &Like) -> LikeView {
    LikeView {
        application_id: like.application_id.to_string(),
        receipt_no: like.receipt_no.as_ref().map(ToString::to_string),
        permit_num: like.permit_num.as_ref().map(ToString::to_string),
        filed_at: like.filed_at.to_string(),
    }
}

fn row(pair: &LikePair) -> LikenessRow {
    let LikeView { application_id, receipt_no, permit_num, filed_at } = like(&pair.later);
    LikenessRow {
        application_id,
        receipt_no,
        permit_num,
        idempotency_key: pair.intake.as_ref().map(ToString::to_string),
        filed_at,
        looks_like: like(&pair.earlier),
        noticed_at: pair.noticed_at.to_string(),
    }
}
