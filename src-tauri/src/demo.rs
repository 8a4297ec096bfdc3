//! The demonstration: a made-up city in a throw-away folder, with a system-of-record in the same process.
//!
//! Promise: the folder lies on a real disk like a counter's own, is opened by a passphrase that is in memory only, and goes
//! with the window. Sessions are opened while the SoR answers, so that persons can change when it does not. Everything
//! else is the real station on its real ways.

pub(crate) mod commands;
mod faults;
mod leftovers;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use holdfast_core::ids::StationId;
use holdfast_core::profile::Profile;
use holdfast_machine::log::{self, Level, Log};
use holdfast_machine::{
    ComposeFault, SetUp, SetUpFault, SystemEntropy, folder, record_system, set_up, station,
};
use holdfast_station::ports::Entropy as _;
use holdfast_station::{OpenedSession, Settings, Station};
use holdfast_wire::{ApiError, DemoFault, DemoPerson, HouseView, Rehearsal, SessionView, SignInRequest};
use reference_sor::{Database, NotInForce, Running, ServeError, serve};
use tempfile::TempDir;
use zeroize::Zeroizing;

use crate::compose::Opened;
use crate::logging;

/// Name of this program's log files.
const LOG_NAME: &str = "holdfast";
const STATION_NAME: &str = "front-1";
/// Short waits, so that an outage and its end can be watched. Everything else is as at a counter.
const BREAKER_RESET_S: f64 = 5.0;
const FIRST_DRAIN_JITTER_S: f64 = 1.0;
const SOR_TIMEOUT_S: f64 = 2.0;
const BACKOFF_BASE_S: f64 = 0.25;
const BACKOFF_MAX_S: f64 = 4.0;

/// What stands behind the window of a demonstration.
pub struct Demo {
    sor: Running,
    people: BTreeMap<DemoPerson, OpenedSession>,
    _log: Option<Log>,
    folder: Mutex<Option<TempDir>>,
}

