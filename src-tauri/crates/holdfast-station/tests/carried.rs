//! What an inspector carries, over real HTTP: the copies of a made-up city, an outage, results recorded in it, and what the
//! city has of them afterwards.

#![allow(clippy::unwrap_used)]

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::sync::Arc;

use holdfast_core::ids::StationId;
use holdfast_core::profile::Profile;
use holdfast_machine::{SetUp, set_up, station, ways};
use holdfast_station::{Settings, Station, Stop};
use holdfast_wire::{
    ApiCode, CopyAge, DrainReport, DrainRequest, FindRequest, InspectionRow, ReceiptView, SignInRequest,
};
use reference_sor::{Database, Running, serve};
use serde_json::{Value, json};
use tempfile::TempDir;

const REFUSE: &[u8] = br#"{"faults":[{"do":"refuse"}]}"#;
const MENDED: &[u8] = br#"{"faults":[]}"#;

struct Office {
    station: Station,
    sor: Running,
    _folder: TempDir,
}

/// Short waits, and one failure trips the breaker; nothing else differs from the defaults.
fn settings() -> Settings {
    Settings {
        breaker_fail_max: 1,
        breaker_reset_s: 0.05,
        first_drain_jitter_s: 0.0,
        attempt_backoff_base_s: 0.01,
        attempt_backoff_max_s: 0.05,
        ..Settings::default()
    }
}

impl Office {
    /// Of a city with a day's work, the inspector signed in.
    async fn open() -> Self {
        let folder =
            tempfile::Builder::new().prefix("carried-").tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
        let database = Database::Sqlite(folder.path().join("city.db"));
        let sor = serve(reference_sor::Settings::for_drill(database)).await.unwrap();
        let name: StationId = "field-1".parse().unwrap();
        let settings = settings();
        let ask = SetUp {
            data_dir: &folder.path().join("station"),
            settings: &settings,
            sor_url: &sor.url,
            beside: &[],
            station: &name,
            profile: Profile::Idempotent,
            code: None,
            office_key: None,
            passphrase: b"made-up words for a test",
        };
        let (store, _) = set_up(&ask).await.unwrap();
        let ways = ways(&store, &settings).unwrap();
        let station = station(Arc::new(store), ways, settings).unwrap();
        station.refresh_contract().await.unwrap();
        let office = Self { station, sor, _folder: folder };
        office.sign_in("inspector").await;
        office
    }

    async fn sign_in(&self, user: &str) {
        let request = SignInRequest { user: user.to_owned(), password: format!("demo-{user}") };
        self.station.sign_in(request).await.unwrap();
    }

    async fn faults(&self, plan: &[u8]) {
        self.sor.put_faults(plan).await.unwrap();
    }

    fn rows(&self) -> Vec<InspectionRow> {
        let view = self.station.inspections().unwrap();
        assert_eq!(view.age, CopyAge::Usable);
        view.rows
    }

    fn row(&self, insp_type: &str) -> InspectionRow {
        self.rows().into_iter().find(|row| row.insp_type == insp_type).unwrap()
    }

    /// A result for a visit, as the screen hands it in.
    fn record(&self, visit: &InspectionRow, result: &str) -> ReceiptView {
        let day = self.station.inspections().unwrap().day;
        let document = json!({
            "kind": "inspection",
            "application_id": visit.application_id,
            "payload": {
                "InspType": visit.insp_type,
                "ResultMapped": result,
                "ScheduledDate": visit.scheduled_date,
                "InspectedDate": day,
                "InspectedTime": "00:00",
                "InspectionNotes": "Rebar too close to the form.",
                "Inspector": "inspector",
                "ExtraFields": {"InspectionId": visit.inspection_id},
            },
        });
        self.station.submit(document.to_string().as_bytes()).unwrap()
    }

    async fn drain(&self, until_empty: bool) -> DrainReport {
        let (_handle, stop) = Stop::new();
        let request = DrainRequest { until_empty, max_s: Some(60) };
        self.station.drain(request, stop, &|_| ()).await.unwrap()
    }

