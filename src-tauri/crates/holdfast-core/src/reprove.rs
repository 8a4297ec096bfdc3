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
use crate::ramp::Order;

/// So many commits in a row that are there prove those before them, in operations. It is also how many of the last commits
/// are looked for at an SoR that tells neither an epoch nor a sequence.
pub const PROVEN_IN_A_ROW: u32 = 20;

/// Version of the rules by which a return from an older copy is noticed; it stands in the event.
pub const PROVING_VERSION: u32 = 1;

/// What the SoR says that it remembers of this station. A member that it does not tell is none.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Recollection {
    /// Rises when the SoR comes back from a copy.
    pub epoch: Option<u64>,
    /// The highest `local_seq` that it applied from this station; 0 when it applied none.
    pub last_local_seq: Option<LocalSeq>,
    /// How many operations of this station it holds.
    pub applied: Option<u64>,
    /// In which order it takes operations.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub order: Option<Order>,
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
mod tests;
