//! The encrypted store of one station: its journal, its applications, its archive and its audit chain.
//!
//! Promise: what is accepted is on the disk, encrypted, before anybody is told so; each method of the port
//! [`holdfast_station::ports::Journal`] is one transaction; and damage is found, and named, before it is built upon
//! ([`verify`](fn@verify)). Nothing is decided here: decisions are functions of the caller, called inside the transaction.
//!
//! A data folder holds `holdfast.db` (SQLCipher, with its write-ahead log while it is open), `keys.json` (the wrapped key),
//! `head.json` (the signed head of the audit chain) and `holdfast.lock` (what the one writing process holds locked).

mod accept;
mod alarm;
mod application;
mod archive;
mod audit;
mod backlog;
mod begin;
mod beside;
mod board;
mod books;
mod changes;
mod columns;
mod configuration;
mod conflict;
mod contract;
mod copies;
mod counts;
mod custody;
mod decide;
mod draft;
mod endpoint;
mod fault;
mod files;
mod find;
mod folder;
mod found_by;
mod head;
mod item;
mod journal;
mod keys;
mod lane;
mod likeness;
mod local_key;
mod lock;
mod meta;
mod migrate;
mod missing;
mod number;
mod open;
mod operation;
mod operation_record;
mod outage;
mod outage_try;
mod parcel;
mod random;
mod recover;
mod replacement;
mod replacing;
mod reproving;
mod restored;
#[cfg(test)]
mod scratch;
mod second_look;
mod secret;
mod session;
mod settle;
mod setup;
mod sharing;
mod skipped;
mod snapshot;
mod steer;
mod store;
#[cfg(feature = "test-tamper")]
pub mod tamper;
mod trail;
mod turn;
mod twin;
mod verify;
mod version_gate;
mod writer;

pub use fault::WRITER_WAITING_MAX;
pub use files::{DATABASE_FILE, HEAD_FILE, KEYS_FILE, LOCK_FILE};
pub use folder::{FolderError, check_place};
pub use keys::{ArgonCost, KEYRING_SECRET_BYTES, KeysError, Unlock, add_keyring, change_passphrase};
pub use local_key::{LOCAL_NONCE_BYTES, LOCAL_PROOF_BYTES, LocalKey, LocalNonces, LocalSide, local_key};
pub use migrate::MigrateError;
pub use setup::NewStore;
pub use sharing::Sharing;
pub use store::{OpenError, Store, keyring_name};
pub use trail::walk;
pub use verify::{FINDINGS_MAX, Finding, Findings, Part, VerifyError, verify};
pub use version_gate::{SQLITE_VERSION_MIN, TooOld};
