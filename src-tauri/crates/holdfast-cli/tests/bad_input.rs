//! Bad input gets a clear error and changes nothing.

#![allow(clippy::unwrap_used)]

mod world;

use world::{World, problems_of, sample};

const APPLICATION: &str =
    r#"{"kind":"application","payload":{"OriginalAddress1":"12 OAK ST","PIN":["0010-22-417"]}}"#;

#[test]
fn a_document_that_is_not_one_json_object_within_the_limits_is_refused_and_changes_nothing() {
    let world = World::at_work();
    let before = world.books();
    let with = |value: &str| APPLICATION.replace("\"12 OAK ST\"", value);
    let megabyte = format!("\"{}\"", "x".repeat(1 << 20));
    let levels = |count| format!("{}{}", "[".repeat(count), "]".repeat(count));
    let cases = [
        (String::new(), "not JSON"),
        ("permit for a fence".to_owned(), "not JSON"),
        ("[]".to_owned(), "not one JSON object"),
        ("null".to_owned(), "not one JSON object"),
        (format!("{APPLICATION} {APPLICATION}"), "not JSON"),
        (with(r#""12 OAK ST","OriginalAddress1":"14 OAK ST""#), "twice at /payload/OriginalAddress1"),
        (with("9007199254740992"), "beyond 2^53-1"),
        (with(&megabyte), "the limit is 262144"),
        (with(&levels(5_000)), "deeper than 32 levels"),
        (with(r#""12 OAK\u0000 ST""#), "NUL"),
    ];
    for (document, reason) in cases {
        let shown: String = document.chars().take(80).collect();
        let ended = world.submit(&document);
        assert_eq!(ended.code, 2, "{shown}: {}", ended.stderr);
        assert!(ended.stderr.contains(reason), "{shown}: {}", ended.stderr);
        assert_eq!(ended.stderr.lines().count(), 1, "{}", ended.stderr);
        assert_eq!(ended.problems(), [(String::new(), "not-an-object".to_owned())], "{shown}");
        assert!(!ended.stdout.contains("OAK") && !ended.stderr.contains("OAK"), "a value is repeated");
    }
    let latin_1 = world.run_with(&["submit", "-"], b"{\"kind\":\"caf\xe9\"}");
    latin_1.is(2).says("not JSON");
    assert_eq!(world.books(), before);
}

#[test]
fn a_document_that_breaks_a_rule_is_refused_with_every_problem_and_changes_nothing() {
    let world = World::at_work();
    let before = world.books();
    let cases = [
        (r#"{"kind":"party","payload":{}}"#, "/kind", "unknown-kind"),
        (r#"{"kind":7,"payload":{}}"#, "/kind", "wrong-type"),
        (r#"{"kind":"application","payload":[]}"#, "/payload", "wrong-type"),
        (r#"{"kind":"application","payload":{},"colour":"red"}"#, "/colour", "unknown-field"),
        (r#"{"kind":"stage","payload":{"to":"PrelimReview"}}"#, "/application_id", "missing"),
        (
            r#"{"kind":"application","payload":{"OriginalAddress1":"12 OAK ST","PIN":["1"],"Colour":"red"}}"#,
            "/payload/Colour",
            "unknown-field",
        ),
        (
            r#"{"kind":"application","payload":{"OriginalAddress1":12,"PIN":["0010-22-417"]}}"#,
            "/payload/OriginalAddress1",
            "wrong-type",
        ),
        (
            r#"{"kind":"stage","application_id":"01932c6f-8f0a-7cc3-98a1-0242ac120003","payload":{"to":"PrelimReview"}}"#,
            "/application_id",
            "unknown-application",
        ),
    ];
    for (document, pointer, code) in cases {
        let ended = world.submit(document);
        assert_eq!(ended.code, 6, "{document}: {}", ended.stderr);
        let named = ended.problems();
        assert!(named.contains(&(pointer.to_owned(), code.to_owned())), "{document}: {named:?}");
    }
    let plain = world.write("party.json", br#"{"kind":"party","payload":{}}"#);
    let plain = world.run_plain(&["submit", plain.to_str().unwrap()]).is(6);
    assert_eq!(plain.stdout, "/kind: this kind of operation is not known to the rules\n");
    assert_eq!(world.books(), before);
}

#[test]
fn a_file_with_a_wrong_header_is_refused_before_any_row() {
    let world = World::at_work();
    let before = world.books();
    let cases = [
        ("permits-bad-column.csv", ("/Colour", "unknown-column")),
        ("permits-bad-doubled.csv", ("/PIN", "doubled-column")),
        ("permits-bad-no-header.csv", ("", "no-header")),
        ("permits-bad-no-number.csv", ("/PermitNum", "missing")),
    ];
    for (file, (pointer, code)) in cases {
        let ended = world.run(&["import", sample(file).to_str().unwrap()]).is(6).says("line 1");
        assert_eq!(ended.problems(), [(pointer.to_owned(), code.to_owned())], "{file}");
    }
    for bytes in [&b""[..], b"\n\n", b"\xff\xfeP\0e\0r\0m\0i\0t\0N\0u\0m\0", b"\x1f\x8bno gzip"] {
        let file = world.write("odd.csv", bytes);
        world.run(&["import", file.to_str().unwrap()]).is(6);
    }
    world.run(&["import", world.path("absent.csv").to_str().unwrap()]).is(1).says("cannot be read");
    world.run(&["import", world.data_dir().to_str().unwrap()]).is(1).says("cannot be read");
    assert_eq!(world.books(), before);
}

#[test]
fn rows_that_are_wrong_are_refused_by_line_and_the_others_are_taken() {
    let world = World::at_work();
    let report = world.run(&["import", sample("permits-bad-encoding.csv").to_str().unwrap()]).is(6).json();
    assert_eq!((&report["accepted"], &report["already"]), (&2.into(), &0.into()));
    assert_eq!(report["refused"][0]["line"], 3);
    assert_eq!(problems_of(&report["refused"][0]), [(String::new(), "encoding".to_owned())]);

    let report = world.run(&["import", sample("permits-bad-rows.csv").to_str().unwrap()]).is(6).json();
    let lines: Vec<u64> =
        report["refused"].as_array().unwrap().iter().map(|row| row["line"].as_u64().unwrap()).collect();
    assert_eq!(lines, (3..=12).collect::<Vec<_>>());
    // Its two good rows, lines 2 and 13, are those of the file before.
    assert_eq!((&report["accepted"], &report["already"]), (&0.into(), &2.into()));
    let books = &world.run(&["status"]).json()["books"];
    assert_eq!(books["accepted"], 2);
}

#[test]
fn a_row_that_changed_since_it_was_accepted_is_refused() {
    let world = World::at_work();
    let header = "PermitNum,OriginalAddress1,PIN\n";
    let import = |row: &str| {
        let file = world.write("one.csv", format!("{header}{row}\n").as_bytes());
        world.run(&["import", file.to_str().unwrap()])
    };
    import("A-1,12 OAK ST,77").is(0);
    assert_eq!(import("A-1,12 OAK ST,77").is(0).json()["already"], 1);
    let report = import("A-1,14 OAK ST,77").is(6).json();
    assert_eq!(problems_of(&report["refused"][0])[0].1, "changed");
}

#[test]
fn a_damaged_gzip_keeps_what_came_before_the_damage() {
    use std::io::Write as _;
    let world = World::at_work();
    let rows: String = (0..50).map(|n| format!("A-{n},{n} OAK ST,77\n")).collect();
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::none());
    gzip.write_all(format!("PermitNum,OriginalAddress1,PIN\n{rows}").as_bytes()).unwrap();
    let whole = gzip.finish().unwrap();

    let cut = world.write("cut.csv.gz", &whole[..whole.len() - 40]);
    let report = world.run(&["import", cut.to_str().unwrap()]).is(6).json();
    let accepted = report["accepted"].as_u64().unwrap();
    assert_eq!(problems_of(&report["refused"][0])[0].1, "cut-off");

    let whole = world.write("whole.csv.gz", &whole);
    let report = world.run(&["import", whole.to_str().unwrap(), "--limit", "50"]).is(0).json();
    assert_eq!(report["already"].as_u64().unwrap(), accepted);
    assert_eq!(report["accepted"].as_u64().unwrap(), 50 - accepted);
}

#[test]
fn intake_without_a_signed_in_person_is_refused_and_says_what_to_do() {
    let world = World::new();
    world.run(&["init", "--sor", &world.sor_url(), "--station", "front-1"]).is(0);
    let ended = world.submit(APPLICATION).is(6).says("sign-in");
    assert_eq!(ended.problems(), [(String::new(), "not-signed-in".to_owned())]);
    let file = sample("permits-sample.csv");
    let ended = world.run(&["import", file.to_str().unwrap()]).is(6).says("sign-in");
    assert_eq!(ended.json()["accepted"], 0);
    let wrong = world.run_with(&["sign-in", "--user", "clerk"], b"guessed\n").is(6).says("refused");
    assert!(!wrong.stderr.contains("guessed"));
    world.run_with(&["sign-in", "--user", "clerk"], b"").is(2).says("the password on stdin is empty");
}
