//! The window's types are this crate's types: `ui/src/api/generated/wire.ts` is written here and never by hand.
//! To write it anew: `HOLDFAST_WRITE_TYPES=1 cargo test -p holdfast-wire --test typescript`.

#![allow(clippy::unwrap_used)]

use std::path::PathBuf;

use holdfast_wire::{
    ApiCode, ApiError, ApplicationRow, ApplicationView, BacklogView, BooksView, BreakerView, ContractView,
    CountsView, DemoFault, DemoPerson, DrainReport, DrainRequest, DrainStop, EndpointDoing, EndpointView,
    HeadroomView, HouseView, ListRequest, ModeCause, ProblemView, Problems, QueueItemView, QueueRow,
    ReceiptView, Rehearsal, SessionView, SignInRequest, StandingView, StationEvent, StatusView,
    SubmitRequest, Told, Topic,
};
use ts_rs::{Config, TS};

#[test]
fn the_types_of_the_window_are_those_of_the_wire() {
    let written = typescript();
    if std::env::var_os("HOLDFAST_WRITE_TYPES").is_some() {
        std::fs::write(file(), &written).unwrap();
    }
    let committed = std::fs::read_to_string(file()).unwrap();
    assert!(committed == written, "stale: write {} anew, as the head of this test says", file().display());
}

#[test]
fn a_number_that_json_cannot_carry_reaches_no_window() {
    assert!(!typescript().contains("bigint"));
}

fn file() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../ui/src/api/generated/wire.ts")
}

fn typescript() -> String {
    let head = "// Written by the tests of holdfast-wire from the station's own types; never by hand.\n";
    let mut text = String::from(head);
    for declaration in declarations() {
        text.push_str("\nexport ");
        text.push_str(&declaration);
        text.push('\n');
    }
    text
}

/// The list is the window's whole vocabulary; a type that refers to one that is missing here does not compile there.
fn declarations() -> Vec<String> {
    let cfg = Config::new();
    let mut all = requests_and_answers(&cfg);
    all.extend(standing(&cfg));
    all
}

fn requests_and_answers(cfg: &Config) -> Vec<String> {
    vec![
        ApiCode::decl(cfg),
        ApiError::decl(cfg),
        ApplicationRow::decl(cfg),
        ApplicationView::decl(cfg),
        DrainReport::decl(cfg),
        DrainRequest::decl(cfg),
        DrainStop::decl(cfg),
        ListRequest::decl(cfg),
        ProblemView::decl(cfg),
        Problems::decl(cfg),
        QueueItemView::decl(cfg),
        QueueRow::decl(cfg),
        ReceiptView::decl(cfg),
        SessionView::decl(cfg),
        SignInRequest::decl(cfg),
        SubmitRequest::decl(cfg),
    ]
}

fn standing(cfg: &Config) -> Vec<String> {
    vec![
        BacklogView::decl(cfg),
        BooksView::decl(cfg),
        BreakerView::decl(cfg),
        ContractView::decl(cfg),
        CountsView::decl(cfg),
        DemoFault::decl(cfg),
        DemoPerson::decl(cfg),
        EndpointDoing::decl(cfg),
        EndpointView::decl(cfg),
        HeadroomView::decl(cfg),
        HouseView::decl(cfg),
        ModeCause::decl(cfg),
        Rehearsal::decl(cfg),
        StandingView::decl(cfg),
        StationEvent::decl(cfg),
        StatusView::decl(cfg),
        Told::decl(cfg),
        Topic::decl(cfg),
    ]
}
