//! Noticing that the SoR, or this station itself, came back from an older copy, and what has to be proven again.
//!
//! Promise: what was recorded is never believed to be there only because it once was: what the SoR says that it remembers
//! is compared with what this station knows, and one contradiction is enough. From when the copy is, nobody can say; so
//! commits are looked for from the latest back, until as many in a row are there that the rest is. What is sent again
//! keeps its key, its bytes and the version that it was sent against: a record that somebody changed meanwhile is a
//! conflict, as always. Whether it is sent again a person says, not this module.

use serde::{Deserialize, Serialize};

use crate::ids::{ETag, LocalSeq, OperationId};
use crate::lifecycle::Stage;
use crate::look_up::LookUp;
use crate::outcome::{Outcome, QuarantineReason};
use crate::profile::Profile;

/// So many commits in a row that are there prove those before them, in operations. It is also how many of the last commits
/// are looked for at an SoR that tells neither an epoch nor a sequence.
pub const PROVEN_IN_A_ROW: u32 = 20;

/// What the SoR says that it remembers of this station. A member that it does not tell is none.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Recollection {
    /// Rises when the SoR comes back from a copy.
    pub epoch: Option<u64>,
    /// The highest `local_seq` that it applied from this station; 0 when it applied none.
    pub last_local_seq: Option<LocalSeq>,
    /// How many operations of this station it holds.
    pub applied: Option<u64>,
}

/// What both sides agreed on when they were compared last.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Agreed {
    /// The epoch.
    pub epoch: Option<u64>,
    /// The highest `local_seq` that the SoR told.
    pub last_local_seq: Option<LocalSeq>,
    /// How many fewer the SoR holds than are committed here; known, and settled by a person or a look.
    pub short_by: u64,
    /// How many more it holds; known, and looked at.
    #[serde(default)]
    pub ahead_by: u64,
}

/// What this station knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Known {
    /// What was agreed on last; none before the first comparison.
    pub agreed: Option<Agreed>,
    /// How many are committed.
    pub committed: u64,
    /// The highest `local_seq` committed since the last comparison.
    pub committed_since: Option<LocalSeq>,
    /// The number of the last operation accepted here.
    pub last_seq: LocalSeq,
}

/// By what it was noticed that the SoR came back from an older copy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "sign", rename_all = "snake_case")]
pub enum Sign {
    /// Its epoch is another one.
    Epoch {
        /// As it was.
        known: u64,
        /// As it is.
        told: u64,
    },
    /// It has not applied what it had applied.
    Sequence {
        /// What is known to be applied.
        known: LocalSeq,
        /// What it says.
        told: LocalSeq,
    },
    /// It holds fewer than are committed here.
    Count {
        /// How many are committed here, less those known to be missing there.
        known: u64,
        /// How many it holds.
        told: u64,
    },
    /// One of the last commits is not there.
    Sample {
        /// Which.
        local_seq: LocalSeq,
    },
}

/// That this station's own data are older than what the SoR has seen of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct StationWentBack {
    /// The first number that must not be given out again.
    pub first: LocalSeq,
    /// The last of them.
    pub last: LocalSeq,
}

/// Whether the SoR came back from an older copy, by what it tells; the gravest sign first.
#[must_use]
pub fn sor_went_back(known: &Known, told: &Recollection) -> Option<Sign> {
    epoch_changed(known, told).or_else(|| sequence_fell(known, told)).or_else(|| count_fell(known, told))
}

fn epoch_changed(known: &Known, told: &Recollection) -> Option<Sign> {
    let before = known.agreed?.epoch?;
    let now = told.epoch?;
    (before != now).then_some(Sign::Epoch { known: before, told: now })
}

fn sequence_fell(known: &Known, told: &Recollection) -> Option<Sign> {
    let before = known.agreed.and_then(|agreed| agreed.last_local_seq).max(known.committed_since)?;
    let now = told.last_local_seq?;
    (now < before).then_some(Sign::Sequence { known: before, told: now })
}

