//! What the audit is told about an answer: ids, words and numbers; texts of the SoR by their salted digest only.

use holdfast_core::audit::{Entry, EventKind};
use holdfast_core::ids::EndpointName;
use holdfast_core::outcome::{Answer, Doubt, Outcome};

use super::judged::Judged;
use super::weighing::Weighing;
use crate::ports::{Commit, ItemChange, Quarantine, SetAside, StillPending};

impl Weighing<'_> {
    pub(super) fn entry(&self, judged: &Judged, change: &ItemChange) -> Entry {
        let entry = match change {
            ItemChange::Committed(commit) => self.commit_entry(judged, commit),
            ItemChange::Quarantined(quarantine) => self.quarantine_entry(quarantine),
            ItemChange::Pending(still) => pending_entry(still),
        };
        let entry = entry.of(self.item.operation_id).with("endpoint", &self.facts.endpoint.name);
        let entry = entry.with("outcome", judged.word()).with("attempt", self.item.attempts);
        match self.status {
            Some(status) => entry.with("status", status),
            None => entry,
        }
    }

    fn commit_entry(&self, judged: &Judged, commit: &Commit) -> Entry {
        let kind = match judged {
            Judged::Send { outcome: Outcome::AlreadyCommitted { .. }, .. } | Judged::LookUp(_) => {
                EventKind::OperationFound
            }
            Judged::Send { .. } => EventKind::OperationCommitted,
        };
        let receipt = &commit.receipt;
        let entry = Entry::new(kind).with("record_id", &receipt.record_id).with("etag", &receipt.etag);
        let entry = entry.with("applied_at", receipt.applied_at);
        let entry = receipt.permit_num.iter().fold(entry, |entry, number| entry.with("permit_num", number));
        if receipt.warnings.is_empty() {
            return entry;
        }
        // Texts of the SoR may hold personal values: the chain gets their salted digest only.
        let texts = serde_json::to_string(&receipt.warnings).unwrap_or_default();
        entry.with_private("warnings", self.ended.salt, texts)
    }

    fn quarantine_entry(&self, quarantine: &Quarantine) -> Entry {
        let entry = Entry::new(EventKind::OperationQuarantined).with("reason", quarantine.reason.word());
        let entry = entry.with("doubt", quarantine.doubt);
        let entry = match quarantine.answer.get("type") {
            Some(problem) => entry.with("problem", problem),
            None => entry,
        };
        match quarantine.answer.get("errors") {
            // Pointers and codes are texts of the SoR, too.
            Some(errors) => entry.with_private("errors", self.ended.salt, errors.to_string()),
            None => entry,
        }
    }
}

pub(super) fn set_aside_entry(set_aside: &SetAside, endpoint: &EndpointName) -> Entry {
    let entry = Entry::new(EventKind::OperationQuarantined).of(set_aside.operation_id);
    let entry = entry.with("reason", set_aside.reason.word()).with("outcome", set_aside.outcome);
    entry.with("endpoint", endpoint)
}

fn pending_entry(still: &StillPending) -> Entry {
    let kind = match still.doubt {
        Doubt::None => EventKind::OperationWaiting,
        Doubt::Sent => EventKind::OperationInDoubt,
        Doubt::Received => EventKind::OperationReceived,
    };
    let entry = Entry::new(kind).with("next_step", still.next_step).with("doubt", still.doubt);
    match &still.wait {
        Some(wait) => entry.with("wait_ms", wait.length_ms).with("wait_cause", wait.cause),
        None => entry,
    }
}

pub(super) fn reply_status(answer: &Answer) -> Option<u16> {
    match answer {
        Answer::Replied(reply) => Some(reply.status),
        Answer::NotAsked | Answer::Unreachable(_) | Answer::Lost(_) => None,
    }
}
