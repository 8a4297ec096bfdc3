//! The order in which waiting operations are sent.
//!
//! Promise: inside one application nothing overtakes; across applications the oldest that may go goes first, and only a
//! lane that holds an urgent operation goes before. Clocks play no part in it.

use std::cmp::Ordering;

use serde::{Deserialize, Serialize};

use crate::ids::{ApplicationId, ETag, LocalSeq, OperationId};
use crate::operation::Kind;
use crate::outcome::{Doubt, NextStep};
use crate::time::Now;
use crate::wait::{Wait, ends_on_close};

/// What has become of an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum State {
    /// Waits here.
    Pending,
    /// Between the transaction before a send and the one after it.
    InFlight,
    /// Recorded by the SoR.
    Committed,
    /// Waits for a person.
    Quarantined,
    /// Taken back before it was recorded.
    Voided,
}

/// Where in its lane an operation stands: the sequence number of the first that it stands in for, then how many stood
/// there before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Place {
    /// `local_seq` of the operation, or of the first one that it replaces.
    pub place: LocalSeq,
    /// How many operations it replaces at that place.
    pub revision: u32,
}

/// Whether an operation may go before older ones of other lanes. Urgent comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Urgency {
    /// Stop-work, hold, unsafe tag.
    Urgent,
    /// Everything else.
    Ordinary,
}

/// The first operation of a lane that is not yet disposed of and whose predecessor lets it go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Head {
    /// The operation.
    pub operation_id: OperationId,
    /// Its lane.
    pub application_id: ApplicationId,
    /// Its place.
    pub place: Place,
    /// Urgent, when any waiting operation of the lane is.
    pub lane_urgency: Urgency,
    /// What it waits for, if it waits.
    pub wait: Option<Wait>,
    /// What the next attempt is.
    pub next_step: NextStep,
    /// Whether it may be at the SoR already.
    pub doubt: Doubt,
}

/// What goes out while the breaker is half-open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Canary {
    /// This operation.
    Operation(OperationId),
    /// The look-up of this operation, which is in doubt.
    LookUp(OperationId),
    /// An authentic health probe.
    HealthProbe,
}

/// What has become of the operation before, in the same lane.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Predecessor {
    /// There is none.
    None {
        /// The version that the operation itself was based on.
        base: Option<ETag>,
    },
    /// Recorded.
    Committed {
        /// The record's version after it.
        etag: ETag,
    },
    /// Not yet disposed of.
    Open,
    /// Waits for a person.
    Quarantined,
    /// Taken back.
    Voided {
        /// What it came after itself.
        its_after_op: Option<OperationId>,
    },
}

/// What an operation may do, given its predecessor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Follower {
    /// It may be sent.
    Sendable {
        /// The version to bind it to.
        if_match: Option<ETag>,
    },
    /// It waits.
    Waits,
    /// From now on it comes after this one.
    TakesOver {
        /// The predecessor's own predecessor.
        after_op: OperationId,
    },
    /// It is quarantined as `parent-voided`.
    ParentVoided,
}

/// Whether an operation is urgent. `word` is what its payload names: a hold's type, a tag's level.
#[must_use]
pub fn urgency(kind: Kind, word: Option<&str>) -> Urgency {
    match (kind, word) {
        (Kind::Hold, Some("stop-work" | "hold")) | (Kind::Tag, Some("unsafe")) => Urgency::Urgent,
        (
            Kind::Application
            | Kind::Stage
            | Kind::Inspection
            | Kind::Correction
            | Kind::Void
            | Kind::Hold
            | Kind::Notice
            | Kind::Fee
            | Kind::Note
            | Kind::Tag
            | Kind::Attachment,
            _,
        ) => Urgency::Ordinary,
    }
}

/// Which of two heads goes first.
#[must_use]
pub fn order(a: &Head, b: &Head) -> Ordering {
    (a.lane_urgency, a.place, a.operation_id).cmp(&(b.lane_urgency, b.place, b.operation_id))
}

/// The head that is attempted next: the first that does not wait. In any order.
#[must_use]
pub fn pick(heads: &[Head], now: Now) -> Option<&Head> {
    heads.iter().filter(|head| head.may_go(now)).min_by(|a, b| order(a, b))
}

/// What goes out as the canary: the first head of a lane other than the one whose canary failed last; for one in doubt,
/// its look-up. Waits that end when the breaker closes do not keep it back, since it is what closes the breaker.
#[must_use]
pub fn pick_canary(heads: &[Head], now: Now, last_failed_lane: Option<ApplicationId>) -> Canary {
    let head = heads
        .iter()
        .filter(|head| Some(head.application_id) != last_failed_lane && head.may_be_canary(now))
        .min_by(|a, b| order(a, b));
    match head {
        None => Canary::HealthProbe,
        Some(head) if head.doubt.is_any() || head.next_step == NextStep::LookUp => {
            Canary::LookUp(head.operation_id)
        }
        Some(head) => Canary::Operation(head.operation_id),
    }
}

/// What an operation may do, given what has become of the one before it.
#[must_use]
pub fn follower(predecessor: &Predecessor) -> Follower {
    match predecessor {
        Predecessor::None { base } => Follower::Sendable { if_match: base.clone() },
        Predecessor::Committed { etag } => Follower::Sendable { if_match: Some(etag.clone()) },
        Predecessor::Open | Predecessor::Quarantined => Follower::Waits,
        Predecessor::Voided { its_after_op: Some(after_op) } => Follower::TakesOver { after_op: *after_op },
        Predecessor::Voided { its_after_op: None } => Follower::ParentVoided,
    }
}

impl State {
    /// Every state.
    pub const ALL: [Self; 5] =
        [Self::Pending, Self::InFlight, Self::Committed, Self::Quarantined, Self::Voided];

    /// The stored word.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::InFlight => "in_flight",
            Self::Committed => "committed",
            Self::Quarantined => "quarantined",
            Self::Voided => "voided",
        }
    }

    /// The state that a word names.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|state| state.word() == word)
    }
}

impl Head {
    fn may_go(&self, now: Now) -> bool {
        self.wait.is_none_or(|wait| wait.is_over(now))
    }

    fn may_be_canary(&self, now: Now) -> bool {
        self.wait.is_none_or(|wait| wait.is_over(now) || ends_on_close(wait.cause))
    }
}
