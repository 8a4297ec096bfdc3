//! A mirror that records, over real HTTP: two systems of one city, each with its own ledger, answers lost at either of them,
//! and one effect of each operation in both ledgers together.

#![allow(clippy::unwrap_used)]

use std::collections::{BTreeMap, BTreeSet};
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use holdfast_core::beside::{Part, PartFault};
use holdfast_core::ids::StationId;
use holdfast_core::profile::Profile;
use holdfast_machine::{SetUp, SetUpFault, set_up, station, ways};
use holdfast_station::ports::Reprovals as _;
use holdfast_station::{Settings, Station, Stop};
use holdfast_store::Store;
use holdfast_wire::{
    DrainReport, DrainRequest, DrainStop, HoldEndpointRequest, ReceiptView, ReleaseEndpointRequest,
    SignInRequest,
};
use reference_sor::{Database, Running, serve};
use serde_json::{Value, json};
use tempfile::TempDir;

const PASSPHRASE: &[u8] = b"made-up words for a test";

/// Short waits, and one failure trips a breaker; nothing else differs from the defaults.
fn settings() -> Settings {
    Settings {
        breaker_fail_max: 1,
        breaker_reset_s: 0.05,
        first_drain_jitter_s: 0.0,
        attempt_backoff_base_s: 0.01,
        attempt_backoff_max_s: 0.05,
        sor_timeout_s: 0.5,
        ..Settings::default()
    }
}

/// An endpoint of the city.
struct Endpoint(Running);

impl Endpoint {
    async fn over(file: &Path) -> Self {
        Self(serve(reference_sor::Settings::for_drill(Database::Sqlite(file.to_owned()))).await.unwrap())
    }

    async fn does(&self, faults: &[Value]) {
        self.0.put_faults(json!({ "faults": faults }).to_string().as_bytes()).await.unwrap();
    }

    async fn refuses(&self) {
        self.does(&[json!({"do": "refuse"})]).await;
    }

    async fn mended(&self) {
        self.does(&[]).await;
    }

    /// The keys of what it has, in the order in which it came.
    async fn has(&self) -> Vec<String> {
        let url = self.0.drill_url.clone().unwrap();
        let ledger = tokio::task::spawn_blocking(move || get(&url, "/drill/ledger")).await.unwrap();
        let effects = ledger["effects"].as_array().unwrap();
        effects.iter().map(|effect| effect["key"].as_str().unwrap().to_owned()).collect()
    }
}

fn get(url: &str, path: &str) -> Value {
    let address = url.strip_prefix("http://").unwrap();
    let mut stream = TcpStream::connect(address).unwrap();
    write!(stream, "GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n").unwrap();
    let mut text = String::new();
    stream.read_to_string(&mut text).unwrap();
    serde_json::from_str(text.split_once("\r\n\r\n").unwrap().1).unwrap()
}

/// The write of the next operation that comes is not answered; `commits` says whether it takes effect.
fn unanswered(commits: bool) -> Value {
    let mut fault = json!({"do": "timeout", "on": {"path": "/v1/operations", "method": "POST"}, "count": 1});
    if commits {
        fault["commit_after_ms"] = json!(1);
    }
    fault
}

/// Nothing that is asked about operations is answered.
fn silent() -> Value {
    json!({"do": "timeout", "on": {"path": "/v1/operations"}})
}

struct Office {
    station: Station,
    primary: Endpoint,
    mirror: Endpoint,
    data: PathBuf,
    _folder: TempDir,
}

/// What the two systems of a city have in common.
#[derive(Clone, Copy, PartialEq)]
enum Records {
    /// Each has its own, begun as a copy of the same city.
    Apart,
    /// What one records the other has at once.
    Shared,
}

impl Office {
    async fn open() -> Self {
        Self::of(Records::Apart, settings()).await
    }

