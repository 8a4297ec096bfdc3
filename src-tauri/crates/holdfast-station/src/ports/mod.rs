//! The ports: what the station needs of the world, in its own words.
//!
//! Promise: every decision of the station is made on this side of the ports, by `holdfast-core`; an adapter behind a port
//! carries out and reports, and decides nothing.

mod beside;
mod clock;
mod journal;
mod record_system;
mod vault;

pub use beside::Beside;
pub use clock::{Clock, Entropy, chance, random_id};
pub use journal::*;
pub use record_system::{
    ContractAnswer, CopiedRecord, CopiedVisit, Delivery, HELD_LIST_MAX_ROWS, HeldThere, NoLife, RecordSystem,
    RecordsPage, SessionAsk, Sockets, SorFault, VisitsAsk,
};
pub use vault::{Secret, SecretName, Vault};
