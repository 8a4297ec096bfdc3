//! The reference system-of-record: what demo, drills and tests run against, and what a city's integrator may compare
//! an own SoR with.
//!
//! Promise: an operation has at most one effect per key; the key, the fingerprint of the body and the stored answer are
//! written in the transaction of the effect, and a known key is answered before anything else is looked at. It listens
//! on loopback only, and can be told to fail on the wire in every way that the drills know. It is not made to carry a
//! city: no TLS, one database file.

mod board;
mod clock;
mod custody;
mod demo;
mod door;
mod drill;
mod entropy;
mod http;
mod judge;
mod legacy;
mod parcels;
mod password;
mod reception;
mod records;
mod rulebook;
mod serve;
mod settings;
mod sor;

pub use drill::NotInForce;
pub use records::RecordsFault;
pub use rulebook::RulebookFault;
pub use serve::{Running, ServeError, serve};
pub use settings::{Api, City, Database, EnrolmentRule, Provenance, Settings, SettingsFault};