/// Why there is no demonstration.
#[derive(Debug, thiserror::Error)]
pub enum NoDemo {
    /// This user has no folder for what may be thrown away.
    #[error("there is no home folder")]
    NoHome,
    /// The folder cannot be made.
    #[error("a folder for the demonstration cannot be made")]
    Folder(#[source] std::io::Error),
    /// Its SoR does not start.
    #[error(transparent)]
    Sor(#[from] ServeError),
    /// Its station cannot be set up.
    #[error(transparent)]
    SetUp(#[from] SetUpFault),
    /// Its station cannot be composed.
    #[error(transparent)]
    Compose(#[from] ComposeFault),
    /// Its station refuses.
    #[error("the station refuses")]
    Station(#[from] ApiError),
}

impl NoDemo {
    /// The sentence with its causes.
    pub(crate) fn said(&self) -> String {
        let mut text = self.to_string();
        let mut next = std::error::Error::source(self);
        while let Some(cause) = next {
            text = format!("{text}: {cause}");
            next = cause.source();
        }
        text
    }
}

/// The demonstration that a person starts.
pub(crate) async fn open() -> Result<Opened, NoDemo> {
    let above = folder::cache_dir().ok_or(NoDemo::NoHome)?;
    let (station, demo) = open_in(&above, true).await?;
    tracing::info!(version = env!("CARGO_PKG_VERSION"), "opened for a demonstration");
    Ok(Opened { station, house: house(), behind: demo })
}

/// A demonstration in a new folder under `above`; `logs` only where the process has no log yet.
///
/// # Errors
/// [`NoDemo`]; nothing is left behind.
pub async fn open_in(above: &Path, logs: bool) -> Result<(Station, Demo), NoDemo> {
    let folder = throw_away(above).map_err(NoDemo::Folder)?;
    let sor =
        serve(reference_sor::Settings::for_drill(Database::Sqlite(folder.path().join("city.db")))).await?;
    let data_dir = folder.path().join("station");
    let (station, log) = set_up_station(&data_dir, &sor.url, logs).await?;
    station.refresh_contract().await?;
    let people = open_sessions(&station).await?;
    if let Some(clerk) = people.get(&DemoPerson::Clerk) {
        station.take_up(clerk)?;
    }
    Ok((station, Demo { sor, people, _log: log, folder: Mutex::new(Some(folder)) }))
}

fn throw_away(above: &Path) -> std::io::Result<TempDir> {
    std::fs::create_dir_all(above)?;
    leftovers::sweep(above);
    tempfile::Builder::new().prefix(&leftovers::prefix_of(std::process::id())).tempdir_in(above)
}

async fn set_up_station(
    data_dir: &PathBuf,
    sor_url: &str,
    logs: bool,
) -> Result<(Station, Option<Log>), NoDemo> {
    let mut passphrase = Zeroizing::new([0; 32]);
    SystemEntropy.fill(passphrase.as_mut_slice());
    let name: StationId = STATION_NAME.parse().expect("the demonstration's station has a station's name");
    let settings = settings();
    let ask = SetUp {
        data_dir,
        settings: &settings,
        sor_url,
        station: &name,
        profile: Profile::Idempotent,
        code: None,
        office_key: None,
        passphrase: passphrase.as_slice(),
    };
    let (store, _) = set_up(&ask).await?;
    let log = if logs { start_log(data_dir) } else { None };
    let sor = record_system(&store, &settings)?;
    Ok((station(Arc::new(store), Arc::new(sor), settings)?, log))
}

/// Starts the log beside the data. Work goes on without one; the audit is elsewhere.
fn start_log(data_dir: &Path) -> Option<Log> {
    let level = Level::of_environment().inspect_err(|fault| logging::say(&fault.to_string())).ok()?;
    let log = log::start(data_dir, LOG_NAME, level);
    log.inspect_err(|cause| logging::say(&format!("there is no log of this run: {cause}"))).ok()
}

fn settings() -> Settings {
    Settings {
        breaker_reset_s: BREAKER_RESET_S,
        first_drain_jitter_s: FIRST_DRAIN_JITTER_S,
        sor_timeout_s: SOR_TIMEOUT_S,
        attempt_backoff_base_s: BACKOFF_BASE_S,
        attempt_backoff_max_s: BACKOFF_MAX_S,
        ..Settings::default()
    }
}

async fn open_sessions(station: &Station) -> Result<BTreeMap<DemoPerson, OpenedSession>, ApiError> {
    let mut people = BTreeMap::new();
    for person in DemoPerson::ALL {
        let name = person.name();
        let ask = SignInRequest { user: name.to_owned(), password: format!("demo-{name}") };
        people.insert(person, station.open_session(ask).await?);
    }
    Ok(people)
}

/// Where a demonstration stands.
#[must_use]
pub fn house() -> HouseView {
    HouseView {
        city: "Alder Falls".to_owned(),
        station: STATION_NAME.to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        contact: "IT desk, (555) 010-0199".to_owned(),
        rules_contact: "the rules office".to_owned(),
        rehearsal: Rehearsal::Demo,
    }
}

impl Demo {
    /// Breaks the SoR until it is mended or broken otherwise.
    ///
    /// # Errors
    /// It stays as it is.
    pub async fn break_sor(&self, fault: DemoFault) -> Result<(), NotInForce> {
        self.sor.put_faults(faults::plan(fault)).await
    }

    /// Mends the SoR.
    ///
    /// # Errors
    /// It stays as it is.
    pub async fn mend_sor(&self) -> Result<(), NotInForce> {
        self.sor.put_faults(faults::MENDED).await
    }

    /// Signs another person in; the SoR is not asked.
    ///
    /// # Errors
    /// Whoever was signed in still is.
    pub fn switch(&self, station: &Station, person: DemoPerson) -> Result<SessionView, ApiError> {
        let missing = ApiError { code: holdfast_wire::ApiCode::NotFound, problems: Vec::new() };
        station.take_up(self.people.get(&person).ok_or(missing)?)
    }

    /// Throws the folder away. What the SoR still holds open goes with the process.
    pub async fn end(&self) {
        let folder = self.folder.lock().unwrap_or_else(PoisonError::into_inner).take();
        let thrown = tokio::task::spawn_blocking(move || folder.map_or(Ok(()), TempDir::close)).await;
        if let Ok(Err(cause)) = thrown {
            logging::say(&format!("the folder of the demonstration is still there: {cause}"));
        }
    }
}
