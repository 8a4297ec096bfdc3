//! A user of this computer, for whom programs are run. They need no name: the kernel knows numbers alone.

use std::fs::Permissions;
use std::os::unix::fs::{PermissionsExt as _, chown};
use std::path::Path;
use std::process::Command;

use rustix::process::{getegid, geteuid};

/// How a user belongs to the group that shares a folder.
#[derive(Clone, Copy, Debug)]
enum Belongs {
    /// It is the group that what they make belongs to.
    First,
    /// It is one of several.
    Also,
    /// They do not.
    No,
}

/// See the module.
#[derive(Clone, Copy, Debug)]
pub struct Member {
    uid: u32,
    group: u32,
    belongs: Belongs,
    umask: &'static str,
}

/// The people of one computer.
#[derive(Clone, Copy, Debug)]
pub struct Crew {
    /// Who sets the folder up; whose programs let nobody else read what they make, if they are not told otherwise.
    pub first: Member,
    /// Another member of the group, whose programs let everybody do everything. Without the right to be somebody else,
    /// the same user again.
    pub second: Member,
    /// Somebody who is no member, if the test may be them.
    pub stranger: Option<Member>,
    /// The group that shares a folder.
    pub group: u32,
}

impl Crew {
    /// Two members and a stranger where the test runs as root; else its own user, twice.
    #[must_use]
    pub fn of_this_computer() -> Self {
        let (uid, gid) = (geteuid().as_raw(), getegid().as_raw());
        if uid != 0 {
            let first = Member { uid, group: gid, belongs: Belongs::First, umask: "077" };
            let second = Member { umask: "000", ..first };
            return Self { first, second, stranger: None, group: gid };
        }
        let group = 61_000;
        let first = Member { uid: 61_001, group, belongs: Belongs::First, umask: "077" };
        let second = Member { uid: 61_002, group, belongs: Belongs::Also, umask: "000" };
        let stranger = Member { uid: 61_003, group, belongs: Belongs::No, umask: "022" };
        Self { first, second, stranger: Some(stranger), group }
    }

    /// Whether the two are two users.
    #[must_use]
    pub fn are_two(&self) -> bool {
        self.first.uid != self.second.uid
    }
}

impl Member {
    /// Their number.
    #[must_use]
    pub fn uid(&self) -> u32 {
        self.uid
    }

    /// Gives them a file or folder.
    ///
    /// # Panics
    /// It cannot be given.
    pub fn own(&self, path: &Path, mode: u32) {
        std::fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
        chown(path, Some(self.uid), None).unwrap();
    }

    /// Runs a program as them.
    pub(crate) fn command(&self, program: &Path) -> Command {
        let mut command = Command::new("/bin/sh");
        command.args(["-c", "umask \"$1\"; shift; exec \"$@\"", "sh", self.umask]);
        if geteuid().as_raw() == 0 {
            let gid = match self.belongs {
                Belongs::First => self.group,
                Belongs::Also | Belongs::No => self.uid,
            };
            command.args(["/usr/bin/setpriv", "--reuid", &self.uid.to_string(), "--regid", &gid.to_string()]);
            match self.belongs {
                Belongs::Also => command.args(["--groups", &self.group.to_string()]),
                Belongs::First | Belongs::No => command.arg("--clear-groups"),
            };
            command.arg("--");
        }
        command.arg(program);
        command
    }
}
