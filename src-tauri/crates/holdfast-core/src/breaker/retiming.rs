//! What a breaker makes of limits that change while it is not closed.
//!
//! Promise: a cool-down that is this station's own becomes what it would have been under the new limits, its random share
//! included; one that the endpoint asked for stays, up to the longest that is obeyed now. No right to send that is out is touched.

use super::judging::longest_own_ms;
use super::{Breaker, BreakerSettings, BreakerState};

impl Breaker {
    /// Goes by other limits from now on; whether that changes anything of a wait that is going on.
    pub fn retime(&mut self, before: &BreakerSettings, now_in_force: &BreakerSettings) -> bool {
        let cool_down_ms = match &mut self.state {
            BreakerState::Closed { .. } => return false,
            BreakerState::Open { cool_down_ms, .. } | BreakerState::HalfOpen { cool_down_ms, .. } => {
                cool_down_ms
            }
        };
        let retimed_ms = retimed(*cool_down_ms, before, now_in_force);
        let changes = retimed_ms != *cool_down_ms;
        *cool_down_ms = retimed_ms;
        changes
    }
}

fn retimed(cool_down_ms: u64, before: &BreakerSettings, after: &BreakerSettings) -> u64 {
    if cool_down_ms <= longest_own_ms(before) {
        return cool_down_ms.saturating_mul(after.reset_ms) / before.reset_ms.max(1);
    }
    let obeyed_ms = u64::from(after.retry_after_max_s) * 1_000;
    cool_down_ms.min(obeyed_ms.max(longest_own_ms(after)))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::breaker::{Admission, Admitted, Asked, BreakerDecision, Verdict, replay};
    use crate::time::{BootMillis, Now, UtcMillis};
    use crate::wait::{Chance, RetryAfter};

    const LONG: BreakerSettings = BreakerSettings {
        fail_max: 1,
        reset_ms: 600_000,
        canary_deadline_ms: 11_000,
        retry_after_max_s: 900,
    };
    const SHORT: BreakerSettings = BreakerSettings { reset_ms: 500, ..LONG };

    fn at(ms: u64) -> Now {
        let wall = UtcMillis::from_millis(1_800_000_000_000 + i64::try_from(ms).unwrap()).unwrap();
        Now { wall, boot: BootMillis(1_000_000 + ms) }
    }

    fn tripped(settings: &BreakerSettings, retry_after: Option<RetryAfter>) -> Breaker {
        let mut breaker = Breaker::new(at(0));
        let Admitted::Through(pass) = breaker.admit(at(0), settings) else { panic!("closed") };
        breaker.record(at(0), settings, &pass, Verdict::Failure, retry_after, Chance::MIDDLE);
        breaker
    }

    fn waits_ms(breaker: &Breaker) -> i64 {
        breaker.next_try_at(at(0)).unwrap().millis_since(at(0).wall)
    }

    #[test]
    fn a_wait_that_is_going_on_follows_the_new_limits() {
        let asked = Some(RetryAfter::from_ms(800_000));
        let capped = BreakerSettings { retry_after_max_s: 60, ..SHORT };
        let cases = [
            ("shorter", LONG, SHORT, None, 500),
            ("longer", SHORT, LONG, None, 600_000),
            ("the same", LONG, BreakerSettings { fail_max: 9, ..LONG }, None, 600_000),
            ("asked for", LONG, SHORT, asked, waits_ms(&tripped(&LONG, asked))),
            ("asked for more than is obeyed now", LONG, capped, asked, 60_000),
        ];
        for (case, before, after, asked, ms) in cases {
            let mut breaker = tripped(&before, asked);
            let was_ms = waits_ms(&breaker);
            assert_eq!(breaker.retime(&before, &after), was_ms != ms, "{case}");
            assert_eq!(waits_ms(&breaker), ms, "{case}");
        }
    }

    #[test]
    fn a_closed_one_has_nothing_to_wait_for_and_a_canary_that_is_out_stays_out() {
        assert!(!Breaker::new(at(0)).retime(&LONG, &SHORT));
        let mut breaker = tripped(&LONG, None);
        let late = at(1_000_000);
        let Admitted::Canary(pass) = breaker.admit(late, &LONG) else { panic!("its wait is over") };
        assert!(breaker.retime(&LONG, &SHORT));
        assert!(matches!(breaker.admission(late), Admission::CanaryOut { .. }));
        breaker.record(late, &SHORT, &pass, Verdict::Alive, None, Chance::MIDDLE);
        assert_eq!(breaker.state_word(late), "closed");
    }

    #[test]
    fn it_is_done_again_from_what_was_written_down() {
        let breaker = tripped(&LONG, None);
        let decision = BreakerDecision::of(&breaker, at(5), &SHORT, Asked::Retimed { settings_before: LONG });
        assert_ne!(decision.before, decision.after);
        assert!(replay(&serde_json::to_value(&decision).unwrap()).unwrap().agrees());
    }
}
