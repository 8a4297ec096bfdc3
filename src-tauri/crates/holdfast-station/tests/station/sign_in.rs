//! Signing in: what the SoR states counts only for this station, this key and this time.

use holdfast_core::sign::KeyPair;
use holdfast_station::ports::{Journal as _, OsUser, SecretName, SorFault, Vault};
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
    desk.store.keep(SecretName::SessionKey(desk.store.own_user()), Zeroizing::new(vec![1; 32])).unwrap();
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
    let own = SecretName::SessionKey(desk.store.own_user());
    assert!(desk.store.secret(own).unwrap().is_none(), "the key is forgotten");
    assert_eq!(refusal(desk.submit(&application())).0, ApiCode::NotSignedIn);
    desk.station.sign_out().unwrap();
    let desk = desk.started_again(settings());
    assert_eq!(desk.station.session().unwrap(), None);
    assert_eq!(desk.until_empty().await.committed, 1, "a drain needs nobody");
    desk.sign_in("clerk").await.unwrap();
    desk.apply();
}

/// The actors of what was accepted, in its order.
fn actors(desk: &Desk) -> Vec<String> {
    let accepted = desk.chain().into_iter().filter(|event| event.contains("operation.accepted"));
    accepted
        .map(|event| serde_json::from_str::<serde_json::Value>(&event).unwrap()["actor_id"].to_string())
        .collect()
}

#[tokio::test]
async fn each_user_of_the_computer_has_a_session_of_their_own_and_acts_under_no_other() {
    let desk = Desk::open(settings()).await;
    let OsUser(own) = desk.store.own_user();
    let second = desk.station.as_met_by(OsUser(own + 1)).unwrap();
    assert_eq!(second.session().unwrap(), None);
    assert_eq!(refusal(second.submit(application().to_string().as_bytes())).0, ApiCode::NotSignedIn);

    let ask = SignInRequest { user: "clerk".to_owned(), password: "demo".to_owned() };
    let opened = second.open_session(ask).await.unwrap();
    let handed = Zeroizing::new(*opened.seed());
    let opened = second.opened_elsewhere(opened.signed().clone(), handed).unwrap();
    second.take_up(&opened).unwrap();
    desk.apply();
    second.submit(application().to_string().as_bytes()).unwrap();
    assert_eq!(actors(&desk), ["\"supervisor\"", "\"clerk\""]);

    second.sign_out().unwrap();
    assert_eq!(desk.station.session().unwrap().unwrap().actor, "supervisor");
    drop(second);
    let desk = desk.started_again(settings());
    assert_eq!(desk.station.session().unwrap().unwrap().actor, "supervisor", "it is kept for its user");
    let second = desk.station.as_met_by(OsUser(own + 1)).unwrap();
    assert_eq!(second.session().unwrap(), None);
}

#[tokio::test]
async fn a_session_is_handed_over_with_its_own_key_or_not_at_all() {
    let desk = Desk::open(settings()).await;
    let ask = SignInRequest { user: "clerk".to_owned(), password: "demo".to_owned() };
    let opened = desk.station.open_session(ask).await.unwrap();
    let wrong_key = desk.station.opened_elsewhere(opened.signed().clone(), Zeroizing::new([1; 32]));
    assert_eq!(wrong_key.err().map(|error| error.code), Some(ApiCode::Impostor));
    let mut changed = opened.signed().clone();
    changed.statement.roles.push("supervisor".parse().unwrap());
    let changed = desk.station.opened_elsewhere(changed, Zeroizing::new(*opened.seed()));
    assert_eq!(changed.err().map(|error| error.code), Some(ApiCode::Impostor));
    assert_eq!(desk.station.session().unwrap().unwrap().actor, "supervisor");
}
