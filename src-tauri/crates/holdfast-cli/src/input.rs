//! Reading what is handed in, never more of it than may be taken.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use crate::failure::Failure;

/// Reads a file, or stdin for `-`, and at most one byte beyond `max_bytes`: enough for the caller to see that it is too
/// long.
///
/// # Errors
/// It cannot be read.
pub(crate) fn read_document(path: &Path, max_bytes: usize) -> Result<Vec<u8>, Failure> {
    let bytes = if path.as_os_str() == "-" {
        read_bounded(io::stdin().lock(), max_bytes)
    } else {
        File::open(path).and_then(|file| read_bounded(file, max_bytes))
    };
    bytes.map_err(|cause| Failure::of_io(&format!("{} cannot be read", path.display()), &cause))
}

/// Reads at most one byte beyond `max_bytes`.
///
/// # Errors
/// It cannot be read.
pub(crate) fn read_bounded(source: impl Read, max_bytes: usize) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let limit = u64::try_from(max_bytes).unwrap_or(u64::MAX).saturating_add(1);
    source.take(limit).read_to_end(&mut bytes)?;
    Ok(bytes)
}
