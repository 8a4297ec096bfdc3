//! An SoR without keys: when not to be there may be believed, what can be proven by looking, and what is looked at again.
//!
//! Promise: nothing is sent a second time before a look that was asked at least the settle time after the last byte of the
//! last send has found nothing; and that time is measured by the one clock that nobody can set. Whether an SoR is of this
//! kind, its profile says. Not here: what an answer means ([`crate::look_up`]), and who decides about a twin.

use serde::{Deserialize, Serialize};

use crate::ids::RecordId;
use crate::look_up::LookUp;
use crate::operation::Kind;
use crate::outcome::{Doubt, Look, NextStep, Outcome, QuarantineReason, UnknownCause, next_step_after};
use crate::profile::Profile;
use crate::time::Now;

/// So often a commit is looked at again without being found before that is given up.
pub const SECOND_LOOKS_MAX: u32 = 10;

/// How long a send may take effect, in milliseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct SettleTime {
    /// After its last byte (`settle_s`).
    pub settle_ms: u64,
    /// Longest time between the moment that is written down before a send and its last byte (`sor_timeout_s`).
    pub attempt_ms: u64,
}

/// Whether an operation that was not found may be taken to be absent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Absence {
    /// It may: it is sent again.
    Believed,
    /// It may still appear: it is looked for again after so many milliseconds.
    TooEarly {
        /// What is left.
        left_ms: u64,
    },
}

/// What becomes of an operation that a start finds in flight.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FoundInFlight {
    /// It waits again, in doubt.
    Pending {
        /// The doubt.
        doubt: Doubt,
        /// What the next attempt is.
        next_step: NextStep,
    },
    /// It waits for a person.
    Quarantined {
        /// The doubt.
        doubt: Doubt,
        /// Why.
        reason: QuarantineReason,
    },
}

/// What a second look at a commit came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SecondLook {
    /// It is there once.
    Settled,
    /// It is there more than once.
    Twin {
        /// What carries its reference.
        record_ids: Vec<RecordId>,
    },
    /// Nothing was proven: it is looked at again.
    Again,
    /// Nothing was proven, as often as that is tried.
    GivenUp,
}

/// Which of the records of a twin stays, and which a void is prepared for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PreparedVoid {
    /// Stays: the one that was recorded here, whose receipt was shown and on which the lane has built; else the earliest.
    pub stays: Option<RecordId>,
    /// The others: they are to be voided at the SoR.
    pub voids: Vec<RecordId>,
}

/// Whether a look can prove that an operation of this kind is at an SoR, or is not.
#[must_use]
pub fn look_of(kind: Kind, profile: Profile) -> Look {
    if profile.has_keys() {
        return Look::Provable;
    }
    match kind {
        Kind::Application
        | Kind::Stage
        | Kind::Inspection
        | Kind::Correction
        | Kind::Void
        | Kind::Hold
        | Kind::Tag
        | Kind::Attachment => Look::Provable,
        Kind::Notice | Kind::Fee | Kind::Note => Look::Unprovable,
    }
}

/// Milliseconds that have gone by at least. The clock that runs from the start of the machine alone is asked, for no one
/// sets it: a difference of it is never too long. If it has gone back, the machine was started again since, and all that
/// it says went by since then.
#[must_use]
pub fn at_least_ms(from: Now, now: Now) -> u64 {
    now.boot.0.checked_sub(from.boot.0).unwrap_or(now.boot.0)
}

/// Whether a look that was asked at `asked` and found nothing may be believed. `sent`: when the last send began, as it was
/// written down before; where that is not known, it was this moment.
#[must_use]
pub fn absence(profile: Profile, sent: Option<Now>, asked: Now, time: SettleTime) -> Absence {
    if !profile.has_to_settle() {
        return Absence::Believed;
    }
    let whole_ms = time.settle_ms.saturating_add(time.attempt_ms);
    let gone_ms = sent.map_or(0, |sent| at_least_ms(sent, asked));
    match whole_ms.saturating_sub(gone_ms) {
        0 => Absence::Believed,
        left_ms => Absence::TooEarly { left_ms },
    }
}

