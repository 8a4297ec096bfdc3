//! Which SQLite may be used.
//!
//! Promise: nothing is opened by an SQLite older than 3.51.3. Up to 3.51.2 a write and a checkpoint at the same instant
//! could lose committed pages (<https://sqlite.org/wal.html#walresetbug>).

/// The oldest SQLite that is used, as `sqlite3_libversion_number` writes it.
pub const SQLITE_VERSION_MIN: i32 = 3_051_003;

/// An SQLite that may lose what it has committed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("SQLite {} may lose committed data; at least {} is needed", dotted(*.found), dotted(SQLITE_VERSION_MIN))]
pub struct TooOld {
    /// The version number found.
    pub found: i32,
}

/// Whether this version may be used.
///
/// # Errors
/// [`TooOld`].
pub(crate) fn admit(version_number: i32) -> Result<(), TooOld> {
    if version_number >= SQLITE_VERSION_MIN { Ok(()) } else { Err(TooOld { found: version_number }) }
}

fn dotted(version: i32) -> String {
    format!("{}.{}.{}", version / 1_000_000, version / 1_000 % 1_000, version % 1_000)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn an_sqlite_that_may_lose_pages_is_refused() {
        for (version, admitted) in
            [(3_051_002, false), (3_051_003, true), (3_054_001, true), (3_007_000, false), (4_000_000, true)]
        {
            assert_eq!(admit(version).is_ok(), admitted, "{version}");
        }
        assert_eq!(
            admit(3_051_002).unwrap_err().to_string(),
            "SQLite 3.51.2 may lose committed data; at least 3.51.3 is needed"
        );
    }

    #[test]
    fn the_sqlite_that_is_linked_is_admitted() {
        admit(rusqlite::version_number()).unwrap();
    }
}
