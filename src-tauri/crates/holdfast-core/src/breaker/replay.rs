//! What changed a breaker, written down so that it can be done again.
//!
//! Promise: the breaker after a transition follows from the breaker before it and what was asked, and all of it is in the
//! event. The reason of a hold is a person's words and is left out of both: no rule depends on it.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::probes::{Probe, ProbeSettings};
use super::{Admitted, Breaker, BreakerSettings, Pass, Verdict};
use crate::route::NotReplayable;
use crate::time::Now;
use crate::wait::{Chance, RetryAfter};

/// Version of a breaker's rules. A change of them is a new version beside the old.
pub const BREAKER_VERSION: u32 = 1;

/// A change of a breaker with what it was decided from, as the audit keeps it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BreakerDecision {
    /// [`BREAKER_VERSION`] at that time.
    pub breaker_version: u32,
    /// When.
    pub now: Now,
    /// The thresholds then in force.
    pub settings: BreakerSettings,
    /// What was asked of it.
    pub asked: Asked,
    /// As it was.
    pub before: Breaker,
    /// As it was afterwards.
    pub after: Breaker,
}

/// What a breaker was asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "what", rename_all = "snake_case")]
pub enum Asked {
    /// What time alone has changed.
    Lapse,
    /// Whether one request may go.
    Admit,
    /// What other limits change of a wait that is going on.
    Retimed {
        /// The thresholds that were in force until then.
        settings_before: BreakerSettings,
    },
    /// What a result changes.
    Record {
        /// The right under which it was sent.
        pass: Pass,
        /// What it says about the endpoint.
        verdict: Verdict,
        /// When to ask again, if the answer said so.
        retry_after: Option<RetryAfter>,
        /// The random share of the cool-down, as 53 bits ([`Chance::bits_53`]).
        chance_bits: u64,
    },
    /// What a probe changes.
    Probed {
        /// The right under which it was sent.
        pass: Pass,
        /// What came of it.
        probe: Probe,
        /// The limits of probes then in force.
        limits: ProbeSettings,
        /// When to ask again, if the answer said so.
        retry_after: Option<RetryAfter>,
        /// The random share of the cool-down, as 53 bits ([`Chance::bits_53`]).
        chance_bits: u64,
    },
}

/// A breaker as it was recorded and as its inputs make it.
#[derive(Debug, Clone, PartialEq)]
pub struct ReplayedBreaker {
    /// What the audit says.
    pub recorded: Breaker,
    /// What the rules say.
    pub recomputed: Breaker,
}

impl ReplayedBreaker {
    /// Whether both agree.
    #[must_use]
    pub fn agrees(&self) -> bool {
        self.recorded == self.recomputed
    }
}

impl BreakerDecision {
    /// Asks, and keeps what it was decided from. `breaker` is changed by what was asked.
    #[must_use]
    pub fn of(breaker: &Breaker, now: Now, settings: &BreakerSettings, asked: Asked) -> Self {
        let before = breaker.without_words();
        let after = asked.done_to(before.clone(), now, settings);
        Self { breaker_version: BREAKER_VERSION, now, settings: *settings, asked, before, after }
    }
}

impl Asked {
    fn done_to(self, mut breaker: Breaker, now: Now, settings: &BreakerSettings) -> Breaker {
        match self {
            Self::Lapse => {
                breaker.lapse(now);
            }
            Self::Admit => match breaker.admit(now, settings) {
                Admitted::Through(_) | Admitted::Canary(_) | Admitted::No(_) => {}
            },
            Self::Retimed { settings_before } => {
                breaker.retime(&settings_before, settings);
            }
            Self::Record { pass, verdict, retry_after, chance_bits } => {
                let chance = Chance::from_bits_53(chance_bits).unwrap_or(Chance::MIDDLE);
                breaker.record(now, settings, &pass, verdict, retry_after, chance);
            }
            Self::Probed { pass, probe, limits, retry_after, chance_bits } => {
                let chance = Chance::from_bits_53(chance_bits).unwrap_or(Chance::MIDDLE);
                breaker.record_probe(now, (settings, &limits), &pass, probe, retry_after, chance);
            }
        }
        breaker
    }
}

