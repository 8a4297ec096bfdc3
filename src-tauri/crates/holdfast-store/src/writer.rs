//! The one thread that writes.
//!
//! Promise: writes happen one after another, each whole or not at all; a job that may be refused is refused at once when
//! [`WRITER_WAITING_MAX`] are waiting; and after one write or fsync that failed nothing more is accepted before the next
//! start. Between jobs the thread keeps `head.json` up to date. What a job does is not known here.

use std::path::PathBuf;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender, TrySendError};
use std::sync::{Arc, OnceLock};
use std::thread::{self, JoinHandle};

use holdfast_core::time::{Now, UtcMillis};
use holdfast_station::ports::{JournalError, StationRecord};
use rusqlite::{Connection, Transaction, TransactionBehavior};

use crate::audit;
use crate::fault::{Aftermath, Fault, WRITER_WAITING_MAX};
use crate::head::{self, HeadDue};
use crate::lock::WriteLock;
use crate::turn::Turn;

type Job = Box<dyn FnOnce(&mut Desk) + Send>;

/// What becomes of a job when as many as may are waiting already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WhenFull {
    /// It is refused: a person can be told to try again.
    Refuse,
    /// It waits for its turn: an answer of the SoR that found no place would leave its operation in flight. Few do so at
    /// once, since each loop has one such job.
    Wait,
}

/// The caller's side of the thread.
pub(crate) struct Writer {
    jobs: Option<SyncSender<Job>>,
    thread: Option<JoinHandle<Result<(), Fault>>>,
    stopped: Arc<OnceLock<UtcMillis>>,
}

/// What the thread owns.
pub(crate) struct Desk {
    pub(crate) conn: Connection,
    pub(crate) record: StationRecord,
    pub(crate) folder: PathBuf,
    /// The event that `head.json` names, once it was written.
    pub(crate) head_seq: Option<u64>,
    /// The time of the latest transaction that was begun.
    pub(crate) latest: Now,
    /// Given back last, when the connection is closed.
    pub(crate) lock: WriteLock,
}

impl Writer {
    /// Starts the thread.
    pub(crate) fn start(desk: Desk) -> std::io::Result<Self> {
        let (jobs, queue) = mpsc::sync_channel(WRITER_WAITING_MAX);
        let stopped = Arc::new(OnceLock::new());
        let thread = thread::Builder::new().name("holdfast-writer".to_owned());
        let thread = thread.spawn(move || desk.serve(&queue))?;
        Ok(Self { jobs: Some(jobs), thread: Some(thread), stopped })
    }

    /// Makes one transaction, and comes back when it is on the disk or not made at all.
    pub(crate) fn run<T: Send + 'static>(
        &self,
        when_full: WhenFull,
        work: impl FnOnce(&mut Desk) -> Result<T, Fault> + Send + 'static,
    ) -> Result<T, JournalError> {
        let (answer, answered) = mpsc::sync_channel(1);
        let stopped = Arc::clone(&self.stopped);
        let job: Job = Box::new(move |desk| {
            // Asked here and not before: a job that waited behind the failed one is not accepted either.
            let made = if stopped.get().is_some() {
                Err(JournalError::Stopped)
            } else {
                work(desk).map_err(|fault| after(&stopped, desk.latest.wall, fault))
            };
            // A caller that has gone does not need the answer; the transaction stands.
            let _ = answer.send(made);
        });
        self.hand_over(when_full, job)?;
        answered.recv().unwrap_or(Err(JournalError::Stopped))
    }

    /// When a write failed after which nothing more is accepted.
    pub(crate) fn stopped_at(&self) -> Option<UtcMillis> {
        self.stopped.get().copied()
    }

    /// Ends the thread when what waits is done; the write-ahead log is gone afterwards.
    pub(crate) fn close(&mut self) -> Result<(), JournalError> {
        self.jobs = None;
        match self.thread.take().map(JoinHandle::join) {
            None => Ok(()),
            Some(Ok(closed)) => closed.map_err(JournalError::from),
            Some(Err(_)) => Err(JournalError::Stopped),
        }
    }

    fn hand_over(&self, when_full: WhenFull, job: Job) -> Result<(), JournalError> {
        let jobs = self.jobs.as_ref().ok_or(JournalError::Stopped)?;
        match when_full {
            WhenFull::Wait => jobs.send(job).map_err(|_| JournalError::Stopped),
            WhenFull::Refuse => jobs.try_send(job).map_err(|error| match error {
                TrySendError::Full(_) => JournalError::Busy { waiting_max: WRITER_WAITING_MAX },
                TrySendError::Disconnected(_) => JournalError::Stopped,
            }),
        }
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        if let Err(error) = self.close() {
            tracing::warn!(%error, "the store was not closed cleanly");
        }
    }
}

impl Desk {
    /// One transaction.
    pub(crate) fn turn<T>(
        &mut self,
        now: Now,
        work: impl FnOnce(&mut Turn<'_>) -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        self.latest = now;
        let mut turn = Turn::begin(&mut self.conn, &self.record, &self.folder, now)?;
        let done = work(&mut turn)?;
        turn.commit()?;
        Ok(done)
    }

    /// One transaction that has no time and leaves no trace in the audit.
    pub(crate) fn untold<T>(
        &mut self,
        work: impl FnOnce(&Transaction<'_>) -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        let tx = self.conn.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let done = work(&tx)?;
        tx.commit()?;
        Ok(done)
    }

    fn serve(mut self, queue: &Receiver<Job>) -> Result<(), Fault> {
        let mut due = HeadDue::default();
        // The head may be older than the last event: the process before may have been killed.
        due.committed();
        while let Some(job) = next(queue, &due) {
            if let Work::Job(job) = job {
                job(&mut self);
                due.committed();
            }
            if due.take()
                && let Err(error) = self.write_head()
            {
                tracing::warn!(%error, "head.json was not written");
                due.committed();
            }
        }
        self.finish()
    }

    fn write_head(&mut self) -> Result<(), Fault> {
        let tail = audit::tail(&self.conn, &self.record)?;
        if self.head_seq != Some(tail.seq) {
            head::write(&self.conn, &self.record, &self.folder, &tail)?;
            self.head_seq = Some(tail.seq);
        }
        Ok(())
    }

    fn finish(mut self) -> Result<(), Fault> {
        let head = self.write_head();
        self.conn.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))?;
        self.conn.close().map_err(|(_, error)| error)?;
        drop(self.lock);
        head
    }
}

enum Work {
    Job(Job),
    Head,
}

/// The next thing to do; none when nobody will ask for anything more.
fn next(queue: &Receiver<Job>, due: &HeadDue) -> Option<Work> {
    let Some(left) = due.left() else { return queue.recv().ok().map(Work::Job) };
    match queue.recv_timeout(left) {
        Ok(job) => Some(Work::Job(job)),
        Err(RecvTimeoutError::Timeout) => Some(Work::Head),
        Err(RecvTimeoutError::Disconnected) => None,
    }
}

fn after(stopped: &OnceLock<UtcMillis>, at: UtcMillis, fault: Fault) -> JournalError {
    match fault.aftermath() {
        Aftermath::GoOn => {}
        Aftermath::Stop => {
            stopped.get_or_init(|| at);
        }
    }
    fault.into()
}
