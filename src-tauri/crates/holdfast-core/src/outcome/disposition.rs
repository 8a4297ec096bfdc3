//! What is done about an operation after an outcome.
//!
//! A failure's own consequences (how long to wait, whether the fault is the operation's) come on top:
//! [`crate::blame`].

use serde::{Deserialize, Serialize};

use super::answer::Warning;
use super::table::{BusyWith, Outcome, UnknownCause};
use crate::profile::Profile;
use crate::wait::RetryAfter;

/// What is known of the operation beside the outcome.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Item {
    /// How often its parent was missing before this answer.
    pub parent_waits: u32,
    /// How often it may be, then it is quarantined (`parent_waits_max`).
    pub parent_waits_max: u32,
    /// Whether a look-up of this kind can prove anything at this SoR.
    pub look: Look,
}

/// Whether an operation can be found again at its SoR.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Look {
    /// A look-up proves it.
    Provable,
    /// None does: it is sent once.
    Unprovable,
}

/// What is done about the operation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Disposition {
    /// It is recorded: archived in the same transaction.
    Archive {
        /// What the SoR wants a person to know; shown to the supervisor.
        warnings: Vec<Warning>,
        /// Whether this send recorded it, or it was found there.
        how: Archived,
    },
    /// Stays pending; looked up later.
    AskLater,
    /// Stays pending in doubt; looked up before any resend.
    LookUp,
    /// Stays pending in doubt; the same bytes are sent again.
    Resend,
    /// Stays pending and waits.
    Wait(WaitKind),
    /// Waits for its parent.
    WaitForParent,
    /// Waits for a person.
    Quarantine(QuarantineReason),
    /// The token is refreshed once and it is sent again; after a second refusal the drain pauses.
    RefreshTokenOnceThenPause,
    /// [`super::ForbiddenRun`] says whether it is quarantined or the drain pauses.
    ForbiddenStep,
    /// Waits, and the configuration is wrong.
    AlarmAndWait,
    /// As it was.
    Unchanged,
}

/// How it came that an operation is recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Archived {
    /// By this send.
    Sent,
    /// It was there already.
    Found,
}

/// How long it waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WaitKind {
    /// A back-off.
    Backoff,
    /// At least as long as the SoR asked for.
    Until(RetryAfter),
}

/// Why an operation waits for a person.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum QuarantineReason {
    /// The record has changed since.
    Conflict,
    /// The SoR refuses the contents.
    Rejected,
    /// Too large for the SoR.
    TooLarge,
    /// This station sent something that it must never send, as a key with other contents.
    OurDefect,
    /// The person may not.
    Forbidden,
    /// Fails again and again while others succeed.
    FailsAlone,
    /// Its parent did not come.
    ParentMissing,
    /// Its predecessor was voided and left nothing to follow.
    ParentVoided,
    /// Found twice at the SoR.
    Twin,
    /// Its row can't be read.
    Unreadable,
    /// Nobody knows whether it was applied, and no look-up can tell.
    Unprovable,
}

/// What the next attempt at an operation is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NextStep {
    /// Send its bytes.
    Send,
    /// Look it up.
    LookUp,
}

/// What is done about an operation that was sent and had this outcome. One that would have to be looked up, and that no
/// look-up can find, was sent once: a person finds out.
#[must_use]
pub fn dispose(outcome: &Outcome, item: &Item, profile: Profile) -> Disposition {
    match (next_step_after(outcome, profile), item.look) {
        (NextStep::LookUp, Look::Unprovable) => Disposition::Quarantine(QuarantineReason::Unprovable),
        (NextStep::LookUp, Look::Provable) | (NextStep::Send, Look::Provable | Look::Unprovable) => {
            dispose_of(outcome, item, profile)
        }
    }
}

fn dispose_of(outcome: &Outcome, item: &Item, profile: Profile) -> Disposition {
    match outcome {
        Outcome::Committed { receipt } => archive(receipt.warnings.clone(), Archived::Sent),
        Outcome::AlreadyCommitted { receipt } => archive(receipt.warnings.clone(), Archived::Found),
        Outcome::Received => Disposition::AskLater,
        Outcome::Busy { retry_after, .. } | Outcome::Throttled { retry_after } => wait(*retry_after),
        Outcome::Unavailable { retry_after } => wait(Some(*retry_after)),
        Outcome::Unreachable(_) => wait(None),
        Outcome::Conflict { .. } => Disposition::Quarantine(QuarantineReason::Conflict),
        Outcome::ParentMissing if item.parent_waits < item.parent_waits_max => Disposition::WaitForParent,
        Outcome::ParentMissing => Disposition::Quarantine(QuarantineReason::ParentMissing),
        Outcome::TooLarge => Disposition::Quarantine(QuarantineReason::TooLarge),
        Outcome::OurDefect { .. } => Disposition::Quarantine(QuarantineReason::OurDefect),
        Outcome::Rejected { .. } => Disposition::Quarantine(QuarantineReason::Rejected),
        Outcome::StationUnauthorized => Disposition::RefreshTokenOnceThenPause,
        Outcome::Forbidden { .. } => Disposition::ForbiddenStep,
        Outcome::Unknown(_) | Outcome::Impostor => in_doubt(outcome, profile),
        Outcome::Misdirected => Disposition::AlarmAndWait,
        Outcome::NotAsked => Disposition::Unchanged,
    }
}

