//! What the reference SoR is started with, and what is refused at start.
//!
//! Promise: a setting that this program does not carry out is refused with its reason, never ignored.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::str::FromStr;

use holdfast_core::ramp::Order;

/// Longest session that may be asked for, in hours.
const SESSION_MAX_H: u32 = 168;

/// Everything that a start needs.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Where stations are answered; loopback, since there is no TLS. Port 0 takes a free one.
    pub listen: SocketAddr,
    /// Where drills are answered, if at all.
    pub drill_listen: Option<SocketAddr>,
    /// Where the records are kept.
    pub database: Database,
    /// Who may enrol.
    pub enrolment: EnrolmentRule,
    /// Whether the made-up city is planted into an empty database.
    pub city: City,
    /// Whether the database is a copy that was put back: the epoch goes up, so that stations notice.
    pub records: Provenance,
    /// How work is brought to it.
    pub api: Api,
    /// In which order it takes operations of several applications.
    pub order: Order,
    /// How long a session holds, in hours.
    pub session_h: u32,
    /// How long after its end a session's proof is still taken for work accepted offline, in hours.
    pub offline_grace_h: u32,
}

/// How work is brought to it: `--profile`, `--board-only` or `--gis-only`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Api {
    /// Operations with keys and versions, under `/v1/operations`.
    Operations,
    /// An old vendor's records, under `/records`.
    Records,
    /// Not at all: it is the board of an office, and nothing else.
    Board,
    /// Not at all: it is the city's GIS, and nothing else.
    Gis,
}

/// Where the records are kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Database {
    /// One SQLite file, made when missing.
    Sqlite(PathBuf),
}

/// Who may enrol a station.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EnrolmentRule {
    /// Whoever asks; another key replaces the old. For demo and drills.
    Open,
    /// Who brings an unused code. The file holds one code per line; `None` adds none to those kept.
    ByCode(Option<PathBuf>),
}

/// Where the database comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Provenance {
    /// It is the one that this SoR left.
    Own,
    /// An older copy was put back.
    Backup,
}

/// What an empty database is filled with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum City {
    /// Nothing.
    Empty,
    /// Alder Falls with its three people.
    AlderFalls,
}

/// Why a start is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SettingsFault {
    /// There is no TLS here.
    #[error(
        "{address} is not a loopback address; this program speaks plain http and serves this machine only"
    )]
    NotLoopback {
        /// What was asked for.
        address: SocketAddr,
    },
    /// Not in this version.
    #[error("PostgreSQL is not supported yet; give --db sqlite:FILE")]
    PostgresNotYet,
    /// No database at all.
    #[error("not a database: give --db sqlite:FILE")]
    NotADatabase,
    /// Sessions of no length, or of more than a week.
    #[error("a session lasts 1 to {SESSION_MAX_H} hours")]
    SessionLength,
}

impl Settings {
    /// Settings for a drill: free ports, everybody may enrol, demo data.
    #[must_use]
    pub fn for_drill(database: Database) -> Self {
        let any_port = SocketAddr::from(([127, 0, 0, 1], 0));
        Self {
            listen: any_port,
            drill_listen: Some(any_port),
            database,
            enrolment: EnrolmentRule::Open,
            city: City::AlderFalls,
            records: Provenance::Own,
            api: Api::Operations,
            session_h: 12,
            offline_grace_h: 72,
            order: Order::OfArrival,
        }
    }

    /// Whether this program can be started like this.
    ///
    /// # Errors
    /// The first setting that is refused.
    pub fn check(&self) -> Result<(), SettingsFault> {
        let addresses = [Some(self.listen), self.drill_listen];
        if let Some(address) = addresses.into_iter().flatten().find(|address| !address.ip().is_loopback()) {
            return Err(SettingsFault::NotLoopback { address });
        }
        if (1..=SESSION_MAX_H).contains(&self.session_h) { Ok(()) } else { Err(SettingsFault::SessionLength) }
    }
}

impl FromStr for Database {
    type Err = SettingsFault;

    fn from_str(text: &str) -> Result<Self, SettingsFault> {
        match text.split_once(':') {
            Some(("sqlite", path)) if !path.is_empty() => Ok(Self::Sqlite(PathBuf::from(path))),
            Some(("postgres" | "postgresql", _)) => Err(SettingsFault::PostgresNotYet),
            Some(_) | None => Err(SettingsFault::NotADatabase),
        }
    }
}
