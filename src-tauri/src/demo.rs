//! The demonstration: a made-up city in a throw-away folder, with a system-of-record in the same process.
//!
//! Promise: the folder lies on a real disk like a counter's own, is opened by a passphrase that is in memory only, and goes
//! with the window. One that is kept on purpose is opened by words in a file, and can be opened again. Sessions are opened while the SoR answers, so that persons can change when it does not. Everything
//! else is the real station on its real ways.

pub(crate) mod commands;
mod faults;
mod leftovers;
mod place;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use holdfast_core::ids::StationId;
use holdfast_core::profile::Profile;
use holdfast_machine::local_socket::Door;
use holdfast_machine::log::{self, Level, Log};
use holdfast_machine::secret_file::SecretFault;
use holdfast_machine::{ComposeFault, SetUp, SetUpFault, SystemClock, folder, set_up, station, ways};
use holdfast_station::ports::{Clock as _, Journal as _};
use holdfast_station::{OpenedSession, Settings, Station};
use holdfast_store::{OpenError, Store};
use holdfast_wire::{ApiError, DemoFault, DemoPerson, HouseView, Rehearsal, SessionView, SignInRequest};
use reference_sor::{Database, NotInForce, Running, ServeError, serve};

use crate::compose::LOG_NAME;
use crate::desk::AtWork;
use crate::logging;

pub use place::Place;

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
    door: Door,
    place: Mutex<Option<Place>>,
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
    /// What opens a kept one cannot be read.
    #[error("the passphrase file {0}")]
    Passphrase(#[from] SecretFault),
    /// A kept one cannot be opened.
    #[error(transparent)]
    Store(#[from] OpenError),
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

/// The demonstration that a person starts; `place` where it is kept, else a throw-away one.
pub(crate) async fn open(place: Option<Place>) -> Result<(AtWork, Demo), NoDemo> {
    let place = match place {
        Some(place) => place,
        None => Place::throw_away(&folder::cache_dir().ok_or(NoDemo::NoHome)?)?,
    };
    let data_dir = place.data_dir();
    let (station, demo) = open_at(place).await?;
    let log = start_log(&data_dir);
    tracing::info!(version = env!("CARGO_PKG_VERSION"), "opened for a demonstration");
    let door = Some(demo.door());
    Ok((AtWork { station, house: house(), log, door, configuration: None }, demo))
}

/// A demonstration in a new folder under `above`.
///
/// # Errors
/// [`NoDemo`]; nothing is left behind.
pub async fn open_in(above: &Path) -> Result<(Station, Demo), NoDemo> {
    open_at(Place::throw_away(above)?).await
}

/// A demonstration at a place.
///
/// # Errors
/// [`NoDemo`]
pub async fn open_at(place: Place) -> Result<(Station, Demo), NoDemo> {
    let data_dir = place.data_dir();
    let held = if data_dir.exists() { Some(open_store(&data_dir, place.words())?) } else { None };
    let sor = serve(sor_settings(&place, held.as_ref())).await?;
    let store = match held {
        Some(store) => store,
        None => set_up_store(&data_dir, &sor.url, place.words()).await?,
    };
    let door = Door::of(&store);
    let station = compose(store)?;
    station.refresh_contract().await?;
    let people = open_sessions(&station).await?;
    carry(&station, &people).await;
    if let Some(clerk) = people.get(&DemoPerson::Clerk) {
        station.take_up(clerk)?;
    }
    Ok((station, Demo { sor, people, door, place: Mutex::new(Some(place)) }))
}

/// Copies for everybody, while the SoR answers: it may be broken by the time persons change. Where they cannot be fetched,
/// as with the backlog of a kept demonstration, the age of what is carried says so.
async fn carry(station: &Station, people: &BTreeMap<DemoPerson, OpenedSession>) {
    for opened in people.values() {
        if let Err(error) = station.refresh_copies_of(opened).await {
            tracing::warn!(code = ?error.code, "a person of the demonstration carries nothing new");
        }
    }
}

fn open_store(data_dir: &Path, words: &[u8]) -> Result<Store, NoDemo> {
    Ok(Store::open(data_dir, words, SystemClock.now())?)
}

/// The SoR of a kept demonstration is where its station was set up to find it.
fn sor_settings(place: &Place, held: Option<&Store>) -> reference_sor::Settings {
    let mut settings = reference_sor::Settings::for_drill(Database::Sqlite(place.folder().join("city.db")));
    let address = held.and_then(|store| store.station().sor_url.strip_prefix("http://")?.parse().ok());
    if let Some(address) = address {
        settings.listen = address;
    }
    settings
}

async fn set_up_store(data_dir: &Path, sor_url: &str, words: &[u8]) -> Result<Store, NoDemo> {
    let name: StationId = STATION_NAME.parse().expect("the demonstration's station has a station's name");
    let settings = settings();
    let ask = SetUp {
        data_dir,
        settings: &settings,
        sor_url,
        beside: &[],
        station: &name,
        profile: Profile::Idempotent,
        code: None,
        office_key: None,
        passphrase: words,
    };
    let (store, _) = set_up(&ask).await?;
    Ok(store)
}

fn compose(store: Store) -> Result<Station, NoDemo> {
    let settings = settings();
    let ways = ways(&store, &settings)?;
    Ok(station(Arc::new(store), ways, settings)?)
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
    /// Where other programs ask this station, if they know what opens it.
    #[must_use]
    pub fn door(&self) -> Door {
        self.door.clone()
    }

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

    /// Throws the folder away, unless it is kept. What the SoR still holds open goes with the process.
    pub async fn end(&self) {
        let place = self.place.lock().unwrap_or_else(PoisonError::into_inner).take();
        let thrown = tokio::task::spawn_blocking(move || place.map_or(Ok(()), Place::end)).await;
        if let Ok(Err(cause)) = thrown {
            logging::say(&format!("the folder of the demonstration is still there: {cause}"));
        }
    }
}
