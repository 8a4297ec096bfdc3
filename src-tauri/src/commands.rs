//! The commands of the window: each is one line to a verb of the station.
//!
//! Promise: what is refused comes back as the station said it. A command that is not in the application's manifest
//! (`build.rs`) and in a capability file does not get here.

use holdfast_wire::{
    ApiError, ApplicationRow, ApplicationView, BacklogHours, CheckRequest, CheckView, ConflictView,
    ContractView, CopiesView, DecideRequest, Decided, DraftKept, DraftRow, DraftView, DrainReport,
    DrainRequest, EndpointSteered, FindRequest, FindView, FormView, HoldEndpointRequest, HouseView,
    InspectionView, InspectionsView, ItemView, ItemsRequest, ItemsView, KeepDraftRequest,
    KeepLikenessRequest, LikenessKept, ListRequest, OpenDraftRequest, OutageView, OutagesView,
    ParcelsRequest, ParcelsView, QueueItemView, QueueRow, ReceiptView, RecordView, ReleaseEndpointRequest,
    RestoreDecided, RestoreRequest, RestoreView, SessionView, SignInRequest, StandingView, StartView,
    StationView, StationsView, StatusView, Topic,
};
use tauri::ipc::Invoke;
use tauri::{Runtime, State};

use crate::desk::Desk;

/// The answer of a command.
pub(crate) type Answer<T> = Result<T, ApiError>;

/// Every command there is.
pub fn handler<R: Runtime>() -> impl Fn(Invoke<R>) -> bool + Send + Sync + 'static {
    tauri::generate_handler![
        start,
        start_again,
        house,
        standing,
        status,
        session,
        sign_in,
        sign_out,
        submit,
        queue,
        operation,
        applications,
        application,
        open_draft,
        keep_draft,
        drafts,
        draft,
        discard_draft,
        find,
        record,
        items,
        item,
        form,
        check,
        parcels,
        inspections,
        inspection,
        refresh_copies,
        contract,
        refresh_contract,
        drain,
        decide,
        fetch_theirs,
        outages,
        outage,
        hold_endpoint,
        release_endpoint,
        keep_likeness,
        restore,
        settle_restore,
        backlog_hours,
        stations,
        station,
        ask_board,
        crate::window::set_text_size,
        crate::closing::close_window,
        #[cfg(feature = "demo")]
        crate::demo::commands::demo_break,
        #[cfg(feature = "demo")]
        crate::demo::commands::demo_mend,
        #[cfg(feature = "demo")]
        crate::demo::commands::demo_switch,
    ]
}

#[tauri::command]
async fn start(desk: State<'_, Desk>) -> Answer<StartView> {
    Ok(desk.start().await)
}

#[tauri::command]
async fn start_again(desk: State<'_, Desk>) -> Answer<StartView> {
    Ok(desk.open().await)
}

#[tauri::command]
async fn house(desk: State<'_, Desk>) -> Answer<HouseView> {
    desk.house()
}

#[tauri::command]
async fn standing(desk: State<'_, Desk>) -> Answer<StandingView> {
    desk.ask(|station| station.standing()).await
}

#[tauri::command]
async fn status(desk: State<'_, Desk>) -> Answer<StatusView> {
    desk.ask(|station| station.status()).await
}

#[tauri::command]
async fn session(desk: State<'_, Desk>) -> Answer<Option<SessionView>> {
    desk.ask(|station| station.session()).await
}

#[tauri::command]
async fn sign_in(desk: State<'_, Desk>, request: SignInRequest) -> Answer<SessionView> {
    desk.station()?.sign_in(request).await.inspect(|_| desk.changed(&[Topic::Session]))
}

#[tauri::command]
async fn sign_out(desk: State<'_, Desk>) -> Answer<()> {
    desk.ask(|station| station.sign_out())
        .await
        .inspect(|()| desk.changed(&[Topic::Session, Topic::Standing]))
}

/// The document as text, since the station judges what was written: a number that JSON would round, a key given twice.
#[tauri::command]
async fn submit(desk: State<'_, Desk>, document: String) -> Answer<ReceiptView> {
    let receipt = desk.ask(move |station| station.submit(document.as_bytes())).await?;
    desk.changed(&[Topic::Standing, Topic::Queue, Topic::Applications]);
    Ok(receipt)
}

#[tauri::command]
async fn queue(desk: State<'_, Desk>, request: ListRequest) -> Answer<Vec<QueueRow>> {
    desk.ask(move |station| station.queue(request)).await
}

#[tauri::command]
async fn operation(desk: State<'_, Desk>, key: String) -> Answer<QueueItemView> {
    desk.ask(move |station| station.operation(&key)).await
}

#[tauri::command]
async fn applications(desk: State<'_, Desk>, request: ListRequest) -> Answer<Vec<ApplicationRow>> {
    desk.ask(move |station| station.applications(request)).await
}

#[tauri::command]
async fn application(desk: State<'_, Desk>, id: String) -> Answer<ApplicationView> {
    desk.ask(move |station| station.application(&id)).await
}

#[tauri::command]
async fn form(desk: State<'_, Desk>, kind: String) -> Answer<FormView> {
    desk.ask(move |station| station.form(&kind)).await
}

#[tauri::command]
async fn parcels(desk: State<'_, Desk>, request: ParcelsRequest) -> Answer<ParcelsView> {
    desk.ask(move |station| station.parcels(&request)).await
}

#[tauri::command]
async fn check(desk: State<'_, Desk>, request: CheckRequest) -> Answer<CheckView> {
    desk.ask(move |station| station.check(&request)).await
}

#[tauri::command]
async fn open_draft(desk: State<'_, Desk>, request: OpenDraftRequest) -> Answer<DraftView> {
    desk.ask(move |station| station.open_draft(request)).await
}

