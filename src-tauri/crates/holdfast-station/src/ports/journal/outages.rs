//! The outage register: why an outage began, what was tried in it, and who held the endpoint.

use holdfast_core::audit::Entry;
use holdfast_core::breaker::TripCause;
use holdfast_core::ids::{ActorId, EndpointName, LocalSeq, OutageId};
use holdfast_core::time::{Now, UtcMillis};
use serde::{Deserialize, Serialize};

use super::{Decide, EndpointRecord, JournalError, OutageRecord, Refusal, Stamp};

/// Rows of tries that are kept of one outage: the first ones.
pub const FIRST_TRIES_KEPT_ROWS: u32 = 100;
/// And the latest ones.
pub const LATEST_TRIES_KEPT_ROWS: u32 = 400;
/// Holds of one outage that are listed, in rows.
pub const HOLDS_LISTED_MAX_ROWS: u32 = 100;

/// The part of the journal that a person holds an endpoint with, and reads one outage in full.
pub trait Outages {
    /// Holds an endpoint or releases it, or refuses to.
    ///
    /// # Errors
    /// It is as it was.
    fn steer(
        &self,
        now: Now,
        endpoint: EndpointName,
        decide: Decide<SteerFacts, Steering>,
    ) -> Result<Steered, JournalError>;

    /// One outage with its tries and its holds, oldest first.
    ///
    /// # Errors
    /// It cannot be read.
    fn outage(&self, id: OutageId) -> Result<Option<OutageInFull>, JournalError>;
}

/// Why an outage is in the register.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OutageCause {
    /// So many failures in a row.
    Failures,
    /// The endpoint said that it would be away.
    Announced,
    /// The last probes gave no sign of life.
    ProbesFailed,
    /// The last probes were too slow.
    ProbesSlow,
    /// A person held it.
    Held,
}

/// What was tried in an outage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Tried {
    /// An operation was sent.
    Operation,
    /// It was asked what became of one.
    LookUp,
    /// A sign of life was asked for.
    Probe,
}

/// One try in an outage.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Try {
    /// The outage.
    pub outage_id: OutageId,
    /// When it ended.
    pub at: UtcMillis,
    /// What was tried.
    pub what: Tried,
    /// Word for what came of it.
    pub outcome: String,
    /// When the next one may go; none when it closed the breaker.
    pub next_try_at: Option<UtcMillis>,
    /// Until when the endpoint said that it would be away.
    pub announced_until: Option<UtcMillis>,
}

/// A time for which a person held the endpoint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeldTime {
    /// From when on.
    pub held_at: UtcMillis,
    /// Until when at the latest.
    pub until: UtcMillis,
    /// By whom.
    pub by: ActorId,
    /// Why, in that person's words.
    pub reason: String,
    /// When a person ended it, or put another in its place; none when its time ends it.
    pub ended_at: Option<UtcMillis>,
}

/// One outage in full.
#[derive(Clone, Debug, PartialEq)]
pub struct OutageInFull {
    /// Its row.
    pub record: OutageRecord,
    /// The tries that are kept, with their numbers.
    pub tries: Vec<(u64, Try)>,
    /// When a person held the endpoint.
    pub holds: Vec<HeldTime>,
}

/// What a person's word about an endpoint is decided from.
#[derive(Clone, Debug)]
pub struct SteerFacts {
    /// Time of this decision.
    pub stamp: Stamp,
    /// The endpoint, if there is one of that name.
    pub endpoint: Option<EndpointRecord>,
    /// Number of the last accepted operation.
    pub last_seq: LocalSeq,
}

/// What is decided about an endpoint.
#[derive(Clone, Debug)]
pub enum Steering {
    /// It is held, or no longer.
    Steer(Box<Steer>),
    /// There is none of that name.
    Unknown,
    /// Nothing is done.
    Refuse(Refusal),
}

/// An endpoint that a person holds, or holds no longer.
#[derive(Clone, Debug)]
pub struct Steer {
    /// The endpoint afterwards.
    pub endpoint: EndpointRecord,
    /// The outage that it is part of.
    pub outage_id: OutageId,
    /// Whether that is a new one.
    pub outage: HeldOutage,
    /// What is written about the hold.
    pub hold: HoldChange,
    /// Audit events.
    pub entries: Vec<Entry>,
}

/// The outage in which an endpoint is held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HeldOutage {
    /// It began with the hold, at this time.
    Begins(UtcMillis),
    /// It goes on.
    GoesOn,
}

/// A hold in the register.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HoldChange {
    /// It begins; one that is in force ends.
    Placed(HeldTime),
    /// The one in force ends.
    Ended {
        /// When.
        at: UtcMillis,
    },
}

/// What became of a person's word about an endpoint.
#[derive(Clone, Debug)]
pub enum Steered {
    /// It was done; the endpoint as it is now.
    Done(Box<EndpointRecord>),
    /// There is no such endpoint.
    Unknown,
    /// Nothing was done.
    Refused(Refusal),
}

impl From<TripCause> for OutageCause {
    fn from(cause: TripCause) -> Self {
        match cause {
            TripCause::Failures => Self::Failures,
            TripCause::Announced => Self::Announced,
            TripCause::ProbesFailed => Self::ProbesFailed,
            TripCause::ProbesSlow => Self::ProbesSlow,
        }
    }
}

impl OutageCause {
    /// The stored word.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Failures => "failures",
            Self::Announced => "announced",
            Self::ProbesFailed => "probes_failed",
            Self::ProbesSlow => "probes_slow",
            Self::Held => "held",
        }
    }
}

impl Tried {
    /// The stored word.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Operation => "operation",
            Self::LookUp => "look_up",
            Self::Probe => "probe",
        }
    }
}
