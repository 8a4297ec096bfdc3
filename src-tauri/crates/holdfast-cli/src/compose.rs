//! Putting the station together: the store and the SoR behind its ports, this machine's clocks and randomness.
//!
//! Promise: whoever writes holds the lock of the data folder from here to the end of the command, and whoever only reads
//! needs no lock, so that looking works while a drain runs. A way to the SoR is given only to what sends.

use std::path::PathBuf;
use std::sync::Arc;

use holdfast_machine::local_socket::{Door, Serving};
use holdfast_machine::log::{self, Level, Log};
use holdfast_machine::secret_file::SecretText;
use holdfast_machine::{Configuration, HeldKey, SystemClock, Ways, configuration, folder, station, ways};
use holdfast_station::ports::{Clock as _, RecordSystem};
use holdfast_station::{OpenedSession, Settings, Station};
use holdfast_store::{LocalKey, OpenError, Store, local_key};
use holdfast_wire::SignInRequest;
use tokio::runtime::{Builder, Runtime};

use crate::arguments::{Common, KeyProvider};
use crate::failure::Failure;
use crate::holding::AtWork;
use crate::no_connection::NoConnection;
use crate::output::say;
use crate::secrets;
use crate::writing::NotDone;

/// Name of this program's log files.
const LOG_NAME: &str = "holdfastctl";
/// Threads for waiting on the network; the work is one attempt at a time.
const WORKER_THREADS: usize = 2;

/// What every command starts from: all of it checked before anything is opened.
pub(crate) struct Desk {
    /// Where the data lie.
    pub(crate) data_dir: PathBuf,
    /// The configuration.
    pub(crate) settings: Settings,
    /// Where each value comes from, and where it can be read again.
    pub(crate) configuration: Configuration,
    key: Key,
    log_level: Level,
}

/// Where the key of the data comes from.
enum Key {
    /// From words in a file.
    Passphrase(SecretText),
    /// From the keyring; setting up asks for words too, so that the data outlive a lost keyring.
    Keyring(Option<SecretText>),
}

/// A station beside whoever writes.
pub(crate) struct Reading {
    /// The station.
    pub(crate) station: Station,
}

/// The station of the one process that writes. In this order: whoever asks is answered before the station ends, and its
/// end is logged.
pub(crate) struct Open {
    /// Answers other processes.
    _serving: Option<Serving>,
    /// What they are answered from.
    pub(crate) holder: Arc<AtWork>,
    /// The station.
    pub(crate) station: Arc<Station>,
    /// Where its waiting is done.
    pub(crate) runtime: Runtime,
    _log: Option<Log>,
}

/// Whether a command is given a way to the SoR.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WayToSor {
    /// It needs none.
    None,
    /// It needs none itself, but works so long that others may ask it to send.
    ForOthers,
    /// It comes to nothing without.
    Needed,
}

impl Desk {
    /// From the command line, the configuration and the environment.
    ///
    /// # Errors
    /// The first of them that is wrong.
    pub(crate) fn prepare(common: &Common) -> Result<Self, Failure> {
        let configuration = configuration(common.config.as_deref())?;
        let settings = configuration.configured.settings.clone();
        let log_level = Level::of_environment().map_err(|fault| Failure::usage(fault.to_string()))?;
        let data_dir =
            common.data_dir.clone().or_else(|| settings.queue_path.clone()).or_else(folder::default_data_dir);
        let data_dir =
            data_dir.ok_or_else(|| Failure::usage("there is no home folder; give --data-dir DIR"))?;
        Ok(Self { data_dir, settings, configuration, key: Key::named(common)?, log_level })
    }

    /// What opens the data.
    ///
    /// # Errors
    /// The keyring has none for this folder, or does not answer.
    pub(crate) fn key(&self) -> Result<HeldKey, Failure> {
        match &self.key {
            Key::Passphrase(words) => Ok(HeldKey::Passphrase(words.clone())),
            Key::Keyring(_) => Ok(HeldKey::in_keyring(&self.data_dir)?),
        }
    }

    /// Words to set a folder up with.
    ///
    /// # Errors
    /// None were given.
    pub(crate) fn words(&self) -> Result<&SecretText, Failure> {
        match &self.key {
            Key::Passphrase(words) | Key::Keyring(Some(words)) => Ok(words),
            Key::Keyring(None) => Err(Failure::usage(
                "the data have to outlive a lost keyring; give --passphrase-file FILE too, and keep that file apart",
            )),
        }
    }

    /// Whether the keyring is to open the data.
    pub(crate) fn is_for_keyring(&self) -> bool {
        match self.key {
            Key::Keyring(_) => true,
            Key::Passphrase(_) => false,
        }
    }

    /// A reader beside whoever writes. It has no way to the SoR.
    ///
    /// # Errors
    /// The folder is not set up, or cannot be opened.
    pub(crate) fn open_to_read(&self) -> Result<Reading, Failure> {
        let store = Store::open_beside(&self.data_dir, self.key()?.unlock())?;
        Ok(Reading { station: station(Arc::new(store), no_connection(), self.settings.clone())? })
    }

    /// Opens a session at the SoR for this user of the computer, beside whoever writes.
    ///
    /// # Errors
    /// The folder cannot be opened, or the SoR opens none.
    pub(crate) fn open_session(&self, ask: SignInRequest) -> Result<OpenedSession, NotDone> {
        let (station, runtime) = self.reading_with_sor().map_err(NotDone::Failed)?;
        runtime.block_on(station.open_session(ask)).map_err(NotDone::Refused)
    }

