//! The ports: what the station needs of the world, in its own words.
//!
//! Promise: every decision of the station is made on this side of the ports, by `holdfast-core`; an adapter behind a port
//! carries out and reports, and decides nothing.

mod beside;
mod board;
mod clock;
mod custody;
mod journal;
mod parcels;
mod record_system;
mod vault;

pub use beside::Beside;
pub use board::{Board, BoardPage};
pub use clock::{Clock, Entropy, chance, random_id};
pub use custody::{Custody, CustodyPage, HeldCopy};
pub use journal::*;
pub use parcels::{Parcels, ParcelsAsk, ParcelsPage};
pub use record_system::{
    ChangesAnswer, ChangesPage, ContractAnswer, CopiedRecord, CopiedVisit, Delivery, FeedRest,
    HELD_LIST_MAX_ROWS, HeldThere, NoLife, RecordSystem, RecordsPage, SessionAsk, Sockets, SorFault,
    VisitsAsk,
};
pub use vault::{Secret, SecretName, Vault};
