//! Where an operation goes: journal, primary, mirror, wait.
//!
//! Promise: an operation goes to the mirror only while the primary's breaker lets nothing through, and only if the mirror's
//! receipt commits; one that may have arrived at one of the two goes to no other before it was looked up there, unless both
//! share their keys. While the primary takes operations, the mirror is at most asked what became of one that is in doubt
//! there. Whether an endpoint lets anything through its breaker says, and which operation is next [`crate::lane`].

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::breaker::Admission;
use crate::ids::EndpointName;
use crate::outcome::{Doubt, NextStep};
use crate::route::NotReplayable;
use crate::wait::WaitCause;

/// Version of these rules; it stands beside every decision.
pub const CASCADE_VERSION: u32 = 1;

/// An endpoint whose receipt commits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Recorder {
    /// The SoR itself.
    Primary,
    /// Its mirror, if it is an authoritative one.
    Mirror,
}

/// Whether an endpoint's breaker lets an operation through, in one word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Gate {
    /// It is closed: operations go.
    Closed,
    /// One operation may go, as its canary.
    CanaryDue,
    /// Its canary is out.
    CanaryOut,
    /// It is open.
    Open,
    /// A person holds it.
    Held,
}

/// The mirror as it is at a decision.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mirror {
    /// There is none.
    None,
    /// It holds copies; its receipt commits nothing.
    Custody,
    /// Its receipt commits, and this is what its breaker says.
    Authoritative(Gate),
}

/// Where an operation may have arrived without a receipt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum InDoubt {
    /// Nowhere.
    Nowhere,
    /// At this endpoint, and at no other.
    At(Recorder),
}

/// Whether primary and mirror know each other's keys at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MirrorKeys {
    /// Each knows its own.
    Apart,
    /// What one has applied, the other answers under the same key (`mirror_shares_keys`).
    Shared,
}

/// What a decision is made from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct CascadeInputs {
    /// The primary's breaker.
    pub primary: Gate,
    /// The mirror.
    pub mirror: Mirror,
    /// Where the operation may have arrived.
    pub in_doubt: InDoubt,
    /// Whether both share their keys.
    pub keys: MirrorKeys,
    /// What is to be done about the operation.
    pub next_step: NextStep,
}

/// Where an operation goes, and what is asked there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Goes {
    /// To the primary.
    Primary(NextStep),
    /// To the mirror.
    Mirror(NextStep),
    /// It waits here.
    Wait,
}

/// A decision as it stands in the audit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cascaded {
    /// The version of the rules.
    pub cascade_version: u32,
    /// What it was made from.
    #[serde(flatten)]
    pub inputs: CascadeInputs,
    /// What was decided.
    pub goes: Goes,
}

/// Where it goes.
#[must_use]
pub fn cascade(inputs: &CascadeInputs) -> Goes {
    match inputs.bound_to() {
        Some(Recorder::Primary) if inputs.primary.lets_through() => Goes::Primary(inputs.next_step),
        Some(Recorder::Primary) => Goes::Wait,
        Some(Recorder::Mirror) => inputs.back_at_the_mirror(),
        None if inputs.primary.lets_through() => Goes::Primary(inputs.next_step),
        None if inputs.mirror.records() => Goes::Mirror(inputs.next_step),
        None => Goes::Wait,
    }
}

/// Whether a wait that was charged to one endpoint keeps an operation from this one: what the endpoint alone is the cause of
/// does not.
#[must_use]
pub fn keeps_from(at: Recorder, cause: WaitCause, charged_to: Recorder) -> bool {
    match cause {
        WaitCause::Endpoint | WaitCause::RetryAfter => at == charged_to,
        WaitCause::Item | WaitCause::Received | WaitCause::Parent | WaitCause::Settle => true,
    }
}

/// What the recorded inputs lead to, for comparison with the recorded decision.
///
/// # Errors
/// [`NotReplayable`], when the record is not one, or from rules that are not known here.
pub fn replay(recorded: &Value) -> Result<(Cascaded, Goes), NotReplayable> {
    let version = recorded.get("cascade_version").and_then(Value::as_u64);
    match version.and_then(|version| u32::try_from(version).ok()) {
        Some(CASCADE_VERSION) | None => {}
        Some(other) => return Err(NotReplayable::UnknownVersion(other)),
    }
    let cascaded = Cascaded::deserialize(recorded).map_err(NotReplayable::NotADecision)?;
    Ok((cascaded, cascade(&cascaded.inputs)))
}

