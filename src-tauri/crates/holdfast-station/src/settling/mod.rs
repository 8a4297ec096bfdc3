//! The decision after each answer: what becomes of the operation, and what the breaker learns.
//!
//! Promise: core's outcome table and its rule of whose fault a failure is are applied here, whole, in one place, to the
//! facts of one transaction. Nothing is guessed: what is in doubt stays in doubt until the SoR has said what is true.

mod endpoint;
mod entries;
mod judged;
mod look_ups;
mod weighing;

use holdfast_core::blame::{Charge, EndpointMemory, Heard, ItemFailures, charge};
use holdfast_core::breaker::probes::{Found, Probe};
use holdfast_core::breaker::{Pass, Transition, Verdict};
use holdfast_core::certificate::{CertificateSays, TimeTold};
use holdfast_core::ids::{EndpointName, OutageId};
use holdfast_core::outcome::{Answer, ForbiddenStep, Identity, NextStep, Sent, Unreachable};
use holdfast_core::profile::Profile;
use holdfast_core::time::Now;
use holdfast_core::wait::{Chance, RetryAfter};

use self::endpoint::{Lesson, TryWord, teach};
pub(crate) use self::entries::twin_entry;
use self::entries::{reply_status, set_aside_entry};
use self::judged::judged;
use self::look_ups::first_of_several;
use self::weighing::Weighing;
use crate::ports::{ItemFacts, NoLife, SettleFacts, Settlement, Tried};
use crate::settings::Settings;
use crate::welcome::Reception;

/// One attempt that has ended, and what it is judged by.
pub(crate) struct Ended {
    pub(crate) now: Now,
    /// When it was asked: an answer says what was true after that.
    pub(crate) asked: Now,
    pub(crate) pass: Pass,
    pub(crate) profile: Profile,
    pub(crate) settings: Settings,
    pub(crate) chance: Chance,
    /// Used if an outage begins.
    pub(crate) new_outage: OutageId,
    /// What the SoR said is kept under this salt, by its digest only.
    pub(crate) salt: [u8; 32],
}

/// What the loop has to know of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Aftermath {
    /// Recorded by this send.
    Committed,
    /// Found to be recorded.
    Found,
    /// Waits for a person.
    Quarantined,
    /// Waits.
    Waits,
    /// The token was refused.
    TokenRefused,
    /// Three lanes in a row were forbidden: the drain pauses.
    Paused,
}

/// What came of an attempt, beside what the journal keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Came {
    /// Of the operation that was sent.
    pub(crate) of_it: Aftermath,
    /// Operations that had been set aside and wait for a person now.
    pub(crate) set_aside: u64,
    /// What it says about the endpoint.
    pub(crate) verdict: Verdict,
    /// Of the breaker.
    pub(crate) breaker: BreakerNow,
    /// Of the station itself.
    pub(crate) reception: Reception,
}

/// Whether the breaker closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BreakerNow {
    /// It closed in this transaction.
    JustClosed,
    /// It did not.
    AsBefore,
}

/// Settles the attempt of an operation.
pub(crate) fn settle_item(
    ended: &Ended,
    facts: &SettleFacts,
    item: &ItemFacts,
    answer: &Answer,
    sent: &Sent,
) -> (Settlement, Came) {
    let judged = judged(ended, item, answer, sent);
    let mut endpoint = facts.endpoint.clone();
    let verdict = judged.verdict();
    let charged = judged
        .is_failure_after_sending()
        .then(|| charge(&endpoint.memory, item.application_id, &failures_here(item, &endpoint.name)));
    let charged = charged.unwrap_or(Charge::Endpoint);
    endpoint.memory.answered(item.application_id, verdict, facts.mark);
    judged.heard().into_iter().for_each(|heard| endpoint.memory.hear(heard));
    learn_time(&mut endpoint.memory, answer, ended.now);

    let told = charged.verdict(verdict, ended.pass.is_canary());
    let word = TryWord { what: tried(item.next_step), outcome: judged.word() };
    let lesson = Lesson::Request(told);
    let learned = teach(ended, facts, &mut endpoint, lesson, judged.retry_after(), word);
    if matches!(learned.transition, Some(Transition::ReOpened { .. })) {
        endpoint.memory.canary_failed(Some(item.application_id));
    } else if ended.pass.is_canary() && told == Verdict::None {
        // A canary that was not sent has shown nothing about its lane.
        endpoint.memory.canary_failed(None);
    }
    let forbidden = judged.outcome().map_or(ForbiddenStep::Nothing, |outcome| {
        endpoint.forbidden.after(item.operation_id, item.application_id, outcome)
    });

    let (status, stays) = (reply_status(answer), first_of_several(answer, sent));
    let weighing = Weighing { ended, facts, item, verdict, charged, status, stays };
    let (change, aftermath) = weighing.item_change(&judged, &forbidden);
    let set_aside = weighing.set_aside(&forbidden);
    let entry = weighing.entry(&judged, &change);
    let mut settlement = learned.settlement(endpoint, verdict);
    settlement.item = Some(change);
    settlement.entries.insert(0, entry);
    settlement.entries.extend(set_aside.iter().map(|item| set_aside_entry(item, &facts.endpoint.name)));
    let came = Came {
        of_it: aftermath,
        set_aside: set_aside.len() as u64,
        verdict,
        breaker: learned.breaker,
        reception: judged.reception(),
    };
    settlement.set_aside = set_aside;
    (settlement, came)
}

