//! With whom a data folder is shared, and what that makes of the files in it.
//!
//! Promise: a folder is one user's alone, unless whoever made it gave it to a group: mode 2770, so that what is made in it
//! belongs to the group too. Its files are then the group's to read and write, else their maker's alone; whatever the
//! umask. A folder that is open to everybody is refused and not mended: whom it was meant for is not known. Files that
//! another member has made are left as they are.

use std::fs::{self, File, Permissions};
use std::io;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, chown};
use std::path::Path;

use rustix::process::geteuid;

use crate::files::{DATABASE_FILE, HEAD_FILE, KEYS_FILE, LOCK_FILE};

/// Of a folder that is given to a group: everything for the group, and what is made in it is the group's.
const GIVEN_TO_GROUP: u32 = 0o2070;
/// What everybody else may.
const EVERYBODY: u32 = 0o007;
const EVERYBODY_WRITES: u32 = 0o002;
/// The bits of a mode that say who may what.
const WHO_MAY_WHAT: u32 = 0o777;

/// With whom a folder is shared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sharing {
    /// With nobody.
    Private,
    /// With the members of this group.
    Group(u32),
}

impl Sharing {
    /// As the folder's mode says.
    ///
    /// # Errors
    /// The folder cannot be looked at.
    pub fn of(folder: &Path) -> io::Result<Self> {
        let folder = fs::metadata(folder)?;
        Ok(Self::by_mode(folder.mode(), folder.gid()))
    }

    fn by_mode(mode: u32, group: u32) -> Self {
        let given = mode & GIVEN_TO_GROUP == GIVEN_TO_GROUP && mode & EVERYBODY == 0;
        if given { Sharing::Group(group) } else { Sharing::Private }
    }

    /// The mode of a file in it.
    #[must_use]
    pub fn file_mode(self) -> u32 {
        match self {
            Sharing::Private => 0o600,
            Sharing::Group(_) => 0o660,
        }
    }

    /// The mode of the folder itself, and of one in it.
    #[must_use]
    pub fn folder_mode(self) -> u32 {
        match self {
            Sharing::Private => 0o700,
            Sharing::Group(_) => 0o2770,
        }
    }
}

/// Whether everybody could change what is in a folder, or a folder that is given to a group is open to more than it. One
/// that is a single user's and can only be looked into is made private instead.
pub(crate) fn is_open_to_all(folder: &Path) -> io::Result<bool> {
    let mode = fs::metadata(folder)?.mode();
    Ok(is_too_open(mode))
}

fn is_too_open(mode: u32) -> bool {
    let given = mode & GIVEN_TO_GROUP == GIVEN_TO_GROUP;
    mode & EVERYBODY_WRITES != 0 || given && mode & EVERYBODY != 0
}

/// Gives a file the mode of those beside it, if it is this user's.
pub(crate) fn give_mode(file: &File, sharing: Sharing) -> io::Result<()> {
    let is = file.metadata()?;
    if is.uid() == geteuid().as_raw() && is.mode() & WHO_MAY_WHAT != sharing.file_mode() {
        file.set_permissions(Permissions::from_mode(sharing.file_mode()))?;
    }
    Ok(())
}

/// Brings what this user has made in a folder to what the folder has become since.
pub(crate) fn settle(folder: &Path) -> io::Result<()> {
    let sharing = Sharing::of(folder)?;
    if sharing == Sharing::Private {
        settle_one(folder, sharing.folder_mode(), sharing)?;
    }
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_type()?.is_file() && entry.file_name().to_str().is_some_and(is_own) {
            settle_one(&entry.path(), sharing.file_mode(), sharing)?;
        }
    }
    Ok(())
}

fn settle_one(path: &Path, mode: u32, sharing: Sharing) -> io::Result<()> {
    let is = match fs::metadata(path) {
        // A reader beside this one has ended: its part of the write-ahead log goes with it.
        Err(cause) if cause.kind() == io::ErrorKind::NotFound => return Ok(()),
        looked => looked?,
    };
    if is.uid() != geteuid().as_raw() {
        return Ok(());
    }
    if let Sharing::Group(group) = sharing
        && is.gid() != group
    {
        chown(path, None, Some(group))?;
    }
    if is.mode() & WHO_MAY_WHAT != mode {
        fs::set_permissions(path, Permissions::from_mode(mode))?;
    }
    Ok(())
}

/// Whether a file of a data folder is the store's: the database with what lies beside it, and the small ones.
fn is_own(name: &str) -> bool {
    name.starts_with(DATABASE_FILE) || [KEYS_FILE, HEAD_FILE, LOCK_FILE].contains(&name)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_a_groups_only_when_it_was_given_to_it_and_open_to_nobody_else() {
        let cases = [
            (0o40700, Sharing::Private, false),
            (0o40750, Sharing::Private, false),
            (0o40755, Sharing::Private, false),
            (0o40770, Sharing::Private, false),
            (0o42750, Sharing::Private, false),
            (0o42770, Sharing::Group(7), false),
            (0o42771, Sharing::Private, true),
            (0o42775, Sharing::Private, true),
            (0o42777, Sharing::Private, true),
            (0o40777, Sharing::Private, true),
            (0o41777, Sharing::Private, true),
        ];
        for (mode, sharing, too_open) in cases {
            assert_eq!((Sharing::by_mode(mode, 7), is_too_open(mode)), (sharing, too_open), "{mode:o}");
        }
    }

    #[test]
    fn what_is_not_the_stores_own_keeps_its_mode() {
        for name in
            ["holdfast.db", "holdfast.db-wal", "holdfast.db.before-1003", "keys.json", "holdfast.lock"]
        {
            assert!(is_own(name), "{name}");
        }
        for name in ["passphrase", "keys.json.bak", "holdfast.sock", "notes.txt"] {
            assert!(!is_own(name), "{name}");
        }
    }
}
