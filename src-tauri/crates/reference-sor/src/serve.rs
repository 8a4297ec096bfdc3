//! Starting and stopping: opens the records, compiles the rules, binds the doors.

use std::fs::File;
use std::io::{self, Read as _};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use holdfast_core::canonical::sha256;
use holdfast_core::ids::Digest;
use holdfast_core::parcel::Parcel;
use tokio::sync::watch;
use tokio::task::JoinHandle;

use crate::door::{Door, Phase};
use crate::drill::{self, Drill, Faults, NotInForce};
use crate::legacy::records::LegacyRecords as _;
use crate::parcels::{self, ParcelBook as _};
use crate::password::Tries;
use crate::reception::Reception;
use crate::records::{Records, RecordsFault, Seal, SealSeeds, SqliteRecords};
use crate::rulebook::{self, Rulebook, RulebookFault};
use crate::settings::{Api, City, Database, EnrolmentRule, Provenance, Settings, SettingsFault};
use crate::sor::{Desk, Sor};
use crate::{clock, demo, entropy, http};

/// A file of one-time codes, in bytes.
const CODES_FILE_MAX_BYTES: u64 = 64 * 1024;

/// Why it does not start.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// A setting is refused.
    #[error(transparent)]
    Settings(#[from] SettingsFault),
    /// The records cannot be opened.
    #[error("the records cannot be opened")]
    Records(#[from] RecordsFault),
    /// There is no contract to hand out.
    #[error("there is no contract to hand out")]
    Rulebook(#[from] RulebookFault),
    /// An address cannot be listened on.
    #[error("cannot listen on {address}")]
    Listen {
        /// Which one.
        address: SocketAddr,
        /// Why.
        source: io::Error,
    },
    /// The one-time codes cannot be read.
    #[error("the one-time codes in {path} cannot be read")]
    Codes {
        /// Which file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The operating system gives no entropy.
    #[error("the operating system gives no entropy")]
    Entropy,
    /// Work on another thread broke off.
    #[error("the start broke off")]
    BrokeOff,
}

/// A SoR that answers. Dropping it stops it too, without waiting.
#[derive(Debug)]
pub struct Running {
    /// Where stations are answered: `http://ADDRESS`.
    pub url: String,
    /// Where drills are answered.
    pub drill_url: Option<String>,
    drill: Option<Arc<Drill>>,
    phase: watch::Sender<Phase>,
    doors: Vec<JoinHandle<()>>,
}

impl Running {
    /// Puts a plan of faults in force, as `PUT /drill/faults` does; for whoever runs the SoR in its own process.
    ///
    /// # Errors
    /// [`NotInForce`]; also when it was started without drills.
    pub async fn put_faults(&self, plan: &[u8]) -> Result<(), NotInForce> {
        let none = || NotInForce::NotAPlan("started without drills".to_owned());
        self.drill.as_ref().ok_or_else(none)?.put(plan).await
    }

    /// Answers what has been asked, within two seconds, and ends.
    pub async fn stop(self) {
        let _ = self.phase.send(Phase::Stopping);
        for door in self.doors {
            let _ = door.await;
        }
    }
}

/// Starts the SoR inside the running tokio runtime.
///
/// # Errors
/// [`ServeError`]; nothing is left running then.
pub async fn serve(settings: Settings) -> Result<Running, ServeError> {
    settings.check()?;
    let (listen, drill_listen) = (settings.listen, settings.drill_listen);
    let opening = tokio::task::spawn_blocking(move || open(&settings));
    let sor = Arc::new(opening.await.map_err(|_| ServeError::BrokeOff)??);
    let (phase, until) = watch::channel(Phase::Serving);
    let bind = async |address| {
        Door::bind(address, until.clone()).await.map_err(|source| ServeError::Listen { address, source })
    };
    let (door, bell) = bind(listen).await?;
    let mut running = Running { url: door.url(), drill_url: None, drill: None, phase, doors: Vec::new() };
    let mut faults = None;
    if let Some(address) = drill_listen {
        let in_force = Arc::new(Faults::new(http::identity_value(&sor)));
        let drill = Drill {
            faults: in_force.clone(),
            door: bell,
            records: sor.records.clone(),
            desk: sor.desk.clone(),
            parcels: sor.parcels.clone(),
        };
        let drill = Arc::new(drill);
        let (drill_door, _) = bind(address).await?;
        running.drill_url = Some(drill_door.url());
        running.doors.push(drill_door.serve(Arc::new(Reception::new(drill::router(drill.clone()), None))));
        running.drill = Some(drill);
        faults = Some(in_force);
    }
    running.doors.push(door.serve(Arc::new(Reception::new(http::router(sor), faults))));
    Ok(running)
}

fn open(settings: &Settings) -> Result<Sor, ServeError> {
    let Database::Sqlite(path) = &settings.database;
    let database = Arc::new(SqliteRecords::open(path)?);
    let records: Arc<dyn Records> = Arc::clone(&database) as _;
    let seal = seal(&*records, settings.records)?;
    let version = records.contract_version(&rulebook::files_digest())?;
    let rulebook = Rulebook::sign(version, seal.office_key)?;
    if let EnrolmentRule::ByCode(Some(path)) = &settings.enrolment {
        records.add_codes(&codes(path)?)?;
    }
    if settings.city == City::AlderFalls {
        let now = clock::now();
        let salts = [entropy(), entropy(), entropy()];
        let [clerk, inspector, supervisor] = salts;
        let people = demo::people([clerk?, inspector?, supervisor?]);
        records.plant(&people, &demo::applications(now, &clock::zone()), now)?;
    }
    database.put_up_board()?;
    database.open_custody()?;
    database.open_parcels(&planted_parcels(settings.city))?;
    let desk = match settings.api {
        Api::Operations => Desk::Operations,
        Api::Records => {
            database.prepare()?;
            Desk::Records(Arc::clone(&database) as _)
        }
        Api::Board => Desk::Board,
        Api::Gis => Desk::Gis,
    };
    Ok(Sor {
        records,
        desk,
        board: Arc::clone(&database) as _,
        custody: Arc::clone(&database) as _,
        parcels: database,
        rulebook,
        identity: seal.identity,
        epoch: seal.epoch,
        order: settings.order,
        key: seal.sor_key,
        enrolment: settings.enrolment.clone(),
        tries: Tries::default(),
        session_h: settings.session_h,
        offline_grace_h: settings.offline_grace_h,
    })
}

fn planted_parcels(city: City) -> Vec<Parcel> {
    match city {
        City::Empty => Vec::new(),
        City::AlderFalls => parcels::demo::parcels(demo::addresses(), clock::now()),
    }
}

/// What was drawn once; a copy that was put back is of the next epoch.
fn seal(records: &dyn Records, provenance: Provenance) -> Result<Seal, ServeError> {
    let seeds = seeds()?;
    match provenance {
        Provenance::Own => {}
        Provenance::Backup => records.come_back()?,
    }
    Ok(records.seal(&seeds)?)
}

fn seeds() -> Result<SealSeeds, ServeError> {
    Ok(SealSeeds { identity: entropy()?, sor_key: entropy()?, office_key: entropy()? })
}

fn entropy<const N: usize>() -> Result<[u8; N], ServeError> {
    entropy::bytes().map_err(|_| ServeError::Entropy)
}

/// The digests of the codes in a file, one code per line.
fn codes(path: &Path) -> Result<Vec<Digest>, ServeError> {
    let unreadable = |source| ServeError::Codes { path: path.to_owned(), source };
    let mut text = String::new();
    let file = File::open(path).map_err(unreadable)?;
    file.take(CODES_FILE_MAX_BYTES).read_to_string(&mut text).map_err(unreadable)?;
    let codes = text.lines().map(str::trim).filter(|code| !code.is_empty());
    Ok(codes.map(|code| sha256(code.as_bytes())).collect())
}
