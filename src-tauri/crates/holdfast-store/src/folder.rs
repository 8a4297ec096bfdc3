//! Where a data folder may lie.
//!
//! Promise: what is accepted is never put where it would be gone after a restart (memory), or where a lock or an fsync
//! does not mean what it says (network, user-space mounts), nor where everybody of this computer could change it. Linux file
//! systems are told by their magic numbers (`statfs(2)`).

use std::fs::DirBuilder;
use std::io;
use std::os::unix::fs::{DirBuilderExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

use holdfast_core::headroom::DiskSpace;

use crate::files::{DATABASE_FILE, KEYS_FILE, unfinished};
use crate::sharing::{Sharing, is_open_to_all};

/// Why a folder is not used.
#[derive(Debug, thiserror::Error)]
pub enum FolderError {
    /// It lies on a file system that keeps no promise.
    #[error("{} lies on {kind}, {why}", .path.display())]
    Unfit {
        /// The folder.
        path: PathBuf,
        /// The file system.
        kind: &'static str,
        /// What is wrong with it.
        why: &'static str,
    },
    /// Everybody who uses this computer could change what is there, or look at what is a group's.
    #[error(
        "{} is open to everybody; make it one user's (chmod 700) or give it to a group (chmod 2770)", .path.display()
    )]
    OpenToAll {
        /// The folder.
        path: PathBuf,
    },
    /// A store is there already.
    #[error("{} is set up already", .path.display())]
    AlreadySetUp {
        /// The folder.
        path: PathBuf,
    },
    /// This user cannot write there, or it cannot be made or read.
    #[error("{} cannot be used", .path.display())]
    Io {
        /// The folder.
        path: PathBuf,
        /// Why.
        #[source]
        source: io::Error,
    },
}

/// A file system that is not used: its magic number, its name, and why.
type Unfit = (u64, &'static str, &'static str);

const GONE: &str = "which is gone after a restart";
const REMOTE: &str = "where a lock and a write-through do not mean what they say";

/// From `linux/magic.h` and the kernel's sources of each file system.
const UNFIT: [Unfit; 13] = [
    (0x0102_1994, "tmpfs", GONE),
    (0x8584_58f6, "ramfs", GONE),
    (0x9584_58f6, "hugetlbfs", GONE),
    (0x6969, "NFS", REMOTE),
    (0x517b, "SMB", REMOTE),
    (0xff53_4d42, "CIFS", REMOTE),
    (0xfe53_4d42, "SMB2", REMOTE),
    (0x6573_5546, "a FUSE mount", REMOTE),
    (0x0102_1997, "9P", REMOTE),
    (0x00c3_6400, "Ceph", REMOTE),
    (0x5346_414f, "AFS", REMOTE),
    (0x7375_7245, "Coda", REMOTE),
    (0x564c, "NCP", REMOTE),
];

/// Whether a store can be set up at `path`, asked before anybody else is told about the new station. Makes nothing.
///
/// # Errors
/// See [`FolderError`].
pub fn check_place(path: &Path) -> Result<(), FolderError> {
    admit(nearest_existing(path))?;
    if path.exists() { closed(path).and_then(|()| free(path)) } else { Ok(()) }
}

/// Makes the folder if need be, for this user alone unless it was given to a group, and gives its absolute path.
pub(crate) fn prepare(path: &Path) -> Result<PathBuf, FolderError> {
    let io = |source| FolderError::Io { path: path.to_owned(), source };
    // Before it is made, so that a refused place is left without a trace.
    check_place(path)?;
    DirBuilder::new().recursive(true).mode(0o700).create(path).map_err(io)?;
    let folder = path.canonicalize().map_err(io)?;
    admit(&folder)?;
    free(&folder)?;
    match Sharing::of(&folder).map_err(io)? {
        Sharing::Group(_) => {}
        private @ Sharing::Private => {
            let mode = std::fs::Permissions::from_mode(private.folder_mode());
            std::fs::set_permissions(&folder, mode).map_err(io)?;
        }
    }
    Ok(folder)
}

