//! When the SoR's feed of changes is followed.
//!
//! Promise: copies wait for work. As long as anything could be sent, or while the SoR is slower than it was, nothing is
//! asked; a strained SoR is left alone for a while and then asked once, so that copies do not starve. Deliberately not here:
//! what a copy may change of a record.

use crate::ids::FeedCursor;
use crate::time::Now;

/// Between two questions when there was nothing more, in milliseconds.
pub const FOLLOW_EVERY_MS: u64 = 60_000;
/// An SoR that is slower than before, or asked for fewer, is left alone so long, in milliseconds.
pub const STRAINED_REST_MS: u64 = 5 * 60_000;

/// What is known when the feed could be followed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FeedStanding {
    /// How far it was followed; none before copies were first fetched whole.
    pub cursor: Option<FeedCursor>,
    /// Whether anything could be sent now.
    pub backlog: Backlog,
    /// How the SoR keeps pace.
    pub pace: Pace,
    /// Since when it rests, and for how long, in milliseconds.
    pub rest: Option<(Now, u64)>,
}

/// Whether anything could be sent now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Backlog {
    /// Something could.
    Sendable,
    /// Nothing could.
    Down,
}

/// How the SoR keeps pace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pace {
    /// As before.
    Calm,
    /// It failed, asked for fewer, or is slower than before the last outage.
    Strained,
}

/// What is done about the feed now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FeedStep {
    /// Nothing.
    Wait,
    /// Nothing for so many milliseconds from now on.
    Rest {
        /// Them.
        ms: u64,
    },
    /// It is read on from there.
    Follow(FeedCursor),
}

/// What is done about the feed at `now`.
#[must_use]
pub fn step(standing: &FeedStanding, now: Now) -> FeedStep {
    let Some(cursor) = &standing.cursor else { return FeedStep::Wait };
    let rested = standing.rest.is_none_or(|(from, ms)| now.has_passed(from, ms));
    match (standing.backlog, rested, standing.pace) {
        (Backlog::Sendable, _, _) | (Backlog::Down, false, _) => FeedStep::Wait,
        (Backlog::Down, true, Pace::Strained) => FeedStep::Rest { ms: STRAINED_REST_MS },
        (Backlog::Down, true, Pace::Calm) => FeedStep::Follow(cursor.clone()),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::time::{BootMillis, UtcMillis};

    fn at(ms: u64) -> Now {
        let wall = "2026-11-30T08:00:00.000Z".parse::<UtcMillis>().unwrap();
        Now { wall, boot: BootMillis(0) }.plus_millis(ms)
    }

    fn standing() -> FeedStanding {
        let cursor = Some("1.7".parse().unwrap());
        FeedStanding { cursor, backlog: Backlog::Down, pace: Pace::Calm, rest: None }
    }

    #[test]
    fn the_feed_is_followed_when_nothing_waits_and_the_sor_keeps_pace() {
        let follow = FeedStep::Follow("1.7".parse().unwrap());
        let rest = FeedStep::Rest { ms: STRAINED_REST_MS };
        for (standing, step_now, what) in [
            (standing(), follow.clone(), "calm, and nothing to send"),
            (FeedStanding { cursor: None, ..standing() }, FeedStep::Wait, "nothing was fetched whole yet"),
            (FeedStanding { backlog: Backlog::Sendable, ..standing() }, FeedStep::Wait, "work goes before"),
            (FeedStanding { pace: Pace::Strained, ..standing() }, rest, "slow: it is left alone"),
            (FeedStanding { rest: Some((at(0), 60_001)), ..standing() }, FeedStep::Wait, "it rests"),
            (FeedStanding { rest: Some((at(0), 60_000)), ..standing() }, follow, "rested"),
        ] {
            assert_eq!(step(&standing, at(60_000)), step_now, "{what}");
        }
    }
}
