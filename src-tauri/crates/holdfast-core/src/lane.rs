//! The order in which waiting operations are sent.
//!
//! Promise: inside one application nothing overtakes; across applications the oldest that may go goes first, and only a
//! lane that holds an urgent operation goes before. Clocks play no part in it.

use std::cmp::Ordering;

use serde::{Deserialize, Serialize};

use crate::cascade::{InDoubt, Recorder};
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
    /// Where that is.
    pub in_doubt: InDoubt,
    /// The endpoint that its wait was charged to.
    pub wait_charged_to: Recorder,
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

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::time::{BootMillis, UtcMillis};
    use crate::wait::WaitCause;

    const NOW: BootMillis = BootMillis(100_000);

    fn now() -> Now {
        Now { wall: UtcMillis::from_millis(1_800_000_000_000).unwrap(), boot: NOW }
    }

    fn head(place: u64) -> Head {
        let operation_id = format!("01932c6f-8f0a-7cc3-98a1-0242ac12{place:04x}").parse().unwrap();
        let application_id = format!("01932c6f-8f0a-7cc3-98a1-0242ac13{place:04x}").parse().unwrap();
        Head {
            operation_id,
            application_id,
            place: Place { place: LocalSeq(place), revision: 0 },
            lane_urgency: Urgency::Ordinary,
            wait: None,
            next_step: NextStep::Send,
            doubt: Doubt::None,
            in_doubt: InDoubt::Nowhere,
            wait_charged_to: Recorder::Primary,
        }
    }

    fn waiting(place: u64, cause: WaitCause) -> Head {
        Head { wait: Some(Wait { from: now(), length_ms: 1, cause }), ..head(place) }
    }

    fn urgent(head: Head) -> Head {
        Head { lane_urgency: Urgency::Urgent, ..head }
    }

    fn picked(heads: &[Head]) -> Option<u64> {
        pick(heads, now()).map(|head| head.place.place.0)
    }

    #[test]
    fn the_oldest_that_does_not_wait_goes_first_whatever_the_order_of_the_list() {
        let item = WaitCause::Item;
        assert_eq!(picked(&[]), None);
        assert_eq!(picked(&[head(3), head(1), head(2)]), Some(1));
        assert_eq!(picked(&[head(3), waiting(1, item), head(2)]), Some(2));
        assert_eq!(picked(&[waiting(1, item), waiting(2, WaitCause::Endpoint)]), None);
        let later = Now { boot: BootMillis(NOW.0 + 1), ..now() };
        assert_eq!(pick(&[waiting(1, item)], later), Some(&waiting(1, item)));
    }

    #[test]
    fn a_lane_that_holds_an_urgent_operation_goes_before_older_ones() {
        assert_eq!(picked(&[head(1), urgent(head(9)), urgent(head(7))]), Some(7));
        assert_eq!(picked(&[head(1), urgent(waiting(9, WaitCause::RetryAfter))]), Some(1));
    }

    #[test]
    fn what_replaces_an_operation_stands_at_its_place() {
        let replaced = Place { place: LocalSeq(4), revision: 0 };
        let replacing = Place { revision: 1, ..replaced };
        assert!(replaced < replacing && replacing < Place { place: LocalSeq(5), revision: 0 });
    }

    #[test]
    fn only_stop_work_holds_and_unsafe_tags_are_urgent() {
        let words = [None, Some("stop-work"), Some("hold"), Some("unsafe"), Some("restricted"), Some("Hold")];
        for kind in Kind::ALL {
            for word in words {
                let expected = matches!(
                    (kind.word(), word),
                    ("hold", Some("stop-work" | "hold")) | ("tag", Some("unsafe"))
                );
                assert_eq!(urgency(kind, word) == Urgency::Urgent, expected, "{kind} {word:?}");
            }
        }
    }

    #[test]
    fn the_canary_is_the_oldest_of_another_lane_than_failed_last() {
        let (first, second) = (head(1), head(2));
        let canary = |heads: &[Head], failed| pick_canary(heads, now(), failed);
        assert_eq!(canary(&[second, first], None), Canary::Operation(first.operation_id));
        let failed = Some(first.application_id);
        assert_eq!(canary(&[first, second], failed), Canary::Operation(second.operation_id));
        assert_eq!(canary(&[first], failed), Canary::HealthProbe);
        assert_eq!(canary(&[], None), Canary::HealthProbe);
    }

    #[test]
    fn the_canary_of_an_operation_in_doubt_is_its_look_up() {
        let in_doubt = Head { doubt: Doubt::Sent, ..head(1) };
        let to_be_looked_up = Head { next_step: NextStep::LookUp, ..head(1) };
        for head in [in_doubt, to_be_looked_up] {
            assert_eq!(pick_canary(&[head], now(), None), Canary::LookUp(head.operation_id));
        }
    }

    #[test]
    fn only_waits_charged_to_the_endpoint_let_a_canary_go() {
        let endpoint = waiting(1, WaitCause::Endpoint);
        assert_eq!(pick_canary(&[endpoint], now(), None), Canary::Operation(endpoint.operation_id));
        for cause in [WaitCause::Item, WaitCause::RetryAfter, WaitCause::Received, WaitCause::Parent] {
            assert_eq!(pick_canary(&[waiting(1, cause)], now(), None), Canary::HealthProbe, "{cause:?}");
        }
    }

    #[test]
    fn a_follower_goes_when_its_predecessor_is_recorded_and_only_then() {
        let etag: ETag = "\"7\"".parse().unwrap();
        let earlier = head(1).operation_id;
        let cases = [
            (Predecessor::None { base: None }, Follower::Sendable { if_match: None }),
            (
                Predecessor::None { base: Some(etag.clone()) },
                Follower::Sendable { if_match: Some(etag.clone()) },
            ),
            (Predecessor::Committed { etag: etag.clone() }, Follower::Sendable { if_match: Some(etag) }),
            (Predecessor::Open, Follower::Waits),
            (Predecessor::Quarantined, Follower::Waits),
            (Predecessor::Voided { its_after_op: Some(earlier) }, Follower::TakesOver { after_op: earlier }),
            (Predecessor::Voided { its_after_op: None }, Follower::ParentVoided),
        ];
        for (predecessor, expected) in cases {
            assert_eq!(follower(&predecessor), expected, "{predecessor:?}");
        }
    }

    #[test]
    fn a_state_has_one_word() {
        for state in State::ALL {
            assert_eq!(State::from_word(state.word()), Some(state));
            assert_eq!(serde_json::to_string(&state).unwrap(), format!("\"{}\"", state.word()));
        }
    }
}
