//! Telling the board how this station stands, so that others know what lies here when it is gone.
//!
//! Promise: the board is told apart from everything else, and above all while the SoR does not answer; it has a breaker and
//! outages of its own, and one that is down, slow or strange changes nothing for whoever stands at the counter, and nothing
//! for what is sent. One report at a time. What the board has of this station beyond what is here is a sign that this station
//! came back from an older copy: told once, and no number that may have been given out is given out again.

use std::future::Future;
use std::time::Duration;

use holdfast_core::audit::{Entry, EventKind, SignedHead};
use holdfast_core::board::{
    AgreedHead, BOARD_WAITING_MAX_ROWS, BoardFacts, BoardHead, BoardReport, ContractTold, LastTold, compare,
    due_in_ms, report,
};
use holdfast_core::contract::Validity;
use holdfast_core::headroom::assess;
use holdfast_core::ids::{Digest, EndpointName, LocalSeq, ProgramVersion};
use holdfast_core::reprove::StationWentBack;
use holdfast_core::time::Now;
use holdfast_wire::ApiError;
use tokio::sync::watch;

use crate::beside::BesideAnswer;
use crate::ports::{Board, ChainReading, JournalError};
use crate::station::Station;
use crate::verbs::drain::on_journal;
use crate::views;

/// Until the next look after one that failed, in milliseconds.
const AFTER_FAULT_MS: u64 = 10_000;
/// Shortest and longest time between two looks whether there is something to tell, in milliseconds.
const LOOK_MIN_MS: u64 = 50;
const LOOK_MAX_MS: u64 = 60_000;

/// What a look whether there is something to tell has come to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoardLook {
    /// Whether the board is reached from now on, or is not reached any more.
    pub changed: bool,
    /// When to look again, in milliseconds from now.
    pub look_again_ms: u64,
}

/// When a report goes out.
#[derive(Clone, Copy, PartialEq, Eq)]
enum When {
    /// At its time.
    Due,
    /// As the last word of a process: at once, if there is anything new and the board was there.
    AtTheEnd,
}

impl Station {
    /// Tells the board how this station stands, if that is due.
    ///
    /// # Errors
    /// The journal cannot be used.
    pub async fn tell_board_when_due(&self) -> Result<BoardLook, ApiError> {
        self.look_at_board(When::Due).await.map_err(|cause| views::journal_error(&cause))
    }

    /// Does something and tells the board beside it, from time to time and once more at its end. What is being told at the end
    /// is told to the end: that takes one attempt at most.
    pub async fn while_telling_board<T>(&self, work: impl Future<Output = T>) -> T {
        if self.ports.beside.board.is_none() {
            return work.await;
        }
        let (over, is_over) = watch::channel(());
        let work = async move {
            let done = work.await;
            drop(over);
            done
        };
        let (done, ()) = tokio::join!(work, self.tell_board_until(is_over));
        if let Err(cause) = self.look_at_board(When::AtTheEnd).await {
            views::journal_error(&cause);
        }
        done
    }

    async fn tell_board_until(&self, mut is_over: watch::Receiver<()>) {
        loop {
            let look = self.tell_board_when_due().await;
            let ms = look.map_or(AFTER_FAULT_MS, |look| look.look_again_ms);
            tokio::select! {
                _ = is_over.changed() => return,
                () = tokio::time::sleep(Duration::from_millis(ms)) => {}
            }
        }
    }

    async fn look_at_board(&self, when: When) -> Result<BoardLook, JournalError> {
        let again = |ms: u64| ms.clamp(LOOK_MIN_MS, LOOK_MAX_MS);
        let Some(board) = self.ports.beside.board.clone() else {
            return Ok(BoardLook { changed: false, look_again_ms: LOOK_MAX_MS });
        };
        let interval_ms = self.settings().board_tell_interval_ms();
        let mut last = self.telling.lock().await;
        let now = self.now();
        let report = self.board_report(now).await?;
        let news = report.digest();
        let left_ms = match when {
            When::Due => due_in_ms(last.as_ref(), &news, now, interval_ms),
            When::AtTheEnd => end_word(last.as_ref(), &news),
        };
        if left_ms > 0 {
            return Ok(BoardLook { changed: false, look_again_ms: again(left_ms.min(interval_ms)) });
        }
        let before = last.replace(LastTold { at: now, said: None });
        let reached = self.tell(&*board, &report).await?;
        let said = reached.then_some(news);
        *last = Some(LastTold { at: now, said });
        let changed = before.is_some_and(|before| before.said.is_some()) != reached;
        Ok(BoardLook { changed, look_again_ms: again(interval_ms) })
    }

