//! The board: what a station tells of itself, so that others know what lies there when it is gone.
//!
//! Promise: a report names what waits by its numbers, its times and who handed it in, and holds nothing of what was handed
//! in: it has no member that could. It fits into one JSON object however long the backlog is, and says how much it leaves
//! out. What a board is told is never believed against the station's own signature, and a word that is older than the last
//! one changes nothing. Where the board is, and whether it answers, is not known here.

use serde::{Deserialize, Serialize};

use crate::audit::{Head, SignedHead};
use crate::books::Books;
use crate::canonical::digest_of;
use crate::ids::{ActorId, Digest, LocalSeq, PermitNum, ProgramVersion, ReceiptNo, StationId};
use crate::lane::State;
use crate::mode::Mode;
use crate::operation::Kind;
use crate::outcome::QuarantineReason;
use crate::sign::PublicKey;
use crate::time::{Now, UtcMillis};

/// Version of the report's bytes.
pub const BOARD_REPORT_VERSION: u32 = 1;
/// Operations that one report names, in rows: the oldest of those that wait. With as many of the longest a report still
/// fits into one JSON object ([`crate::limits::JSON_MAX_BYTES`]).
pub const BOARD_WAITING_MAX_ROWS: usize = 500;
/// A board hears of a station at least this often, in milliseconds, so that silence means something.
pub const BOARD_TELL_AT_LEAST_MS: u64 = 5 * 60_000;

/// A station that the board has not heard for longer is silent, in milliseconds: two words of it did not come.
pub const BOARD_SILENT_AFTER_MS: i64 = 11 * 60_000;

/// What a station tells the board.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BoardReport {
    /// [`BOARD_REPORT_VERSION`].
    pub v: u32,
    /// The station.
    pub station_id: StationId,
    /// When, by the station's own time: never before its last audit event.
    pub told_at: UtcMillis,
    /// The version of its program.
    pub program: ProgramVersion,
    /// How it stands.
    pub mode: Mode,
    /// Since when, in an outage.
    pub since: Option<UtcMillis>,
    /// Its books.
    pub books: Books,
    /// When the oldest of what waits to be sent was accepted.
    pub oldest_accepted_at: Option<UtcMillis>,
    /// What waits, the oldest first; [`BOARD_WAITING_MAX_ROWS`] at the most.
    pub waiting: Vec<WaitingTold>,
    /// How many more wait.
    pub left_out: u64,
    /// The contract in use.
    pub contract: Option<ContractTold>,
    /// The head of its audit, signed by the station.
    pub audit_head: SignedHead,
}

/// An operation that waits, without anything of what it holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WaitingTold {
    /// On its receipt.
    pub receipt_no: ReceiptNo,
    /// Its application's number, where one is known.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub permit_num: Option<PermitNum>,
    /// What it is.
    pub kind: Kind,
    /// When it was accepted.
    pub accepted_at: UtcMillis,
    /// Who handed it in; none when the row cannot be read.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub actor: Option<ActorId>,
    /// What has become of it.
    pub state: State,
    /// Why it waits for a person.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub reason: Option<QuarantineReason>,
}

/// The contract that a station goes by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ContractTold {
    /// Its version.
    pub version: u64,
    /// Whether it holds.
    pub valid: bool,
}

/// What a board has of a station.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BoardRow {
    /// When the station was heard last, by the board's clock.
    pub heard_at: UtcMillis,
    /// The highest head that it told, of the database that it has now.
    pub head: SignedHead,
    /// What it told last.
    pub report: BoardReport,
}

impl BoardRow {
    /// Whether the station is silent, by the board's own time.
    #[must_use]
    pub fn is_silent(&self, as_of: UtcMillis) -> bool {
        as_of.millis_since(self.heard_at) > BOARD_SILENT_AFTER_MS
    }
}