/// What an answer tells of the time, and what the certificate says of which none came.
fn learn_time(memory: &mut EndpointMemory, answer: &Answer, now: Now) {
    match answer {
        Answer::NotAsked => {}
        Answer::Unreachable(Unreachable::Certificate(says)) => memory.shown_certificate(Some(*says)),
        Answer::Unreachable(_) | Answer::Lost(_) => memory.shown_certificate(None),
        Answer::Replied(reply) => {
            memory.shown_certificate(None);
            if let (Some(true_at), Identity::Right) = (reply.date, reply.identity) {
                memory.told_time(TimeTold { true_at, here: now });
            }
        }
    }
}

/// What came of asking for a sign of life.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Sign {
    pub(crate) found: Found,
    pub(crate) retry_after: Option<RetryAfter>,
    /// Who was heard, if anybody was asked.
    pub(crate) heard: Option<Heard>,
    /// What the certificate says, if that is why nobody was.
    pub(crate) certificate: Option<CertificateSays>,
}

/// Settles a health probe, the canary or not.
pub(crate) fn settle_probe(ended: &Ended, facts: &SettleFacts, sign: Sign) -> (Settlement, BreakerNow) {
    let mut endpoint = facts.endpoint.clone();
    let probe = Probe { at: facts.stamp.at, after: facts.last_seq, found: sign.found };
    let word = TryWord { what: Tried::Probe, outcome: sign.word() };
    let learned = teach(ended, facts, &mut endpoint, Lesson::Probe(probe), sign.retry_after, word);
    if let Some(heard) = sign.heard {
        endpoint.memory.hear(heard);
        endpoint.memory.shown_certificate(sign.certificate);
    }
    match learned.transition {
        Some(Transition::Closed) => endpoint.memory.closed_by_probe(facts.mark),
        Some(Transition::ReOpened { .. }) => endpoint.memory.canary_failed(None),
        Some(Transition::Tripped { .. } | Transition::HalfOpened) | None => {}
    }
    // A probe is no attempt.
    (learned.settlement(endpoint, Verdict::None), learned.breaker)
}

/// Settles a question that was no operation: only the endpoint learns of it. `word` says what came of it.
pub(crate) fn settle_question(
    ended: &Ended,
    facts: &SettleFacts,
    verdict: Verdict,
    word: &'static str,
) -> Settlement {
    let mut endpoint = facts.endpoint.clone();
    let word = TryWord { what: Tried::Probe, outcome: word };
    let learned = teach(ended, facts, &mut endpoint, Lesson::Request(verdict), None, word);
    match learned.transition {
        Some(Transition::ReOpened { .. }) => endpoint.memory.canary_failed(None),
        Some(Transition::Tripped { .. } | Transition::HalfOpened | Transition::Closed) | None => {}
    }
    // It is no attempt.
    learned.settlement(endpoint, Verdict::None)
}

/// What counts of an operation's failures when it failed at this endpoint: that others were served here since it failed at
/// another one says nothing.
fn failures_here(item: &ItemFacts, name: &EndpointName) -> ItemFailures {
    let last_failure = item.failures.last_failure.filter(|_| item.failed_at.endpoint() == *name);
    ItemFailures { last_failure, ..item.failures }
}

fn tried(what: NextStep) -> Tried {
    match what {
        NextStep::Send => Tried::Operation,
        NextStep::LookUp => Tried::LookUp,
    }
}

impl Sign {
    /// Of an answer, or of none, that took so long.
    pub(crate) fn of(answer: Result<(), NoLife>, rtt_ms: u64) -> Self {
        let certificate = match answer {
            Err(NoLife::Certificate(says)) => Some(says),
            Ok(()) | Err(NoLife::NotAsked | NoLife::Silent { .. } | NoLife::Stranger) => None,
        };
        let (found, retry_after, heard) = match answer {
            Ok(()) => (Found::Alive { rtt_ms }, None, Some(Heard::Itself)),
            Err(NoLife::NotAsked) => (Found::NotAsked, None, None),
            Err(NoLife::Silent { retry_after }) => (Found::NoLife, retry_after, Some(Heard::Nobody)),
            Err(NoLife::Certificate(_)) => (Found::NoLife, None, Some(Heard::Nobody)),
            Err(NoLife::Stranger) => (Found::NoLife, None, Some(Heard::Stranger)),
        };
        Self { found, retry_after, heard, certificate }
    }

    fn word(self) -> &'static str {
        match (self.found, self.heard) {
            (Found::Alive { .. }, _) => "alive",
            (Found::NotAsked, _) => "not-asked",
            (Found::NoLife, Some(Heard::Stranger)) => "impostor",
            (Found::NoLife, Some(Heard::Itself | Heard::Nobody) | None) => "no-life",
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;
