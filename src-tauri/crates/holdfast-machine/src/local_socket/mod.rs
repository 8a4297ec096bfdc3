//! The socket of a data folder: the process that holds the write lock answers the others of this computer.
//!
//! Promise: whoever asks is of the same user, or of the group that the folder is shared with, and has proven that it can
//! open the data, before a single request of it is read; the holder proves the same, so that nobody hands a document to a
//! stranger. Everything is bounded: who may be at the door, who may ask, how long a frame may take and how
//! large it may be. A caller that is hostile, slow or gone costs one place among them and never the holder's time.
//!
//! What acts for a person (submit, import, decide, sign in and out) acts under the session of the caller's own user of this
//! computer, as the kernel says who that is, and never under the holder's. Passwords do not come here: whoever signs in
//! asks the SoR themselves. Reading goes past this socket, beside the holder.

mod answering;
mod caller;
mod doorway;
mod frames;
mod handing_over;
mod peers;
mod place;
mod serving;

pub use caller::{CallFault, Caller};
pub use handing_over::hand_over;
pub use place::SOCKET_FILE;
pub use serving::{ChangedBy, Door, Holder, Serving};

/// Frames before both sides have proven themselves.
const OPENING_MAX_BYTES: usize = 1024;
/// A request without its document.
const REQUEST_MAX_BYTES: usize = 320 * 1024;
/// An answer.
const ANSWER_MAX_BYTES: usize = 1024 * 1024;
/// A contract as one document: up to 64 files of rules with their signatures.
const CONTRACT_MAX_BYTES: usize = 16 * 1024 * 1024;
/// A session.
const SESSION_MAX_BYTES: usize = 64 * 1024;

/// Longest that both proofs may take.
const OPENING_MAX_MS: u64 = 2_000;
/// Longest that a caller may say nothing between two requests.
const IDLE_MAX_MS: u64 = 30_000;
/// Longest that one frame may take from its beginning to its end.
const FRAME_MAX_MS: u64 = 5_000;
/// How often a holder that is at it says so.
const WORKING_EVERY_MS: u64 = 500;
/// A holder of which nothing is heard for so long is silent.
const SILENT_MAX_MS: u64 = 4_000;
/// Longest that a holder's end waits for what it was asked.
const END_MAX_MS: u64 = 8_000;

/// Callers at the door that have not proven themselves; one more sends the oldest of them away.
const UNPROVEN_MAX: usize = 32;
/// Callers that have; one more is told that the holder is busy.
const CALLERS_MAX: usize = 32;