/// What a report is made of.
#[derive(Clone, Debug)]
pub struct BoardFacts {
    /// The moment, never before the last audit event.
    pub told_at: UtcMillis,
    /// The version of the program.
    pub program: ProgramVersion,
    /// How the station stands.
    pub mode: Mode,
    /// Since when the primary's breaker is as it is.
    pub breaker_since: UtcMillis,
    /// The books.
    pub books: Books,
    /// When the oldest of what waits to be sent was accepted.
    pub oldest_accepted_at: Option<UtcMillis>,
    /// What waits, the oldest first; as many as were read.
    pub waiting: Vec<WaitingTold>,
    /// The contract in use.
    pub contract: Option<ContractTold>,
    /// The signed head of the audit.
    pub audit_head: SignedHead,
}

/// What is told.
#[must_use]
pub fn report(facts: BoardFacts) -> BoardReport {
    let mut waiting = facts.waiting;
    waiting.truncate(BOARD_WAITING_MAX_ROWS);
    let there = facts.books.pending + facts.books.in_flight + facts.books.quarantined;
    BoardReport {
        v: BOARD_REPORT_VERSION,
        station_id: facts.audit_head.head.station_id.clone(),
        told_at: facts.told_at,
        program: facts.program,
        mode: facts.mode,
        since: since(facts.mode, facts.breaker_since),
        books: facts.books,
        oldest_accepted_at: facts.oldest_accepted_at,
        left_out: there.saturating_sub(waiting.len() as u64),
        waiting,
        contract: facts.contract,
        audit_head: facts.audit_head,
    }
}

fn since(mode: Mode, breaker_since: UtcMillis) -> Option<UtcMillis> {
    match mode {
        Mode::Held | Mode::Degraded | Mode::Recovering => Some(breaker_since),
        Mode::IntakePaused | Mode::Normal => None,
    }
}

impl BoardReport {
    /// What it says, whenever it is said: two reports of the same digest tell nothing new.
    #[must_use]
    pub fn digest(&self) -> Digest {
        let mut same_at_any_time = self.clone();
        same_at_any_time.told_at = self.audit_head.head.at;
        digest_of(&same_at_any_time)
    }

    /// Whether it is a report of `station`, whose key this is.
    ///
    /// # Errors
    /// The first thing that is wrong; see [`NotAReport`].
    pub fn check(&self, station: &StationId, key: &PublicKey) -> Result<(), NotAReport> {
        if self.v != BOARD_REPORT_VERSION {
            return Err(NotAReport::Version);
        }
        if self.waiting.len() > BOARD_WAITING_MAX_ROWS {
            return Err(NotAReport::TooManyRows);
        }
        if self.station_id != *station || self.audit_head.head.station_id != *station {
            return Err(NotAReport::OfAnother);
        }
        if !self.waiting.iter().all(|row| is_receipt_of(&row.receipt_no, station)) {
            return Err(NotAReport::Receipt);
        }
        self.audit_head.check(key).map_err(|_| NotAReport::Signature)
    }
}

/// Why something is no report of that station.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotAReport {
    /// Of another version of the bytes.
    #[error("a report of another version")]
    Version,
    /// More rows than a report may have.
    #[error("more than {BOARD_WAITING_MAX_ROWS} rows")]
    TooManyRows,
    /// Of another station.
    #[error("the report of another station")]
    OfAnother,
    /// A receipt number that this station does not give.
    #[error("a receipt number of another station")]
    Receipt,
    /// The head is not signed by the station.
    #[error("the head of the audit is not signed by the station")]
    Signature,
}

fn is_receipt_of(receipt: &ReceiptNo, station: &StationId) -> bool {
    let number = receipt.as_str().strip_prefix(station.as_str()).and_then(|rest| rest.strip_prefix('-'));
    let number = number.and_then(|digits| digits.parse::<u64>().ok());
    number.is_some_and(|n| ReceiptNo::new(station, LocalSeq(n)) == *receipt)
}

/// A station's head at the board, when a report comes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeadAtBoard {
    /// What is kept from now on: the highest of one database; of another database, what is told.
    pub kept: SignedHead,
    /// What is answered: the highest that the board had before, so that a chain which has gone on another way is noticed, too;
    /// what is told, when there was none.
    pub answered: SignedHead,
}

