//! Who is at the other end, as the kernel says (`SO_PEERCRED`).
//!
//! Promise: a private folder is answered to its holder's user alone, whatever a socket's mode became; a shared one to the
//! members of its group too. Root is no exception: it has ways of its own.

use std::fs;

use holdfast_station::ports::OsUser;
use holdfast_store::Sharing;
use rustix::process::geteuid;

/// Of `/proc/PID/status`.
const STATUS_MAX_BYTES: usize = 16 * 1024;

/// Whom a request comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Peer {
    /// The user whose process this is.
    Own,
    /// Another member of the group that the folder is shared with.
    Member(OsUser),
}

/// What the kernel says of the other end.
#[derive(Clone, Copy, Debug)]
pub(super) struct Credentials {
    pub(super) uid: u32,
    pub(super) gid: u32,
    pub(super) pid: Option<i32>,
}

/// Whether the other end is answered.
pub(super) fn admit(peer: Credentials, sharing: Sharing) -> Option<Peer> {
    if peer.uid == geteuid().as_raw() {
        return Some(Peer::Own);
    }
    match sharing {
        Sharing::Private => None,
        Sharing::Group(group) => is_member(peer, group).then_some(Peer::Member(OsUser(peer.uid))),
    }
}

/// The kernel has asked the same when it let the other end connect: the socket's mode is the group's. So a process id that
/// was given out again meanwhile opens nothing by itself.
fn is_member(peer: Credentials, group: u32) -> bool {
    if peer.gid == group {
        return true;
    }
    let status = peer.pid.and_then(|pid| fs::read_to_string(format!("/proc/{pid}/status")).ok());
    status.is_some_and(|status| {
        status.len() <= STATUS_MAX_BYTES && groups(&status).any(|member| member == group)
    })
}

/// The supplementary groups in a process's status.
fn groups(status: &str) -> impl Iterator<Item = u32> {
    let line = status.lines().find_map(|line| line.strip_prefix("Groups:")).unwrap_or_default();
    line.split_whitespace().filter_map(|group| group.parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn peer(uid: u32, gid: u32) -> Credentials {
        Credentials { uid, gid, pid: None }
    }

    #[test]
    fn a_stranger_is_answered_only_where_the_folder_is_shared_with_a_group_of_theirs() {
        let own = geteuid().as_raw();
        let cases = [
            (peer(own, 7), Sharing::Private, Some(Peer::Own)),
            (peer(own, 7), Sharing::Group(9), Some(Peer::Own)),
            (peer(own + 1, 9), Sharing::Private, None),
            (peer(own + 1, 9), Sharing::Group(9), Some(Peer::Member(OsUser(own + 1)))),
            (peer(own + 1, 7), Sharing::Group(9), None),
        ];
        for (peer, sharing, admitted) in cases {
            assert_eq!(admit(peer, sharing), admitted, "{peer:?} {sharing:?}");
        }
    }

    #[test]
    fn supplementary_groups_are_read_from_the_kernels_words() {
        let status = "Name:\tx\nGid:\t7\t7\t7\t7\nGroups:\t9 27 100 \nVmPeak:\t1 kB\n";
        assert_eq!(groups(status).collect::<Vec<_>>(), [9, 27, 100]);
        assert_eq!(groups("Name:\tx\n").count(), 0);
    }
}
