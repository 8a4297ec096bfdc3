//! Signing in: what the SoR states counts only for this station, this key and this time.

use holdfast_core::sign::KeyPair;
use holdfast_station::ports::{SecretName, SorFault, Vault};
use holdfast_wire::{ApiCode, SignInRequest};
use zeroize::Zeroizing;

use crate::desk::{Desk, application, refusal, settings, wall};
use crate::sor::{signed, sor_key, statement};

#[tokio::test]
async fn a_statement_about_anything_else_signs_nobody_in() {
    let desk = Desk::open(settings()).await;
    let stranger = KeyPair::from_seed(&[6; 32]);
    type Change = fn(&mut holdfast_core::people::SessionStatement);
    let table: [(&str, KeyPair, Change); 4] = [
        ("another station", sor_key(), |it| it.station_id = "front-2".parse().unwrap()),
        ("another key", sor_key(), |it| it.key = KeyPair::from_seed(&[1; 32]).public()),
        ("signed by another", stranger, |_| {}),
        ("ended", sor_key(), |it| it.until = wall("2026-11-30T08:00:00.000Z")),
    ];
    for (what, by, change) in table {
        desk.sor.sessions(move |ask| {
            let mut said = statement(ask);
            change(&mut said);
            Ok(signed(said, &by))
        });
        assert_eq!(refusal(desk.sign_in("clerk").await).0, ApiCode::Impostor, "{what}");
        let view = desk.station.session().unwrap().unwrap();
        assert_eq!(view.actor, "supervisor", "{what}: whoever was signed in still is");
        desk.apply();
    }
}

#[tokio::test]
async fn a_statement_changed_after_signing_signs_nobody_in() {
    let desk = Desk::open(settings()).await;
    desk.sor.sessions(|ask| {
        let mut said = signed(statement(ask), &sor_key());
        said.statement.roles.push("supervisor".parse().unwrap());
        Ok(said)
    });
    assert_eq!(refusal(desk.sign_in("clerk").await).0, ApiCode::Impostor);
}

#[tokio::test]
async fn a_refusal_says_whose_it_was() {
    let desk = Desk::bare(settings());
    let table = [
        (SorFault::NotAnswering, ApiCode::NotAnswering),
        (SorFault::Refused { problem: "forbidden".into() }, ApiCode::SystemRefused),
    ];
    for (fault, code) in table {
        desk.sor.sessions(move |_| Err(fault.clone()));
        assert_eq!(refusal(desk.sign_in("clerk").await).0, code);
    }
    let nameless = SignInRequest { user: String::new(), password: "x".into() };
    assert_eq!(refusal(desk.station.sign_in(nameless).await).0, ApiCode::Refused);
    assert_eq!(desk.station.session().unwrap(), None);
}

#[tokio::test]
async fn whoever_signs_in_takes_the_place_of_who_was_and_stays_over_a_restart() {
    let desk = Desk::open(settings()).await;
    let events = desk.events();
    desk.sign_in("clerk").await.unwrap();
    assert_eq!(desk.events(), events + 1);
    let desk = desk.started_again(settings());
    let view = desk.station.session().unwrap().unwrap();
    assert_eq!((view.actor.as_str(), view.roles), ("clerk", vec!["clerk".to_owned()]));
    desk.apply();
}

#[tokio::test]
async fn a_session_ends_at_its_time_and_work_is_not_lost_by_it() {
    let desk = Desk::open(settings()).await;
    desk.apply();
    desk.clock.go_on_ms(48 * 3_600_000);
    assert_eq!(desk.station.session().unwrap(), None);
    let events = desk.events();
    assert_eq!(refusal(desk.submit(&application())).0, ApiCode::NotSignedIn);
    assert_eq!(desk.events(), events + 1, "the attempt is audited");
    assert_eq!(desk.until_empty().await.committed, 1, "a drain needs nobody");
}

#[tokio::test]
async fn a_sign_in_that_was_cut_off_between_key_and_statement_signs_nobody_in() {
    let desk = Desk::open(settings()).await;
    desk.store.keep(SecretName::SessionKey, Zeroizing::new(vec![1; 32])).unwrap();
    let desk = desk.started_again(settings());
    assert_eq!(desk.station.session().unwrap(), None);
    assert_eq!(refusal(desk.submit(&application())).0, ApiCode::NotSignedIn);
    desk.sign_in("clerk").await.unwrap();
    desk.apply();
}

#[tokio::test]
async fn after_signing_out_nobody_is_signed_in_and_what_waits_is_sent_all_the_same() {
    let desk = Desk::open(settings()).await;
    desk.apply();
    let events = desk.events();
    desk.station.sign_out().unwrap();
    assert_eq!(desk.events(), events + 1);
    assert!(desk.chain().last().unwrap().contains("session.closed"));
    assert_eq!(desk.station.session().unwrap(), None);
    assert!(desk.store.secret(SecretName::SessionKey).unwrap().is_none(), "the key is forgotten");
    assert_eq!(refusal(desk.submit(&application())).0, ApiCode::NotSignedIn);
    desk.station.sign_out().unwrap();
    let desk = desk.started_again(settings());
    assert_eq!(desk.station.session().unwrap(), None);
    assert_eq!(desk.until_empty().await.committed, 1, "a drain needs nobody");
    desk.sign_in("clerk").await.unwrap();
    desk.apply();
}
