//! Alarms: what goes wrong although no single operation shows it.
//!
//! Promise: an alarm follows from facts alone, so that it ends by itself when they no longer hold. That the SoR is down is
//! no alarm, and neither is a backlog that is being sent. Who is told, and where, is decided elsewhere.

use serde::{Deserialize, Serialize};

use crate::breaker::Admission;
use crate::time::UtcMillis;

/// How long something that can be sent may lie while the SoR answers, in milliseconds.
pub const WEDGED_AFTER_MS: i64 = 5 * 60_000;
/// As many may be rejected for one reason before it is more than their writers' mistakes, in operations.
pub const DRIFT_MAX: u64 = 5;

/// What alarms follow from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AlarmFacts {
    /// What the primary's breaker says, and since when.
    pub primary: (Admission, UtcMillis),
    /// The first operation that could be sent at once.
    pub sendable: Option<Sendable>,
    /// Rejections that wait for a decision, counted by their reason.
    pub rejections: Vec<Rejections>,
}

/// An operation that could be sent at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sendable {
    /// When it was accepted.
    pub accepted_at: UtcMillis,
    /// When it was sent or asked for last.
    pub last_sent_at: Option<UtcMillis>,
}

/// How many were rejected for one reason.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rejections {
    /// Name of the problem type.
    pub problem: String,
    /// Which field, as a JSON pointer; empty for the whole.
    pub pointer: String,
    /// How many operations.
    pub count: u64,
}

/// Something goes wrong.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "alarm", rename_all = "snake_case")]
pub enum Alarm {
    /// The SoR answers, and what could be sent lies.
    Wedged {
        /// Since when.
        since: UtcMillis,
    },
    /// The SoR rejects many for one reason: its rules and the cached ones have drifted apart.
    Drift(Rejections),
}

/// The alarms that hold.
#[must_use]
pub fn alarms(facts: &AlarmFacts, now: UtcMillis) -> Vec<Alarm> {
    let drift = facts.rejections.iter().filter(|rejections| rejections.count > DRIFT_MAX);
    wedged(facts, now).into_iter().chain(drift.cloned().map(Alarm::Drift)).collect()
}

fn wedged(facts: &AlarmFacts, now: UtcMillis) -> Option<Alarm> {
    let (admission, closed_since) = facts.primary;
    match admission {
        Admission::Closed => {}
        Admission::Open { .. } | Admission::Canary | Admission::CanaryOut { .. } | Admission::Held { .. } => {
            return None;
        }
    }
    let sendable = facts.sendable?;
    let since = sendable.accepted_at.max(closed_since).max(sendable.last_sent_at.unwrap_or(closed_since));
    (now.millis_since(since) > WEDGED_AFTER_MS).then_some(Alarm::Wedged { since })
}

impl Alarm {
    /// What tells one alarm from another, whatever its figures are.
    #[must_use]
    pub fn name(&self) -> String {
        match self {
            Self::Wedged { .. } => "wedged".to_owned(),
            Self::Drift(Rejections { problem, pointer, .. }) => format!("drift {problem} {pointer}"),
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn at(minute: i64) -> UtcMillis {
        let morning: UtcMillis = "2026-11-30T08:00:00.000Z".parse().unwrap();
        morning.plus_millis(minute * 60_000)
    }

    fn facts(sendable: Option<(i64, Option<i64>)>) -> AlarmFacts {
        let sendable = sendable
            .map(|(accepted, sent)| Sendable { accepted_at: at(accepted), last_sent_at: sent.map(at) });
        AlarmFacts { primary: (Admission::Closed, at(0)), sendable, rejections: Vec::new() }
    }

    #[test]
    fn what_lies_although_it_could_be_sent_is_an_alarm_after_five_minutes() {
        let wedged = |since| vec![Alarm::Wedged { since: at(since) }];
        let cases = [
            ("nothing waits", None, 60, vec![]),
            ("just accepted", Some((60, None)), 64, vec![]),
            ("accepted and left", Some((60, None)), 66, wedged(60)),
            ("from before the outage, just closed", Some((-600, None)), 5, vec![]),
            ("from before the outage, left", Some((-600, None)), 6, wedged(0)),
            ("tried a moment ago", Some((10, Some(58))), 60, vec![]),
            ("tried long ago", Some((10, Some(20))), 60, wedged(20)),
        ];
        for (name, sendable, minute, expected) in cases {
            assert_eq!(alarms(&facts(sendable), at(minute)), expected, "{name}");
        }
        for admission in [
            Admission::Open { next_try_at: at(61) },
            Admission::Canary,
            Admission::CanaryOut { deadline: at(61) },
            Admission::Held { until: at(61) },
        ] {
            let away = AlarmFacts { primary: (admission, at(0)), ..facts(Some((1, None))) };
            assert_eq!(alarms(&away, at(60)), [], "{admission:?}");
        }
    }

    #[test]
    fn more_than_five_rejections_for_one_reason_are_an_alarm() {
        let rejections = |pointer: &str, count| Rejections {
            problem: "validation".into(),
            pointer: pointer.into(),
            count,
        };
        let told = vec![rejections("/PIN/0", 6), rejections("/WorkClass", 5), rejections("", 40)];
        let facts = AlarmFacts { rejections: told, ..facts(None) };
        let found = alarms(&facts, at(1));
        assert_eq!(found, [Alarm::Drift(rejections("/PIN/0", 6)), Alarm::Drift(rejections("", 40))]);
        assert_eq!(found[0].name(), Alarm::Drift(rejections("/PIN/0", 7)).name());
        assert_ne!(found[0].name(), found[1].name());
    }
}
