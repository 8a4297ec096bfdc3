//! One workstation of a made-up city: the real store in a folder of its own, a scripted record system, a told clock.

use std::path::Path;
use std::sync::{Arc, Mutex};

use holdfast_core::audit::{Entry, EventKind};
use holdfast_core::beside::Part;
use holdfast_core::profile::Profile;
use holdfast_core::time::{BootMillis, Now, TimeZone, UtcMillis};
use holdfast_station::ports::{Beside, BesideRecord, Clock, ContractAnswer, Entropy, Journal, StationRecord};
use holdfast_station::{Ports, Settings, Station, Stop};
use holdfast_store::{ArgonCost, NewStore, Store};
use holdfast_wire::{ApiCode, ApiError, DrainReport, DrainRequest, ReceiptView, SignInRequest};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::time::Instant;
use zeroize::Zeroizing;

use crate::office::bundle;
use crate::sor::{Scripted, sor_key};

pub(crate) const MORNING: &str = "2026-11-30T08:00:00.000Z";
const PASSPHRASE: &[u8] = b"made-up words for a test";

pub(crate) fn wall(text: &str) -> UtcMillis {
    text.parse().unwrap()
}

/// A clock that goes with the runtime's (paused) time, and further when it is told.
pub(crate) struct ToldClock {
    start: Instant,
    told: Mutex<Now>,
}

impl ToldClock {
    /// Both clocks go on by so much at once.
    pub(crate) fn go_on_ms(&self, ms: u64) {
        let mut told = self.told.lock().unwrap();
        *told = told.plus_millis(ms);
    }

    /// The wall clock alone is set.
    pub(crate) fn set_wall(&self, text: &str) {
        self.told.lock().unwrap().wall = wall(text);
    }
}

impl Clock for ToldClock {
    fn now(&self) -> Now {
        let gone = u64::try_from(self.start.elapsed().as_millis()).unwrap();
        self.told.lock().unwrap().plus_millis(gone)
    }

    fn zone(&self) -> TimeZone {
        TimeZone::get("America/New_York").unwrap()
    }
}

/// The same bytes in every run, never twice the same.
struct Counted(Mutex<u64>);

impl Entropy for Counted {
    fn fill(&self, bytes: &mut [u8]) {
        let mut state = self.0.lock().unwrap();
        for byte in bytes {
            *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            *byte = state.to_le_bytes()[6];
        }
    }
}

pub(crate) struct Desk {
    pub(crate) station: Arc<Station>,
    pub(crate) store: Arc<Store>,
    pub(crate) sor: Arc<Scripted>,
    pub(crate) clock: Arc<ToldClock>,
    beside: Beside,
    folder: TempDir,
}

/// Short times, so that a drain's hours are few turns of its loop; nothing else differs from the defaults.
pub(crate) fn settings() -> Settings {
    Settings { breaker_fail_max: 2, first_drain_jitter_s: 0.0, ..Settings::default() }
}

impl Desk {
    /// Set up, with nobody signed in and no rules.
    pub(crate) fn bare(settings: Settings) -> Self {
        Self::set_up(settings, Profile::Idempotent, Beside::default())
    }

    fn set_up(settings: Settings, profile: Profile, beside: Beside) -> Self {
        let start = Instant::now();
        let told = Now { wall: wall(MORNING), boot: BootMillis(1_000_000) };
        let clock = Arc::new(ToldClock { start, told: Mutex::new(told) });
        let folder =
            tempfile::Builder::new().prefix("station-").tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
        let store = Arc::new(Store::create(folder.path(), new_store(told, profile, &beside)).unwrap());
        let sor = Arc::new(Scripted::new());
        let station = Arc::new(Station::new(ports(&store, &sor, &clock, &beside), settings).unwrap());
        Self { station, store, sor, clock, beside, folder }
    }

    /// The same folder, opened by the program's next start.
    pub(crate) fn started_again(self, settings: Settings) -> Self {
        self.started_after(settings, |_| ())
    }

    /// The same after something was done to the folder while nobody had it open.
    pub(crate) fn started_after(self, settings: Settings, meanwhile: impl FnOnce(&Path)) -> Self {
        let Self { station, store, sor, clock, beside, folder } = self;
        drop(station);
        Arc::into_inner(store).unwrap().close().unwrap();
        meanwhile(folder.path());
        let store = Arc::new(Store::open(folder.path(), PASSPHRASE, clock.now()).unwrap());
        let station = Arc::new(Station::new(ports(&store, &sor, &clock, &beside), settings).unwrap());
        Self { station, store, sor, clock, beside, folder }
    }

    /// Open for work: rules of this morning, and a supervisor signed in.
    pub(crate) async fn open(settings: Settings) -> Self {
        Self::open_for_work(Self::bare(settings)).await
    }

    /// The same at an SoR without keys.
    pub(crate) async fn open_without_keys(settings: Settings) -> Self {
        Self::open_for_work(Self::set_up(settings, Profile::LookBeforeWrite, Beside::default())).await
    }

    /// The same as with rules and a supervisor, and endpoints beside the primary.
    pub(crate) async fn open_beside(settings: Settings, beside: Beside) -> Self {
        Self::open_for_work(Self::set_up(settings, Profile::Idempotent, beside)).await
    }