#[tauri::command]
async fn keep_draft(desk: State<'_, Desk>, request: KeepDraftRequest) -> Answer<DraftKept> {
    desk.ask(move |station| station.keep_draft(request)).await
}

#[tauri::command]
async fn drafts(desk: State<'_, Desk>) -> Answer<Vec<DraftRow>> {
    desk.ask(|station| station.drafts()).await
}

#[tauri::command]
async fn draft(desk: State<'_, Desk>, id: String) -> Answer<DraftView> {
    desk.ask(move |station| station.draft(&id)).await
}

#[tauri::command]
async fn discard_draft(desk: State<'_, Desk>, id: String) -> Answer<()> {
    desk.ask(move |station| station.discard_draft(&id)).await
}

#[tauri::command]
async fn find(desk: State<'_, Desk>, request: FindRequest) -> Answer<FindView> {
    desk.ask(move |station| station.find(request)).await
}

#[tauri::command]
async fn record(desk: State<'_, Desk>, id: String) -> Answer<RecordView> {
    desk.ask(move |station| station.record(&id)).await
}

#[tauri::command]
async fn items(desk: State<'_, Desk>, request: ItemsRequest) -> Answer<ItemsView> {
    desk.ask(move |station| station.items(request)).await
}

#[tauri::command]
async fn item(desk: State<'_, Desk>, id: String) -> Answer<ItemView> {
    desk.ask(move |station| station.item(&id)).await
}

#[tauri::command]
async fn inspections(desk: State<'_, Desk>) -> Answer<InspectionsView> {
    desk.ask(|station| station.inspections()).await
}

#[tauri::command]
async fn inspection(desk: State<'_, Desk>, id: String) -> Answer<InspectionView> {
    desk.ask(move |station| station.inspection(&id)).await
}

#[tauri::command]
async fn refresh_copies(desk: State<'_, Desk>) -> Answer<CopiesView> {
    let copied = desk.station()?.refresh_copies().await;
    copied.inspect(|_| desk.changed(&[Topic::Copies, Topic::Applications]))
}

#[tauri::command]
async fn contract(desk: State<'_, Desk>) -> Answer<ContractView> {
    desk.ask(|station| station.contract()).await
}

#[tauri::command]
async fn refresh_contract(desk: State<'_, Desk>) -> Answer<ContractView> {
    desk.station()?.refresh_contract().await.inspect(|_| desk.changed(&[Topic::Contract, Topic::Standing]))
}

#[tauri::command]
async fn drain(desk: State<'_, Desk>, request: DrainRequest) -> Answer<DrainReport> {
    desk.drain(request, &|_| ()).await.inspect(|_| desk.changed(&[Topic::Standing, Topic::Queue]))
}

#[tauri::command]
async fn decide(desk: State<'_, Desk>, request: DecideRequest) -> Answer<Decided> {
    let decided = desk.ask(move |station| station.decide(request)).await?;
    desk.changed(&[Topic::Standing, Topic::Queue, Topic::Applications, Topic::Outages]);
    Ok(decided)
}

#[tauri::command]
async fn fetch_theirs(desk: State<'_, Desk>, key: String) -> Answer<ConflictView> {
    desk.station()?.fetch_theirs(&key).await
}

#[tauri::command]
async fn keep_likeness(desk: State<'_, Desk>, request: KeepLikenessRequest) -> Answer<LikenessKept> {
    let kept = desk.ask(move |station| station.keep_likeness(request)).await?;
    desk.changed(&[Topic::Queue, Topic::Applications]);
    Ok(kept)
}

#[tauri::command]
async fn restore(desk: State<'_, Desk>, request: ListRequest) -> Answer<RestoreView> {
    desk.ask(move |station| station.restore(request)).await
}

#[tauri::command]
async fn settle_restore(desk: State<'_, Desk>, request: RestoreRequest) -> Answer<RestoreDecided> {
    let decided = desk.ask(move |station| station.settle_restore(request)).await?;
    desk.changed(&[Topic::Standing, Topic::Queue, Topic::Applications, Topic::Outages]);
    Ok(decided)
}

#[tauri::command]
async fn outages(desk: State<'_, Desk>, request: ListRequest) -> Answer<OutagesView> {
    desk.ask(move |station| station.outages(request)).await
}

#[tauri::command]
async fn outage(desk: State<'_, Desk>, id: String) -> Answer<OutageView> {
    desk.ask(move |station| station.outage(&id)).await
}

#[tauri::command]
async fn hold_endpoint(desk: State<'_, Desk>, request: HoldEndpointRequest) -> Answer<EndpointSteered> {
    let steered = desk.ask(move |station| station.hold_endpoint(request)).await?;
    desk.changed(&[Topic::Standing, Topic::Outages]);
    Ok(steered)
}

#[tauri::command]
async fn release_endpoint(desk: State<'_, Desk>, request: ReleaseEndpointRequest) -> Answer<EndpointSteered> {
    let steered = desk.ask(move |station| station.release_endpoint(request)).await?;
    desk.changed(&[Topic::Standing, Topic::Outages]);
    Ok(steered)
}

#[tauri::command]
async fn stations(desk: State<'_, Desk>) -> Answer<StationsView> {
    desk.ask(|station| station.known_stations()).await
}

#[tauri::command]
async fn station(desk: State<'_, Desk>, id: String) -> Answer<StationView> {
    desk.ask(move |station| station.known_station(&id)).await
}

#[tauri::command]
async fn ask_board(desk: State<'_, Desk>) -> Answer<StationsView> {
    desk.station()?.stations().await
}

#[tauri::command]
async fn backlog_hours(desk: State<'_, Desk>) -> Answer<BacklogHours> {
    desk.ask(|station| station.backlog_hours()).await
}
