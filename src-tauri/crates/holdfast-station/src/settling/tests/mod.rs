//! The decision after each answer, from the answer as it came to what the journal keeps.

mod answers;
mod breaker;
mod fault;
mod forbidden;
mod kept;
mod look_ups;
mod rows;

use holdfast_core::blame::{ItemFailures, Mark};
use holdfast_core::cascade::Recorder;
use holdfast_core::ids::LocalSeq;
use holdfast_core::operation::Kind;
use holdfast_core::outcome::{Doubt, NextStep};
use holdfast_core::wait::WaitCause;

use super::*;
use crate::made_up::{after_ms, endpoint, half_open, lane, operation, settings, stamp, tell, through, words};
use crate::ports::{EndpointRecord, EndpointWaits, ItemChange, OutageCause, OutageChange, StillPending};

/// When every attempt of these tests ends, in milliseconds after the first moment.
const ENDED_MS: u64 = 60_500;

fn ended(pass: Pass) -> Ended {
    Ended {
        now: after_ms(ENDED_MS),
        pass,
        profile: Profile::Idempotent,
        settings: settings(),
        chance: Chance::MIDDLE,
        new_outage: outage(7),
        asked: after_ms(ENDED_MS - 500),
        salt: [3; 32],
    }
}

fn outage(n: u128) -> OutageId {
    OutageId::from_uuid(uuid::Uuid::from_u128(0x3000 + n))
}

fn facts(endpoint: EndpointRecord) -> SettleFacts {
    SettleFacts {
        endpoint,
        item: None,
        mark: Mark(100),
        stamp: stamp(after_ms(ENDED_MS)),
        last_seq: LocalSeq(41),
    }
}

/// Operation 1 of lane 1, at its first attempt.
fn item() -> ItemFacts {
    ItemFacts {
        operation_id: operation(1),
        application_id: lane(1),
        kind: Kind::Application,
        doubt: Doubt::None,
        next_step: NextStep::Send,
        failures: ItemFailures::default(),
        failed_at: Recorder::Primary,
        attempts: 1,
        parent_waits: 0,
        last_sent: None,
        stage: None,
    }
}

/// An item of another lane.
fn item_of(n: u128) -> ItemFacts {
    ItemFacts { operation_id: operation(n), application_id: lane(n), ..item() }
}

/// The primary with a closed breaker that trips at the next failure, and a pass through it.
fn on_the_edge() -> (EndpointRecord, Pass) {
    let mut endpoint = endpoint();
    let pass = through(&mut endpoint, after_ms(0));
    tell(&mut endpoint, &pass, Verdict::Failure, after_ms(0));
    endpoint.first_failure_at = Some(after_ms(0).wall);
    endpoint.first_failure_after = Some(LocalSeq(17));
    (endpoint, pass)
}

fn settled(endpoint: EndpointRecord, pass: Pass, item: &ItemFacts, answer: &Answer) -> (Settlement, Came) {
    settle_item(&ended(pass), &facts(endpoint), item, answer, &answers::sent(item))
}

/// What is kept of an operation that stays pending.
fn still(settlement: &Settlement) -> StillPending {
    match &settlement.item {
        Some(ItemChange::Pending(still)) => still.clone(),
        other
        @ (Some(ItemChange::Committed(_) | ItemChange::Quarantined(_) | ItemChange::Twin(_)) | None) => {
            panic!("{other:?}")
        }
    }
}

fn wait_of(settlement: &Settlement) -> Option<(WaitCause, u64)> {
    still(settlement).wait.map(|wait| (wait.cause, wait.length_ms))
}

/// `pending`, `committed`, or `quarantined` with its reason.
fn state_of(settlement: &Settlement) -> &'static str {
    match &settlement.item {
        Some(ItemChange::Pending(_)) => "pending",
        Some(ItemChange::Committed(_)) => "committed",
        Some(ItemChange::Quarantined(quarantine)) => quarantine.reason.word(),
        Some(ItemChange::Twin(doubled)) => doubled.quarantine.reason.word(),
        None => "nothing",
    }
}
