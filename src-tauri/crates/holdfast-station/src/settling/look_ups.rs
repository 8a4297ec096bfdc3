//! What becomes of an operation after its look-up, and when an SoR without keys is looked at once more.
//!
//! Promise: that it is not there is believed only when core says so; until then the lane waits, and neither a breaker that
//! closes nor a clock that is set makes it shorter. What is found twice goes to a person with the ids of both.

use holdfast_core::look_up::LookUp;
use holdfast_core::outcome::{
    Answer, Look, NextStep, Outcome, QuarantineReason, ReadBack, ReceiptBody, Sent, WaitKind,
};
use holdfast_core::settle::{Absence, SettleTime, absence, is_looked_at_again, look_of};
use holdfast_core::wait::WaitCause;

use super::weighing::Weighing;
use super::{Aftermath, Ended};
use crate::ports::{Doubled, ItemChange};

impl Ended {
    pub(super) fn settle_time(&self) -> SettleTime {
        SettleTime {
            settle_ms: u64::from(self.settings.settle_s) * 1_000,
            attempt_ms: self.settings.attempt_ms(),
        }
    }
}

impl Weighing<'_> {
    pub(super) fn after_look_up(&self, found: &LookUp) -> (ItemChange, Aftermath) {
        let word = found.word();
        let doubt = found.doubt_after(self.item.doubt);
        match found {
            LookUp::AlreadyCommitted { receipt } => (self.commit(receipt, word), Aftermath::Found),
            LookUp::Received => {
                let wait = self.wait(WaitCause::Received, self.back_off());
                (self.pending(doubt, found.next_step(), Some(wait), word), Aftermath::Waits)
            }
            LookUp::Twin { record_ids } => {
                let quarantine = self.quarantined(QuarantineReason::Twin, doubt, word, self.kept(None));
                let doubled =
                    Doubled { quarantine, record_ids: record_ids.clone(), receipt: self.stays.clone() };
                (ItemChange::Twin(Box::new(doubled)), Aftermath::Quarantined)
            }
            LookUp::Absent => self.after_absence(),
            LookUp::StillInDoubt { .. }
                if look_of(self.item.kind, self.ended.profile) == Look::Unprovable =>
            {
                let reason = QuarantineReason::Unprovable;
                let quarantine = self.quarantined(reason, doubt, word, self.kept(None));
                (ItemChange::Quarantined(quarantine), Aftermath::Quarantined)
            }
            LookUp::StillInDoubt { why: Outcome::StationUnauthorized } => {
                (self.pending(doubt, found.next_step(), None, word), Aftermath::TokenRefused)
            }
            LookUp::StillInDoubt { why } => {
                let kind = why.retry_after().map_or(WaitKind::Backoff, WaitKind::Until);
                self.waiting(kind, doubt, found.next_step(), word)
            }
        }
    }

    /// What is not there yet is looked for once more when the settle time is over: an earlier look can only end the doubt
    /// by finding it.
    fn after_absence(&self) -> (ItemChange, Aftermath) {
        let found = LookUp::Absent;
        let change = match self.absence() {
            Absence::Believed => {
                let doubt = found.doubt_after(self.item.doubt);
                self.pending(doubt, found.next_step(), None, found.word())
            }
            Absence::TooEarly { left_ms } => {
                let wait = self.wait(WaitCause::Settle, left_ms);
                self.pending(self.item.doubt.or_sent(), NextStep::LookUp, Some(wait), found.word())
            }
        };
        (change, Aftermath::Waits)
    }

    pub(super) fn absence(&self) -> Absence {
        let Ended { profile, asked, .. } = self.ended;
        absence(*profile, self.item.last_sent, *asked, self.ended.settle_time())
    }

    /// After a commit at an SoR without keys; none where another look would prove nothing.
    pub(super) fn second_look_ms(&self) -> Option<u64> {
        is_looked_at_again(self.item.kind, self.ended.profile).then(|| self.ended.settle_time().settle_ms)
    }
}

/// The receipt of the first of those that carry the reference, as far as it was read.
pub(super) fn first_of_several(answer: &Answer, sent: &Sent) -> Option<ReceiptBody> {
    let reply = match answer {
        Answer::Replied(reply) => reply,
        Answer::NotAsked | Answer::Unreachable(_) | Answer::Lost(_) => return None,
    };
    let read = reply.read_back(sent)?;
    let first = read.carriers.first()?;
    let receipt = ReadBack { carriers: vec![first.clone()], ..read.clone() }.receipt(sent)?;
    // An application's carriers are records themselves: the first of them is the one that stays.
    let is_record = read.record.as_ref().is_some_and(|record| read.carriers.contains(&record.record_id));
    let record_id = if is_record { first.clone() } else { receipt.record_id.clone() };
    Some(ReceiptBody { record_id, ..receipt })
}