/// The breaker that the recorded inputs lead to, for comparison with the recorded one.
///
/// # Errors
/// [`NotReplayable`], when the record is not one, or from rules that are not known here.
pub fn replay(recorded: &Value) -> Result<ReplayedBreaker, NotReplayable> {
    let version = recorded.get("breaker_version").and_then(Value::as_u64);
    match version.and_then(|version| u32::try_from(version).ok()) {
        Some(BREAKER_VERSION) | None => {}
        Some(other) => return Err(NotReplayable::UnknownVersion(other)),
    }
    let decision = BreakerDecision::deserialize(recorded).map_err(NotReplayable::NotADecision)?;
    let recomputed = decision.asked.done_to(decision.before, decision.now, &decision.settings);
    Ok(ReplayedBreaker { recorded: decision.after, recomputed })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use serde_json::{json, to_value};

    use super::*;
    use crate::breaker::probes::Found;
    use crate::ids::LocalSeq;
    use crate::time::{BootMillis, UtcMillis};

    const SETTINGS: BreakerSettings =
        BreakerSettings { fail_max: 1, reset_ms: 30_000, canary_deadline_ms: 11_000, retry_after_max_s: 900 };

    fn at(ms: u64) -> Now {
        let wall = UtcMillis::from_millis(1_800_000_000_000 + i64::try_from(ms).unwrap()).unwrap();
        Now { wall, boot: BootMillis(1_000_000 + ms) }
    }

    fn record(pass: Pass, verdict: Verdict) -> Asked {
        let retry_after = Some(RetryAfter::from_ms(120_000));
        Asked::Record { pass, verdict, retry_after, chance_bits: Chance::from_bits(u64::MAX / 3).bits_53() }
    }

    /// Through a trip, a lost canary, one that fails and one that is alive.
    fn story() -> Vec<BreakerDecision> {
        let mut breaker = Breaker::new(at(0));
        let mut told = Vec::new();
        let mut tell = |breaker: &mut Breaker, now, asked| {
            let decision = BreakerDecision::of(breaker, now, &SETTINGS, asked);
            *breaker = decision.after.clone();
            told.push(decision);
        };
        let Admitted::Through(pass) = breaker.admit(at(0), &SETTINGS) else { panic!("closed") };
        tell(&mut breaker, at(1), record(pass, Verdict::Failure));
        tell(&mut breaker, at(130_000), Asked::Admit);
        tell(&mut breaker, at(150_000), Asked::Lapse);
        for (ms, verdict) in [(300_000, Verdict::Neutral), (600_000, Verdict::Alive)] {
            let mut asked = breaker.clone();
            let Admitted::Canary(pass) = asked.admit(at(ms), &SETTINGS) else { panic!("{asked:?}") };
            tell(&mut breaker, at(ms), Asked::Admit);
            tell(&mut breaker, at(ms + 1), record(pass, verdict));
        }
        assert_eq!(breaker.state_word(at(600_001)), "closed");
        told
    }

    #[test]
    fn every_transition_is_done_again_from_what_was_written_down() {
        for decision in story() {
            let recorded = to_value(&decision).unwrap();
            assert!(replay(&recorded).unwrap().agrees(), "{recorded}");
        }
    }

    #[test]
    fn a_trip_by_probes_is_done_again_too() {
        let limits = ProbeSettings { interval_ms: 5_000, window: 2, rtt_max_ms: 800 };
        let mut breaker = Breaker::new(at(0));
        for ms in [0, 5_000] {
            let pass = breaker.probe_pass(at(ms)).unwrap();
            let found = Found::Alive { rtt_ms: 801 + ms };
            let probe = Probe { at: at(ms).wall, after: LocalSeq(7), found };
            let retry_after = Some(RetryAfter::from_ms(120_000));
            let asked = Asked::Probed { pass, probe, limits, retry_after, chance_bits: 5 };
            let decision = BreakerDecision::of(&breaker, at(ms), &SETTINGS, asked);
            let recorded = to_value(&decision).unwrap();
            assert!(replay(&recorded).unwrap().agrees(), "{recorded}");
            breaker = decision.after;
        }
        assert_eq!(breaker.state_word(at(5_000)), "open");
    }

    #[test]
    fn a_changed_input_is_found_and_an_unknown_version_is_not_guessed() {
        let trip = to_value(&story()[0]).unwrap();
        let mut changed = trip.clone();
        changed["asked"]["verdict"] = json!("success");
        assert!(!replay(&changed).unwrap().agrees());
        let mut unknown = trip.clone();
        unknown["breaker_version"] = json!(99);
        assert!(matches!(replay(&unknown), Err(NotReplayable::UnknownVersion(99))));
        let mut strange = trip;
        strange["mood"] = json!("good");
        assert!(matches!(replay(&strange), Err(NotReplayable::NotADecision(_))));
    }

    #[test]
    fn the_words_of_a_hold_are_not_written_down() {
        let mut breaker = Breaker::new(at(0));
        breaker.hold(at(0), at(60_000).wall, "vendor phoned Mrs Adams".into(), "supervisor".parse().unwrap());
        let decision = BreakerDecision::of(&breaker, at(70_000), &SETTINGS, Asked::Admit);
        assert!(!to_value(&decision).unwrap().to_string().contains("Adams"));
        assert!(replay(&to_value(&decision).unwrap()).unwrap().agrees());
    }
}
