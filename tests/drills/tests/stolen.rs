//! A workstation is stolen in an outage, with work on it that reached nobody: the others know from the board what lay there.

#![allow(clippy::unwrap_used)]

use std::path::{Path, PathBuf};

use holdfast_drills::{Desk, Limits, Receipt, Sor, folder_on_disk, until};
use serde_json::{Value, json};
use tempfile::TempDir;

/// Applications on the stolen one, and an operation behind some of them: 23 in all.
const APPLICATIONS: usize = 16;
const STAGES: usize = 7;
/// Words of the made-up forms; no byte of them may be on the board.
const APPLICANT_WORDS: [&str; 5] = ["ZINNIA LN", "0010-22-417", "2500.00", "Quillfeather", "555-0142"];

/// Three stations of one office, their SoR and their board.
struct City {
    front: Desk,
    back: Desk,
    field: Desk,
    sor: Sor,
    board: Sor,
    /// After the programs, so that it goes last.
    folder: TempDir,
}

impl City {
    fn at_work() -> Self {
        let folder = folder_on_disk();
        let sor = Sor::start(&folder.path().join("sor.sqlite"));
        let board = Sor::start_board(&folder.path().join("board.sqlite"));
        let desk = |name: &str| {
            let own = folder.path().join(name);
            std::fs::create_dir(&own).unwrap();
            let desk = Desk::in_folder(&own);
            desk.go_by(&Limits::patient());
            let init = ["init", "--sor", &sor.url(), "--board", &board.url(), "--station", name];
            let _ = desk.run(&init).is(0);
            desk.sign_in("clerk");
            desk.go_by(&limits());
            desk
        };
        let (front, back, field) = (desk("front-1"), desk("back-1"), desk("field-1"));
        Self { front, back, field, sor, board, folder }
    }

    fn stations(&self) -> [&Desk; 3] {
        [&self.front, &self.back, &self.field]
    }

    /// Everything that the board has on its disk.
    fn board_bytes(&self) -> Vec<u8> {
        let files = std::fs::read_dir(self.folder.path()).unwrap().map(|entry| entry.unwrap().path());
        let of_board = |path: &PathBuf| name(path).starts_with("board.sqlite");
        files.filter(of_board).flat_map(|path| std::fs::read(path).unwrap()).collect()
    }
}

fn name(path: &Path) -> String {
    path.file_name().unwrap().to_str().unwrap().to_owned()
}

fn limits() -> Limits {
    Limits::default().with("board_tell_interval_s", 0.05).with_count("breaker_fail_max", 1)
}

fn submit(desk: &Desk, n: usize) -> Receipt {
    desk.submit(&json!({"kind": "application", "payload": {
        "OriginalAddress1": format!("{n} ZINNIA LN"), "PIN": ["0010-22-417"], "PermitTypeMapped": "Fence",
        "ApplicantName": "R. Quillfeather", "ApplicantPhone": "555-0142",
        "WorkClassMapped": "Existing", "EstProjectCost": "2500.00"}}))
}

/// What waits at a station, as another one reads it from the board.
fn told(desk: &Desk, station: &str) -> Value {
    desk.run(&["stations", "show", station]).is(0).json()
}

/// Receipt, time and kind of each.
fn named(rows: &Value, time: &str) -> Vec<[String; 3]> {
    let text = |row: &Value, member: &str| row[member].as_str().unwrap().to_owned();
    let rows = rows.as_array().unwrap().iter();
    rows.map(|row| [text(row, "receipt_no"), text(row, time), text(row, "kind")]).collect()
}

fn breaker(desk: &Desk, endpoint: &str) -> Option<String> {
    let status = desk.status();
    let rows = status["breakers"].as_array().unwrap();
    let row = rows.iter().find(|row| row["endpoint"] == endpoint);
    row.map(|row| row["state"].as_str().unwrap().to_owned())
}

#[test]
fn what_lay_on_a_stolen_workstation_is_known_by_numbers_times_and_who_handed_it_in() {
    let city = City::at_work();
    city.sor.cut();
    let applications: Vec<Receipt> = (1..=APPLICATIONS).map(|n| submit(&city.front, n)).collect();
    for application in &applications[..STAGES] {
        let _ = city.front.submit_stage(application, "PrelimReview");
    }
    let _ = submit(&city.back, 90);
    for desk in city.stations() {
        let pass = desk.run(&["drain"]);
        assert!([0, 3].contains(&pass.code()), "{pass:?}");
    }
    let lost = city.front.queue();
    assert_eq!(lost.len(), APPLICATIONS + STAGES);
    std::fs::remove_dir_all(city.front.data()).unwrap();

    let view = told(&city.back, "front-1");
    assert_eq!(view["board"]["said"], "answered");
    assert_eq!(
        (&view["station"]["mode"], &view["station"]["books"]["pending"]),
        (&json!("degraded"), &json!(23))
    );
    let mut known = named(&view["waiting"], "accepted_at");
    let mut expected = named(&json!(lost), "accepted_at");
    known.sort();
    expected.sort();
    assert_eq!(known, expected);
    assert_eq!(view["left_out"], 0);
    let who: Vec<&Value> = view["waiting"].as_array().unwrap().iter().map(|row| &row["actor"]).collect();
    assert!(who.iter().all(|actor| **actor == json!("clerk")), "{who:?}");

    let list = city.field.run(&["stations", "list"]).is(0).json();
    let names: Vec<&str> =
        list["stations"].as_array().unwrap().iter().map(|row| row["station_id"].as_str().unwrap()).collect();
    assert_eq!(names, ["back-1", "field-1", "front-1"]);
    let plain = city.back.run_plain(&["stations", "show", "front-1"]).is(0).stdout;
    assert!(plain.contains("front-1-23") && plain.contains("clerk"), "{plain}");

    let bytes = city.board_bytes();
    let found = |word: &str| bytes.windows(word.len()).any(|window| window == word.as_bytes());
    assert!(found("front-1-23"), "the numbers are there");
    for word in APPLICANT_WORDS {
        assert!(!found(word), "{word} is on the board");
    }
    city.back.assert_audit_holds();
}

