//! The window's types are this crate's types: `ui/src/api/generated/wire.ts` is written here and never by hand.
//! To write it anew: `HOLDFAST_WRITE_TYPES=1 cargo test -p holdfast-wire --test typescript`.

#![allow(clippy::unwrap_used)]

use std::path::PathBuf;

use holdfast_wire::{
    About, AnswerView, ApiCode, ApiError, ApplicationRow, ApplicationView, BacklogHour, BacklogHours,
    BacklogView, BoardSaid, BooksView, BreakerView, CertificateFault, CheckRequest, CheckView, ConflictRow,
    ConflictView, ContractView, CopiesView, CopyAge, CopyInCustody, CorrectingView, CountsView, CustodyView,
    DecideRequest, Decided, Decision, DecisionOffer, DecisionRefusal, DecisionWord, DemoFault, DemoPerson,
    DraftKept, DraftRow, DraftView, DrainReport, DrainRequest, DrainStop, EndpointDoing, EndpointSteered,
    EndpointView, FieldControl, FieldNeed, FieldWidth, FindRequest, FindView, FormField, FormGroup,
    FormOption, FormView, FoundView, HeadroomView, HeldView, HoldEndpointRequest, HouseView, InspectionRow,
    InspectionView, InspectionsView, ItemOrder, ItemRow, ItemView, ItemsOf, ItemsRequest, ItemsView,
    KeepDraftRequest, KeepLikenessRequest, LikeView, LikenessKept, LikenessRow, ListRequest, MissingRow,
    ModeCause, MoveRefusal, MoveView, OfferRefusal, OfferView, OfferedView, OpenDraftRequest, OutageRow,
    OutageView, OutagesView, ParcelCopyView, ParcelView, ParcelsRequest, ParcelsView, ProblemView, Problems,
    QueueItemView, QueueRow, Reached, ReasonNeed, ReceiptView, ReceiptWarning, RecordRow, RecordView,
    RecordedAs, Rehearsal, ReleaseEndpointRequest, RemarkView, RestoreDecided, RestoreDecision, RestoreInfo,
    RestoreRequest, RestoreSign, RestoreStage, RestoreView, ResultHere, SaidView, SessionView, SignInRequest,
    SkippedNumbers, StageStep, StandingView, StartProblem, StartView, StationContract, StationEvent,
    StationHead, StationHearing, StationItem, StationRow, StationView, StationWhose, StationsView,
    StatusView, SubmitRequest, TheirsView, Told, Topic, TryView, TwinView, VersionView, Words,
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
    all.extend(forms(&cfg));
    all.extend(records(&cfg));
    all.extend(restore(&cfg));
    all.extend(board(&cfg));
    all.extend(parcels(&cfg));
    all
}

fn parcels(cfg: &Config) -> Vec<String> {
    vec![
        ParcelCopyView::decl(cfg),
        ParcelView::decl(cfg),
        ParcelsRequest::decl(cfg),
        ParcelsView::decl(cfg),
        ReceiptWarning::decl(cfg),
    ]
}

fn board(cfg: &Config) -> Vec<String> {
    vec![
        BoardSaid::decl(cfg),
        StationContract::decl(cfg),
        StationHead::decl(cfg),
        StationHearing::decl(cfg),
        StationItem::decl(cfg),
        StationRow::decl(cfg),
        StationView::decl(cfg),
        StationWhose::decl(cfg),
        StationsView::decl(cfg),
    ]
}

fn restore(cfg: &Config) -> Vec<String> {
    vec![
        MissingRow::decl(cfg),
        RestoreDecided::decl(cfg),
        RestoreDecision::decl(cfg),
        RestoreInfo::decl(cfg),
        RestoreRequest::decl(cfg),
        RestoreSign::decl(cfg),
        RestoreStage::decl(cfg),
        RestoreView::decl(cfg),
        SkippedNumbers::decl(cfg),
        KeepLikenessRequest::decl(cfg),
        LikeView::decl(cfg),
        LikenessKept::decl(cfg),
        LikenessRow::decl(cfg),
        CertificateFault::decl(cfg),
    ]
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
        RemarkView::decl(cfg),
        TwinView::decl(cfg),
        FoundView::decl(cfg),
        SaidView::decl(cfg),
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

fn forms(cfg: &Config) -> Vec<String> {
    vec![
        CheckRequest::decl(cfg),
        CheckView::decl(cfg),
        DraftKept::decl(cfg),
        DraftRow::decl(cfg),
        DraftView::decl(cfg),
        FieldControl::decl(cfg),
        FieldNeed::decl(cfg),
        FieldWidth::decl(cfg),
        FormField::decl(cfg),
        FormGroup::decl(cfg),
        FormOption::decl(cfg),
        FormView::decl(cfg),
        KeepDraftRequest::decl(cfg),
        OpenDraftRequest::decl(cfg),
        StartProblem::decl(cfg),
        StartView::decl(cfg),
        Words::decl(cfg),
    ]
}

fn records(cfg: &Config) -> Vec<String> {
    vec![
        About::decl(cfg),
        AnswerView::decl(cfg),
        BacklogHour::decl(cfg),
        BacklogHours::decl(cfg),
        CopiesView::decl(cfg),
        CopyAge::decl(cfg),
        DecideRequest::decl(cfg),
        Decided::decl(cfg),
        Decision::decl(cfg),
        FindRequest::decl(cfg),
        FindView::decl(cfg),
        InspectionRow::decl(cfg),
        InspectionView::decl(cfg),
        InspectionsView::decl(cfg),
        ItemOrder::decl(cfg),
        ItemRow::decl(cfg),
        ItemView::decl(cfg),
        ItemsOf::decl(cfg),
        ItemsRequest::decl(cfg),
        ItemsView::decl(cfg),
        MoveRefusal::decl(cfg),
        MoveView::decl(cfg),
        OutageRow::decl(cfg),
        OutageView::decl(cfg),
        TryView::decl(cfg),
        HeldView::decl(cfg),
        EndpointSteered::decl(cfg),
        HoldEndpointRequest::decl(cfg),
        ReleaseEndpointRequest::decl(cfg),
        OutagesView::decl(cfg),
        OfferRefusal::decl(cfg),
        OfferView::decl(cfg),
        CopyInCustody::decl(cfg),
        CorrectingView::decl(cfg),
        CustodyView::decl(cfg),
        DecisionWord::decl(cfg),
        DecisionRefusal::decl(cfg),
        DecisionOffer::decl(cfg),
        OfferedView::decl(cfg),
        ConflictRow::decl(cfg),
        ConflictView::decl(cfg),
        TheirsView::decl(cfg),
        VersionView::decl(cfg),
        Reached::decl(cfg),
        ReasonNeed::decl(cfg),
        RecordRow::decl(cfg),
        RecordView::decl(cfg),
        RecordedAs::decl(cfg),
        ResultHere::decl(cfg),
        StageStep::decl(cfg),
    ]
}
