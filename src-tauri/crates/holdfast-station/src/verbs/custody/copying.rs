//! The loop: which copy is made next, and which is let go of.

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use holdfast_core::audit::{Entry, EventKind};
use holdfast_core::breaker::Admission;
use holdfast_core::custody::{CUSTODY_DECISION, CustodyDecision, CustodyInputs};
use holdfast_core::ids::{EndpointName, LocalSeq};
use holdfast_core::time::Now;
use holdfast_wire::ApiError;
use tokio::sync::watch;

use crate::beside::BesideAnswer;
use crate::ports::{CopyDue, Custody, JournalError, ReleaseDue, Sockets, SorFault};
use crate::station::Station;
use crate::verbs::drain::on_journal;
use crate::views;

/// Copies, or releases, that are read at once, in rows.
const BATCH_MAX_ROWS: u32 = 16;
/// Shortest and longest time between two looks whether there is something to do, in milliseconds.
const LOOK_MIN_MS: u64 = 10;
const LOOK_MAX_MS: u64 = 60_000;
/// Until the next look when there was nothing to do, in milliseconds.
const REST_MS: u64 = 1_000;
/// Until the next look after one that failed, in milliseconds.
const AFTER_FAULT_MS: u64 = 10_000;
/// Longest that is gone on for what is left when the work beside it has ended, in milliseconds.
const END_MAX_MS: u64 = 10_000;

/// What a look whether there is something to copy has come to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CustodyLook {
    /// Whether a copy was made or let go of.
    pub changed: bool,
    /// Whether there may be more to do at once.
    pub goes_on: bool,
    /// When to look again, in milliseconds from now.
    pub look_again_ms: u64,
}

/// What became of one question.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Step {
    /// It was answered, or refused for itself alone.
    Done,
    /// The mirror is not asked further for so long, in milliseconds.
    Stop { ms: u64 },
}

impl Station {
    /// Makes copies and lets go of them, a few at a time, if that is due.
    ///
    /// # Errors
    /// The journal cannot be used.
    pub async fn look_after_custody_when_due(&self) -> Result<CustodyLook, ApiError> {
        self.look_after_custody().await.map_err(|cause| views::journal_error(&cause))
    }

    /// Does something and looks after custody beside it; what is left to do at its end is done within a few seconds, as far as
    /// the mirror answers.
    pub async fn while_looking_after_custody<T>(&self, work: impl Future<Output = T>) -> T {
        if self.ports.beside.custody.is_none() {
            return work.await;
        }
        let (over, is_over) = watch::channel(());
        let work = async move {
            let done = work.await;
            drop(over);
            done
        };
        let (done, ()) = tokio::join!(work, self.look_after_custody_until(is_over));
        self.end_custody().await;
        done
    }

    async fn look_after_custody_until(&self, mut is_over: watch::Receiver<()>) {
        loop {
            let look = self.look_after_custody_when_due().await;
            let ms = look.map_or(AFTER_FAULT_MS, |look| look.look_again_ms);
            tokio::select! {
                _ = is_over.changed() => return,
                () = tokio::time::sleep(Duration::from_millis(ms)) => {}
            }
        }
    }

    async fn end_custody(&self) {
        let began = self.now();
        while self.now().millis_since(began) < END_MAX_MS {
            match self.look_after_custody_when_due().await {
                Ok(look) if look.goes_on => {}
                Ok(_) | Err(_) => return,
            }
        }
    }

    async fn look_after_custody(&self) -> Result<CustodyLook, JournalError> {
        let Some(mirror) = self.ports.beside.custody.clone() else {
            return Ok(CustodyLook { changed: false, goes_on: false, look_again_ms: LOOK_MAX_MS });
        };
        let _one_at_a_time = self.copying_away.lock().await;
        let (decision, mirror_is_well) = self.custody_decision().await?;
        let copied = decision.copied;
        let due =
            on_journal(&self.ports.journal, move |journal| journal.begin_copies(copied, BATCH_MAX_ROWS))
                .await?;
        if !due.is_empty() {
            return self.make_copies(&mirror, due, &decision).await;
        }
        let due = on_journal(&self.ports.journal, |journal| journal.releases_due(BATCH_MAX_ROWS)).await?;
        if !due.is_empty() {
            return self.let_go(&mirror, due).await;
        }
        if mirror_is_well { Ok(rest()) } else { self.ask_for_a_sign(&mirror).await }
    }

    /// What is copied now, and whether the mirror's breaker is as it should be.
    async fn custody_decision(&self) -> Result<(CustodyDecision, bool), JournalError> {
        let now = self.now();
        let standing = on_journal(&self.ports.journal, |journal| journal.standing()).await?;
        let named =
            |name: EndpointName| standing.endpoints.iter().find(move |endpoint| endpoint.name == name);
        let admission =
            |name| named(name).map_or(Admission::Closed, |endpoint| endpoint.breaker.admission(now));
        let inputs = CustodyInputs {
            primary: admission(EndpointName::primary()),
            oldest_accepted_at: standing.oldest.map(|(_, at)| at),
            at: now.wall,
            after_s: self.settings().custody_after_s,
        };
        let mirror_is_well = admission(EndpointName::mirror()) == Admission::Closed;
        Ok((CustodyDecision::of(inputs), mirror_is_well))
    }

