//! What the window shows on every screen, and what it is told without asking.
//!
//! Promise: causes are facts with their figures; which one is shown first and in which words is the window's business.
//! Deliberately not here: losing contact with the station, which only the window itself can notice.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::view::StatusView;

/// What a window needs to know once: where it stands and whom to call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct HouseView {
    /// Name of the city, as on paper.
    pub city: String,
    /// This station.
    pub station: String,
    /// Version of Holdfast.
    pub version: String,
    /// Whom to call, with the number, from the configuration.
    pub contact: String,
    /// Who can load a rules file, from the configuration.
    pub rules_contact: String,
    /// Whether what is done here reaches the permit system.
    pub rehearsal: Rehearsal,
}

/// Whether the work is real.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Rehearsal {
    /// It is.
    None,
    /// A rehearsed outage.
    Drill,
    /// A demonstration on made-up data.
    Demo,
}

/// Mode bar and strip in one answer, so that the two never contradict each other.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct StandingView {
    /// The moment of all of it, RFC 3339 UTC.
    pub at: String,
    /// The numbers.
    pub status: StatusView,
    /// Every cause that holds, in any order; none when all is calm.
    pub causes: Vec<ModeCause>,
    /// Each endpoint in a person's terms.
    pub endpoints: Vec<EndpointView>,
    /// Until when the rules are good.
    pub rules_until: Option<String>,
}

/// Something that the mode bar has to tell. Times are RFC 3339 UTC.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "cause", rename_all = "snake_case")]
pub enum ModeCause {
    /// Intake is paused: a write to the disk failed.
    DiskFailed {
        /// When.
        at: String,
    },
    /// Intake is paused: the rules are too old.
    RulesTooOld {
        /// Their age in hours.
        age_h: u32,
        /// How old they may be, in hours.
        limit_h: u32,
    },
    /// Intake is paused: there are no rules yet.
    RulesAbsent,
    /// Intake is paused: too little room.
    RoomShort {
        /// Mebibytes left.
        free_mib: u32,
    },
    /// The SoR came back from an older copy.
    RestoredOlder {
        /// Recorded operations that it no longer has.
        missing: u32,
    },
    /// This station came back from an older copy of its own data.
    StationRestored {
        /// When it was noticed.
        at: String,
        /// The first receipt number that is not given out again.
        first: u32,
        /// The last.
        last: u32,
    },
    /// The SoR answers, and what could be sent lies.
    Wedged {
        /// Since when.
        since: String,
        /// Operations waiting.
        waiting: u32,
    },
    /// The SoR rejects many for one reason.
    Drift {
        /// Which field, as a JSON pointer; empty for the whole.
        pointer: String,
        /// Operations set aside for it.
        count: u32,
    },
    /// A configuration lies there that is not taken; the one before stays.
    ConfigurationRefused {
        /// The file, or the environment.
        file: String,
        /// The key that is wrong, where there is one.
        key: Option<String>,
        /// What is wrong, for whoever looks after the computer.
        problem: String,
    },
    /// Few permit numbers are left to give out.
    NumbersLow {
        /// How many.
        left: u32,
    },
    /// No permit number is left: what is accepted now gets its number when it is recorded.
    NumbersNoneLeft,
    /// The SoR's certificate is refused for its time.
    CertificateRefused {
        /// Whose fault that is.
        fault: CertificateFault,
        /// When it ended, or begins.
        at: String,
        /// What time it is, by this computer's clock.
        here: String,
    },
    /// The SoR refuses this station.
    StationRefused {
        /// Since when.
        since: String,
    },
    /// A person stopped sending.
    SendingStopped {
        /// Until when.
        until: String,
        /// Who.
        by: String,
        /// Why, in that person's words.
        reason: String,
    },
    /// Maintenance that the SoR announced.
    Maintenance {
        /// Until when.
        until: String,
    },
    /// The SoR does not answer.
    NotAnswering {
        /// Since when.
        since: String,
        /// Operations waiting.
        waiting: u32,
        /// When the oldest of them was accepted.
        oldest: Option<String>,
    },
    /// The backlog is being sent.
    CatchingUp {
        /// Recorded so far.
        recorded: u32,
        /// Of how many.
        of: u32,
        /// Estimate; none before twenty are recorded.
        minutes_left: Option<u32>,
    },
    /// The session of the signed-in person ends soon.
    SessionEnds {
        /// When.
        at: String,
    },
    /// Operations wait for a person.
    NeedsDecision {
        /// How many.
        count: u32,
        /// Whether they are the signed-in person's own, sent back.
        own: bool,
    },
    /// An outage ended and its backlog is disposed of.
    OutageOver {
        /// When it began.
        from: String,
        /// When it ended.
        until: String,
        /// How many were recorded.
        recorded: u32,
        /// How many need a decision.
        decisions: u32,
    },
}

/// One endpoint as a person is told of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct EndpointView {
    /// Its name in the configuration.
    pub name: String,
    /// What it does.
    pub doing: EndpointDoing,
}

/// What an endpoint does, in a person's terms. Times are RFC 3339 UTC.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "doing", rename_all = "snake_case")]
pub enum EndpointDoing {
    /// It answers.
    Answering,
    /// It does not.
    NotAnswering {
        /// When it is asked again.
        next_try_at: Option<String>,
    },
    /// One request is out to see whether it answers again.
    TryingOnce,
    /// It asked to be left alone until then.
    AsksToWait {
        /// Until when.
        until: String,
    },
    /// A person stopped sending to it.
    Stopped {
        /// Who.
        by: String,
    },
    /// Something else answers at its address.
    WrongSystem,
    /// It refuses this station.
    RefusesStation,
    /// It was not asked yet.
    NotTried,
}

/// Whose fault it is that a certificate does not hold now.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum CertificateFault {
    /// This computer's clock is wrong.
    ThisClock,
    /// The certificate ended, whatever the clock says.
    Certificate,
    /// It can be either.
    Unclear,
}

/// Told to every window, in order. Each one proves that the station lives.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct StationEvent {
    /// When, RFC 3339 UTC.
    pub at: String,
    /// What.
    pub told: Told,
}

/// What a window is told.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "told", rename_all = "snake_case")]
pub enum Told {
    /// Nothing new; sent every two seconds.
    Heartbeat,
    /// What is shown of these is out of date.
    Changed {
        /// Which.
        topics: Vec<Topic>,
    },
    /// A drain began.
    DrainBegan {
        /// Operations to send.
        of: u32,
    },
    /// A drain goes on.
    DrainGoesOn {
        /// Recorded so far.
        recorded: u32,
        /// Of how many.
        of: u32,
    },
    /// A drain ended.
    DrainEnded {
        /// Recorded in it.
        recorded: u32,
        /// Put before a person in it.
        decisions: u32,
        /// Still waiting.
        waiting: u32,
    },
    /// Somebody wants to close the window while work waits.
    Closing {
        /// How much.
        waiting: u32,
    },
}

/// What can go out of date on a screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Topic {
    /// Mode bar and strip.
    Standing,
    /// Operations.
    Queue,
    /// Applications.
    Applications,
    /// The rules.
    Contract,
    /// Who is signed in.
    Session,
    /// Copies of the SoR's records and inspections.
    Copies,
    /// The outage register.
    Outages,
    /// Whether there is a station behind the window.
    Start,
}