fn count_fell(known: &Known, told: &Recollection) -> Option<Sign> {
    let expected = known.committed.saturating_sub(known.agreed.map_or(0, |agreed| agreed.short_by));
    let now = told.applied?;
    (now < expected).then_some(Sign::Count { known: expected, told: now })
}

/// Whether an SoR tells enough to be compared; at others the last commits are looked for.
#[must_use]
pub fn tells_enough(told: &Recollection) -> bool {
    told.last_local_seq.is_some() || told.applied.is_some()
}

/// Whether this station came back from an older copy: the SoR has applied numbers that were never given out here.
#[must_use]
pub fn station_went_back(known: &Known, told: &Recollection) -> Option<StationWentBack> {
    let told = told.last_local_seq?;
    let first = LocalSeq(known.last_seq.0 + 1);
    (told >= first).then_some(StationWentBack { first, last: told })
}

/// Whether the SoR holds more than is committed here, and more than at the last comparison: what that is has to be looked
/// at. It is in doubt here, or was never accepted here as far as these data know.
#[must_use]
pub fn holds_more(known: &Known, told: &Recollection) -> bool {
    let expected = known.committed + known.agreed.map_or(0, |agreed| agreed.ahead_by);
    told.applied.is_some_and(|applied| applied > expected)
}

/// The same from the signed head beside the database: it names an event that is not there. Each acceptance has an event of
/// its own, so no more numbers can have been given out than events are missing.
#[must_use]
pub fn events_missing(last_seq: LocalSeq, events: u64, head: u64) -> Option<StationWentBack> {
    let missing = head.checked_sub(events).filter(|missing| *missing > 0)?;
    Some(StationWentBack { first: LocalSeq(last_seq.0 + 1), last: LocalSeq(last_seq.0 + missing) })
}

/// What is agreed on from now on, when `committed` are committed here.
#[must_use]
pub fn agreed(told: &Recollection, committed: u64) -> Agreed {
    Agreed {
        epoch: told.epoch,
        last_local_seq: told.last_local_seq,
        short_by: told.applied.map_or(0, |applied| committed.saturating_sub(applied)),
        ahead_by: told.applied.map_or(0, |applied| applied.saturating_sub(committed)),
    }
}

/// What a look for a commit found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Seen {
    /// It is there.
    There,
    /// It is not.
    Missing,
    /// Of its kind no look proves anything: it is passed over.
    Unproven,
}

/// What a look-up found of something that was recorded; none when the answer proves nothing and may be asked for again. What
/// lies on a record that is gone is gone with it.
#[must_use]
pub fn seen(found: &LookUp, profile: Profile) -> Option<Seen> {
    match found {
        LookUp::AlreadyCommitted { .. } | LookUp::Received | LookUp::Twin { .. } => Some(Seen::There),
        LookUp::Absent | LookUp::StillInDoubt { why: Outcome::ParentMissing } => Some(Seen::Missing),
        LookUp::StillInDoubt { why: Outcome::NotAsked } if !profile.has_keys() => Some(Seen::Unproven),
        LookUp::StillInDoubt { .. } => None,
    }
}

/// When a commit was made, seen from the last comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Made {
    /// Before it: the copy may be as old, but what is lost is lost up to there without a gap.
    Before,
    /// Since: it may have been made after the SoR came back.
    Since,
}

/// How far the looking has come, from the latest commit back.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Walk {
    /// Those found since the last that is missing, of commits before the last comparison.
    pub in_a_row: u32,
    /// Found in all.
    pub found: u64,
    /// Missing in all.
    pub missing: u64,
}

impl Walk {
    /// After one more look.
    #[must_use]
    pub fn after(self, seen: Seen, made: Made) -> Self {
        match (seen, made) {
            (Seen::There, Made::Before) => {
                Self { in_a_row: self.in_a_row + 1, found: self.found + 1, ..self }
            }
            (Seen::There, Made::Since) => Self { found: self.found + 1, ..self },
            (Seen::Missing, Made::Before | Made::Since) => {
                Self { in_a_row: 0, missing: self.missing + 1, ..self }
            }
            (Seen::Unproven, Made::Before | Made::Since) => self,
        }
    }