    /// What is to tell at this moment.
    pub(crate) async fn board_report(&self, now: Now) -> Result<BoardReport, JournalError> {
        let rows = u32::try_from(BOARD_WAITING_MAX_ROWS).unwrap_or(u32::MAX);
        let read = on_journal(&self.ports.journal, move |journal| {
            Ok((journal.standing()?, journal.space()?, journal.board_reading(now, rows)?))
        });
        let (standing, space, reading) = read.await?;
        let settings = self.settings();
        let class = assess(standing.headroom, space, &settings.headroom());
        let primary = EndpointName::primary();
        let primary = standing.endpoints.iter().find(|endpoint| endpoint.name == primary);
        Ok(report(BoardFacts {
            told_at: reading.at,
            program: program(),
            mode: self.mode(&standing, class, now),
            breaker_since: primary.map_or(reading.at, |primary| primary.breaker.since()),
            books: reading.books,
            oldest_accepted_at: standing.oldest.map(|(_, at)| at),
            waiting: reading.waiting,
            contract: standing.contract.map(|(version, attested)| ContractTold {
                version,
                valid: attested.validity(now, settings.schema_cache_ttl_h) == Validity::Valid,
            }),
            audit_head: reading.head,
        }))
    }

    /// Whether it got there.
    async fn tell(&self, board: &dyn Board, report: &BoardReport) -> Result<bool, JournalError> {
        let name = EndpointName::board();
        match self.ask_beside(&name, |sockets| board.tell(report, sockets)).await? {
            BesideAnswer::Came(head) => {
                self.hear_board_head(head, report.audit_head.head.seq).await?;
                Ok(true)
            }
            BesideAnswer::Failed(fault) => {
                tracing::warn!(error = %fault, "the board was not told");
                Ok(false)
            }
            BesideAnswer::NotNow { .. } => Ok(false),
        }
    }

    /// What the head that the board had of this station says about the chain that is here, of which it has `told` now.
    async fn hear_board_head(&self, kept: SignedHead, told: u64) -> Result<(), JournalError> {
        let seq = kept.head.seq;
        let reading = on_journal(&self.ports.journal, move |journal| journal.own_chain(seq)).await?;
        match compare(&reading.head.head, &reading.key, &kept, &reading.chain) {
            BoardHead::Agrees => self.agree_on(told, &reading).await,
            BoardHead::Foreign => Ok(()),
            BoardHead::Ahead { through } => self.notice_older_copy("ahead", kept, &reading, through).await,
            BoardHead::Parted { through } => self.notice_older_copy("parted", kept, &reading, through).await,
        }
    }

    async fn agree_on(&self, seq: u64, reading: &ChainReading) -> Result<(), JournalError> {
        if reading.chain.agreed.is_some_and(|agreed| agreed.seq >= seq) {
            return Ok(());
        }
        let agreed = AgreedHead { seq, last_seq: reading.chain.last_seq };
        on_journal(&self.ports.journal, move |journal| journal.keep_agreed_head(agreed)).await
    }

    async fn notice_older_copy(
        &self,
        how: &'static str,
        kept: SignedHead,
        reading: &ChainReading,
        through: LocalSeq,
    ) -> Result<(), JournalError> {
        let head = kept.head;
        if reading.noticed == Some(head.hash) {
            return Ok(());
        }
        tracing::warn!(
            "this folder came back from an older copy, as the board knows; numbers are passed over"
        );
        let (now, events) = (self.now(), reading.chain.seq);
        on_journal(&self.ports.journal, move |journal| {
            let decide = Box::new(move |numbers: &StationWentBack| {
                let entry =
                    Entry::new(EventKind::StationRestored).with("noticed_by", "board").with("board", how);
                let entry = entry.with("first", numbers.first).with("last", numbers.last);
                let entry = entry.with("events", events).with("head_seq", head.seq);
                vec![entry.with("head_hash", head.hash).with("head_at", head.at)]
            });
            journal.notice_older_copy(now, head.hash, through, decide)
        })
        .await
    }
}

/// A board that was not there the last time is not waited for once more.
fn end_word(last: Option<&LastTold>, news: &Digest) -> u64 {
    let known = last.is_some_and(|last| last.said.is_none_or(|said| said == *news));
    if known { u64::MAX } else { 0 }
}

fn program() -> ProgramVersion {
    env!("CARGO_PKG_VERSION").parse().expect("the version of a package is a short word")
}
