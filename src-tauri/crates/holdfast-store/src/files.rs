//! The files of a data folder, and replacing a small one whole.
//!
//! Promise: a file that is replaced here is, after a crash at any moment, either the old one or the new one.

use std::fs::{File, OpenOptions};
use std::io::{self, Read as _, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

use crate::sharing::{Sharing, give_mode};

/// The database.
pub const DATABASE_FILE: &str = "holdfast.db";
/// The wrapped database key.
pub const KEYS_FILE: &str = "keys.json";
/// The signed head of the audit chain.
pub const HEAD_FILE: &str = "head.json";
/// What the one writing process holds locked.
pub const LOCK_FILE: &str = "holdfast.lock";

/// A small file, read whole, in bytes.
const SMALL_FILE_MAX_BYTES: u64 = 64 * 1024;

/// The path of a file that is still being made, beside the one that it will become.
pub(crate) fn unfinished(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".new");
    PathBuf::from(name)
}

/// Puts `bytes` in the place of the file at `path`, for those with whom its folder is shared.
pub(crate) fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let new = unfinished(path);
    write_new(&new, bytes)?;
    std::fs::rename(&new, path)?;
    sync_folder(path)
}

/// Writes a file through to the disk. One that was left there may be another member's, whose mode cannot be changed: it is
/// taken away first.
pub(crate) fn write_new(path: &Path, bytes: &[u8]) -> io::Result<()> {
    match std::fs::remove_file(path) {
        Err(cause) if cause.kind() != io::ErrorKind::NotFound => return Err(cause),
        Ok(()) | Err(_) => {}
    }
    let sharing = path.parent().map_or(Ok(Sharing::Private), Sharing::of)?;
    let mut file = OpenOptions::new().write(true).create_new(true).mode(sharing.file_mode()).open(path)?;
    give_mode(&file, sharing)?;
    file.write_all(bytes)?;
    file.sync_all()
}

/// Makes the names in the folder of `path` durable.
pub(crate) fn sync_folder(path: &Path) -> io::Result<()> {
    path.parent().map_or(Ok(()), |folder| File::open(folder)?.sync_all())
}

/// A small file's bytes; one that is larger than any that is written here is refused.
pub(crate) fn read_small(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(SMALL_FILE_MAX_BYTES + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > SMALL_FILE_MAX_BYTES {
        return Err(io::Error::new(io::ErrorKind::InvalidData, "larger than any file of this kind"));
    }
    Ok(bytes)
}