/// What becomes of a station's head at the board.
#[must_use]
pub fn head_at_board(kept: Option<SignedHead>, told: SignedHead) -> HeadAtBoard {
    match kept.filter(|kept| kept.head.db_id == told.head.db_id) {
        Some(kept) if kept.head.seq > told.head.seq => HeadAtBoard { answered: kept.clone(), kept },
        Some(kept) => HeadAtBoard { answered: kept, kept: told },
        None => HeadAtBoard { answered: told.clone(), kept: told },
    }
}

/// Whether a report is older than what a board has of the same database: reports may overtake each other on the way.
#[must_use]
pub fn is_older(kept: &BoardReport, told: &BoardReport) -> bool {
    let same = kept.audit_head.head.db_id == told.audit_head.head.db_id;
    same && told.told_at < kept.told_at
}

/// What a station knows of its own chain, beside a head that a board has of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OwnChain {
    /// The last event.
    pub seq: u64,
    /// The hash of the event with the number of the board's head; none when there is no such event.
    pub hash_there: Option<Digest>,
    /// The last number that was given out here.
    pub last_seq: LocalSeq,
    /// The last head that was the same on both sides, with the last number given out then.
    pub agreed: Option<AgreedHead>,
}

/// A head that both sides had.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AgreedHead {
    /// Its number.
    pub seq: u64,
    /// The last number that had been given out.
    pub last_seq: LocalSeq,
}

/// How a head that a board has of this station stands to the station's own chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "board", rename_all = "snake_case")]
pub enum BoardHead {
    /// It is in the chain.
    Agrees,
    /// It is none of this station's.
    Foreign,
    /// It names an event that the chain does not have: this station came back from an older copy. Numbers up to `through` may
    /// have been given out.
    Ahead {
        /// The last of them.
        through: LocalSeq,
    },
    /// The chain has another event there: this station came back from an older copy, and has gone on since.
    Parted {
        /// The last number that may have been given out on the way that is gone.
        through: LocalSeq,
    },
}

/// Compares them. Each acceptance has an event of its own, so that no more numbers can have been given out than events are
/// missing.
#[must_use]
pub fn compare(own: &Head, key: &PublicKey, kept: &SignedHead, chain: &OwnChain) -> BoardHead {
    let head = &kept.head;
    let is_own = head.station_id == own.station_id && head.db_id == own.db_id && kept.check(key).is_ok();
    if !is_own {
        return BoardHead::Foreign;
    }
    if head.seq > chain.seq {
        return BoardHead::Ahead { through: LocalSeq(chain.last_seq.0 + (head.seq - chain.seq)) };
    }
    // Before the first event there is nothing to disagree about.
    if head.seq == 0 || chain.hash_there == Some(head.hash) {
        return BoardHead::Agrees;
    }
    let agreed = chain.agreed.filter(|agreed| agreed.seq < head.seq);
    let agreed = agreed.unwrap_or(AgreedHead { seq: 0, last_seq: LocalSeq(0) });
    BoardHead::Parted { through: LocalSeq(agreed.last_seq.0 + (head.seq - agreed.seq)) }
}

/// When the board was told last, and what.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LastTold {
    /// When it was tried.
    pub at: Now,
    /// What was said; none when it did not get there.
    pub said: Option<Digest>,
}

/// How long until the board is told, in milliseconds: after `interval_ms` what is new or did not get there, otherwise from
/// time to time that nothing is.
#[must_use]
pub fn due_in_ms(last: Option<&LastTold>, news: &Digest, now: Now, interval_ms: u64) -> u64 {
    let Some(last) = last else { return 0 };
    let after = if last.said == Some(*news) { BOARD_TELL_AT_LEAST_MS } else { interval_ms };
    after.saturating_sub(now.millis_since(last.at))
}

#[cfg(test)]
#[path = "board/tests.rs"]
#[allow(clippy::unwrap_used)]
mod tests;
