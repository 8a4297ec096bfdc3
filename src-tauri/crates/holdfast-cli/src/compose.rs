//! Putting the station together: the store and the SoR behind its ports, this machine's clocks and randomness.
//!
//! Promise: whoever writes holds the lock of the data folder from here to the end of the command, and whoever only reads
//! needs no lock, so that looking works while a drain runs. A way to the SoR is given only to what sends.

use std::path::PathBuf;
use std::sync::Arc;

use holdfast_core::sign::KeyPair;
use holdfast_sor::{EndpointSettings, Limits, SorClient, SorSettings};
use holdfast_station::ports::{Clock as _, Journal as _, RecordSystem, SecretName, Vault};
use holdfast_station::{Ports, Settings, Station};
use holdfast_store::Store;
use tokio::runtime::{Builder, Runtime};
use tracing_subscriber::filter::LevelFilter;

use crate::arguments::Common;
use crate::configuration;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::folder;
use crate::logging::{self, Log};
use crate::machine::{SystemClock, SystemEntropy};
use crate::no_connection::NoConnection;
use crate::output::say;
use crate::secrets::{self, SecretText};

/// Threads for waiting on the network; the work is one attempt at a time.
const WORKER_THREADS: usize = 2;

/// What every command starts from: all of it checked before anything is opened.
pub(crate) struct Desk {
    /// Where the data lie.
    pub(crate) data_dir: PathBuf,
    /// The configuration.
    pub(crate) settings: Settings,
    /// What opens the data.
    pub(crate) passphrase: SecretText,
    log_level: LevelFilter,
}

/// An opened station.
pub(crate) struct Open {
    /// The station; before the log, so that its end is logged.
    pub(crate) station: Station,
    /// Where its waiting is done.
    pub(crate) runtime: Runtime,
    _log: Option<Log>,
}

impl Desk {
    /// From the command line, the configuration and the environment.
    ///
    /// # Errors
    /// The first of them that is wrong.
    pub(crate) fn prepare(common: &Common) -> Result<Self, Failure> {
        let settings = configuration::load(common.config.as_deref())?;
        let log_level = logging::level()?;
        let data_dir =
            common.data_dir.clone().or_else(|| settings.queue_path.clone()).or_else(folder::default_data_dir);
        let data_dir =
            data_dir.ok_or_else(|| Failure::usage("there is no home folder; give --data-dir DIR"))?;
        Ok(Self { data_dir, settings, passphrase: secrets::passphrase(common)?, log_level })
    }

    /// A reader beside whoever writes. It has no way to the SoR.
    ///
    /// # Errors
    /// The folder is not set up, or cannot be opened.
    pub(crate) fn open_to_read(&self) -> Result<Open, Failure> {
        let store = Store::open_beside(&self.data_dir, self.passphrase.as_bytes())?;
        self.station_on(Arc::new(store), Arc::new(NoConnection), runtime()?, None)
    }

    /// The only writer of the data folder, as at the counter: it has no way to the SoR.
    ///
    /// # Errors
    /// The folder is not set up, cannot be opened, or is written by another process.
    pub(crate) fn open_counter(&self) -> Result<Open, Failure> {
        let (store, log) = self.writing_store()?;
        self.station_on(store, Arc::new(NoConnection), runtime()?, log)
    }

    /// The only writer of the data folder, with the SoR.
    ///
    /// # Errors
    /// As [`Desk::open_counter`], or the SoR's address is refused.
    pub(crate) fn open_to_send(&self) -> Result<Open, Failure> {
        let (store, log) = self.writing_store()?;
        self.with_sor(store, log)
    }

    /// A folder that was just set up, with the SoR.
    ///
    /// # Errors
    /// As [`Desk::open_to_send`].
    pub(crate) fn open_new(&self, store: Store) -> Result<Open, Failure> {
        self.with_sor(Arc::new(store), self.start_log())
    }

    fn writing_store(&self) -> Result<(Arc<Store>, Option<Log>), Failure> {
        let store = Store::open(&self.data_dir, self.passphrase.as_bytes(), SystemClock.now())?;
        Ok((Arc::new(store), self.start_log()))
    }

    /// Only the holder of the lock logs. Work goes on without a log; the audit is elsewhere.
    fn start_log(&self) -> Option<Log> {
        match logging::start(&self.data_dir, self.log_level) {
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

    /// Where the SoR is, and how long it may take.
    pub(crate) fn endpoint(&self, url: &str) -> EndpointSettings {
        let limits = Limits {
            connect_timeout_ms: self.settings.connect_ms(),
            timeout_ms: self.settings.attempt_ms(),
            ..Limits::default()
        };
        EndpointSettings { limits, ..EndpointSettings::new(url) }
    }

    fn with_sor(&self, store: Arc<Store>, log: Option<Log>) -> Result<Open, Failure> {
        let runtime = runtime()?;
        let sor = {
            let _inside = runtime.enter();
            self.record_system(&store)?
        };
        self.station_on(store, Arc::new(sor), runtime, log)
    }

    fn station_on(
        &self,
        store: Arc<Store>,
        sor: Arc<dyn RecordSystem>,
        runtime: Runtime,
        log: Option<Log>,
    ) -> Result<Open, Failure> {
        let ports = Ports {
            journal: Arc::clone(&store) as _,
            vault: store,
            sor,
            clock: Arc::new(SystemClock),
            entropy: Arc::new(SystemEntropy),
        };
        Ok(Open { station: Station::new(ports, self.settings.clone())?, runtime, _log: log })
    }

    fn record_system(&self, store: &Store) -> Result<SorClient, Failure> {
        let record = store.station();
        let settings = SorSettings {
            endpoint: self.endpoint(&record.sor_url),
            identity: record.identity.clone(),
            station_id: record.station_id.clone(),
        };
        let key = station_key(store)?;
        Ok(SorClient::new(settings, key, Arc::new(SystemClock), Arc::new(SystemEntropy))?)
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

fn station_key(vault: &dyn Vault) -> Result<KeyPair, Failure> {
    let damaged =
        || Failure::new(Exit::Integrity, "integrity", "the station's own key is missing or damaged");
    let secret = vault.secret(SecretName::StationKey).map_err(|_| damaged())?.ok_or_else(damaged)?;
    let seed: &[u8; 32] = secret.as_slice().try_into().map_err(|_| damaged())?;
    Ok(KeyPair::from_seed(seed))
}