#[test]
fn a_board_that_is_down_changes_nothing_at_the_counter_and_its_last_word_stands_with_its_age() {
    let mut city = City::at_work();
    city.front.drain_to_empty();
    let before = told(&city.back, "front-1");
    city.board.kill();
    for n in 1..=3 {
        let _ = submit(&city.front, n);
        let pass = city.front.run(&["drain"]).is(0).json();
        assert_eq!((&pass["committed"], &pass["stopped_because"]), (&json!(1), &json!("empty")));
    }
    assert_eq!(city.sor.effects(), 3);
    let status = city.front.status();
    assert_eq!(status["mode"], "normal", "{status}");
    assert_eq!(breaker(&city.front, "primary").as_deref(), Some("closed"));
    assert_ne!(breaker(&city.front, "board").as_deref(), Some("closed"));
    let outages = city.front.run(&["outages", "list"]).is(0).json();
    let endpoints: Vec<&Value> =
        outages["rows"].as_array().unwrap().iter().map(|row| &row["endpoint"]).collect();
    assert_eq!(endpoints, ["board"], "{outages}");

    let later = city.back.run(&["stations", "show", "front-1"]).is(3);
    assert!(later.stderr.contains("the board does not answer; this is what it said at"), "{later:?}");
    let kept = later.json();
    assert_eq!((&kept["as_of"], &kept["station"]), (&before["as_of"], &before["station"]));
    let never = city.field.run(&["stations", "list"]).is(1);
    assert!(never.stdout.contains("not-answering"), "{never:?}");

    city.board.restart();
    until("the board hears of what was recorded meanwhile", || {
        let _ = city.front.run(&["drain"]).is(0);
        let told = city.back.run(&["stations", "show", "front-1"]);
        (told.code() == 0 && told.json()["station"]["books"]["committed"] == 3).then_some(())
    });
    city.front.assert_audit_holds();
}

#[test]
fn a_station_that_comes_back_from_an_older_copy_hears_it_from_the_board_alone() {
    let city = City::at_work();
    city.sor.cut();
    let _ = submit(&city.front, 1);
    let copy = city.folder.path().join("copy");
    copy_folder(&city.front.data(), &copy);
    for n in 2..=4 {
        let _ = submit(&city.front, n);
    }
    let _ = city.front.run(&["drain"]).is(3);
    std::fs::remove_dir_all(city.front.data()).unwrap();
    copy_folder(&copy, &city.front.data());

    let _ = city.front.run(&["drain"]).is(3);
    let skipped = city.front.run(&["reprove", "list"]).is(0).json()["skipped"].clone();
    assert_eq!(skipped.as_array().unwrap().len(), 1, "{skipped}");
    assert_eq!(skipped[0]["first"], 2);
    let next = submit(&city.front, 5);
    let number: u64 = next.receipt_no.rsplit('-').next().unwrap().parse().unwrap();
    assert!(number > 4, "no number is given out twice: {next:?}");
    let _ = city.front.run(&["drain"]).is(3);
    let again = city.front.run(&["reprove", "list"]).is(0).json()["skipped"].clone();
    assert_eq!(again, skipped, "it is told once");
    let view = told(&city.back, "front-1");
    assert_eq!(view["waiting"].as_array().unwrap().len(), 2);
    city.front.assert_audit_holds();
}

#[test]
fn whoever_watches_over_the_queue_tells_the_board_as_it_goes_and_asks_it_for_others() {
    let city = City::at_work();
    city.sor.cut();
    let watching = city.front.start(&["drain", "--watch"]);
    let accepted: Vec<Receipt> = (1..=3).map(|n| submit(&city.front, n)).collect();
    until("the board hears of all three", || {
        let view = city.back.run(&["stations", "show", "front-1"]);
        (view.code() == 0 && view.json()["waiting"].as_array().unwrap().len() == accepted.len()).then_some(())
    });
    // Through the socket of the process that watches.
    let own = told(&city.front, "front-1");
    assert_eq!((&own["station"]["whose"], &own["station"]["hearing"]), (&json!("this"), &json!("heard")));
    watching.kill();
    let known = named(&told(&city.field, "front-1")["waiting"], "accepted_at");
    let receipts: Vec<&String> = known.iter().map(|[receipt, ..]| receipt).collect();
    assert_eq!(receipts, accepted.iter().map(|receipt| &receipt.receipt_no).collect::<Vec<_>>());
    let unheard = city.back.run(&["stations", "show", "nowhere-1"]).is(6);
    assert!(unheard.stdout.contains("not-found"), "{unheard:?}");
}

fn copy_folder(from: &Path, to: &Path) {
    std::fs::create_dir(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        if entry.file_type().unwrap().is_file() {
            std::fs::copy(entry.path(), to.join(entry.file_name())).unwrap();
        }
    }
}

#[test]
fn a_station_without_a_board_says_so() {
    let folder = folder_on_disk();
    let sor = Sor::start(&folder.path().join("sor.sqlite"));
    let desk = Desk::in_folder(folder.path());
    desk.open_at(&sor.url());
    let none = desk.run(&["stations", "list"]).is(6);
    assert!(none.stdout.contains("no-board"), "{none:?}");
    desk.drain_to_empty();
}
