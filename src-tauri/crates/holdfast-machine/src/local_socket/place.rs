//! Where the socket lies, and who may reach it.
//!
//! Promise: the socket lies in the data folder, so that who can reach the folder can reach it, and nobody else; its mode
//! follows the folder's: 0600, or 0660 where the folder is shared with its group. An address may have 107 bytes; a folder
//! with a longer path is reached through a descriptor of it, by `/proc/self/fd`. Only who holds the write lock binds, so a
//! socket that a killed process left behind is nobody's and is replaced.

use std::fs::{self, File, OpenOptions, Permissions};
use std::io;
use std::os::fd::{AsRawFd as _, OwnedFd};
use std::os::unix::fs::{OpenOptionsExt as _, PermissionsExt as _};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::time::Duration;

use holdfast_store::Sharing;
use rustix::fs::OFlags;
use rustix::net::sockopt::{Timeout, set_socket_timeout};
use rustix::net::{AddressFamily, SocketAddrUnix, SocketFlags, SocketType, connect, socket_with};

use super::SILENT_MAX_MS;

/// The socket's name in a data folder.
pub const SOCKET_FILE: &str = "holdfast.sock";

/// The way to a socket; the descriptor keeps a long folder's short name alive.
struct Way {
    path: PathBuf,
    _folder: Option<File>,
}

impl Way {
    fn to(folder: &Path) -> io::Result<Self> {
        let path = folder.join(SOCKET_FILE);
        if SocketAddrUnix::new(path.as_path()).is_ok() {
            return Ok(Self { path, _folder: None });
        }
        let flags = i32::try_from((OFlags::PATH | OFlags::DIRECTORY).bits()).map_err(io::Error::other)?;
        let folder = OpenOptions::new().read(true).custom_flags(flags).open(folder)?;
        let path = PathBuf::from(format!("/proc/self/fd/{}/{SOCKET_FILE}", folder.as_raw_fd()));
        Ok(Self { path, _folder: Some(folder) })
    }
}

/// Binds the socket of a folder whose lock this process holds.
pub(super) fn bind(folder: &Path) -> io::Result<(UnixListener, Sharing)> {
    let sharing = Sharing::of(folder)?;
    remove(folder)?;
    let way = Way::to(folder)?;
    let listener = UnixListener::bind(&way.path)?;
    fs::set_permissions(folder.join(SOCKET_FILE), Permissions::from_mode(sharing.file_mode()))?;
    if let Sharing::Group(group) = sharing {
        std::os::unix::fs::chown(folder.join(SOCKET_FILE), None, Some(group))?;
    }
    listener.set_nonblocking(true)?;
    Ok((listener, sharing))
}

/// The socket is gone afterwards, whoever left it.
pub(super) fn remove(folder: &Path) -> io::Result<()> {
    match fs::remove_file(folder.join(SOCKET_FILE)) {
        Err(cause) if cause.kind() != io::ErrorKind::NotFound => Err(cause),
        Ok(()) | Err(_) => Ok(()),
    }
}

/// Connects to whoever listens there. A holder that was stopped takes no connection any more once its queue is full, and
/// keeps nobody waiting for longer than it may be silent.
pub(super) fn reach(folder: &Path) -> io::Result<UnixStream> {
    let way = Way::to(folder)?;
    let socket: OwnedFd = socket_with(AddressFamily::UNIX, SocketType::STREAM, SocketFlags::CLOEXEC, None)?;
    let longest = Some(Duration::from_millis(SILENT_MAX_MS));
    set_socket_timeout(&socket, Timeout::Send, longest)?;
    set_socket_timeout(&socket, Timeout::Recv, longest)?;
    connect(&socket, &SocketAddrUnix::new(way.path.as_path())?)?;
    Ok(UnixStream::from(socket))
}
