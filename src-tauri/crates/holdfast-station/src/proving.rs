//! What is written down when the SoR, or this station, came back from an older copy, and the decision whether a person's
//! decision about it is carried out.
//!
//! Promise: only who may void may decide; what it was decided from is in the audit, and each operation that is missing,
//! that is sent again or that is left has an event of its own. Noticing is core's ([`holdfast_core::reprove`]).

use holdfast_core::audit::{Entry, EventKind};
use holdfast_core::ids::RoleName;
use holdfast_core::problem::{Problem, ProblemCode};
use holdfast_core::reprove::{
    Known, Link, PROVING_VERSION, Recollection, Seen, Sign, StationWentBack, Walk, agreed, goes_on_with,
    relink, stage_unrecorded,
};
use holdfast_wire::RestoreDecision;
use serde_json::json;

use crate::accepting::Signed;
use crate::deciding::Right;
use crate::ports::{
    Commitment, HeldThere, LaneMissing, Look, LookingEnded, MissingFacts, MissingRuling, Noticed, NoticedBy,
    Refusal, RefusalReason, RestoreRecord, RestoreStage, SendingAgain,
};

/// Operations that one event lists at most.
const LISTED_MAX: usize = 50;

/// The SoR came back from an older copy.
pub(crate) fn noticed(known: &Known, told: &Recollection, sign: Sign) -> Noticed {
    let entry = Entry::new(EventKind::RestoreNoticed).with("proving_version", PROVING_VERSION);
    let entry = entry.with("sign", sign).with("known", known).with("told", told);
    Noticed { sign, told: *told, entries: vec![entry] }
}

/// What a look for a commit found.
pub(crate) fn looked(commitment: &Commitment, walk: Walk, seen: Seen) -> Look {
    let entries = match seen {
        Seen::There | Seen::Unproven => Vec::new(),
        Seen::Missing => vec![
            Entry::new(EventKind::OperationMissing)
                .of(commitment.operation_id)
                .with("idempotency_key", commitment.key)
                .with("local_seq", commitment.place.local_seq)
                .with("committed_at", commitment.place.at),
        ],
    };
    Look { place: commitment.place, seen, walk: walk.after(seen, commitment.made), entries }
}

/// All was looked for; `committed` are committed here, the missing included.
pub(crate) fn looked_through(restore: &RestoreRecord, committed: u64) -> LookingEnded {
    let Walk { found, missing, .. } = restore.walk;
    let through = Entry::new(EventKind::RestoreLookedThrough);
    let through = through.with("found", found).with("missing", missing).with("official", restore.official);
    if missing > 0 {
        return LookingEnded::Ask { entries: vec![through] };
    }
    let settled = Entry::new(EventKind::RestoreSettled).with("decision", "nothing_missing");
    LookingEnded::NothingMissing { agreed: agreed(&restore.told, committed), entries: vec![through, settled] }
}

/// This station came back from an older copy.
pub(crate) fn station_restored(numbers: StationWentBack, by: NoticedBy, told: &Recollection) -> Vec<Entry> {
    let entry = Entry::new(EventKind::StationRestored).with("noticed_by", by);
    vec![entry.with("first", numbers.first).with("last", numbers.last).with("told", told)]
}

/// What the SoR holds of this station and is not known here.
pub(crate) fn strangers(held: &[HeldThere]) -> Entry {
    let rows: Vec<_> = held
        .iter()
        .take(LISTED_MAX)
        .map(|held| {
            json!({"idempotency_key": held.key, "local_seq": held.local_seq, "kind": held.kind,
                   "application_id": held.application_id, "permit_num": held.permit_num})
        })
        .collect();
    Entry::new(EventKind::StationStrangers).with("count", held.len()).with("operations", rows)
}

/// Everything that is known before the transaction begins.
pub(crate) struct Settling {
    pub(crate) decision: RestoreDecision,
    /// Why, in the person's words.
    pub(crate) reason: String,
    pub(crate) session: Option<Signed>,
    pub(crate) right: Right,
    /// The reason is kept under this salt.
    pub(crate) salt: [u8; 32],
}