    /// Whether the rest is proven by those found in a row.
    #[must_use]
    pub fn is_through(&self) -> bool {
        self.in_a_row >= PROVEN_IN_A_ROW
    }
}

/// An operation in its lane, in the order of places, when others of it come back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link {
    /// The operation.
    pub operation_id: OperationId,
    /// For one that comes back: the version that the record had after it.
    pub had_left: Option<ETag>,
    /// What it follows.
    pub after_op: Option<OperationId>,
    /// The version that it is bound to.
    pub base: Option<ETag>,
}

/// What the operations of a lane build on when some of it come back: one that built on a lost one follows it again, and is
/// bound when that one is recorded again. All others stay bound as they were. Gives those that change.
#[must_use]
pub fn relink(lane: &[Link]) -> Vec<Link> {
    let mut changed = Vec::new();
    for (place, link) in lane.iter().enumerate() {
        let built_on = |before: &&Link| {
            let bound = before.had_left.is_some() && before.had_left == link.base;
            before.had_left.is_some() && (link.after_op == Some(before.operation_id) || bound)
        };
        let Some(before) = lane[..place].iter().rev().find(built_on) else { continue };
        let relinked = Link { after_op: Some(before.operation_id), base: None, ..link.clone() };
        if relinked != *link {
            changed.push(relinked);
        }
    }
    changed
}

/// The stage of an application of which recorded moves come back: what was final only because it was recorded is so no more.
#[must_use]
pub fn stage_unrecorded(stage: Stage, moves: &[Stage]) -> Stage {
    if stage == Stage::Committed && moves.contains(&Stage::ConditionalApproval) {
        Stage::ConditionalApproval
    } else {
        stage
    }
}