    async fn make_copies(
        &self,
        mirror: &Arc<dyn Custody>,
        due: Vec<CopyDue>,
        decision: &CustodyDecision,
    ) -> Result<CustodyLook, JournalError> {
        let mut changed = false;
        for copy in due {
            match self.make_copy(&**mirror, copy, decision).await? {
                Step::Done => changed = true,
                Step::Stop { ms } => return Ok(stopped(changed, ms)),
            }
        }
        Ok(further())
    }

    async fn make_copy(
        &self,
        mirror: &dyn Custody,
        copy: CopyDue,
        decision: &CustodyDecision,
    ) -> Result<Step, JournalError> {
        let CopyDue { operation_id, key, accepted_at, body } = copy;
        let name = EndpointName::mirror();
        let answer = self.ask_beside(&name, |sockets| mirror.hold(&key, &body, sockets)).await?;
        let now = self.now();
        match answer {
            BesideAnswer::Came(digest) => {
                let entry = Entry::new(EventKind::CustodyHeld)
                    .of(operation_id)
                    .with("digest", digest)
                    .with("accepted_at", accepted_at)
                    .with(CUSTODY_DECISION, decision);
                on_journal(&self.ports.journal, move |journal| journal.copy_held(now, operation_id, entry))
                    .await?;
                Ok(Step::Done)
            }
            BesideAnswer::Failed(SorFault::Refused { problem }) if is_about_the_copy(&problem) => {
                tracing::warn!(%problem, "the mirror refuses a copy");
                let entry = Entry::new(EventKind::CustodyRefused).of(operation_id).with("problem", problem);
                on_journal(&self.ports.journal, move |journal| {
                    journal.copy_refused(now, operation_id, entry)
                })
                .await?;
                Ok(Step::Done)
            }
            BesideAnswer::Failed(fault) => Ok(failed(&fault)),
            BesideAnswer::NotNow { next_try_at } => Ok(not_now(next_try_at, now)),
        }
    }

    async fn let_go(
        &self,
        mirror: &Arc<dyn Custody>,
        due: Vec<ReleaseDue>,
    ) -> Result<CustodyLook, JournalError> {
        let mut changed = false;
        for release in due {
            match self.release(&**mirror, release).await? {
                Step::Done => changed = true,
                Step::Stop { ms } => return Ok(stopped(changed, ms)),
            }
        }
        Ok(further())
    }

    async fn release(&self, mirror: &dyn Custody, release: ReleaseDue) -> Result<Step, JournalError> {
        let ReleaseDue { operation_id, key } = release;
        let name = EndpointName::mirror();
        let answer = self.ask_beside(&name, |sockets| mirror.release(&key, sockets)).await?;
        let now = self.now();
        match answer {
            BesideAnswer::Came(()) => {
                let entry = Entry::new(EventKind::CustodyReleased).of(operation_id);
                on_journal(&self.ports.journal, move |journal| {
                    journal.copy_released(now, operation_id, entry)
                })
                .await?;
                Ok(Step::Done)
            }
            BesideAnswer::Failed(fault) => Ok(failed(&fault)),
            BesideAnswer::NotNow { next_try_at } => Ok(not_now(next_try_at, now)),
        }
    }

    /// A mirror that went away while there was something to ask is asked on, so that its outage has an end.
    async fn ask_for_a_sign(&self, mirror: &Arc<dyn Custody>) -> Result<CustodyLook, JournalError> {
        let name = EndpointName::mirror();
        let ask = |sockets: Sockets| mirror.copies(LocalSeq(0), 1, sockets);
        let step = match self.ask_beside(&name, ask).await? {
            BesideAnswer::Came(_) => return Ok(rest()),
            BesideAnswer::Failed(fault) => failed(&fault),
            BesideAnswer::NotNow { next_try_at } => not_now(next_try_at, self.now()),
        };
        match step {
            Step::Done => Ok(rest()),
            Step::Stop { ms } => Ok(stopped(false, ms)),
        }
    }
}

/// Whether another answer is not to be expected for this copy, and is for others. What is said of the station, or of all
/// requests, is said again to the next.
fn is_about_the_copy(problem: &str) -> bool {
    matches!(problem, "too-large" | "key-reused" | "validation")
}

fn failed(fault: &SorFault) -> Step {
    tracing::info!(error = %fault, "the mirror");
    Step::Stop {
        ms: match fault {
            // Its breaker says when: one failure does not open it.
            SorFault::NotAnswering | SorFault::Impostor => REST_MS,
            SorFault::StationUnauthorized | SorFault::Refused { .. } | SorFault::Unreadable => AFTER_FAULT_MS,
        },
    }
}

fn not_now(next_try_at: Option<holdfast_core::time::UtcMillis>, now: Now) -> Step {
    let ms = next_try_at.map_or(REST_MS, |at| u64::try_from(at.millis_since(now.wall)).unwrap_or(0));
    Step::Stop { ms }
}

fn further() -> CustodyLook {
    CustodyLook { changed: true, goes_on: true, look_again_ms: LOOK_MIN_MS }
}

fn rest() -> CustodyLook {
    CustodyLook { changed: false, goes_on: false, look_again_ms: REST_MS }
}

fn stopped(changed: bool, ms: u64) -> CustodyLook {
    CustodyLook { changed, goes_on: false, look_again_ms: ms.clamp(LOOK_MIN_MS, LOOK_MAX_MS) }
}