/// Decides.
pub(crate) fn rule(settling: &Settling, facts: &MissingFacts) -> MissingRuling {
    let (signed, role) = match entitled(settling, facts) {
        Ok(entitled) => entitled,
        Err(refusal) => return MissingRuling::Refuse(*refusal),
    };
    let asked = facts.restore.as_ref().filter(|restore| match restore.stage {
        RestoreStage::Asking => true,
        RestoreStage::Looking
        | RestoreStage::NothingMissing
        | RestoreStage::SentAgain
        | RestoreStage::Left => false,
    });
    let Some(restore) = asked else {
        return MissingRuling::Refuse(*not_waiting(settling));
    };
    let head = Entry::new(EventKind::RestoreSettled)
        .by(signed.statement.actor.clone())
        .with("role", role)
        .with("decision", settling.decision)
        .with("missing", restore.walk.missing)
        .with("official", restore.official)
        .with_private("reason", settling.salt, settling.reason.clone());
    match settling.decision {
        RestoreDecision::SendAgain => send_again(head, restore, facts),
        RestoreDecision::Leave => leave(head, restore, facts),
    }
}

fn send_again(head: Entry, restore: &RestoreRecord, facts: &MissingFacts) -> MissingRuling {
    let mut sending = SendingAgain {
        agreed: agreed(&restore.told, facts.committed.saturating_sub(restore.walk.missing)),
        relinked: Vec::new(),
        requeued: Vec::new(),
        stages: Vec::new(),
        entries: vec![head],
    };
    for lane in &facts.lanes {
        return_lane(lane, &mut sending);
    }
    MissingRuling::SendAgain(Box::new(sending))
}

fn return_lane(lane: &LaneMissing, sending: &mut SendingAgain) {
    let relinked = relink(&lane.links);
    for link in back(lane) {
        let now = relinked.iter().find(|other| other.operation_id == link.operation_id).unwrap_or(link);
        let entry = Entry::new(EventKind::OperationReturned).of(link.operation_id);
        sending.entries.push(entry.with("after_op", now.after_op).with("base", &now.base));
    }
    let behind = lane.links.iter().skip_while(|link| link.had_left.is_none());
    for link in behind.filter(|link| link.had_left.is_none()) {
        let reason = lane.set_aside.iter().find(|(id, _)| *id == link.operation_id);
        if let Some((id, reason)) = reason.filter(|(_, reason)| goes_on_with(*reason)) {
            let entry = Entry::new(EventKind::OperationRequeued).of(*id).with("because", reason.word());
            sending.entries.push(entry);
            sending.requeued.push(*id);
        }
    }
    let stage = stage_unrecorded(lane.stage, &lane.moves);
    if stage != lane.stage {
        sending.stages.push((lane.application_id, stage));
    }
    sending.relinked.extend(relinked);
}

fn back(lane: &LaneMissing) -> impl Iterator<Item = &Link> {
    lane.links.iter().filter(|link| link.had_left.is_some())
}

fn leave(head: Entry, restore: &RestoreRecord, facts: &MissingFacts) -> MissingRuling {
    let left = facts.lanes.iter().flat_map(back);
    let left = left.map(|link| Entry::new(EventKind::OperationLeft).of(link.operation_id));
    MissingRuling::Leave {
        agreed: agreed(&restore.told, facts.committed),
        entries: std::iter::once(head).chain(left).collect(),
    }
}

fn entitled<'a>(
    settling: &'a Settling,
    facts: &MissingFacts,
) -> Result<(&'a Signed, &'a RoleName), Box<Refusal>> {
    let signed = settling.session.as_ref().filter(|signed| signed.statement.holds(facts.stamp.at).is_ok());
    let Some(signed) = signed else {
        return Err(refused(settling, RefusalReason::NotSignedIn, "not_signed_in", Vec::new()));
    };
    match &settling.right {
        Right::Of(role) => Ok((signed, role)),
        Right::NoRules => Err(refused(settling, RefusalReason::RulesOutOfDate, "no_contract", Vec::new())),
        Right::Denied => {
            let roles: Vec<&str> = signed.statement.roles.iter().map(RoleName::as_str).collect();
            let problem =
                Problem::of_field("decision", ProblemCode::Forbidden).with("role", roles.join(", "));
            Err(refused(settling, RefusalReason::NotPermitted, "not_permitted", vec![problem]))
        }
    }
}

fn not_waiting(settling: &Settling) -> Box<Refusal> {
    let code = ProblemCode::NotWaiting;
    refused(settling, RefusalReason::Invalid, code.as_str(), vec![Problem::of_field("decision", code)])
}

fn refused(settling: &Settling, reason: RefusalReason, word: &str, problems: Vec<Problem>) -> Box<Refusal> {
    let entry =
        Entry::new(EventKind::RestoreRefused).with("decision", settling.decision).with("reason", word);
    let actor = settling.session.as_ref().map(|signed| signed.statement.actor.clone());
    let entry = actor.into_iter().fold(entry, Entry::by);
    Box::new(Refusal { reason, problems, entry: Some(entry) })
}