/// What becomes of an operation that was in flight when its program ended: it counts as sent.
#[must_use]
pub fn found_in_flight(kind: Kind, doubt: Doubt, next_step: NextStep, profile: Profile) -> FoundInFlight {
    let doubt = doubt.or_sent();
    let next_step = match next_step {
        NextStep::LookUp => NextStep::LookUp,
        NextStep::Send => next_step_after(&Outcome::Unknown(UnknownCause::Unanswered), profile),
    };
    match (next_step, look_of(kind, profile)) {
        (NextStep::LookUp, Look::Unprovable) => {
            FoundInFlight::Quarantined { doubt, reason: QuarantineReason::Unprovable }
        }
        (NextStep::LookUp, Look::Provable) | (NextStep::Send, Look::Provable | Look::Unprovable) => {
            FoundInFlight::Pending { doubt, next_step }
        }
    }
}

/// Whether a commit of this kind is looked at once more.
#[must_use]
pub fn is_looked_at_again(kind: Kind, profile: Profile) -> bool {
    profile.has_to_settle() && look_of(kind, profile) == Look::Provable
}

/// What a second look found; `looks` were there before it.
#[must_use]
pub fn second_look(found: &LookUp, looks: u32) -> SecondLook {
    match found {
        LookUp::AlreadyCommitted { .. } => SecondLook::Settled,
        LookUp::Twin { record_ids } => SecondLook::Twin { record_ids: record_ids.clone() },
        LookUp::Received | LookUp::Absent | LookUp::StillInDoubt { .. } => {
            if looks.saturating_add(1) >= SECOND_LOOKS_MAX { SecondLook::GivenUp } else { SecondLook::Again }
        }
    }
}