/// What the next attempt is, after a send with this outcome, if there is one. After a look-up:
/// [`crate::look_up::LookUp::next_step`].
#[must_use]
pub fn next_step_after(outcome: &Outcome, profile: Profile) -> NextStep {
    match outcome {
        Outcome::Received | Outcome::Impostor | Outcome::Unknown(UnknownCause::Untyped) => NextStep::LookUp,
        Outcome::Unknown(UnknownCause::Unanswered)
        | Outcome::Misdirected
        | Outcome::Busy { with: BusyWith::ThisOperation, .. } => {
            if profile.has_keys() {
                NextStep::Send
            } else {
                NextStep::LookUp
            }
        }
        Outcome::Committed { .. }
        | Outcome::AlreadyCommitted { .. }
        | Outcome::Busy { with: BusyWith::TheRecord, .. }
        | Outcome::Conflict { .. }
        | Outcome::ParentMissing
        | Outcome::TooLarge
        | Outcome::OurDefect { .. }
        | Outcome::Rejected { .. }
        | Outcome::StationUnauthorized
        | Outcome::Forbidden { .. }
        | Outcome::Throttled { .. }
        | Outcome::Unavailable { .. }
        | Outcome::Unreachable(_)
        | Outcome::NotAsked => NextStep::Send,
    }
}

impl QuarantineReason {
    /// Every reason.
    pub const ALL: [Self; 11] = [
        Self::Conflict,
        Self::Rejected,
        Self::TooLarge,
        Self::OurDefect,
        Self::Forbidden,
        Self::FailsAlone,
        Self::ParentMissing,
        Self::ParentVoided,
        Self::Twin,
        Self::Unreadable,
        Self::Unprovable,
    ];

    /// The stored and shown word.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Conflict => "conflict",
            Self::Rejected => "rejected",
            Self::TooLarge => "too-large",
            Self::OurDefect => "our-defect",
            Self::Forbidden => "forbidden",
            Self::FailsAlone => "fails-alone",
            Self::ParentMissing => "parent-missing",
            Self::ParentVoided => "parent-voided",
            Self::Twin => "twin",
            Self::Unreadable => "unreadable",
            Self::Unprovable => "unprovable",
        }
    }

    /// The reason that a word names.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|reason| reason.word() == word)
    }
}

impl Archived {
    /// How an archived operation came to be recorded, by the word of its last outcome.
    #[must_use]
    pub fn from_outcome_word(word: &str) -> Option<Self> {
        match word {
            "committed" => Some(Self::Sent),
            "already_committed" => Some(Self::Found),
            _ => None,
        }
    }
}

impl NextStep {
    /// The stored word.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Send => "send",
            Self::LookUp => "look_up",
        }
    }

    /// The step that a word names.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Self> {
        [Self::Send, Self::LookUp].into_iter().find(|step| step.word() == word)
    }
}

fn archive(warnings: Vec<Warning>, how: Archived) -> Disposition {
    Disposition::Archive { warnings, how }
}

fn wait(retry_after: Option<RetryAfter>) -> Disposition {
    Disposition::Wait(retry_after.map_or(WaitKind::Backoff, WaitKind::Until))
}

fn in_doubt(outcome: &Outcome, profile: Profile) -> Disposition {
    match next_step_after(outcome, profile) {
        NextStep::Send => Disposition::Resend,
        NextStep::LookUp => Disposition::LookUp,
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn a_reason_and_a_step_are_stored_as_the_word_that_is_shown() {
        for reason in QuarantineReason::ALL {
            assert_eq!(QuarantineReason::from_word(reason.word()), Some(reason));
            assert_eq!(serde_json::to_string(&reason).unwrap(), format!("\"{}\"", reason.word()));
        }
        for step in [NextStep::Send, NextStep::LookUp] {
            assert_eq!(NextStep::from_word(step.word()), Some(step));
            assert_eq!(serde_json::to_string(&step).unwrap(), format!("\"{}\"", step.word()));
        }
    }

    #[test]
    fn what_no_look_up_can_find_is_sent_once_and_then_waits_for_a_person() {
        let unprovable = Item { parent_waits: 0, parent_waits_max: 20, look: Look::Unprovable };
        let provable = Item { look: Look::Provable, ..unprovable };
        let person = Disposition::Quarantine(QuarantineReason::Unprovable);
        let profile = Profile::LookBeforeWrite;
        for outcome in [
            Outcome::Unknown(UnknownCause::Unanswered),
            Outcome::Unknown(UnknownCause::Untyped),
            Outcome::Impostor,
            Outcome::Received,
            Outcome::Misdirected,
            Outcome::Busy { with: BusyWith::ThisOperation, retry_after: None },
        ] {
            assert_eq!(dispose(&outcome, &unprovable, profile), person, "{outcome:?}");
            assert_ne!(dispose(&outcome, &provable, profile), person, "{outcome:?}");
        }
        let not_sent = Outcome::Unreachable(crate::outcome::Unreachable::Refused);
        assert_eq!(dispose(&not_sent, &unprovable, profile), Disposition::Wait(WaitKind::Backoff));
    }
}
