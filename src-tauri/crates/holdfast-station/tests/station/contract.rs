//! The contract: pinned once, taken only forwards, renewed by a signed word alone, kept when something else is offered.

use holdfast_core::contract::{Bundle, SignedAttestation};
use holdfast_core::sign::KeyPair;
use holdfast_station::ports::{Clock, ContractAnswer, Journal, SorFault};
use holdfast_wire::ApiCode;

use crate::desk::{Desk, MORNING, application, refusal, settings, wall};
use crate::office::{attested, bundle, bundle_of, files, manifest, office};

const HOUR_MS: u64 = 3_600_000;

fn says(desk: &Desk, bundle: Bundle) {
    desk.sor.contracts(move |_| Ok(ContractAnswer::Bundle(Box::new(bundle.clone()))));
}

/// The SoR knows of nothing new, and passes on the office's word if there is one.
fn unchanged(desk: &Desk, word: Option<SignedAttestation>) {
    desk.sor.contracts(move |known| {
        assert!(known.is_some(), "asked with what is in use");
        Ok(ContractAnswer::Unchanged(word.clone()))
    });
}

fn word_of(valid_as_of: &str, by: &KeyPair) -> SignedAttestation {
    attested(&manifest(7, &files()), wall(valid_as_of), by)
}

#[tokio::test]
async fn the_first_key_is_pinned_and_no_other_is_believed_afterwards() {
    let desk = Desk::bare(settings());
    assert_eq!(desk.station.contract_key().unwrap(), None);
    says(&desk, bundle(7, wall(MORNING)));
    let view = desk.station.refresh_contract().await.unwrap();
    assert_eq!((view.version, view.valid), (Some(7), true));
    let pinned = desk.station.contract_key().unwrap();
    assert_eq!(pinned.as_ref().map(String::len), Some(64));

    let stranger = KeyPair::from_seed(&[6; 32]);
    says(&desk, bundle_of(8, files(), wall(MORNING), &stranger));
    let events = desk.events();
    let told = vec![(String::new(), "contract-refused".to_owned())];
    assert_eq!(refusal(desk.station.refresh_contract().await), (ApiCode::Refused, told));
    assert_eq!(desk.events(), events + 1, "the refusal is audited");
    assert_eq!(desk.station.contract().unwrap().version, Some(7));
    assert_eq!(desk.station.contract_key().unwrap(), pinned);
}

#[tokio::test]
async fn what_is_refused_leaves_the_contract_that_is_there() {
    let desk = Desk::open(settings()).await;
    let mut loose = files();
    loose.insert("application.schema.json".into(), "{}".into());
    let mut changed = bundle(8, wall(MORNING));
    changed.files.insert("roles.json".into(), "{}".into());
    let mut unsigned = bundle(8, wall(MORNING));
    unsigned.manifest.city = "elsewhere".into();
    let offers = [
        ("an older version", bundle(6, wall(MORNING))),
        ("an older attestation", bundle(8, wall("2026-11-30T07:59:59.999Z"))),
        ("a date in the future", bundle(8, wall("2026-11-30T09:00:00.000Z"))),
        ("rules that take everything", bundle_of(8, loose, wall(MORNING), &office())),
        ("a file that was changed", changed),
        ("a manifest that was changed", unsigned),
    ];
    for (what, offer) in offers {
        let events = desk.events();
        let document = serde_json::to_vec(&offer).unwrap();
        says(&desk, offer);
        assert_eq!(refusal(desk.station.refresh_contract().await).0, ApiCode::Refused, "{what}");
        assert_eq!(refusal(desk.station.load_contract(&document)).0, ApiCode::Refused, "{what}, from a file");
        assert_eq!(desk.events(), events + 2, "{what}: audited");
        assert_eq!(desk.station.contract().unwrap().version, Some(7), "{what}");
        desk.apply();
    }
}

#[tokio::test]
async fn a_file_that_is_no_contract_is_told_apart() {
    let desk = Desk::bare(settings());
    for document in [&b""[..], b"[]", b"\xff\xfe", br#"{"files":{},"files":{}}"#, &[b'['; 5_000]] {
        assert_eq!(refusal(desk.station.load_contract(document)).0, ApiCode::NotAnObject);
    }
    for document in [&b"{}"[..], br#"{"kind":"application","payload":{}}"#] {
        assert_eq!(refusal(desk.station.load_contract(document)).0, ApiCode::Refused);
    }
}

