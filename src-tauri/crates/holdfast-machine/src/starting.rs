//! Opening the data folder of this machine for the window.
//!
//! Promise: configuration, key and folder are looked at in this order, and the first that is wrong is told as what a person
//! can do about it. A command that holds the folder only to send gives way to the window. Nothing is made here, no key, no folder, no table, that was not there when the station was set up.

mod problem;
mod taking;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use holdfast_station::ports::Journal as _;
use holdfast_station::{Settings, Station};
use holdfast_store::Store;
use holdfast_wire::{ApiError, HouseView, Rehearsal, StartView};

use crate::composing::{ComposeFault, station, ways};
use crate::configuration::{Configuration, ConfigurationFault, configuration};
use crate::folder;
use crate::held_key::{HeldKey, KeyFault};
use crate::local_socket::Door;
use crate::log::{self, Level, Log, NotALevel};

pub use problem::problem_of;
pub use taking::NotTaken;

/// What a person named on the command line.
#[derive(Clone, Debug, Default)]
pub struct StartAsk {
    /// The data folder.
    pub data_dir: Option<PathBuf>,
    /// One more file of the configuration.
    pub config: Option<PathBuf>,
    /// A file with the passphrase; without it the keyring is asked.
    pub passphrase_file: Option<PathBuf>,
}

/// A station at work.
pub struct Started {
    /// The station.
    pub station: Station,
    /// Where it stands.
    pub house: HouseView,
    /// Its log; work goes on without one.
    pub log: Option<Log>,
    /// Where other programs of this computer ask.
    pub door: Door,
    /// What it runs under, to be followed.
    pub configuration: Configuration,
}

/// No station, and what is known about it all the same.
#[derive(Debug, thiserror::Error)]
#[error("{fault}")]
pub struct NotStarted {
    /// Why.
    #[source]
    pub fault: StartFault,
    folder: Option<PathBuf>,
    contact: Option<String>,
}

/// Why there is no station.
#[derive(Debug, thiserror::Error)]
pub enum StartFault {
    /// The configuration.
    #[error(transparent)]
    Configuration(#[from] ConfigurationFault),
    /// The level of the log.
    #[error(transparent)]
    Level(#[from] NotALevel),
    /// This user has no folder for data.
    #[error("there is no home folder")]
    NoHome,
    /// What opens the folder.
    #[error(transparent)]
    Key(#[from] KeyFault),
    /// The folder, its keys or its database, or whoever works there.
    #[error(transparent)]
    Store(#[from] NotTaken),
    /// The way to the SoR.
    #[error(transparent)]
    Compose(#[from] ComposeFault),
    /// The station itself.
    #[error("the station refuses")]
    Station(#[from] ApiError),
}

impl NotStarted {
    /// As the window shows it.
    #[must_use]
    pub fn view(&self) -> StartView {
        let folder = self.folder.as_deref().map(|folder| folder.display().to_string());
        StartView::Problem {
            problem: problem_of(&self.fault),
            folder: folder.unwrap_or_default(),
            contact: self.contact.clone(),
        }
    }
}

/// Opens the data folder. Blocks; call it inside the runtime that will do the waiting.
///
/// # Errors
/// [`NotStarted`]; nothing was changed.
pub fn start(ask: &StartAsk, program: &str, version: &str) -> Result<Started, NotStarted> {
    let configuration = configuration(ask.config.as_deref()).map_err(|fault| NotStarted {
        fault: fault.into(),
        folder: ask.data_dir.clone(),
        contact: None,
    })?;
    let settings = &configuration.configured.settings;
    let contact = Some(settings.contact.clone()).filter(|contact| !contact.is_empty());
    let folder =
        ask.data_dir.clone().or_else(|| settings.queue_path.clone()).or_else(folder::default_data_dir);
    let opened = match &folder {
        Some(folder) => open(ask, folder, configuration, (program, version)),
        None => Err(StartFault::NoHome),
    };
    opened.map_err(|fault| NotStarted { fault, folder, contact })
}

fn open(
    ask: &StartAsk,
    folder: &Path,
    mut configuration: Configuration,
    (program, version): (&str, &str),
) -> Result<Started, StartFault> {
    let settings = configuration.configured.settings.clone();
    let level = Level::of_environment()?;
    let key = match &ask.passphrase_file {
        Some(file) => HeldKey::in_file(file)?,
        None => HeldKey::in_keyring(folder)?,
    };
    let store = taking::take(folder, &key, settings.attempt_ms())?;
    // Only who holds the lock of the folder logs there.
    let log = log::start(folder, program, level).ok();
    tracing::info!(version, "opened for the window");
    let (house, door) = (house(&store, &settings, version), Door::of(&store));
    let ways = ways(&store, &settings)?;
    let station = station(Arc::new(store), ways, settings)?;
    configuration.begin(&station);
    Ok(Started { station, house, log, door, configuration })
}

fn house(store: &Store, settings: &Settings, version: &str) -> HouseView {
    HouseView {
        city: settings.city.clone(),
        station: store.station().station_id.to_string(),
        version: version.to_owned(),
        contact: settings.contact.clone(),
        rules_contact: settings.rules_contact.clone(),
        rehearsal: Rehearsal::None,
    }
}