/// Whether one that waits for a person goes on with those that come back before it: it was judged against a record that
/// lacked what it builds on.
#[must_use]
pub fn goes_on_with(reason: QuarantineReason) -> bool {
    match reason {
        QuarantineReason::Conflict | QuarantineReason::ParentMissing => true,
        QuarantineReason::Rejected
        | QuarantineReason::TooLarge
        | QuarantineReason::OurDefect
        | QuarantineReason::Forbidden
        | QuarantineReason::FailsAlone
        | QuarantineReason::ParentVoided
        | QuarantineReason::Twin
        | QuarantineReason::Unreadable
        | QuarantineReason::Unprovable => false,
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use uuid::Uuid;

    fn known(agreed: Option<(u64, u64, u64)>, committed: u64, since: Option<u64>, last: u64) -> Known {
        let agreed = agreed.map(|(epoch, last, short_by)| Agreed {
            epoch: Some(epoch),
            last_local_seq: Some(LocalSeq(last)),
            short_by,
            ahead_by: 0,
        });
        Known { agreed, committed, committed_since: since.map(LocalSeq), last_seq: LocalSeq(last) }
    }

    fn told(epoch: u64, last: u64, applied: u64) -> Recollection {
        Recollection { epoch: Some(epoch), last_local_seq: Some(LocalSeq(last)), applied: Some(applied) }
    }

    #[test]
    fn an_sor_that_remembers_less_than_it_did_is_noticed_by_the_first_contradiction() {
        let sequence = |known, told| Some(Sign::Sequence { known: LocalSeq(known), told: LocalSeq(told) });
        let cases = [
            ("nothing changed", known(Some((1, 9, 0)), 9, None, 9), told(1, 9, 9), None),
            ("more was applied", known(Some((1, 9, 0)), 11, Some(11), 12), told(1, 11, 11), None),
            ("first contact, nothing sent", known(None, 0, None, 3), told(1, 0, 0), None),
            ("first comparison", known(None, 5, Some(5), 5), told(7, 5, 5), None),
            ("first comparison, lost", known(None, 5, Some(5), 5), told(7, 3, 3), sequence(5, 3)),
            (
                "the epoch alone",
                known(Some((1, 9, 0)), 9, None, 9),
                told(2, 9, 9),
                Some(Sign::Epoch { known: 1, told: 2 }),
            ),
            (
                "an epoch that fell",
                known(Some((3, 9, 0)), 9, None, 9),
                told(2, 4, 4),
                Some(Sign::Epoch { known: 3, told: 2 }),
            ),
            ("the sequence alone", known(Some((1, 9, 0)), 9, None, 9), told(1, 4, 4), sequence(9, 4)),
            ("what was sent since", known(Some((1, 9, 0)), 12, Some(12), 12), told(1, 9, 9), sequence(12, 9)),
            (
                "hidden behind one sent since",
                known(Some((1, 9, 0)), 10, Some(10), 10),
                told(1, 10, 5),
                Some(Sign::Count { known: 10, told: 5 }),
            ),
            ("known to be missing", known(Some((1, 9, 4)), 9, None, 9), told(1, 9, 5), None),
            (
                "one more is missing",
                known(Some((1, 9, 4)), 9, None, 9),
                told(1, 9, 4),
                Some(Sign::Count { known: 5, told: 4 }),
            ),
        ];
        for (name, known, told, sign) in cases {
            assert_eq!(sor_went_back(&known, &told), sign, "{name}");
        }
        let silent = Recollection::default();
        assert_eq!(sor_went_back(&known(Some((1, 9, 0)), 9, None, 9), &silent), None);
        assert!(!tells_enough(&silent) && !tells_enough(&Recollection { epoch: Some(1), ..silent }));
        assert!(tells_enough(&told(1, 0, 0)));
    }

    #[test]
    fn what_is_agreed_on_is_no_sign_the_next_time() {
        for (committed, now) in [(9, told(2, 4, 4)), (0, told(1, 0, 0)), (3, told(5, 9, 9))] {
            let agreed = Some(agreed(&now, committed));
            let known = Known { agreed, committed, committed_since: None, last_seq: LocalSeq(9) };
            assert_eq!(sor_went_back(&known, &now), None, "{now:?}");
        }
    }

    #[test]
    fn a_station_that_went_back_gives_no_number_out_again() {
        let skipped = |first, last| Some(StationWentBack { first: LocalSeq(first), last: LocalSeq(last) });
        let at = |last| known(None, 0, None, last);
        let cases = [(9, 9, None), (9, 4, None), (9, 10, skipped(10, 10)), (4, 30, skipped(5, 30))];
        for (own, there, expected) in cases {
            assert_eq!(station_went_back(&at(own), &told(1, there, 0)), expected, "{own} {there}");
        }
        assert_eq!(station_went_back(&at(1), &Recollection::default()), None);
        assert_eq!(events_missing(LocalSeq(4), 100, 100), None);
        assert_eq!(events_missing(LocalSeq(4), 101, 100), None, "the head is up to a second behind");
        assert_eq!(events_missing(LocalSeq(4), 90, 100), skipped(5, 14));
    }

    #[test]
    fn what_the_sor_holds_beyond_what_is_committed_is_looked_at_once() {
        let here = known(None, 5, Some(5), 9);
        assert!(!holds_more(&here, &told(1, 5, 5)) && !holds_more(&here, &told(1, 3, 3)));
        let more = told(1, 9, 7);
        assert!(holds_more(&here, &more));
        let looked_at = Known { agreed: Some(agreed(&more, 5)), ..here };
        assert!(!holds_more(&looked_at, &more) && holds_more(&looked_at, &told(1, 9, 8)));
        assert!(!holds_more(&here, &Recollection::default()));
    }

    #[test]
    fn looking_ends_when_as_many_in_a_row_are_there_before_the_last_comparison() {
        let there =
            |walk: Walk, made| (0..PROVEN_IN_A_ROW).fold(walk, |walk, _| walk.after(Seen::There, made));
        let since = there(Walk::default(), Made::Since);
        assert!(!since.is_through(), "those may have been sent after the SoR came back");
        let lost = (0..41).fold(since, |walk, _| walk.after(Seen::Missing, Made::Before));
        let almost = (1..PROVEN_IN_A_ROW).fold(lost, |walk, _| walk.after(Seen::There, Made::Before));
        assert!(!almost.is_through());
        assert!(!almost.after(Seen::Missing, Made::Before).after(Seen::There, Made::Before).is_through());
        let through = almost.after(Seen::There, Made::Before);
        assert!(through.is_through());
        assert_eq!((through.found, through.missing), (2 * u64::from(PROVEN_IN_A_ROW), 41));
    }

    #[test]
    fn only_what_the_sor_itself_says_is_a_sign_and_what_no_look_can_prove_is_passed_over() {
        use Profile::{Idempotent, LookBeforeWrite};
        let doubt = |why| LookUp::StillInDoubt { why };
        let cases = [
            (LookUp::Received, Idempotent, Some(Seen::There)),
            (LookUp::Twin { record_ids: Vec::new() }, LookBeforeWrite, Some(Seen::There)),
            (LookUp::Absent, Idempotent, Some(Seen::Missing)),
            (doubt(Outcome::ParentMissing), LookBeforeWrite, Some(Seen::Missing)),
            (doubt(Outcome::NotAsked), LookBeforeWrite, Some(Seen::Unproven)),
            (doubt(Outcome::NotAsked), Idempotent, None),
            (doubt(Outcome::Impostor), Idempotent, None),
            (doubt(Outcome::StationUnauthorized), LookBeforeWrite, None),
        ];
        for (found, profile, expected) in cases {
            assert_eq!(seen(&found, profile), expected, "{found:?} {profile:?}");
        }
        let walk = Walk { in_a_row: 3, found: 4, missing: 5 };
        assert_eq!(walk.after(Seen::Unproven, Made::Before), walk);
    }

    fn id(n: u64) -> OperationId {
        OperationId::from_uuid(Uuid::from_u64_pair(0x0193_2c6f_0000_7000, 0x8000_0000_0000_0000 | n))
    }

    fn tag(n: u64) -> ETag {
        format!("\"v{n}\"").parse().unwrap()
    }

    fn link(n: u64, left: Option<u64>, after: Option<u64>, base: Option<u64>) -> Link {
        Link { operation_id: id(n), had_left: left.map(tag), after_op: after.map(id), base: base.map(tag) }
    }

    #[test]
    fn what_built_on_a_lost_one_follows_it_again_and_the_first_stays_bound_as_it_was() {
        // The first was made against a copy; the second followed it; the third was accepted when both were recorded.
        let lane = [
            link(1, Some(11), None, Some(10)),
            link(2, Some(12), Some(1), Some(11)),
            link(3, None, None, Some(12)),
            link(4, None, Some(3), None),
        ];
        assert_eq!(relink(&lane), [link(2, Some(12), Some(1), None), link(3, None, Some(2), None)]);
        let application = [link(1, Some(11), None, None), link(2, None, Some(1), Some(11))];
        assert_eq!(relink(&application), [link(2, None, Some(1), None)]);
        let another_base = [link(1, Some(11), None, Some(10)), link(2, None, None, Some(99))];
        assert_eq!(
            relink(&another_base),
            [],
            "somebody had seen another version: that is for the SoR to judge"
        );
        assert_eq!(relink(&[link(3, None, None, Some(12))]), []);
    }

    #[test]
    fn a_final_approval_that_is_lost_is_final_no_more() {
        use Stage::{Committed, ConditionalApproval, FeeEstimated, Withdrawn};
        assert_eq!(stage_unrecorded(Committed, &[FeeEstimated, ConditionalApproval]), ConditionalApproval);
        assert_eq!(stage_unrecorded(Committed, &[]), Committed, "only a note was lost");
        assert_eq!(stage_unrecorded(Withdrawn, &[ConditionalApproval]), Withdrawn);
    }

    #[test]
    fn what_was_judged_without_its_predecessor_goes_on_with_it() {
        assert!(goes_on_with(QuarantineReason::Conflict) && goes_on_with(QuarantineReason::ParentMissing));
        assert!(!goes_on_with(QuarantineReason::Rejected) && !goes_on_with(QuarantineReason::Twin));
    }
}
