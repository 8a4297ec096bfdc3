//! What the board says of all stations, as a supervisor reads it.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::view::BooksView;

/// Every station that the board has heard.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct StationsView {
    /// What came of asking the board.
    pub board: BoardSaid,
    /// When what follows was copied from it, RFC 3339 UTC; none when nothing ever was.
    pub as_of: Option<String>,
    /// The stations, by their names.
    pub stations: Vec<StationRow>,
}

/// What the board says of one station.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct StationView {
    /// What came of asking the board.
    pub board: BoardSaid,
    /// When what follows was copied from it, RFC 3339 UTC; none when nothing ever was.
    pub as_of: Option<String>,
    /// Its row; none when the board has never heard of it.
    pub station: Option<StationRow>,
    /// What waits there, the oldest first.
    pub waiting: Vec<StationItem>,
    /// How many more wait than are named.
    pub left_out: u32,
}

/// What came of asking the board.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "said", rename_all = "snake_case")]
pub enum BoardSaid {
    /// This station was set up without one.
    NoBoard,
    /// It was not asked now.
    NotAsked,
    /// What follows is its answer.
    Answered,
    /// It does not answer.
    NotAnswering {
        /// When the next try may go.
        next_try_at: Option<String>,
    },
    /// It refuses this station, or what it says cannot be read.
    Refused,
    /// Somebody else answers at its address.
    WrongSystem,
}

/// What a station told last.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct StationRow {
    /// Its name.
    pub station_id: String,
    /// Whether it is this one.
    pub whose: StationWhose,
    /// Whether it was heard lately, when the board was asked.
    pub hearing: StationHearing,
    /// When it was heard last, by this computer's clock.
    pub heard_at: String,
    /// How it stood.
    pub mode: String,
    /// Since when, in an outage.
    pub since: Option<String>,
    /// The version of its program.
    pub program: String,
    /// Its books.
    pub books: BooksView,
    /// When the oldest of what waits to be sent was accepted.
    pub oldest_accepted_at: Option<String>,
    /// Its contract.
    pub contract: Option<StationContract>,
    /// The head of its audit: the highest that the board ever heard.
    pub head: StationHead,
}

/// Whose row it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum StationWhose {
    /// This station's own.
    This,
    /// Another one's.
    Other,
}

/// Whether a station is heard.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum StationHearing {
    /// Lately.
    Heard,
    /// Not for longer than a station stays silent.
    Silent,
}

/// An operation that waits at a station, without anything of what it holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct StationItem {
    /// On its receipt.
    pub receipt_no: String,
    /// Its application's number.
    pub permit_num: Option<String>,
    /// What it is.
    pub kind: String,
    /// When it was accepted.
    pub accepted_at: String,
    /// Who handed it in.
    pub actor: Option<String>,
    /// `pending`, `in_flight` or `quarantined`.
    pub state: String,
    /// Why it waits for a person.
    pub reason: Option<String>,
}

/// A station's contract.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct StationContract {
    /// Its version.
    pub version: u32,
    /// Whether it held.
    pub valid: bool,
}

/// The head of a station's audit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct StationHead {
    /// The number of its last event.
    pub seq: String,
    /// Its hash.
    pub hash: String,
    /// When it was written.
    pub at: String,
}