    async fn of(records: Records, settings: Settings) -> Self {
        let folder =
            tempfile::Builder::new().prefix("mirror-").tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
        let (city, copy) = (folder.path().join("city.db"), folder.path().join("copy.db"));
        let first = Endpoint::over(&city).await;
        first.0.stop().await;
        let copy = match records {
            Records::Shared => city.clone(),
            Records::Apart => {
                std::fs::copy(&city, &copy).unwrap();
                copy
            }
        };
        let (primary, mirror) = (Endpoint::over(&city).await, Endpoint::over(&copy).await);
        let (name, data): (StationId, _) = ("front-1".parse().unwrap(), folder.path().join("station"));
        let ask = SetUp {
            data_dir: &data,
            settings: &Settings::default(),
            sor_url: &primary.0.url,
            beside: &[(Part::Authoritative, mirror.0.url.clone())],
            station: &name,
            profile: Profile::Idempotent,
            code: None,
            office_key: None,
            passphrase: PASSPHRASE,
        };
        let (store, _) = set_up(&ask).await.unwrap();
        let ways = ways(&store, &settings).unwrap();
        let station = station(Arc::new(store), ways, settings).unwrap();
        open_for_work(&station).await;
        Self { station, primary, mirror, data, _folder: folder }
    }

    fn apply(&self, address: &str) -> ReceiptView {
        let document = json!({"kind": "application", "payload": {
            "OriginalAddress1": address, "PIN": ["0010-22-417"], "PermitTypeMapped": "Fence",
            "WorkClassMapped": "Existing", "EstProjectCost": "2500.00"}});
        self.station.submit(document.to_string().as_bytes()).unwrap()
    }

    /// The primary refuses from now on, and the mirror has recorded something: it knows this station and its session.
    async fn at_the_mirror(&self) -> ReceiptView {
        self.primary.refuses().await;
        let receipt = self.apply("1 YEW ST");
        self.until_empty().await;
        receipt
    }

    fn advance(&self, application: &ReceiptView, to: &str) -> ReceiptView {
        let id = &application.application_id;
        let document = json!({"kind": "stage", "application_id": id, "payload": {"to": to}});
        self.station.submit(document.to_string().as_bytes()).unwrap()
    }

    async fn pass(&self) -> DrainReport {
        self.drain(false, 30).await
    }

    /// Until nothing is left.
    async fn until_empty(&self) {
        let report = self.drain(true, 60).await;
        assert_eq!(
            (report.stopped_because, report.pending, report.quarantined),
            (DrainStop::Empty, 0, 0),
            "{report:?}"
        );
    }

    async fn drain(&self, until_empty: bool, max_s: u32) -> DrainReport {
        let (_handle, stop) = Stop::new();
        let request = DrainRequest { until_empty, max_s: Some(max_s) };
        self.station.drain(request, stop, &|_| ()).await.unwrap()
    }

    fn state(&self, receipt: &ReceiptView) -> String {
        self.station.operation(&receipt.idempotency_key).unwrap().row.state
    }

    /// One effect of each in both ledgers together, and nothing else.
    async fn assert_one_effect_each(&self, accepted: &[ReceiptView]) -> BTreeMap<String, &'static str> {
        let mut effects = BTreeMap::new();
        for (name, keys) in [("primary", self.primary.has().await), ("mirror", self.mirror.has().await)] {
            for key in keys {
                let earlier = effects.insert(key.clone(), name);
                assert_eq!(earlier, None, "{key} has two effects");
            }
        }
        let keys: Vec<_> = accepted.iter().map(|receipt| receipt.idempotency_key.clone()).collect();
        assert_eq!(effects.len(), keys.len(), "{effects:?}");
        assert!(keys.iter().all(|key| effects.contains_key(key)), "{effects:?}");
        assert!(accepted.iter().all(|receipt| self.state(receipt) == "committed"));
        effects
    }

    /// All that is stored holds, and every decision follows from its inputs.
    fn assert_audit_holds(self) {
        let data = self.data.clone();
        drop(self.station);
        assert!(holdfast_store::verify(&data, PASSPHRASE, &mut |_, _| ()).unwrap().is_clean());
        let mut differ = Vec::new();
        for text in holdfast_store::tamper::events(&data, PASSPHRASE).unwrap() {
            let event: holdfast_core::audit::Event = serde_json::from_str(&text).unwrap();
            let recomputed = holdfast_core::replay::recompute(&event);
            let is_well = matches!(
                recomputed,
                holdfast_core::replay::Recomputed::NoDecision | holdfast_core::replay::Recomputed::Agrees
            );
            if !is_well {
                differ.push((text, recomputed));
            }
        }
        assert!(differ.is_empty(), "{differ:#?}");
    }
}