    async fn open_for_work(desk: Self) -> Self {
        desk.sor.contracts(|_| Ok(ContractAnswer::Bundle(Box::new(bundle(7, wall(MORNING))))));
        desk.station.refresh_contract().await.unwrap();
        desk.sign_in("supervisor").await.unwrap();
        desk
    }

    pub(crate) async fn sign_in(&self, user: &str) -> Result<(), ApiError> {
        let request = SignInRequest { user: user.to_owned(), password: "demo".to_owned() };
        self.station.sign_in(request).await.map(|_| ())
    }

    pub(crate) fn submit(&self, document: &Value) -> Result<ReceiptView, ApiError> {
        self.station.submit(document.to_string().as_bytes())
    }

    /// A new application on a lane of its own; gives the id of the lane.
    pub(crate) fn apply(&self) -> String {
        self.submit(&application()).unwrap().application_id
    }

    pub(crate) fn advance(&self, lane: &str, to: &str) -> ReceiptView {
        self.submit(&json!({ "kind": "stage", "application_id": lane, "payload": { "to": to } })).unwrap()
    }

    /// Milliseconds of the clock that nobody sets.
    pub(crate) fn clock_ms(&self) -> u64 {
        self.clock.now().boot.0
    }

    /// How many events the audit chain has.
    pub(crate) fn events(&self) -> u64 {
        holdfast_store::verify(self.folder.path(), PASSPHRASE, &mut |_, _| ()).unwrap().events
    }

    /// Whether everything that is stored holds.
    pub(crate) fn clean(&self) -> bool {
        holdfast_store::verify(self.folder.path(), PASSPHRASE, &mut |_, _| ()).unwrap().is_clean()
    }

    /// The text of every event of the audit chain, in its order.
    pub(crate) fn chain(&self) -> Vec<String> {
        holdfast_store::tamper::events(self.folder.path(), PASSPHRASE).unwrap()
    }

    /// One pass.
    pub(crate) async fn pass(&self) -> DrainReport {
        self.drain(DrainRequest { until_empty: false, max_s: None }).await
    }

    /// Until nothing is left, an hour at the most.
    pub(crate) async fn until_empty(&self) -> DrainReport {
        self.drain(DrainRequest { until_empty: true, max_s: Some(3_600) }).await
    }

    pub(crate) async fn drain(&self, request: DrainRequest) -> DrainReport {
        let (_handle, stop) = Stop::new();
        self.station.drain(request, stop, &|_| ()).await.unwrap()
    }
}

pub(crate) fn application() -> Value {
    json!({ "kind": "application", "payload": { "OriginalAddress1": "12 OAK ST", "PIN": ["0010-22-417"] } })
}

/// The code of a refusal, and its problems by pointer.
pub(crate) fn refusal<T: std::fmt::Debug>(result: Result<T, ApiError>) -> (ApiCode, Vec<(String, String)>) {
    let error = result.unwrap_err();
    let problems = error.problems.into_iter().map(|problem| (problem.pointer, problem.code));
    (error.code, problems.collect())
}

fn ports(store: &Arc<Store>, sor: &Arc<Scripted>, clock: &Arc<ToldClock>, beside: &Beside) -> Ports {
    Ports {
        beside: beside.clone(),
        journal: Arc::clone(store) as Arc<dyn Journal>,
        vault: Arc::clone(store) as Arc<dyn holdfast_station::ports::Vault>,
        sor: Arc::clone(sor) as Arc<dyn holdfast_station::ports::RecordSystem>,
        clock: Arc::clone(clock) as Arc<dyn Clock>,
        entropy: Arc::new(Counted(Mutex::new(1))),
    }
}

/// Where the GIS is, for a station that has one.
fn gis() -> BesideRecord {
    BesideRecord {
        part: Part::Gis,
        url: "https://gis.alder-falls.example".to_owned(),
        identity: "alder-falls-gis".parse().unwrap(),
    }
}

/// Where the mirror is, for a station that has one which holds copies.
fn mirror() -> BesideRecord {
    BesideRecord {
        part: Part::Custody,
        url: "https://mirror.alder-falls.example".to_owned(),
        identity: "alder-falls-mirror".parse().unwrap(),
    }
}

fn new_store(now: Now, profile: Profile, beside: &Beside) -> NewStore {
    NewStore {
        beside: beside.gis.iter().map(|_| gis()).chain(beside.custody.iter().map(|_| mirror())).collect(),
        record: StationRecord {
            station_id: "front-1".parse().unwrap(),
            db_id: "01932c6f-8f0a-7cc3-98a1-0242ac120001".parse().unwrap(),
            sor_url: "https://permits.alder-falls.example".to_owned(),
            identity: "alder-falls".parse().unwrap(),
            sor_key: sor_key().public(),
            profile,
            created_at: now.wall,
        },
        office_key: None,
        station_key: Zeroizing::new([7; 32]),
        passphrase: Zeroizing::new(PASSPHRASE.to_vec()),
        argon: ArgonCost { memory_kib: 64, passes: 1, lanes: 1 },
        entries: vec![Entry::new(EventKind::StationInitialised)],
        now,
    }
}
