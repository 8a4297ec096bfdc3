//! What can go wrong inside a transaction, and what the caller is told of it.

use holdfast_station::ports::JournalError;
use rusqlite::ErrorCode;

/// Requests that may wait for the writer at once.
pub const WRITER_WAITING_MAX: usize = 32;

/// Why a transaction was not made.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Fault {
    /// The engine says so.
    #[error("the engine failed")]
    Sql(#[from] rusqlite::Error),
    /// What is stored contradicts itself.
    #[error("the stored data is damaged: {what}")]
    Damaged { what: String },
    /// A decision that cannot be carried out on what is stored.
    #[error("the decision cannot be carried out: {why}")]
    Impossible { why: &'static str },
    /// The file system says so.
    #[error("the file system failed")]
    Io(#[from] std::io::Error),
}

/// What follows from a fault for the writing side as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Aftermath {
    /// Nothing: the transaction was rolled back, and that is all.
    GoOn,
    /// After a write or an fsync that failed nobody knows what is on the disk until the next start.
    Stop,
}

impl Fault {
    pub(crate) fn damaged(what: impl Into<String>) -> Self {
        Self::Damaged { what: what.into() }
    }

    pub(crate) fn aftermath(&self) -> Aftermath {
        match self {
            Self::Sql(error) if error.sqlite_error_code() == Some(ErrorCode::SystemIoFailure) => {
                Aftermath::Stop
            }
            Self::Sql(_) | Self::Damaged { .. } | Self::Impossible { .. } | Self::Io(_) => Aftermath::GoOn,
        }
    }
}

impl From<Fault> for JournalError {
    fn from(fault: Fault) -> Self {
        match fault {
            Fault::Damaged { what } => JournalError::Damaged { what },
            Fault::Sql(error) => of_engine(error),
            Fault::Impossible { .. } | Fault::Io(_) => JournalError::Failed(Box::new(fault)),
        }
    }
}

/// Whether the engine says that what it reads is no database, or none any more.
pub(crate) fn is_damage(error: &rusqlite::Error) -> bool {
    matches!(error.sqlite_error_code(), Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase))
}

fn of_engine(error: rusqlite::Error) -> JournalError {
    if let rusqlite::Error::FromSqlConversionFailure(column, ..)
    | rusqlite::Error::InvalidColumnType(column, ..) = error
    {
        return JournalError::Damaged { what: format!("column {column} of a row cannot be read") };
    }
    if is_damage(&error) {
        return JournalError::Damaged { what: "the database file".to_owned() };
    }
    match error.sqlite_error_code() {
        Some(ErrorCode::DiskFull) => JournalError::DiskFull,
        Some(_) | None => JournalError::Failed(Box::new(error)),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use rusqlite::ffi;

    fn engine(code: i32) -> Fault {
        Fault::Sql(rusqlite::Error::SqliteFailure(ffi::Error::new(code), None))
    }

    #[test]
    fn a_full_disk_is_told_from_a_failed_write_and_only_that_stops_the_store() {
        assert_eq!(engine(ffi::SQLITE_FULL).aftermath(), Aftermath::GoOn);
        assert!(matches!(JournalError::from(engine(ffi::SQLITE_FULL)), JournalError::DiskFull));
        for code in [ffi::SQLITE_IOERR_FSYNC, ffi::SQLITE_IOERR_WRITE, ffi::SQLITE_IOERR_DIR_FSYNC] {
            assert_eq!(engine(code).aftermath(), Aftermath::Stop);
            assert!(matches!(JournalError::from(engine(code)), JournalError::Failed(_)));
        }
        // A file that may not be written is no other process that writes.
        assert!(matches!(JournalError::from(engine(ffi::SQLITE_READONLY)), JournalError::Failed(_)));
        let corrupt = JournalError::from(engine(ffi::SQLITE_CORRUPT));
        assert!(matches!(corrupt, JournalError::Damaged { .. }));
    }
}