    /// A reader beside whoever writes, with its ways to the endpoints.
    ///
    /// # Errors
    /// The folder is not set up or cannot be opened, or an address is refused.
    pub(crate) fn reading_with_sor(&self) -> Result<(Station, Runtime), Failure> {
        let store = Store::open_beside(&self.data_dir, self.key()?.unlock())?;
        let runtime = runtime()?;
        let ways = {
            let _inside = runtime.enter();
            ways(&store, &self.settings)?
        };
        Ok((station(Arc::new(store), ways, self.settings.clone())?, runtime))
    }

    /// The only writer of the data folder; `None` when another process is.
    ///
    /// # Errors
    /// The folder is not set up or cannot be opened, or the SoR's address is refused.
    pub(crate) fn open_to_write(&self, way: WayToSor) -> Result<Option<Open>, Failure> {
        let store = match Store::open(&self.data_dir, self.key()?.unlock(), SystemClock.now()) {
            Ok(store) => Arc::new(store),
            Err(OpenError::InUse { .. }) => return Ok(None),
            Err(error) => return Err(error.into()),
        };
        let log = self.start_log();
        match way {
            WayToSor::Needed => self.with_sor(store, log),
            WayToSor::None => self.without_sor(store, log),
            WayToSor::ForOthers => self
                .with_sor(Arc::clone(&store), None)
                .or_else(|_| self.without_sor(store, None))
                .map(|open| Open { _log: log, ..open }),
        }
        .map(Some)
    }

    /// A folder that was just set up, with the SoR.
    ///
    /// # Errors
    /// The SoR's address is refused.
    pub(crate) fn open_new(&self, store: Store) -> Result<Open, Failure> {
        self.with_sor(Arc::new(store), self.start_log())
    }

    /// What proves to the process that writes that this one can open the data.
    ///
    /// # Errors
    /// It cannot.
    pub(crate) fn local_key(&self) -> Result<LocalKey, Failure> {
        Ok(local_key(&self.data_dir, self.key()?.unlock())?)
    }

    /// Only the holder of the lock logs. Work goes on without a log; the audit is elsewhere.
    fn start_log(&self) -> Option<Log> {
        match log::start(&self.data_dir, LOG_NAME, self.log_level) {
            Ok(log) => {
                tracing::info!(version = env!("CARGO_PKG_VERSION"), "opened for writing");
                Some(log)
            }
            Err(cause) => {
                say(&format!("there is no log of this run: {cause}"));
                None
            }
        }
    }

    fn with_sor(&self, store: Arc<Store>, log: Option<Log>) -> Result<Open, Failure> {
        let runtime = runtime()?;
        let ways = {
            let _inside = runtime.enter();
            ways(&store, &self.settings)?
        };
        self.holding(store, ways, runtime, log, true)
    }

    fn without_sor(&self, store: Arc<Store>, log: Option<Log>) -> Result<Open, Failure> {
        self.holding(store, no_connection(), runtime()?, log, false)
    }

    /// Others ask whoever holds the lock. Without a socket work goes on; they are told that this process does not answer.
    fn holding(
        &self,
        store: Arc<Store>,
        ways: Ways,
        runtime: Runtime,
        log: Option<Log>,
        sends: bool,
    ) -> Result<Open, Failure> {
        let door = Door::of(&store);
        let station = Arc::new(station(store, ways, self.settings.clone())?);
        let mut configuration = self.configuration.clone();
        configuration.begin(&station);
        runtime.spawn(configuration.follow(station.as_ref().clone(), |_| {}));
        let holder = Arc::new(AtWork::new(Arc::clone(&station), sends));
        let serving = door
            .open(Arc::clone(&holder) as _, runtime.handle())
            .inspect_err(|cause| tracing::warn!(error = %cause, "other processes cannot ask this one"));
        Ok(Open { _serving: serving.ok(), holder, station, runtime, _log: log })
    }
}

impl Key {
    fn named(common: &Common) -> Result<Self, Failure> {
        let words = common.passphrase_file.as_deref().map(secrets::passphrase).transpose()?;
        match (common.key_provider, words) {
            (None | Some(KeyProvider::Passphrase), Some(words)) => Ok(Key::Passphrase(words)),
            (Some(KeyProvider::Keyring), words) => Ok(Key::Keyring(words)),
            (None | Some(KeyProvider::Passphrase), None) => Err(Failure::usage(
                "the data are opened with a passphrase; give --passphrase-file FILE, or --key-provider keyring",
            )),
            (Some(KeyProvider::Machine), _) => Err(Failure::usage(
                "this version opens its data with a passphrase or the keyring; give --passphrase-file FILE",
            )),
        }
    }
}

/// A runtime for one command.
///
/// # Errors
/// The machine has no room for its threads.
pub(crate) fn runtime() -> Result<Runtime, Failure> {
    let runtime = Builder::new_multi_thread().worker_threads(WORKER_THREADS).enable_all().build();
    runtime.map_err(|cause| Failure::of_io("no threads can be started", &cause))
}

/// For what needs nobody but this computer.
fn no_connection() -> Ways {
    let nobody: Arc<dyn RecordSystem> = Arc::new(NoConnection);
    nobody.into()
}