#[tokio::test]
async fn only_a_fresh_word_of_the_office_renews_the_rules() {
    let valid_after = |word: Option<SignedAttestation>| async move {
        let desk = Desk::open(settings()).await;
        desk.clock.go_on_ms(23 * HOUR_MS);
        unchanged(&desk, word);
        let taken = desk.station.refresh_contract().await.is_ok();
        desk.clock.go_on_ms(2 * HOUR_MS);
        (taken, desk.station.contract().unwrap().valid)
    };
    let stranger = KeyPair::from_seed(&[6; 32]);
    let other = attested(&manifest(8, &files()), wall("2026-12-01T07:00:00.000Z"), &office());
    let fresh = "2026-12-01T06:30:00.000Z";
    let table = [
        ("none", None, (true, false)),
        ("fresh", Some(word_of(fresh, &office())), (true, true)),
        ("the same again", Some(word_of(MORNING, &office())), (true, false)),
        ("older", Some(word_of("2026-11-30T07:00:00.000Z", &office())), (false, false)),
        ("another's", Some(word_of(fresh, &stranger)), (false, false)),
        ("about another contract", Some(other), (false, false)),
        ("from the future", Some(word_of("2026-12-03T00:00:00.000Z", &office())), (false, false)),
    ];
    for (what, word, expected) in table {
        assert_eq!(valid_after(word).await, expected, "{what}");
    }
}

#[tokio::test]
async fn a_clock_that_is_set_back_makes_no_old_word_young() {
    let desk = Desk::open(settings()).await;
    desk.clock.go_on_ms(25 * HOUR_MS);
    assert!(!desk.station.contract().unwrap().valid);
    // Set back to the morning, and shown the same word again, by the network and by file.
    desk.clock.set_wall("2026-11-30T08:00:01.000Z");
    assert!(!desk.station.contract().unwrap().valid, "the boot clock remembers");
    unchanged(&desk, Some(word_of(MORNING, &office())));
    desk.station.refresh_contract().await.unwrap();
    assert!(!desk.station.contract().unwrap().valid, "the same word, seen again");
    let document = serde_json::to_vec(&bundle(7, wall(MORNING))).unwrap();
    desk.station.load_contract(&document).unwrap();
    assert!(!desk.station.contract().unwrap().valid, "the same file, loaded again");
}

#[tokio::test]
async fn a_record_system_that_does_not_give_one_changes_nothing() {
    let desk = Desk::open(settings()).await;
    let table = [
        (SorFault::NotAnswering, ApiCode::NotAnswering),
        (SorFault::Impostor, ApiCode::Impostor),
        (SorFault::Unreadable, ApiCode::Impostor),
        (SorFault::StationUnauthorized, ApiCode::SystemRefused),
    ];
    for (fault, code) in table {
        let said = fault.clone();
        desk.sor.contracts(move |_| Err(said.clone()));
        let events = desk.events();
        assert_eq!(refusal(desk.station.refresh_contract().await).0, code, "{fault:?}");
        assert_eq!((desk.events(), desk.station.contract().unwrap().valid), (events, true), "{fault:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn the_rules_and_their_age_outlive_the_program() {
    let desk = Desk::open(settings()).await;
    let before = desk.station.contract().unwrap();
    let desk = desk.started_again(settings());
    assert_eq!(desk.station.contract().unwrap(), before);
    assert!(desk.store.office_key().unwrap().is_some());
    desk.apply();
}

#[tokio::test]
async fn rules_that_no_longer_compile_pause_intake_and_nothing_else() {
    let desk = Desk::open(settings()).await;
    desk.apply();
    // As after an upgrade to a program that reads its rules more strictly.
    let mut kept = desk.store.contract().unwrap().unwrap();
    kept.bundle.files.insert("application.schema.json".into(), "{}".into());
    desk.store.keep_contract(desk.clock.now(), kept, Vec::new()).unwrap();
    let desk = desk.started_again(settings());
    assert_eq!(refusal(desk.submit(&application())).0, ApiCode::RulesOutOfDate);
    assert_eq!(desk.station.status().unwrap().mode, "intake_paused");
    assert_eq!(desk.until_empty().await.committed, 1, "what was accepted is brought");

    says(&desk, bundle(8, wall(MORNING)));
    desk.station.refresh_contract().await.unwrap();
    assert_eq!(desk.station.status().unwrap().mode, "normal");
    desk.apply();
}
