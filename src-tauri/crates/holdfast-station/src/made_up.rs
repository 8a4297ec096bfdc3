//! Made-up facts for the tests of the station's decisions: one workstation, one clerk, one endpoint, a fixed morning.

use holdfast_core::audit::Entry;
use holdfast_core::blame::EndpointMemory;
use holdfast_core::books::Books;
use holdfast_core::breaker::probes::{Found, Probe};
use holdfast_core::breaker::{Admitted, Breaker, BreakerSettings, Pass, Verdict};
use holdfast_core::ids::{ApplicationId, EndpointName, LocalSeq, OperationId};
use holdfast_core::operation::ClockTrust;
use holdfast_core::outcome::ForbiddenRun;
use holdfast_core::time::{BootMillis, Now, UtcMillis};
use holdfast_core::wait::Chance;
use uuid::Uuid;

use crate::ports::{EndpointRecord, Stamp};
use crate::settings::Settings;

/// The first moment of every test.
pub(crate) const MORNING: &str = "2026-11-30T08:00:00.000Z";

pub(crate) fn wall(text: &str) -> UtcMillis {
    text.parse().unwrap()
}

/// So many milliseconds after the first moment, by both clocks.
pub(crate) fn after_ms(ms: u64) -> Now {
    Now { wall: wall(MORNING), boot: BootMillis(1_000_000) }.plus_millis(ms)
}

pub(crate) fn stamp(now: Now) -> Stamp {
    Stamp { at: now.wall, boot: now.boot, clock: ClockTrust::Ok }
}

pub(crate) fn operation(n: u128) -> OperationId {
    OperationId::from_uuid(Uuid::from_u128(0x1000 + n))
}

pub(crate) fn lane(n: u128) -> ApplicationId {
    ApplicationId::from_uuid(Uuid::from_u128(0x2000 + n))
}

/// Books in which so many wait, and so many wait for a person.
pub(crate) fn books(pending: u64, quarantined: u64) -> Books {
    Books { accepted: pending + quarantined, pending, quarantined, ..Books::default() }
}

pub(crate) fn settings() -> Settings {
    Settings { breaker_fail_max: 2, ..Settings::default() }
}

pub(crate) fn breaker_settings() -> BreakerSettings {
    settings().breaker()
}

/// The primary, its breaker closed.
pub(crate) fn endpoint() -> EndpointRecord {
    EndpointRecord {
        name: EndpointName::primary(),
        breaker: Breaker::new(after_ms(0)),
        memory: EndpointMemory::default(),
        forbidden: ForbiddenRun::default(),
        recovering_through: None,
        first_failure_at: None,
        first_failure_after: None,
        first_drain: None,
        outage: None,
    }
}

/// The primary, its breaker opened by failures at the first moment; its cool-down is 30 s.
pub(crate) fn tripped() -> EndpointRecord {
    let mut endpoint = endpoint();
    for _ in 0..breaker_settings().fail_max {
        let pass = through(&mut endpoint, after_ms(0));
        tell(&mut endpoint, &pass, Verdict::Failure, after_ms(0));
    }
    endpoint
}

/// The primary with its canary out, and the canary's pass.
pub(crate) fn half_open(now: Now) -> (EndpointRecord, Pass) {
    let mut endpoint = tripped();
    let pass = canary_of(&mut endpoint, now);
    (endpoint, pass)
}

/// The primary, its breaker opened by slow probes at the first moment.
pub(crate) fn slow() -> EndpointRecord {
    let mut endpoint = endpoint();
    let (settings, probes) = (breaker_settings(), settings().probes());
    for _ in 0..probes.window {
        let pass = endpoint.breaker.probe_pass(after_ms(0)).unwrap();
        let found = Found::Alive { rtt_ms: probes.rtt_max_ms + 1 };
        let probe = Probe { at: after_ms(0).wall, after: LocalSeq(40), found };
        let limits = (&settings, &probes);
        endpoint.breaker.record_probe(after_ms(0), limits, &pass, probe, None, Chance::MIDDLE);
    }
    endpoint
}

/// Lets a canary out.
pub(crate) fn canary_of(endpoint: &mut EndpointRecord, now: Now) -> Pass {
    match endpoint.breaker.admit(now, &breaker_settings()) {
        Admitted::Canary(pass) => pass,
        other @ (Admitted::Through(_) | Admitted::No(_)) => panic!("no canary: {other:?}"),
    }
}

/// The pass of a request through a closed breaker.
pub(crate) fn through(endpoint: &mut EndpointRecord, now: Now) -> Pass {
    match endpoint.breaker.admit(now, &breaker_settings()) {
        Admitted::Through(pass) => pass,
        other @ (Admitted::Canary(_) | Admitted::No(_)) => panic!("not closed: {other:?}"),
    }
}

pub(crate) fn tell(endpoint: &mut EndpointRecord, pass: &Pass, verdict: Verdict, now: Now) {
    endpoint.breaker.record(now, &breaker_settings(), pass, verdict, None, Chance::MIDDLE);
}

pub(crate) fn words(entries: &[Entry]) -> Vec<&'static str> {
    entries.iter().map(|entry| entry.kind.word()).collect()
}
