//! The log: JSON lines in a folder of its own under the data folder.
//!
//! Promise: the log is bounded (one file a day, each of a limited size, the oldest given up), and holds no applicant
//! data and no secret: events carry ids, states and counts. Only the process that holds the write lock of the data folder
//! logs there, so files are never written by two. In a folder that is shared with a group each member has files of their
//! own, since one member's may not be another's to write on. It is no record of decisions; that is the audit.

mod bounded;

use std::fs::{DirBuilder, Permissions, metadata, set_permissions};
use std::io;
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _, PermissionsExt as _};
use std::path::Path;

use holdfast_store::Sharing;
use rustix::process::geteuid;
use tracing_appender::non_blocking::{NonBlockingBuilder, WorkerGuard};
use tracing_appender::rolling::{RollingFileAppender, Rotation};
use tracing_subscriber::EnvFilter;
use tracing_subscriber::filter::LevelFilter;

use bounded::Bounded;

/// Files that are kept.
const LOG_FILES_MAX: usize = 14;
/// One day's file.
const LOG_FILE_MAX_BYTES: u64 = 16 * 1024 * 1024;
/// Lines that wait for the disk before whoever logs waits too.
const LOG_LINES_WAITING_MAX: usize = 10_000;
const SUFFIX: &str = "jsonl";
pub(crate) const LEVEL_VARIABLE: &str = "HOLDFAST_LOG";
/// Whose events are wanted; libraries may only warn, since at other levels they show what they send.
const OWN: [&str; 6] = [
    "holdfast_cli",
    "holdfast_machine",
    "holdfast_shell",
    "holdfast_station",
    "holdfast_store",
    "holdfast_sor",
];

/// Keeps the log going; what waits is written when this is dropped.
#[must_use]
#[derive(Debug)]
pub struct Log {
    _worker: WorkerGuard,
}

/// From which level on events are kept.
#[derive(Clone, Copy, Debug)]
pub struct Level(LevelFilter);

/// The environment names no level.
#[derive(Debug, thiserror::Error)]
#[error("{LEVEL_VARIABLE} is one of off, error, warn, info, debug, trace")]
pub struct NotALevel;

impl Level {
    /// The level that the environment wants; `info` when it wants none.
    ///
    /// # Errors
    /// [`NotALevel`]
    pub fn of_environment() -> Result<Self, NotALevel> {
        let Some(word) = std::env::var_os(LEVEL_VARIABLE) else {
            return Ok(Self(LevelFilter::INFO));
        };
        let level = word.to_str().and_then(|word| word.parse().ok());
        level.map(Self).ok_or(NotALevel)
    }
}

/// Starts the log of a data folder; its files are named after the program.
///
/// # Errors
/// The folder of the log cannot be made, or not written.
pub fn start(data_dir: &Path, program: &str, level: Level) -> io::Result<Log> {
    let folder = data_dir.join("logs");
    let sharing = Sharing::of(data_dir)?;
    make(&folder, sharing)?;
    let prefix = prefix(program, sharing);
    let files = RollingFileAppender::builder()
        .rotation(Rotation::DAILY)
        .filename_prefix(&prefix)
        .filename_suffix(SUFFIX)
        // The appender gives up one more than it needs to when it starts.
        .max_log_files(LOG_FILES_MAX + 1)
        .build(&folder)
        .map_err(io::Error::other)?;
    let bounded = Bounded::new(files, LOG_FILE_MAX_BYTES, bounded::bytes_of_today(&folder, &prefix, SUFFIX));
    let (writer, worker) = NonBlockingBuilder::default()
        .lossy(false)
        .buffered_lines_limit(LOG_LINES_WAITING_MAX)
        .finish(bounded);
    let subscriber = tracing_subscriber::fmt()
        .json()
        .with_env_filter(filter(level))
        .with_writer(writer)
        .with_ansi(false)
        // What is said after the log has ended has no place to go, and is nothing to talk to a person about.
        .log_internal_errors(false)
        .finish();
    tracing::subscriber::set_global_default(subscriber).map_err(io::Error::other)?;
    Ok(Log { _worker: worker })
}

fn filter(Level(level): Level) -> EnvFilter {
    let own = OWN.map(|target| format!("{target}={level}"));
    let directives = format!("warn,{}", own.join(","));
    EnvFilter::builder().parse_lossy(directives)
}

/// What the names of a run's files begin with. Of numbers with one length none begins with another: a member's old files
/// are given up for that member's new ones alone.
fn prefix(program: &str, sharing: Sharing) -> String {
    match sharing {
        Sharing::Private => program.to_owned(),
        Sharing::Group(_) => format!("{program}-{:010}", geteuid().as_raw()),
    }
}

fn make(folder: &Path, sharing: Sharing) -> io::Result<()> {
    match DirBuilder::new().mode(sharing.folder_mode()).create(folder) {
        Err(cause) if cause.kind() != io::ErrorKind::AlreadyExists => return Err(cause),
        Ok(()) | Err(_) => {}
    }
    if metadata(folder)?.uid() == geteuid().as_raw() {
        set_permissions(folder, Permissions::from_mode(sharing.folder_mode()))?;
    }
    Ok(())
}
