//! What somebody has to look at: an older copy that was put back, here or at the SoR, and alarms.
//!
//! Promise: each is told as long as its fact holds; that this station came back from an older copy is told for a week.

use holdfast_core::alarms::Alarm;
use holdfast_core::certificate::{self, CertificateSays, TimeTold, fault};
use holdfast_core::ids::EndpointName;
use holdfast_core::numbers::Supply;
use holdfast_wire::{CertificateFault, ModeCause};

use crate::alarming::holding;
use crate::ports::{RefusedConfiguration, SkippedRecord};
use crate::verbs::status::Reading;
use crate::views::shown;

/// How long it is told that this station came back from an older copy, in milliseconds.
const STATION_RESTORED_TOLD_MAX_MS: i64 = 7 * 24 * 3_600_000;

pub(crate) fn notices(reading: &Reading) -> Vec<ModeCause> {
    let facts = &reading.notices;
    let older = facts.restore.as_ref();
    let older = older.map(|restore| ModeCause::RestoredOlder { missing: shown(restore.walk.missing) });
    let station = facts.skipped.as_ref().and_then(|skipped| station_restored(skipped, reading));
    let alarms = holding(facts, reading.now).into_iter().map(|alarm| alarm_cause(alarm, reading));
    let numbers = reading.numbers.and_then(numbers_cause);
    let certificate = certificate_cause(reading);
    let configuration = facts.configuration.as_ref().map(configuration_cause);
    older
        .into_iter()
        .chain(certificate)
        .chain(station)
        .chain(alarms)
        .chain(configuration)
        .chain(numbers)
        .collect()
}

/// The words alone: refused it is either way.
fn certificate_cause(reading: &Reading) -> Option<ModeCause> {
    let primary = EndpointName::primary();
    let primary = reading.standing.endpoints.iter().find(|endpoint| endpoint.name == primary)?;
    let says = primary.memory.certificate()?;
    let signed = reading
        .standing
        .contract
        .map(|(_, attested)| TimeTold { true_at: attested.valid_as_of, here: attested.seen });
    let told: Vec<TimeTold> = primary.memory.time_told().into_iter().chain(signed).collect();
    let fault = match fault(says, reading.now, &told) {
        certificate::CertificateFault::ThisClock => CertificateFault::ThisClock,
        certificate::CertificateFault::Certificate => CertificateFault::Certificate,
        certificate::CertificateFault::Unclear => CertificateFault::Unclear,
    };
    let at = match says {
        CertificateSays::Ended { at } | CertificateSays::NotBegun { at } => at.to_string(),
    };
    Some(ModeCause::CertificateRefused { fault, at, here: reading.now.wall.to_string() })
}

fn configuration_cause(refused: &RefusedConfiguration) -> ModeCause {
    let RefusedConfiguration { source, key, problem, .. } = refused.clone();
    ModeCause::ConfigurationRefused { file: source, key, problem }
}

fn station_restored(skipped: &SkippedRecord, reading: &Reading) -> Option<ModeCause> {
    let age_ms = reading.now.wall.millis_since(skipped.noticed_at);
    (age_ms <= STATION_RESTORED_TOLD_MAX_MS).then(|| ModeCause::StationRestored {
        at: skipped.noticed_at.to_string(),
        first: shown(skipped.numbers.first.0),
        last: shown(skipped.numbers.last.0),
    })
}

fn numbers_cause(supply: Supply) -> Option<ModeCause> {
    match supply {
        Supply::Ample => None,
        Supply::Low { left } => Some(ModeCause::NumbersLow { left }),
        Supply::NoneLeft => Some(ModeCause::NumbersNoneLeft),
    }
}

fn alarm_cause(alarm: Alarm, reading: &Reading) -> ModeCause {
    let books = &reading.standing.books;
    match alarm {
        Alarm::Wedged { since } => {
            ModeCause::Wedged { since: since.to_string(), waiting: shown(books.pending + books.in_flight) }
        }
        Alarm::Drift(rejections) => {
            ModeCause::Drift { pointer: rejections.pointer, count: shown(rejections.count) }
        }
    }
}
