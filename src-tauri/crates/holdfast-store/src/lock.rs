//! The write lock: one process writes in a data folder.
//!
//! Promise: whoever does not get the lock has changed nothing, and a lock does not outlive its process, however that
//! ends: it is the kernel's (`flock`), the file alone means nothing.

use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;

use crate::files::LOCK_FILE;
use crate::sharing::{Sharing, give_mode};

/// The right to write; given back when dropped.
#[derive(Debug)]
pub(crate) struct WriteLock {
    _file: File,
}

/// Why the lock was not got.
#[derive(Debug, thiserror::Error)]
pub(crate) enum LockError {
    #[error("another process writes in this folder")]
    InUse,
    #[error("the lock file cannot be opened")]
    Io(#[source] io::Error),
}

impl WriteLock {
    /// Takes the lock of a folder, or says at once that another process has it.
    pub(crate) fn take(folder: &Path) -> Result<Self, LockError> {
        let file = open(folder).map_err(LockError::Io)?;
        match file.try_lock() {
            Ok(()) => Ok(Self { _file: file }),
            Err(TryLockError::WouldBlock) => Err(LockError::InUse),
            Err(TryLockError::Error(error)) => Err(LockError::Io(error)),
        }
    }
}

fn open(folder: &Path) -> io::Result<File> {
    let sharing = Sharing::of(folder)?;
    let mut how = OpenOptions::new();
    how.read(true).write(true).create(true).truncate(false).mode(sharing.file_mode());
    let file = how.open(folder.join(LOCK_FILE))?;
    give_mode(&file, sharing)?;
    Ok(file)
}
