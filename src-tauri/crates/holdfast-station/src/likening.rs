//! The decision that both of two applications that look alike are kept.
//!
//! Promise: whoever may take applications in may say so, with a reason; it changes neither of them. One who may not, and a
//! look at what nobody marked, are refused.

use holdfast_core::audit::{Entry, EventKind};
use holdfast_core::ids::{ApplicationId, RoleName};
use holdfast_core::likeness::{about, likeness_at_counter};
use holdfast_core::operation::Kind;
use holdfast_core::problem::{Problem, ProblemCode};
use holdfast_core::time::Now;
use serde_json::Value;

use crate::accepting::Signed;
use crate::ports::{LikenessAsk, LikenessFacts, LikenessRuling, Refusal, RefusalReason};

/// What a new application is compared by, and with which others.
pub(crate) fn ask(kind: Kind, payload: &Value, now: Now, window_h: u32) -> Option<LikenessAsk> {
    let (from, to) = about(now.wall, window_h);
    (kind == Kind::Application).then(|| LikenessAsk { digests: likeness_at_counter(payload), from, to })
}

/// What is known before the transaction begins.
pub(crate) struct Keeping {
    pub(crate) session: Option<Signed>,
    /// The first of the person's roles that may take applications in.
    pub(crate) role: Option<RoleName>,
    /// Why, in the person's words.
    pub(crate) reason: String,
    /// The reason is kept under this salt.
    pub(crate) salt: [u8; 32],
}

/// Decides.
pub(crate) fn rule(keeping: &Keeping, facts: &LikenessFacts) -> LikenessRuling {
    let Some(application) = facts.application else { return LikenessRuling::Unknown };
    let signed = keeping.session.as_ref().filter(|signed| signed.statement.holds(facts.stamp.at).is_ok());
    let Some(signed) = signed else {
        return refused(keeping, application, RefusalReason::NotSignedIn, "not_signed_in", Vec::new());
    };
    let Some(role) = &keeping.role else {
        let problem = Problem::of_field("of", ProblemCode::Forbidden);
        return refused(keeping, application, RefusalReason::NotPermitted, "not_permitted", vec![problem]);
    };
    if facts.looks_like.is_empty() {
        let problem = Problem::of_field("of", ProblemCode::NotWaiting);
        return refused(keeping, application, RefusalReason::Invalid, "not-waiting", vec![problem]);
    }
    let beside: Vec<ApplicationId> = facts.looks_like.iter().map(|like| like.application_id).collect();
    let entry = Entry::new(EventKind::LikenessKept).by(signed.statement.actor.clone());
    let entry = facts.intake.into_iter().fold(entry, Entry::of);
    let entry = entry.with("application_id", application).with("looks_like", &beside).with("role", role);
    let entry = entry.with_private("reason", keeping.salt, keeping.reason.clone());
    LikenessRuling::Keep { by: signed.statement.actor.clone(), entry }
}

fn refused(
    keeping: &Keeping,
    application: ApplicationId,
    reason: RefusalReason,
    word: &str,
    problems: Vec<Problem>,
) -> LikenessRuling {
    let entry = Entry::new(EventKind::DecisionRefused).with("application_id", application);
    let entry = entry.with("decision", "keep_both").with("reason", word);
    let actor = keeping.session.as_ref().map(|signed| signed.statement.actor.clone());
    let entry = actor.into_iter().fold(entry, Entry::by);
    LikenessRuling::Refuse(Refusal { reason, problems, entry: Some(entry) })
}