    async fn ledger(&self) -> Vec<Value> {
        let url = self.sor.drill_url.clone().unwrap();
        let answer = tokio::task::spawn_blocking(move || get(&url, "/drill/ledger")).await.unwrap();
        answer["effects"].as_array().unwrap().clone()
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

#[tokio::test(flavor = "multi_thread")]
async fn a_failed_footing_of_an_outage_is_recorded_once_and_has_to_be_seen_again() {
    let office = Office::open().await;
    let copied = office.station.refresh_copies().await.unwrap();
    assert_eq!((copied.inspections, copied.records), (8, 20));
    let (footing, insulation) = (office.row("Footing"), office.row("Insulation"));
    assert_eq!(footing.result, None);

    office.faults(REFUSE).await;
    // The first attempt that fails trips the breaker; what comes then waits.
    office.record(&insulation, "Passed");
    office.drain(false).await;
    let receipt = office.record(&footing, "Rejected");
    assert_eq!((receipt.route.as_str(), receipt.state.as_str()), ("defer", "pending"));
    let here = office.row("Footing").result.unwrap();
    assert_eq!(
        (here.receipt_no, here.result.as_str(), here.state.as_str()),
        (receipt.receipt_no, "Rejected", "pending")
    );
    let due = here.reinspection_due_at.unwrap();
    assert_eq!(office.row("Insulation").result.unwrap().reinspection_due_at, None);
    assert_eq!(office.station.refresh_copies().await.unwrap_err().code, ApiCode::NotAnswering);
    assert_eq!(office.station.refresh_copies_when_due().await, Ok(None));
    assert_eq!(office.ledger().await, Vec::<Value>::new());

    office.faults(MENDED).await;
    let report = office.drain(true).await;
    assert_eq!((report.committed + report.already_committed, report.pending), (2, 0));
    let effects = office.ledger().await;
    let of_footing: Vec<_> =
        effects.iter().filter(|effect| effect["key"] == receipt.idempotency_key.as_str()).collect();
    assert_eq!((effects.len(), of_footing.len()), (2, 1), "one effect of each: {effects:?}");

    office.station.refresh_copies().await.unwrap();
    let here = office.row("Footing").result.unwrap();
    assert_eq!((here.state.as_str(), here.reinspection_due_at), ("committed", Some(due)));
    assert_eq!(office.rows().len(), 8, "what was recorded today stays on the list of today");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_second_result_builds_on_the_first_and_not_on_the_copy() {
    let office = Office::open().await;
    office.station.refresh_copies().await.unwrap();
    let footing = office.row("Footing");
    office.record(&footing, "NotReady");
    office.drain(true).await;
    // The copy is from before the first result, the version here is from its receipt.
    office.record(&footing, "Passed");
    let report = office.drain(true).await;
    assert_eq!((report.committed, report.quarantined), (1, 0));
    assert_eq!(office.row("Footing").result.unwrap().result, "Passed", "the latest counts");
    assert_eq!(office.ledger().await.len(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_day_is_walked_from_what_is_overdue_on_by_the_clock() {
    let office = Office::open().await;
    assert_eq!(office.station.inspections().unwrap().age, CopyAge::None);
    office.station.refresh_copies().await.unwrap();
    let rows = office.rows();
    let order: Vec<_> =
        rows.iter().map(|row| (row.overdue_days, row.scheduled_time.as_deref().unwrap())).collect();
    assert_eq!(
        order,
        [
            (1, "13:30"),
            (1, "15:00"),
            (0, "08:30"),
            (0, "09:15"),
            (0, "10:00"),
            (0, "11:00"),
            (0, "13:00"),
            (0, "14:30")
        ]
    );
    let opened = office.station.inspection(&rows[2].inspection_id).unwrap();
    assert_eq!(opened.row, rows[2]);
    assert_eq!(opened.record.applicant.as_deref(), Some("Rosa Delgado"));
    assert_eq!(opened.planned["ScheduledTime"], "08:30");
    assert!(opened.record.copied_at.is_some_and(|at| at == opened.copied_at));
    assert_eq!(office.station.inspection("AF-I-9999999").unwrap_err().code, ApiCode::NotFound);
}

#[tokio::test(flavor = "multi_thread")]
async fn each_person_carries_their_own_visits_and_everybody_finds_the_records() {
    let office = Office::open().await;
    office.station.refresh_copies().await.unwrap();
    office.sign_in("clerk").await;
    assert_eq!(office.station.inspections().unwrap().age, CopyAge::None);
    let copied = office.station.refresh_copies_when_due().await.unwrap().unwrap();
    assert_eq!((copied.inspections, copied.records), (0, 0), "none of the records has changed since");
    assert_eq!(office.station.refresh_copies_when_due().await, Ok(None), "it is fresh");
    let find = |text: &str| {
        let request = FindRequest { text: text.to_owned(), skip: 0, rows: 50 };
        office.station.find(request).unwrap()
    };
    assert_eq!(find("delgado").rows[0].address.as_deref(), Some("12 OAK ST"));
    assert_eq!(find("pena").matching + find("PEÑA").matching, 1);
    let all = find("");
    assert_eq!((all.known, all.copied_at), (20, Some(copied.copied_at)));
    assert_eq!(all.rows[0].address.as_deref(), Some("6 QUARRY CT"), "the city's latest is the latest here");
}

/// City hall changes a record.
async fn edit(office: &Office, application_id: &str, fields: &Value) {
    let (url, path) =
        (office.sor.drill_url.clone().unwrap(), format!("/drill/applications/{application_id}"));
    let body = fields.to_string();
    let sent = move || {
        let address = url.strip_prefix("http://").unwrap();
        let mut stream = TcpStream::connect(address).unwrap();
        let length = body.len();
        write!(stream, "PATCH {path} HTTP/1.1\r\nHost: {address}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{body}").unwrap();
        let mut text = String::new();
        stream.read_to_string(&mut text).unwrap();
        assert!(text.starts_with("HTTP/1.1 200"), "{text}");
    };
    tokio::task::spawn_blocking(sent).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn what_city_hall_changes_comes_with_the_next_part_of_the_feed_and_not_over_waiting_work() {
    let office = Office::open().await;
    office.station.refresh_copies().await.unwrap();
    let id = office.row("Footing").application_id;
    let says = |name: &str| office.station.record(&id).unwrap().payload[name].clone();
    edit(&office, &id, &json!({"ApplicantPhone": "206 555 0100"})).await;
    assert_eq!(office.drain(false).await.pending, 0);
    assert_eq!(says("ApplicantPhone"), "206 555 0100", "the whole list is not read for it");

    edit(&office, &id, &json!({"ApplicantPhone": "206 555 0199"})).await;
    office.record(&office.row("Footing"), "Rejected");
    let copied = office.station.refresh_copies().await.unwrap();
    assert_eq!(copied.records, 1, "what changed, and nothing else");
    assert_eq!(says("ApplicantPhone"), "206 555 0100", "work waits on it");
    let view = office.station.record(&id).unwrap();
    assert!(view.changed_there_at.is_some(), "and it is said before it is sent");
}
