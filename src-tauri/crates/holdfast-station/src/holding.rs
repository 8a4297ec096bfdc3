//! The decision whether a person may hold an endpoint or release it, and what is written for it.
//!
//! Promise: nothing is sent to an endpoint that is held; everything else goes on as in any outage. A hold has a reason, the
//! name of a person whom the rules grant it, and an end that is not far away: one that nobody remembers ends by itself. It
//! stands in the outage register, on the banner, and in the audit, where the reason is kept by its salted digest only.

use holdfast_core::audit::{Entry, EventKind};
use holdfast_core::breaker::Breaker;
use holdfast_core::ids::{OutageId, RoleName};
use holdfast_core::limits::ENDPOINT_HOLD_MAX_H;
use holdfast_core::problem::{Problem, ProblemCode};
use holdfast_core::roles::{Act, EndpointRight, Permission, Roles};
use holdfast_core::time::{Now, UtcMillis};

use crate::accepting::Signed;
use crate::deciding::Right;
use crate::ports::{
    EndpointRecord, HeldOutage, HeldTime, HoldChange, Refusal, RefusalReason, Steer, SteerFacts, Steering,
};

const HOUR_MS: i64 = 3_600_000;

/// What a person wants of an endpoint.
#[derive(Clone, Debug)]
pub(crate) enum Wish {
    /// Nothing is sent to it until then.
    Hold { until: UtcMillis, reason: String },
    /// Its hold ends now.
    Release,
}

/// Everything that is known before the transaction begins.
pub(crate) struct Holding {
    pub(crate) wish: Wish,
    pub(crate) now: Now,
    pub(crate) session: Option<Signed>,
    pub(crate) right: Right,
    /// Used if an outage begins with it.
    pub(crate) new_outage: OutageId,
    /// The reason is kept under this salt.
    pub(crate) salt: [u8; 32],
}

/// The first of `held` that may hold an endpoint.
pub(crate) fn right(roles: &Roles, held: &[RoleName]) -> Right {
    let may = |role: &&RoleName| roles.may(role, Act::Endpoint(EndpointRight::Hold)) == Permission::Granted;
    held.iter().find(may).cloned().map_or(Right::Denied, Right::Of)
}

/// Decides.
pub(crate) fn steer(holding: &Holding, facts: &SteerFacts) -> Steering {
    let Some(endpoint) = &facts.endpoint else { return Steering::Unknown };
    let steered = entitled(holding, facts, endpoint).and_then(|role| match &holding.wish {
        Wish::Hold { until, reason } => held(holding, facts, endpoint, &role, *until, reason),
        Wish::Release => released(holding, facts, endpoint, &role),
    });
    match steered {
        Ok(steer) => Steering::Steer(Box::new(steer)),
        Err(refusal) => Steering::Refuse(*refusal),
    }
}

fn entitled(
    holding: &Holding,
    facts: &SteerFacts,
    endpoint: &EndpointRecord,
) -> Result<(Signed, RoleName), Box<Refusal>> {
    let refused = |reason, word, problems| {
        let entry = refused_entry(holding, endpoint).with("reason", word);
        Box::new(Refusal { reason, problems, entry: Some(entry) })
    };
    let signed = holding.session.clone().filter(|signed| signed.statement.holds(facts.stamp.at).is_ok());
    let signed = signed.ok_or_else(|| refused(RefusalReason::NotSignedIn, "not_signed_in", Vec::new()))?;
    match &holding.right {
        Right::Of(role) => Ok((signed, role.clone())),
        Right::NoRules => Err(refused(RefusalReason::RulesOutOfDate, "no_contract", Vec::new())),
        Right::Denied => {
            let roles: Vec<&str> = signed.statement.roles.iter().map(RoleName::as_str).collect();
            let problem =
                Problem::of_field("endpoint", ProblemCode::Forbidden).with("role", roles.join(", "));
            Err(refused(RefusalReason::NotPermitted, "not_permitted", vec![problem]))
        }
    }
}

fn held(
    holding: &Holding,
    facts: &SteerFacts,
    endpoint: &EndpointRecord,
    (signed, role): &(Signed, RoleName),
    until: UtcMillis,
    reason: &str,
) -> Result<Steer, Box<Refusal>> {
    let most = holding.now.wall.plus_millis(i64::from(ENDPOINT_HOLD_MAX_H) * HOUR_MS);
    if until <= holding.now.wall || until > most {
        let problem = Problem::of_field("until", ProblemCode::OutOfRange).with("limit", most.to_string());
        return Err(not_done(holding, endpoint, problem));
    }
    let mut endpoint = endpoint.clone();
    let by = signed.statement.actor.clone();
    endpoint.breaker.hold(holding.now, until, reason.to_owned(), by.clone());
    let at = facts.stamp.at;
    let outage = endpoint.outage.map_or(HeldOutage::Begins(at), |_| HeldOutage::GoesOn);
    let outage_id = endpoint.outage.unwrap_or(holding.new_outage);
    endpoint.outage = Some(outage_id);
    let entry = entry(EventKind::BreakerHeld, &endpoint, (signed, role), outage_id);
    let entry = entry.with("until", until).with_private("reason", holding.salt, reason.to_owned());
    let hold =
        HoldChange::Placed(HeldTime { held_at: at, until, by, reason: reason.to_owned(), ended_at: None });
    Ok(Steer { endpoint, outage_id, outage, hold, entries: vec![entry] })
}

fn released(
    holding: &Holding,
    facts: &SteerFacts,
    endpoint: &EndpointRecord,
    (signed, role): &(Signed, RoleName),
) -> Result<Steer, Box<Refusal>> {
    let outage_id = endpoint.outage.filter(|_| is_held(&endpoint.breaker, holding.now));
    let Some(outage_id) = outage_id else {
        let problem = Problem::of_field("endpoint", ProblemCode::NotWaiting);
        return Err(not_done(holding, endpoint, problem));
    };
    let mut endpoint = endpoint.clone();
    endpoint.breaker.release();
    let entry = entry(EventKind::BreakerReleased, &endpoint, (signed, role), outage_id);
    let entry = entry.with("because", "person");
    let hold = HoldChange::Ended { at: facts.stamp.at };
    Ok(Steer { endpoint, outage_id, outage: HeldOutage::GoesOn, hold, entries: vec![entry] })
}

fn is_held(breaker: &Breaker, now: Now) -> bool {
    breaker.held(now).is_some()
}

fn entry(
    kind: EventKind,
    endpoint: &EndpointRecord,
    (signed, role): (&Signed, &RoleName),
    outage_id: OutageId,
) -> Entry {
    Entry::new(kind)
        .by(signed.statement.actor.clone())
        .with("endpoint", &endpoint.name)
        .with("role", role)
        .with("outage_id", outage_id)
        .with("generation", endpoint.breaker.generation())
}

fn refused_entry(holding: &Holding, endpoint: &EndpointRecord) -> Entry {
    let wish = match holding.wish {
        Wish::Hold { .. } => "hold",
        Wish::Release => "release",
    };
    let entry =
        Entry::new(EventKind::DecisionRefused).with("endpoint", &endpoint.name).with("decision", wish);
    let actor = holding.session.as_ref().map(|signed| signed.statement.actor.clone());
    actor.into_iter().fold(entry, Entry::by)
}

fn not_done(holding: &Holding, endpoint: &EndpointRecord, problem: Problem) -> Box<Refusal> {
    let entry = refused_entry(holding, endpoint).with("reason", problem.code.as_str());
    Box::new(Refusal { reason: RefusalReason::Invalid, problems: vec![problem], entry: Some(entry) })
}
