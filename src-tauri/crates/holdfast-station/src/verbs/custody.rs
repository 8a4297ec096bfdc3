//! Custody: copies of what is not disposed of, at a mirror that holds them.
//!
//! Promise: copying goes on apart from everything else, and above all while the SoR does not answer; the mirror has a breaker and
//! outages of its own, and one that is down, slow or strange changes nothing for whoever stands at the counter, for what is
//! sent, or for an operation: a copy is no commit. One question at a time: copies first, urgent ones before all, then releases
//! of what is disposed of. What the mirror may hold is written down before it is asked. Which operations are copied is decided
//! by core, and stands in the audit with its inputs.

mod copying;
mod shown;

pub use copying::CustodyLook;
