//! Whose fault a failure is: the endpoint's, or the operation's own.
//!
//! Promise: nothing is charged to an operation unless the endpoint was seen to work for somebody else since the
//! operation's previous failure; so nothing is ever quarantined because the SoR was down. Only answers with verdict
//! failure are asked about here; health probes and token requests never are.

use serde::{Deserialize, Serialize};

use crate::breaker::Verdict;
use crate::certificate::{CertificateSays, TimeTold};
use crate::ids::ApplicationId;
use crate::wait::WaitCause;

/// A position in the order of what this station has seen: the audit's sequence number. Only rises.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Mark(pub u64);

/// What is remembered of an endpoint, persisted beside its breaker.
///
/// Two marks are enough to know the last good answer of any lane but one: the newest lane's, and the newest of all the
/// others.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct EndpointMemory {
    newest_good: Option<Good>,
    newest_good_elsewhere: Option<Mark>,
    closed_by_probe: Option<Mark>,
    failed_canary: Option<ApplicationId>,
    #[serde(default)]
    heard: Option<Heard>,
    #[serde(default)]
    certificate: Option<CertificateSays>,
    #[serde(default)]
    told: Option<TimeTold>,
}

/// Who was heard at an endpoint's address the last time that anybody listened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Heard {
    /// The SoR itself.
    Itself,
    /// Somebody else.
    Stranger,
    /// Nobody.
    Nobody,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
struct Good {
    lane: ApplicationId,
    mark: Mark,
}

/// What is remembered of an operation's failures, kept in its row.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ItemFailures {
    /// Failures charged to it while another lane was served.
    pub charged: u32,
    /// Failures charged to it while it was the only lane and the endpoint's health was good.
    pub alone: u32,
    /// All its failures, whoever was charged: its back-off grows with them.
    pub failures: u32,
    /// Its last failure, whoever was charged.
    pub last_failure: Option<Mark>,
}

/// To whom a failure is charged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Charge {
    /// The endpoint.
    Endpoint,
    /// The operation: others were served.
    Item,
    /// The operation: there were no others, and the endpoint's health was good.
    ItemAlone,
}

/// What follows for the operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AfterCharge {
    /// It waits, for this cause and this long.
    Wait(WaitCause, Pause),
    /// It is quarantined as `fails-alone`.
    FailsAlone,
    /// It waits the longest back-off and is shown as needing a person; it stays in the queue.
    NeedsPerson,
}

/// How long a wait after a failure is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Pause {
    /// The back-off after as many failures as the operation has had.
    Backoff,
    /// The longest back-off.
    Longest,
}

/// To whom the failure of an operation (or of its look-up) in `lane` is charged.
#[must_use]
pub fn charge(memory: &EndpointMemory, lane: ApplicationId, item: &ItemFailures) -> Charge {
    let Some(previous) = item.last_failure else {
        return Charge::Endpoint;
    };
    let since = |mark: Option<Mark>| mark.is_some_and(|mark| mark > previous);
    if since(memory.last_good_of_others(lane)) {
        Charge::Item
    } else if since(memory.closed_by_probe) {
        Charge::ItemAlone
    } else {
        Charge::Endpoint
    }
}

/// What follows for an operation, given its failures with this one counted in ([`ItemFailures::with`]).
#[must_use]
pub fn after_charge(charge: Charge, item: &ItemFailures, item_failures_max: u32) -> AfterCharge {
    match charge {
        Charge::Endpoint => AfterCharge::Wait(WaitCause::Endpoint, Pause::Backoff),
        Charge::Item if item.charged >= item_failures_max => AfterCharge::FailsAlone,
        Charge::Item => AfterCharge::Wait(WaitCause::Item, Pause::Backoff),
        Charge::ItemAlone if item.alone >= item_failures_max => AfterCharge::NeedsPerson,
        Charge::ItemAlone => AfterCharge::Wait(WaitCause::Item, Pause::Longest),
    }
}

impl EndpointMemory {
    /// An operation, or a look-up, of this lane had a verdict; success and alive are good.
    pub fn answered(&mut self, lane: ApplicationId, verdict: Verdict, mark: Mark) {
        match verdict {
            Verdict::Success | Verdict::Alive => self.good(lane, mark),
            Verdict::Neutral | Verdict::Failure | Verdict::None => {}
        }
    }

    /// Somebody listened.
    pub fn hear(&mut self, heard: Heard) {
        self.heard = Some(heard);
    }

    /// What its certificate says, if that is why nobody was heard.
    pub fn shown_certificate(&mut self, says: Option<CertificateSays>) {
        self.certificate = says;
    }

    /// The SoR told the time.
    pub fn told_time(&mut self, told: TimeTold) {
        self.told = Some(told);
    }

    /// What its certificate said last, if that is why nobody was heard.
    #[must_use]
    pub fn certificate(&self) -> Option<CertificateSays> {
        self.certificate
    }

    /// The time that the SoR told last.
    #[must_use]
    pub fn time_told(&self) -> Option<TimeTold> {
        self.told
    }

    /// Who was heard last; none before the first request.
    #[must_use]
    pub fn heard(&self) -> Option<Heard> {
        self.heard
    }

    /// Whether nothing was ever asked of it.
    #[must_use]
    pub fn is_untried(&self) -> bool {
        self.heard.is_none() && self.newest_good.is_none() && self.closed_by_probe.is_none()
    }

    /// A health probe closed the breaker.
    pub fn closed_by_probe(&mut self, mark: Mark) {
        self.closed_by_probe = Some(mark);
        self.failed_canary = None;
    }

    /// An operation closed the breaker.
    pub fn closed(&mut self) {
        self.failed_canary = None;
    }

    /// A canary failed: an operation of this lane, or a health probe.
    pub fn canary_failed(&mut self, lane: Option<ApplicationId>) {
        self.failed_canary = lane;
    }

    /// The lane whose operation was the last canary and failed; the next canary comes from another.
    #[must_use]
    pub fn failed_canary(&self) -> Option<ApplicationId> {
        self.failed_canary
    }

    /// The last good answer to any lane but this one.
    #[must_use]
    pub fn last_good_of_others(&self, lane: ApplicationId) -> Option<Mark> {
        match self.newest_good {
            Some(good) if good.lane != lane => Some(good.mark),
            Some(_) | None => self.newest_good_elsewhere,
        }
    }

    fn good(&mut self, lane: ApplicationId, mark: Mark) {
        if let Some(before) = self.newest_good.filter(|good| good.lane != lane) {
            self.newest_good_elsewhere = Some(before.mark);
        }
        self.newest_good = Some(Good { lane, mark });
    }
}

impl ItemFailures {
    /// These failures and one more.
    #[must_use]
    pub fn with(self, charge: Charge, mark: Mark) -> Self {
        let (charged, alone) = match charge {
            Charge::Endpoint => (0, 0),
            Charge::Item => (1, 0),
            Charge::ItemAlone => (0, 1),
        };
        Self {
            charged: self.charged.saturating_add(charged),
            alone: self.alone.saturating_add(alone),
            failures: self.failures.saturating_add(1),
            last_failure: Some(mark),
        }
    }
}

impl Charge {
    /// What the breaker is told of a failure: nothing, when it is the operation's. The failure of a canary always
    /// counts: it was sent to learn about the endpoint, and a half-open breaker that learns nothing would send another
    /// at once.
    #[must_use]
    pub fn verdict(self, verdict: Verdict, is_canary: bool) -> Verdict {
        match self {
            Self::Endpoint => verdict,
            Self::Item | Self::ItemAlone if is_canary => verdict,
            Self::Item | Self::ItemAlone => Verdict::None,
        }
    }
}