/// Prepares the void of a twin. `recorded`: the record of the receipt that is known here; it stays where it is one of
/// those found. What carries the reference may be entries of one record: then the earliest stays.
#[must_use]
pub fn prepared_void(record_ids: &[RecordId], recorded: Option<&RecordId>) -> PreparedVoid {
    let ours = recorded.filter(|recorded| record_ids.contains(recorded));
    let stays = ours.or(record_ids.first()).cloned();
    let voids = record_ids.iter().filter(|id| Some(*id) != stays.as_ref()).cloned().collect();
    PreparedVoid { stays, voids }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::time::{BootMillis, UtcMillis};
    use proptest::prelude::*;

    const TIME: SettleTime = SettleTime { settle_ms: 240_000, attempt_ms: 5_000 };
    const WHOLE_MS: u64 = 245_000;

    fn at(wall_ms: i64, boot_ms: u64) -> Now {
        let wall = UtcMillis::from_millis(1_800_000_000_000 + wall_ms).unwrap();
        Now { wall, boot: BootMillis(boot_ms) }
    }

    fn believed(sent: Option<Now>, asked: Now) -> Absence {
        absence(Profile::LookBeforeWrite, sent, asked, TIME)
    }

    #[test]
    fn an_absence_is_believed_when_the_settle_time_is_over_and_no_clock_that_is_set_shortens_it() {
        let too_early = |left_ms| Absence::TooEarly { left_ms };
        let sent = Some(at(0, 1_000_000));
        let cases = [
            ("at once", at(0, 1_000_000), too_early(WHOLE_MS)),
            ("almost", at(244_999, 1_244_999), too_early(1)),
            ("in time", at(245_000, 1_245_000), Absence::Believed),
            ("clock set forward", at(86_400_000, 1_010_000), too_early(235_000)),
            ("clock set back", at(-86_400_000, 1_245_000), Absence::Believed),
            ("slept: this clock goes on", at(3_600_000, 4_600_000), Absence::Believed),
            ("restarted a moment ago", at(3_600_000, 20_000), too_early(225_000)),
            ("restarted, and up for long enough", at(-5, 245_000), Absence::Believed),
        ];
        for (name, asked, expected) in cases {
            assert_eq!(believed(sent, asked), expected, "{name}");
        }
        assert_eq!(believed(None, at(0, 9_000_000)), too_early(WHOLE_MS), "not known when");
        let with_keys = absence(Profile::Idempotent, sent, at(0, 1_000_000), TIME);
        assert_eq!(with_keys, Absence::Believed);
    }

    #[test]
    fn three_kinds_cannot_be_looked_for_without_a_key_and_with_keys_all_can() {
        let unprovable: Vec<_> = Kind::ALL
            .into_iter()
            .filter(|kind| look_of(*kind, Profile::LookBeforeWrite) == Look::Unprovable)
            .map(Kind::word)
            .collect();
        assert_eq!(unprovable, ["notice", "fee", "note"]);
        for kind in Kind::ALL {
            assert_eq!(look_of(kind, Profile::Idempotent), Look::Provable);
            assert!(!is_looked_at_again(kind, Profile::Idempotent));
        }
    }

    #[test]
    fn one_that_is_found_in_flight_counts_as_sent() {
        use NextStep::{LookUp, Send};
        use Profile::{Idempotent, LookBeforeWrite};
        let pending = |doubt, next_step| FoundInFlight::Pending { doubt, next_step };
        let person = FoundInFlight::Quarantined { doubt: Doubt::Sent, reason: QuarantineReason::Unprovable };
        let cases = [
            (Kind::Note, Send, Idempotent, pending(Doubt::Sent, Send)),
            (Kind::Note, LookUp, Idempotent, pending(Doubt::Sent, LookUp)),
            (Kind::Stage, Send, LookBeforeWrite, pending(Doubt::Sent, LookUp)),
            (Kind::Stage, LookUp, LookBeforeWrite, pending(Doubt::Sent, LookUp)),
            (Kind::Note, Send, LookBeforeWrite, person),
        ];
        for (kind, next_step, profile, expected) in cases {
            assert_eq!(
                found_in_flight(kind, Doubt::None, next_step, profile),
                expected,
                "{kind} {profile:?}"
            );
        }
    }

    #[test]
    fn a_look_that_proves_nothing_is_made_again_but_not_for_ever() {
        assert_eq!(second_look(&LookUp::Absent, 0), SecondLook::Again);
        assert_eq!(second_look(&LookUp::Absent, SECOND_LOOKS_MAX - 1), SecondLook::GivenUp);
        let record_ids: Vec<RecordId> = vec!["AF-1".parse().unwrap(), "AF-2".parse().unwrap()];
        let twin = second_look(&LookUp::Twin { record_ids: record_ids.clone() }, 0);
        assert_eq!(twin, SecondLook::Twin { record_ids });
    }

    #[test]
    fn of_a_twin_stays_what_was_recorded_here_else_the_earliest() {
        let ids: Vec<RecordId> = ["AF-1", "AF-2", "AF-3"].map(|id| id.parse().unwrap()).into();
        let prepared = |recorded: Option<&str>| {
            let recorded = recorded.map(|id| id.parse().unwrap());
            let void = prepared_void(&ids, recorded.as_ref());
            let text = |id: &RecordId| id.to_string();
            (void.stays.as_ref().map(text).unwrap(), void.voids.iter().map(text).collect::<Vec<_>>())
        };
        assert_eq!(prepared(None), ("AF-1".into(), vec!["AF-2".into(), "AF-3".into()]));
        assert_eq!(prepared(Some("AF-2")), ("AF-2".into(), vec!["AF-1".into(), "AF-3".into()]));
        assert_eq!(prepared(Some("AF-9")), ("AF-1".into(), vec!["AF-2".into(), "AF-3".into()]));
    }

    /// A step of the world: time goes by, the clock on the wall is set, or the machine is started again.
    #[derive(Debug, Clone, Copy)]
    enum Step {
        GoesBy(u64),
        Set(i64),
        Restarts(u64),
    }

    fn step() -> impl Strategy<Value = Step> {
        prop_oneof![
            (0_u64..200_000).prop_map(Step::GoesBy),
            (-90_000_000_i64..90_000_000).prop_map(Step::Set),
            (0_u64..100_000).prop_map(Step::Restarts),
        ]
    }

    proptest! {
        #[test]
        fn whatever_happens_to_the_clocks_nothing_is_believed_too_early(
            boot in 0_u64..1_000_000,
            steps in prop::collection::vec(step(), 0..12),
        ) {
            let sent = at(0, boot);
            let (mut now, mut really_ms) = (sent, 0_u64);
            for step in steps {
                match step {
                    Step::GoesBy(ms) => { now = now.plus_millis(ms); really_ms += ms; }
                    Step::Set(by_ms) => now.wall = now.wall.plus_millis(by_ms),
                    Step::Restarts(off_ms) => { now.boot = BootMillis(0); really_ms += off_ms; }
                }
                if believed(Some(sent), now) == Absence::Believed {
                    prop_assert!(really_ms >= WHOLE_MS);
                }
            }
            // And always in the end.
            prop_assert_eq!(believed(Some(sent), now.plus_millis(boot + WHOLE_MS)), Absence::Believed);
        }
    }
}