/// No store is here.
fn free(folder: &Path) -> Result<(), FolderError> {
    let keys = folder.join(KEYS_FILE).exists() && !is_unfinished(folder);
    if keys || folder.join(DATABASE_FILE).exists() {
        return Err(FolderError::AlreadySetUp { path: folder.to_owned() });
    }
    Ok(())
}

/// The absolute path of a folder that is set up; it may have been moved since, so its place is judged again.
pub(crate) fn find(path: &Path) -> Result<PathBuf, FolderError> {
    let folder = path.canonicalize().map_err(|source| FolderError::Io { path: path.to_owned(), source })?;
    admit(&folder)?;
    closed(&folder)?;
    Ok(folder)
}

/// Not everybody is let in.
fn closed(folder: &Path) -> Result<(), FolderError> {
    match is_open_to_all(folder) {
        Ok(false) => Ok(()),
        Ok(true) => Err(FolderError::OpenToAll { path: folder.to_owned() }),
        Err(source) => Err(FolderError::Io { path: folder.to_owned(), source }),
    }
}

/// Room on the disk, as available to this user.
pub(crate) fn space(folder: &Path) -> io::Result<DiskSpace> {
    let stat = rustix::fs::statvfs(folder)?;
    let used_blocks = stat.f_blocks.saturating_sub(stat.f_bfree);
    Ok(DiskSpace {
        used_bytes: used_blocks.saturating_mul(stat.f_frsize),
        available_bytes: stat.f_bavail.saturating_mul(stat.f_frsize),
    })
}

/// A setup that was cut off between its two last steps: the keys are in place, the database is still unfinished.
fn is_unfinished(folder: &Path) -> bool {
    let database = folder.join(DATABASE_FILE);
    !database.exists() && unfinished(&database).exists()
}

fn admit(folder: &Path) -> Result<(), FolderError> {
    let stat = rustix::fs::statfs(folder)
        .map_err(|error| FolderError::Io { path: folder.to_owned(), source: error.into() })?;
    // The kernel's type is signed on some machines; magic numbers have 32 bits.
    let magic = (stat.f_type as u64) & 0xffff_ffff;
    match judge(magic) {
        None => Ok(()),
        Some((kind, why)) => Err(FolderError::Unfit { path: folder.to_owned(), kind, why }),
    }
}

fn judge(magic: u64) -> Option<(&'static str, &'static str)> {
    UNFIT.iter().find(|(unfit, ..)| *unfit == magic).map(|(_, kind, why)| (*kind, *why))
}

fn nearest_existing(path: &Path) -> &Path {
    let existing = path.ancestors().find(|folder| folder.exists());
    existing.filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn memory_and_network_are_refused_by_name() {
        for (magic, kind) in [(0x0102_1994, "tmpfs"), (0x6969, "NFS"), (0x6573_5546, "a FUSE mount")] {
            assert_eq!(judge(magic).unwrap().0, kind);
        }
        let ext4_xfs_btrfs_zfs_overlay = [0xef53, 0x5846_5342, 0x9123_683e, 0x2fc1_2fc1, 0x794c_7630];
        for magic in ext4_xfs_btrfs_zfs_overlay {
            assert_eq!(judge(magic), None, "{magic:x}");
        }
    }

    #[test]
    fn a_folder_in_memory_is_refused_and_left_without_a_trace() {
        let path = Path::new("/dev/shm").join(format!("holdfast-{}", std::process::id())).join("data");
        let error = prepare(&path).unwrap_err().to_string();
        assert!(error.contains("tmpfs"), "{error}");
        assert!(!path.parent().unwrap().exists());
    }

    #[test]
    fn room_is_what_this_user_may_use() {
        let space = space(Path::new(env!("CARGO_MANIFEST_DIR"))).unwrap();
        assert!(space.available_bytes > 0 && space.used_bytes > 0);
    }
}
