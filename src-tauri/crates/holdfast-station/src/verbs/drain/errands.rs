//! What a drain asks of the SoR besides sending operations.
//!
//! Promise: an errand is asked only while the primary's breaker is closed, one request at a time, and between two attempts:
//! it delays no operation by more than that request. Each errand has a file of its own in `crate::errands`, finds out from
//! the journal whether it is due, and one that comes to nothing never holds up the next.

use std::time::Duration;

use holdfast_core::breaker::Admission;
use holdfast_core::ids::EndpointName;
use holdfast_wire::DrainStop;

use super::{Run, on_journal};
use crate::errands::reprove::{self, Step};
use crate::errands::second_look::{self, Looked};
use crate::errands::theirs;
use crate::errands::{changes, numbers};
use crate::ports::JournalError;
use crate::station::Station;

/// Between two looks for what was recorded, in milliseconds: the SoR has others to answer.
const LOOK_EVERY_MS: u64 = 10;
/// After a look that came to nothing, in milliseconds.
const NO_ANSWER_WAIT_MS: u64 = 1_000;
/// So many of them end the drain.
const NO_ANSWERS_MAX: u32 = 5;

/// Whether errands are looked for before the next attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ErrandsDue {
    /// When the drain begins, when the breaker has closed, and when nothing can be sent.
    Now,
    /// They were looked for, and an operation could be sent since.
    Later,
}

impl Run<'_> {
    /// Runs the errands that are due; `Some` when one of them found that nothing may be sent.
    pub(super) async fn errands(&mut self) -> Result<Option<DrainStop>, JournalError> {
        match std::mem::replace(&mut self.errands_due, ErrandsDue::Later) {
            ErrandsDue::Now if is_closed(self.station).await? => self.run_errands().await,
            ErrandsDue::Now | ErrandsDue::Later => Ok(None),
        }
    }

    /// In this order.
    async fn run_errands(&mut self) -> Result<Option<DrainStop>, JournalError> {
        if let Some(stopped) = self.reprove().await? {
            return Ok(Some(stopped));
        }
        theirs::fetch(self.station).await?;
        self.second_looks().await?;
        numbers::look_after(self.station).await?;
        changes::follow(self.station).await?;
        Ok(None)
    }

    /// A few; what is left of them goes on after the next attempt, or at once when there is none.
    async fn second_looks(&mut self) -> Result<(), JournalError> {
        let twins = match second_look::look(self.station).await? {
            Looked::Through { twins } => twins,
            Looked::More { twins } => {
                self.errands_due = ErrandsDue::Now;
                twins
            }
        };
        self.progress.quarantined += twins;
        Ok(())
    }

    /// First of all: what the SoR lost has to be settled before anything builds on it.
    async fn reprove(&mut self) -> Result<Option<DrainStop>, JournalError> {
        let mut without_answer = 0;
        loop {
            match reprove::step(self.station).await? {
                Step::GoesOn => return Ok(None),
                Step::Pauses => return Ok(Some(DrainStop::Paused)),
                Step::NoAnswer if without_answer == NO_ANSWERS_MAX => return Ok(Some(DrainStop::Paused)),
                Step::NoAnswer => {
                    without_answer += 1;
                    self.sleep(NO_ANSWER_WAIT_MS).await?;
                }
                Step::Looked => {
                    self.sleep(LOOK_EVERY_MS).await?;
                }
            }
            if self.stop.is_asked() || self.time_left() == Some(Duration::ZERO) {
                return Ok(Some(DrainStop::Time));
            }
        }
    }
}

/// Whether the primary's breaker is closed and its first drain may begin.
async fn is_closed(station: &Station) -> Result<bool, JournalError> {
    let now = station.now();
    let standing = on_journal(&station.ports.journal, |journal| journal.standing()).await?;
    let name = EndpointName::primary();
    let primary = standing.endpoints.iter().find(|endpoint| endpoint.name == name);
    Ok(primary.is_some_and(|endpoint| {
        let rests = endpoint.first_drain.is_some_and(|wait| wait.left_ms(now) > 0);
        endpoint.breaker.admission(now) == Admission::Closed && !rests
    }))
}