/// Rules fetched and a supervisor signed in; on a busy machine an answer may come too late for the short limits of these tests.
async fn open_for_work(station: &Station) {
    for _ in 0..20 {
        let request = SignInRequest { user: "supervisor".to_owned(), password: "demo-supervisor".to_owned() };
        if station.refresh_contract().await.is_ok() && station.sign_in(request).await.is_ok() {
            return;
        }
    }
    panic!("the primary does not answer");
}

fn keys(receipts: &[ReceiptView]) -> Vec<String> {
    receipts.iter().map(|receipt| receipt.idempotency_key.clone()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn while_the_primary_is_away_its_mirror_records_every_lane_in_order_and_no_longer() {
    let office = Office::open().await;
    let before = office.apply("1 ELM ST");
    office.until_empty().await;

    office.primary.refuses().await;
    let mut accepted: Vec<_> = (2..5).map(|n| office.apply(&format!("{n} ELM ST"))).collect();
    for n in 0..3 {
        accepted.push(office.advance(&accepted[n], "PrelimReview"));
    }
    office.until_empty().await;
    assert_eq!(office.mirror.has().await.len(), 6);
    assert_eq!(office.primary.has().await, keys(std::slice::from_ref(&before)));
    let places: BTreeMap<_, _> = office.mirror.has().await.into_iter().zip(0..).collect();
    for n in 0..3 {
        assert!(places[&accepted[n].idempotency_key] < places[&accepted[n + 3].idempotency_key]);
    }
    let status = office.station.status().unwrap();
    let breakers: Vec<_> = status.breakers.iter().map(|breaker| breaker.endpoint.as_str()).collect();
    assert_eq!(breakers, ["primary", "mirror"], "each has its own");
    assert_ne!(status.mode, "normal", "the mode is the primary's");

    office.primary.mended().await;
    tokio::time::sleep(Duration::from_millis(80)).await;
    let after = office.apply("9 ELM ST");
    office.until_empty().await;
    assert_eq!(
        office.primary.has().await,
        keys(&[before.clone(), after.clone()]),
        "the mirror is not needed"
    );
    accepted.extend([before, after]);
    office.assert_one_effect_each(&accepted).await;
    office.assert_audit_holds();
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_in_doubt_at_the_primary_waits_for_the_primary_and_nothing_else_does() {
    for commits in [true, false] {
        let office = Office::open().await;
        office.primary.does(&[unanswered(commits), silent()]).await;
        let doubtful = office.apply("1 ELM ST");
        assert_eq!(office.pass().await.committed, 0);
        office.primary.refuses().await;
        let others: Vec<_> = (2..5).map(|n| office.apply(&format!("{n} ELM ST"))).collect();
        let report = office.drain(true, 1).await;
        assert_eq!((report.pending, report.stopped_because), (1, DrainStop::Time), "{report:?}");
        let there: BTreeSet<_> = office.mirror.has().await.into_iter().collect();
        assert_eq!(there, keys(&others).into_iter().collect());
        assert_eq!(office.state(&doubtful), "pending");

        office.primary.mended().await;
        office.until_empty().await;
        let accepted: Vec<_> = others.into_iter().chain([doubtful.clone()]).collect();
        let effects = office.assert_one_effect_each(&accepted).await;
        assert_eq!(effects[&doubtful.idempotency_key], "primary");
        office.assert_audit_holds();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_in_doubt_at_the_mirror_is_looked_up_there_although_the_primary_is_back() {
    for commits in [true, false] {
        let office = Office::open().await;
        let first = office.at_the_mirror().await;
        office.mirror.does(&[unanswered(commits), silent()]).await;
        let doubtful = office.apply("1 ELM ST");
        let report = office.drain(true, 2).await;
        assert_eq!((report.pending, report.stopped_because), (1, DrainStop::Time), "{report:?}");

        // The primary takes operations again; the mirror says nothing yet.
        office.primary.mended().await;
        let other = office.apply("2 ELM ST");
        let report = office.drain(true, 2).await;
        assert_eq!((report.pending, report.stopped_because), (1, DrainStop::Time), "{report:?}");
        assert_eq!(office.primary.has().await, keys(std::slice::from_ref(&other)), "it goes to no other");

        office.mirror.mended().await;
        office.until_empty().await;
        let effects = office.assert_one_effect_each(&[first, doubtful.clone(), other]).await;
        let expected = if commits { "mirror" } else { "primary" };
        assert_eq!(effects[&doubtful.idempotency_key], expected, "absent there, it is free to go");
        office.assert_audit_holds();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_station_that_ended_in_the_middle_of_an_attempt_at_the_mirror_looks_there_first() {
    let office = Office::open().await;
    let first = office.at_the_mirror().await;
    office.mirror.does(&[json!({"do": "slow", "delay_ms": 400, "on": {"method": "POST"}})]).await;
    let receipt = office.apply("1 ELM ST");
    // The drain is dropped while the operation is on its way.
    let cut = tokio::time::timeout(Duration::from_millis(300), office.drain(true, 30)).await;
    assert!(cut.is_err());
    office.primary.mended().await;
    office.mirror.mended().await;
    tokio::time::sleep(Duration::from_millis(500)).await;
    office.until_empty().await;
    let effects = office.assert_one_effect_each(&[first, receipt.clone()]).await;
    assert_eq!(effects[&receipt.idempotency_key], "mirror");
    office.assert_audit_holds();
}

#[tokio::test(flavor = "multi_thread")]
async fn both_away_together_everything_waits_and_whoever_is_back_first_records() {
    let office = Office::open().await;
    office.primary.refuses().await;
    office.mirror.refuses().await;
    let accepted: Vec<_> = (1..4).map(|n| office.apply(&format!("{n} ELM ST"))).collect();
    let report = office.drain(true, 1).await;
    assert_eq!((report.pending, report.quarantined), (3, 0), "{report:?}");
    let status = office.station.status().unwrap();
    assert!(status.breakers.iter().all(|breaker| breaker.state != "closed"), "{status:?}");
    office.mirror.mended().await;
    office.until_empty().await;
    let effects = office.assert_one_effect_each(&accepted).await;
    assert!(effects.values().all(|name| *name == "mirror"), "{effects:?}");
    office.assert_audit_holds();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_mirror_that_a_person_holds_is_asked_nothing_and_a_held_primary_is_stood_in_for() {
    let office = Office::open().await;
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap();
    let hour = i64::try_from(since.as_millis()).unwrap() + 3_600_000;
    let until = holdfast_core::time::UtcMillis::from_millis(hour).unwrap().to_string();
    let hold = |endpoint: &str| HoldEndpointRequest {
        endpoint: endpoint.to_owned(),
        until: until.clone(),
        reason: "maintenance".to_owned(),
    };
    office.station.hold_endpoint(hold("primary")).unwrap();
    office.station.hold_endpoint(hold("mirror")).unwrap();
    let receipt = office.apply("1 ELM ST");
    let report = office.drain(true, 1).await;
    assert_eq!(report.pending, 1, "{report:?}");
    assert_eq!((office.primary.has().await.len(), office.mirror.has().await.len()), (0, 0));

    let release = |endpoint: &str| ReleaseEndpointRequest { endpoint: endpoint.to_owned() };
    office.station.release_endpoint(release("mirror")).unwrap();
    office.until_empty().await;
    assert_eq!(office.mirror.has().await, keys(std::slice::from_ref(&receipt)));
    office.station.release_endpoint(release("primary")).unwrap();
    let other = office.apply("2 ELM ST");
    office.until_empty().await;
    let effects = office.assert_one_effect_each(&[receipt, other.clone()]).await;
    assert_eq!(effects[&other.idempotency_key], "primary");
    office.assert_audit_holds();
}

/// Faults from a seed, at both endpoints at once, while lanes of one operation each are brought to whoever records them.
async fn weather(seed: u64) {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let mut roll = move |sides: u64| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state % sides
    };
    let office = Office::open().await;
    let mut accepted = Vec::new();
    for round in 0..8 {
        for endpoint in [&office.primary, &office.mirror] {
            match roll(6) {
                0 => endpoint.refuses().await,
                1 => endpoint.does(&[unanswered(true)]).await,
                2 => endpoint.does(&[unanswered(false)]).await,
                3 => {
                    let drop =
                        json!({"do": "commit_then_drop", "on": {"path": "/v1/operations"}, "count": 2});
                    endpoint.does(&[drop]).await;
                }
                4 => endpoint.does(&[json!({"do": "status", "status": 503, "retry_after": 1})]).await,
                _ => endpoint.mended().await,
            }
        }
        for n in 0..=roll(3) {
            accepted.push(office.apply(&format!("{round} ELM ST {n}")));
        }
        office.drain(roll(2) == 0, 1).await;
    }
    office.primary.mended().await;
    office.mirror.mended().await;
    office.until_empty().await;
    let effects = office.assert_one_effect_each(&accepted).await;
    assert!(!effects.is_empty(), "seed {seed}");
    office.assert_audit_holds();
}

#[tokio::test(flavor = "multi_thread")]
async fn whatever_fails_at_either_of_them_each_operation_has_one_effect_in_both_together() {
    for seed in [1, 2, 3, 5] {
        weather(seed).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_mirror_that_shares_its_keys_is_sent_what_is_in_doubt_at_the_primary_and_lanes_go_on_at_either() {
    let office = Office::of(Records::Shared, Settings { mirror_shares_keys: true, ..settings() }).await;
    office.primary.does(&[unanswered(true), silent()]).await;
    let first = office.apply("1 ELM ST");
    office.pass().await;
    office.primary.refuses().await;
    let second = office.advance(&first, "PrelimReview");
    office.until_empty().await;
    office.primary.mended().await;
    tokio::time::sleep(Duration::from_millis(80)).await;
    let third = office.advance(&first, "FeeEstimated");
    office.until_empty().await;
    let accepted = [first, second, third];
    assert_eq!(
        office.primary.has().await,
        keys(&accepted),
        "the version of the mirror's receipt bound the follower"
    );
    assert!(accepted.iter().all(|receipt| office.state(receipt) == "committed"));
    office.assert_audit_holds();
}

#[tokio::test(flavor = "multi_thread")]
async fn what_the_mirror_recorded_is_not_missed_at_the_primary() {
    let office = Office::open().await;
    office.primary.refuses().await;
    let accepted: Vec<_> = (1..4).map(|n| office.apply(&format!("{n} ELM ST"))).collect();
    office.until_empty().await;
    office.primary.mended().await;
    tokio::time::sleep(Duration::from_millis(80)).await;
    let last = office.apply("9 ELM ST");
    office.until_empty().await;
    // Compared whenever the breaker has closed: the primary has fewer, and has lost nothing.
    let store = Store::open_beside(&office.data, PASSPHRASE).unwrap();
    let reproving = store.reproving().unwrap();
    assert_eq!((reproving.known.committed, reproving.restore.is_none()), (1, true));
    drop(store);
    let effects = office.assert_one_effect_each(&[accepted, vec![last]].concat()).await;
    assert_eq!(effects.values().filter(|name| **name == "mirror").count(), 3);
    office.assert_audit_holds();
}

#[tokio::test]
async fn an_old_vendors_system_has_no_mirror_that_records() {
    let folder = tempfile::Builder::new().prefix("mirror-").tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let name: StationId = "front-1".parse().unwrap();
    let settings = settings();
    let ask = SetUp {
        data_dir: &folder.path().join("station"),
        settings: &settings,
        sor_url: "http://127.0.0.1:1",
        beside: &[(Part::Authoritative, "http://127.0.0.1:2".to_owned())],
        station: &name,
        profile: Profile::LookBeforeWrite,
        code: None,
        office_key: None,
        passphrase: PASSPHRASE,
    };
    let refused = set_up(&ask).await;
    assert!(matches!(refused, Err(SetUpFault::Part(PartFault::MirrorWithoutKeys))));
}