impl CascadeInputs {
    /// The only endpoint that it may go to; none when it is free to go to either. What is looked up without being in doubt
    /// anywhere is looked up at the primary.
    fn bound_to(&self) -> Option<Recorder> {
        match (self.in_doubt, self.keys, self.next_step) {
            (InDoubt::At(_), MirrorKeys::Shared, NextStep::Send | NextStep::LookUp)
            | (InDoubt::Nowhere, MirrorKeys::Apart | MirrorKeys::Shared, NextStep::Send) => None,
            (InDoubt::At(recorder), MirrorKeys::Apart, NextStep::Send | NextStep::LookUp) => Some(recorder),
            (InDoubt::Nowhere, MirrorKeys::Apart | MirrorKeys::Shared, NextStep::LookUp) => {
                Some(Recorder::Primary)
            }
        }
    }

    /// While the primary takes operations the mirror records none: it only says what became of this one.
    fn back_at_the_mirror(&self) -> Goes {
        match (self.mirror.records(), self.primary) {
            (false, _) => Goes::Wait,
            (true, Gate::Closed) => Goes::Mirror(NextStep::LookUp),
            (true, Gate::CanaryDue | Gate::CanaryOut | Gate::Open | Gate::Held) => {
                Goes::Mirror(self.next_step)
            }
        }
    }

    /// The decision that they lead to, as it is written down.
    #[must_use]
    pub fn decided(self) -> Cascaded {
        Cascaded { cascade_version: CASCADE_VERSION, inputs: self, goes: cascade(&self) }
    }
}

impl Recorder {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Primary, Self::Mirror];

    /// The stored word, which is the endpoint's name.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Primary => "primary",
            Self::Mirror => "mirror",
        }
    }

    /// The one that a word names.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|recorder| recorder.word() == word)
    }

    /// Its endpoint.
    #[must_use]
    pub fn endpoint(self) -> EndpointName {
        match self {
            Self::Primary => EndpointName::primary(),
            Self::Mirror => EndpointName::mirror(),
        }
    }

    /// The other of the two.
    #[must_use]
    pub fn other(self) -> Self {
        match self {
            Self::Primary => Self::Mirror,
            Self::Mirror => Self::Primary,
        }
    }
}

impl Gate {
    /// Whether an operation may go.
    #[must_use]
    pub fn lets_through(self) -> bool {
        match self {
            Self::Closed | Self::CanaryDue => true,
            Self::CanaryOut | Self::Open | Self::Held => false,
        }
    }
}

impl From<Admission> for Gate {
    fn from(admission: Admission) -> Self {
        match admission {
            Admission::Closed => Self::Closed,
            Admission::Canary => Self::CanaryDue,
            Admission::Open { .. } => Self::Open,
            Admission::CanaryOut { .. } => Self::CanaryOut,
            Admission::Held { .. } => Self::Held,
        }
    }
}

impl Mirror {
    /// Whether an operation may go there to be recorded, or to be looked up.
    fn records(self) -> bool {
        match self {
            Self::None | Self::Custody => false,
            Self::Authoritative(gate) => gate.lets_through(),
        }
    }
}

impl InDoubt {
    /// Of an operation's doubt, and the endpoint that it goes back to. What says nothing of the endpoint is from before there
    /// were two.
    #[must_use]
    pub fn of(doubt: Doubt, at: Option<Recorder>) -> Self {
        match doubt {
            Doubt::None => Self::Nowhere,
            Doubt::Sent | Doubt::Received => Self::At(at.unwrap_or(Recorder::Primary)),
        }
    }
}

impl Goes {
    /// What is asked of this endpoint; none when it is not asked.
    #[must_use]
    pub fn to(self, recorder: Recorder) -> Option<NextStep> {
        match (self, recorder) {
            (Self::Primary(what), Recorder::Primary) | (Self::Mirror(what), Recorder::Mirror) => Some(what),
            (Self::Primary(_), Recorder::Mirror) | (Self::Mirror(_), Recorder::Primary) | (Self::Wait, _) => {
                None
            }
        }
    }

    /// The endpoint.
    #[must_use]
    pub fn recorder(self) -> Option<Recorder> {
        match self {
            Self::Primary(_) => Some(Recorder::Primary),
            Self::Mirror(_) => Some(Recorder::Mirror),
            Self::Wait => None,
        }
    }
}

#[cfg(test)]
mod tests;
