//! Each endpoint in a person's terms.
//!
//! Promise: only what was seen is said: one that nobody has asked yet is not called answering, and who was heard last at
//! its address says whether it is the right one.

use holdfast_core::blame::Heard;
use holdfast_core::breaker::{Admission, BreakerSettings};
use holdfast_core::time::Now;
use holdfast_wire::{EndpointDoing, EndpointView};

use crate::ports::EndpointRecord;
use crate::welcome::Welcome;

/// What is known beside the endpoint's record.
pub(super) struct Seen {
    pub(super) now: Now,
    pub(super) settings: BreakerSettings,
    pub(super) welcome: Welcome,
    /// Whether the SoR has answered anything at all since this process began.
    pub(super) answered: bool,
}

pub(super) fn view(endpoint: &EndpointRecord, seen: &Seen) -> EndpointView {
    EndpointView { name: endpoint.name.to_string(), doing: doing(endpoint, seen) }
}

fn doing(endpoint: &EndpointRecord, seen: &Seen) -> EndpointDoing {
    let breaker = &endpoint.breaker;
    match breaker.admission(seen.now) {
        Admission::Held { .. } => EndpointDoing::Stopped {
            by: breaker.held(seen.now).map(|hold| hold.by.to_string()).unwrap_or_default(),
        },
        Admission::CanaryOut { .. } => EndpointDoing::TryingOnce,
        Admission::Closed => as_heard(endpoint, seen).unwrap_or_else(|| {
            let untried = endpoint.memory.is_untried() && !seen.answered;
            if untried { EndpointDoing::NotTried } else { EndpointDoing::Answering }
        }),
        Admission::Canary => {
            as_heard(endpoint, seen).unwrap_or(EndpointDoing::NotAnswering { next_try_at: None })
        }
        Admission::Open { next_try_at } => {
            if let Some(until) = breaker.asked_to_wait(seen.now, &seen.settings) {
                return EndpointDoing::AsksToWait { until: until.to_string() };
            }
            let next_try_at = Some(next_try_at.to_string());
            as_heard(endpoint, seen).unwrap_or(EndpointDoing::NotAnswering { next_try_at })
        }
    }
}

/// What its last answers say, beside whether there are any.
fn as_heard(endpoint: &EndpointRecord, seen: &Seen) -> Option<EndpointDoing> {
    match (endpoint.memory.heard(), seen.welcome) {
        (Some(Heard::Stranger), _) => Some(EndpointDoing::WrongSystem),
        (Some(Heard::Itself | Heard::Nobody) | None, Welcome::Refused { .. }) => {
            Some(EndpointDoing::RefusesStation)
        }
        (Some(Heard::Itself | Heard::Nobody) | None, Welcome::Taken | Welcome::Doubted { .. }) => None,
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use holdfast_core::breaker::Verdict;
    use holdfast_core::wait::{Chance, RetryAfter};

    use super::*;
    use crate::made_up::{after_ms, breaker_settings, endpoint, half_open, through, tripped};

    fn seen(welcome: Welcome, answered: bool) -> Seen {
        Seen { now: after_ms(1), settings: breaker_settings(), welcome, answered }
    }

    fn heard(mut endpoint: EndpointRecord, heard: Heard) -> EndpointRecord {
        endpoint.memory.hear(heard);
        endpoint
    }

    /// Opened by answers that asked for so much time.
    fn asked(seconds: u64) -> EndpointRecord {
        let mut endpoint = endpoint();
        let asked = Some(RetryAfter::from_ms(seconds * 1_000));
        // One that asks for long is believed at once.
        while endpoint.breaker.admission(after_ms(0)) == Admission::Closed {
            let pass = through(&mut endpoint, after_ms(0));
            let settings = breaker_settings();
            endpoint.breaker.record(after_ms(0), &settings, &pass, Verdict::Failure, asked, Chance::MIDDLE);
        }
        endpoint
    }

    #[test]
    fn an_endpoint_is_told_as_it_was_heard() {
        let taken = || seen(Welcome::Taken, false);
        let refused = || seen(Welcome::Refused { since: after_ms(0).wall }, true);
        let word = |endpoint: &EndpointRecord, seen: &Seen| {
            let doing = serde_json::to_value(doing(endpoint, seen)).unwrap();
            doing["doing"].as_str().unwrap().to_owned()
        };
        let cases = [
            ("not_tried", endpoint(), taken()),
            ("answering", endpoint(), seen(Welcome::Taken, true)),
            ("answering", heard(endpoint(), Heard::Itself), taken()),
            ("answering", heard(endpoint(), Heard::Nobody), taken()),
            ("wrong_system", heard(endpoint(), Heard::Stranger), taken()),
            ("wrong_system", heard(tripped(), Heard::Stranger), taken()),
            ("not_answering", heard(tripped(), Heard::Nobody), taken()),
            ("refuses_station", heard(endpoint(), Heard::Itself), refused()),
            ("asks_to_wait", asked(600), taken()),
            ("not_answering", asked(20), taken()),
            ("trying_once", half_open(after_ms(40_000)).0, Seen { now: after_ms(40_001), ..taken() }),
        ];
        for (expected, endpoint, seen) in &cases {
            assert_eq!(word(endpoint, seen), *expected);
        }
    }
}
