//! What crosses the socket of a data folder: other processes of this computer ask the one that holds the write lock.
//!
//! Promise: a closed list of what can be asked, which is what the command line writes; whatever only reads opens the store
//! beside the holder. Documents and secrets travel beside a request, in a frame of their own, never inside it. How frames
//! are bounded, and who may ask what, is the holder's matter.

use serde::{Deserialize, Serialize};

use crate::{
    ApiError, ConflictView, ContractView, CopiesView, DecideRequest, Decided, DrainReport, DrainRequest,
    EndpointSteered, HoldEndpointRequest, KeepLikenessRequest, LikenessKept, ParcelsView, ReceiptView,
    ReleaseEndpointRequest, RestoreDecided, RestoreRequest, SessionView, StationView, StationsView,
};

/// The version of this conversation. Another one is refused by name.
pub const LOCAL_VERSION: u32 = 1;

/// The holder's first frame.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct LocalHello {
    /// [`LOCAL_VERSION`]
    pub v: u32,
    /// The holder's random number, 64 hex digits.
    pub nonce: String,
}

/// The caller's answer to it.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LocalProof {
    /// [`LOCAL_VERSION`]
    pub v: u32,
    /// The caller's random number, 64 hex digits.
    pub nonce: String,
    /// That it can open the data, 64 hex digits.
    pub proof: String,
}

/// Whether the holder listens.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "opening", rename_all = "snake_case")]
pub enum LocalOpening {
    /// It does.
    Welcome {
        /// That the holder can open the same data, 64 hex digits.
        proof: String,
    },
    /// It does not.
    Refused {
        /// Why.
        why: LocalRefusal,
    },
}

/// Why the holder does not listen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LocalRefusal {
    /// It speaks another version.
    Version,
    /// The caller has not proven that it can open the data.
    Unproven,
    /// As many as may are asking already.
    Busy,
}

/// What can be asked.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "ask", content = "with", rename_all = "snake_case", deny_unknown_fields)]
pub enum LocalRequest {
    /// Accept one operation; the document follows.
    Submit {
        /// Drawn by the caller, used where the document names none.
        operation_id: String,
        /// Likewise, for a new application.
        application_id: String,
    },
    /// Accept one row of an import; its payload follows.
    ImportRow {
        /// The source's own number.
        permit_num: String,
    },
    /// An import ended.
    ImportEnded(ImportEnd),
    /// Decide about an item.
    Decide(DecideRequest),
    /// Keep both of two applications that look alike.
    KeepLikeness(KeepLikenessRequest),
    /// Decide about what the SoR lost.
    SettleRestore(RestoreRequest),
    /// Ask the SoR for its version of what an item conflicts with.
    FetchTheirs {
        /// The item's key.
        key: String,
    },
    /// Hold an endpoint.
    HoldEndpoint(HoldEndpointRequest),
    /// Release it.
    ReleaseEndpoint(ReleaseEndpointRequest),
    /// Sign in whose session follows: the caller has opened it at the SoR for its own user.
    TakeUp,
    /// Sign out whoever is signed in for the caller's user.
    SignOut,
    /// Take rules from a document that follows.
    LoadContract,
    /// Fetch the rules.
    RefreshContract,
    /// Bring the copy of the city's parcels up to date.
    RenewParcels,
    /// Fetch copies for the caller's user.
    RefreshCopies,
    /// Ask the board for what all stations told last.
    Stations,
    /// The same of one of them.
    Station {
        /// Its name.
        id: String,
    },
    /// Bring the backlog to the SoR.
    Drain(DrainRequest),
    /// End soon, so that the caller can hold the lock: a window takes over from a command.
    StepAside,
}

/// How an import ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ImportEnd {
    /// Rows accepted.
    pub accepted: u64,
    /// Rows that had been accepted before.
    pub already: u64,
    /// Rows refused.
    pub refused: u64,
}

/// How far a drain has come, since the caller asked for it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SentSoFar {
    /// Recorded.
    pub committed: u64,
    /// Found to be recorded already.
    pub already_committed: u64,
    /// Put before a person.
    pub quarantined: u64,
    /// Attempts.
    pub attempts: u64,
    /// Still waiting.
    pub pending: u64,
}

/// What the holder answers.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "answer", content = "with", rename_all = "snake_case")]
pub enum LocalAnswer {
    /// It is at it; comes every second until the answer does.
    Working(SentSoFar),
    /// An operation is accepted.
    Receipt(ReceiptView),
    /// A row is accepted.
    Row {
        /// It had been before.
        already: bool,
    },
    /// A decision is carried out.
    Decided(Decided),
    /// Both are kept.
    LikenessKept(LikenessKept),
    /// What the SoR lost is decided about.
    Restored(RestoreDecided),
    /// The versions that conflict.
    Conflict(Box<ConflictView>),
    /// An endpoint is held or released.
    Steered(EndpointSteered),
    /// A person is signed in.
    Session(SessionView),
    /// The rules in use.
    Contract(ContractView),
    /// How the copy of the city's parcels stands.
    Parcels(ParcelsView),
    /// Copies were fetched.
    Copies(CopiesView),
    /// What the board says, or said last.
    Stations(Box<StationsView>),
    /// The same of one station.
    Station(Box<StationView>),
    /// A drain ended.
    Drained(DrainReport),
    /// Done.
    Done,
    /// Not done, since this process ends or has no way to the SoR: whoever asked takes the lock, or asks again. Of a drain
    /// with what was done of it.
    Leaving(SentSoFar),
    /// The verb says no.
    Refused(ApiError),
}
