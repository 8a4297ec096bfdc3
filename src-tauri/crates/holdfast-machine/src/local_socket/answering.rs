//! Answering one caller: request after request, each by one verb of the station.
//!
//! Promise: every verb is done as the caller's own user of this computer meets the station, under that user's session or
//! under none. A verb that blocks runs where blocking is allowed; while it does the caller hears that it is worked on, and a caller that has gone stops the
//! drain that it asked for, and nothing else: what was accepted is accepted. A request that is answered by *leaving* was
//! not carried out.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use holdfast_core::canonical::parse_object;
use holdfast_core::import::ImportRow;
use holdfast_core::limits::JSON_MAX_BYTES;
use holdfast_station::ports::Clock as _;
use holdfast_station::{DrainProgress, Imported, Station, Stop, StopHandle};
use holdfast_wire::{
    ApiCode, ApiError, DrainReport, DrainRequest, DrainStop, LocalAnswer, LocalRequest, SentSoFar,
};
use serde_json::Value;
use tokio::net::UnixStream;
use tokio::sync::Semaphore;
use tokio::time::{MissedTickBehavior, interval};

use super::frames::{Frame, message, read, write};
use super::handing_over::taken_over;
use super::peers::Peer;
use super::serving::{ChangedBy, Holder};
use super::{
    CONTRACT_MAX_BYTES, FRAME_MAX_MS, IDLE_MAX_MS, REQUEST_MAX_BYTES, SESSION_MAX_BYTES, WORKING_EVERY_MS,
};
use crate::SystemClock;

/// What all callers are answered from.
pub(super) struct Desk {
    holder: Arc<dyn Holder>,
    /// One contract at a time: it is the one document that is large.
    contracts: Semaphore,
}

impl Desk {
    pub(super) fn of(holder: Arc<dyn Holder>) -> Self {
        Self { holder, contracts: Semaphore::new(1) }
    }
}

/// Answers a caller until it goes, says nothing for too long or what makes no sense, or the holder ends.
pub(super) async fn answer_all(desk: &Desk, stream: &mut UnixStream, peer: Peer, stop: Stop) {
    let mut ends = stop.clone();
    loop {
        let asked = tokio::select! {
            biased;
            () = ends.asked() => break,
            asked = read(stream, REQUEST_MAX_BYTES, IDLE_MAX_MS) => asked,
        };
        let Ok(asked) = asked else { return };
        let Ok(request) = message::<LocalRequest>(&asked) else {
            let _ = write(stream, &LocalAnswer::Refused(error(ApiCode::NotAnObject))).await;
            return;
        };
        if answer_one(desk, stream, peer, &stop, request).await.is_err() {
            return;
        }
    }
    let _ = write(stream, &LocalAnswer::Leaving(SentSoFar::default())).await;
}

async fn answer_one(
    desk: &Desk,
    stream: &mut UnixStream,
    peer: Peer,
    stop: &Stop,
    request: LocalRequest,
) -> io::Result<()> {
    let document = document_of(desk, stream, &request).await?;
    let before = desk.holder.station().map(Station::sent_so_far).unwrap_or_default();
    let mut last = matches!(request, LocalRequest::Drain(_)).then_some(before);
    let (handle, gone) = Stop::new();
    let answering =
        carry_out(Arc::clone(&desk.holder), peer, request, document, gone.clone(), stop.clone(), before);
    tokio::pin!(answering);
    let mut ticks = interval(Duration::from_millis(WORKING_EVERY_MS));
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    ticks.tick().await;
    loop {
        let answer = tokio::select! {
            answer = &mut answering => Some(answer),
            _ = ticks.tick() => None,
        };
        match answer {
            Some(answer) => return write(stream, &answer).await,
            None => tell(desk, stream, &before, &mut last, &handle).await,
        }
    }
}

/// That it is worked on. Who does not hear it has gone; the drain that it wanted ends after its attempt. Whoever shows the
/// queue is told how far such a drain, of which `last` is known, has come.
async fn tell(
    desk: &Desk,
    stream: &mut UnixStream,
    before: &DrainProgress,
    last: &mut Option<DrainProgress>,
    gone: &StopHandle,
) {
    let now = desk.holder.station().map(Station::sent_so_far).unwrap_or_default();
    if last.is_some_and(|last| last.attempts != now.attempts) {
        *last = Some(now);
        desk.holder.changed(ChangedBy::Sending);
    }
    if write(stream, &LocalAnswer::Working(so_far(&now.since(before)))).await.is_err() {
        gone.ask();
    }
}

async fn document_of(desk: &Desk, stream: &mut UnixStream, request: &LocalRequest) -> io::Result<Frame> {
    let max_bytes = match request {
        LocalRequest::Submit { .. } | LocalRequest::ImportRow { .. } => JSON_MAX_BYTES,
        LocalRequest::TakeUp => SESSION_MAX_BYTES,
        LocalRequest::LoadContract => {
            let _one = desk.contracts.acquire().await.map_err(io::Error::other)?;
            return read(stream, CONTRACT_MAX_BYTES, FRAME_MAX_MS).await;
        }
        LocalRequest::ImportEnded(_)
        | LocalRequest::Decide(_)
        | LocalRequest::KeepLikeness(_)
        | LocalRequest::SettleRestore(_)
        | LocalRequest::FetchTheirs { .. }
        | LocalRequest::HoldEndpoint(_)
        | LocalRequest::ReleaseEndpoint(_)
        | LocalRequest::SignOut
        | LocalRequest::RefreshContract
        | LocalRequest::RenewParcels
        | LocalRequest::RefreshCopies
        | LocalRequest::Stations
        | LocalRequest::Station { .. }
        | LocalRequest::Drain(_)
        | LocalRequest::StepAside => return Ok(Frame::default()),
    };
    read(stream, max_bytes, FRAME_MAX_MS).await
}

async fn carry_out(
    holder: Arc<dyn Holder>,
    peer: Peer,
    request: LocalRequest,
    document: Frame,
    gone: Stop,
    ends: Stop,
    before: DrainProgress,
) -> LocalAnswer {
    let done = match request {
        LocalRequest::Submit { operation_id, application_id } => {
            blocking(&holder, peer, Some(ChangedBy::Work), move |station| {
                let (operation_id, application_id) = (id(&operation_id)?, id(&application_id)?);
                station.submit_under(&document, operation_id, application_id).map(LocalAnswer::Receipt)
            })
            .await
        }
        LocalRequest::ImportRow { permit_num } => {
            blocking(&holder, peer, Some(ChangedBy::Work), move |station| {
                import_row(station, permit_num, &document)
            })
            .await
        }
        LocalRequest::ImportEnded(end) => {
            blocking(&holder, peer, None, move |station| {
                station.import_finished(end).map(|()| LocalAnswer::Done)
            })
            .await
        }
        LocalRequest::Decide(ask) => {
            blocking(&holder, peer, Some(ChangedBy::Work), move |station| {
                station.decide(ask).map(LocalAnswer::Decided)
            })
            .await
        }
        LocalRequest::KeepLikeness(ask) => {
            blocking(&holder, peer, Some(ChangedBy::Work), move |station| {
                station.keep_likeness(ask).map(LocalAnswer::LikenessKept)
            })
            .await
        }
        LocalRequest::SettleRestore(ask) => {
            blocking(&holder, peer, Some(ChangedBy::Work), move |station| {
                station.settle_restore(ask).map(LocalAnswer::Restored)
            })
            .await
        }
        LocalRequest::HoldEndpoint(ask) => {
            blocking(&holder, peer, Some(ChangedBy::Work), move |station| {
                station.hold_endpoint(ask).map(LocalAnswer::Steered)
            })
            .await
        }
        LocalRequest::ReleaseEndpoint(ask) => {
            blocking(&holder, peer, Some(ChangedBy::Work), move |station| {
                station.release_endpoint(ask).map(LocalAnswer::Steered)
            })
            .await
        }
        LocalRequest::FetchTheirs { key } => fetch_theirs(&*holder, peer, &key).await,
        LocalRequest::SignOut => {
            blocking(&holder, peer, session_of(peer), |station| {
                station.sign_out().map(|()| LocalAnswer::Done)
            })
            .await
        }
        LocalRequest::LoadContract => {
            blocking(&holder, peer, Some(ChangedBy::Rules), move |station| {
                station.load_contract(&document).map(LocalAnswer::Contract)
            })
            .await
        }
        LocalRequest::TakeUp => take_up(&*holder, peer, &document).await,
        LocalRequest::RefreshContract => refresh_contract(&*holder).await,
        LocalRequest::RenewParcels => renew_parcels(&*holder).await,
        LocalRequest::RefreshCopies => refresh_copies(&*holder, peer).await,
        LocalRequest::Stations => stations(&*holder).await,
        LocalRequest::Station { id } => one_station(&*holder, &id).await,
        LocalRequest::Drain(request) => drain(&*holder, request, gone, ends, before).await,
        LocalRequest::StepAside if holder.step_aside() => Ok(LocalAnswer::Done),
        LocalRequest::StepAside => Err(error(ApiCode::InUse)),
    };
    done.unwrap_or_else(LocalAnswer::Refused)
}

/// The station as the caller's user meets it.
fn met(holder: &dyn Holder, peer: Peer) -> Result<Station, ApiError> {
    let station = holder.station()?;
    match peer {
        Peer::Own => Ok(station.clone()),
        Peer::Member(user) => station.as_met_by(user),
    }
}

/// Whoever shows the holder's own session is told when that one changed.
fn session_of(peer: Peer) -> Option<ChangedBy> {
    (peer == Peer::Own).then_some(ChangedBy::Session)
}

async fn blocking(
    holder: &Arc<dyn Holder>,
    peer: Peer,
    changed: Option<ChangedBy>,
    verb: impl FnOnce(&Station) -> Result<LocalAnswer, ApiError> + Send + 'static,
) -> Result<LocalAnswer, ApiError> {
    let at = Arc::clone(holder);
    let done = tokio::task::spawn_blocking(move || verb(&met(&*at, peer)?)).await;
    let done = done.unwrap_or_else(|_| Err(error(ApiCode::Storage)))?;
    if let Some(by) = changed {
        holder.changed(by);
    }
    Ok(done)
}

fn import_row(station: &Station, permit_num: String, document: &Frame) -> Result<LocalAnswer, ApiError> {
    let payload = parse_object(document).map_err(|_| error(ApiCode::NotAnObject))?;
    let permit_num = permit_num.parse().map_err(|_| error(ApiCode::Refused))?;
    let imported = station.import_row(&ImportRow { permit_num, payload: Value::Object(payload) })?;
    Ok(LocalAnswer::Row { already: matches!(imported, Imported::Already(_)) })
}

/// Numbers are looked after as at any sign-in, by whoever has a way to the SoR.
async fn take_up(holder: &dyn Holder, peer: Peer, document: &Frame) -> Result<LocalAnswer, ApiError> {
    let (signed, seed) = taken_over(document).ok_or_else(|| error(ApiCode::NotAnObject))?;
    let station = met(holder, peer)?;
    let opened = station.opened_elsewhere(signed, seed)?;
    let taker = station.clone();
    let session = tokio::task::spawn_blocking(move || taker.take_up(&opened)).await;
    let session = session.unwrap_or_else(|_| Err(error(ApiCode::Storage)))?;
    if let Some(by) = session_of(peer) {
        holder.changed(by);
    }
    if holder.sends() {
        station.look_after_numbers().await;
    }
    Ok(LocalAnswer::Session(session))
}

async fn fetch_theirs(holder: &dyn Holder, peer: Peer, key: &str) -> Result<LocalAnswer, ApiError> {
    if !holder.sends() {
        return Ok(LocalAnswer::Leaving(SentSoFar::default()));
    }
    met(holder, peer)?.fetch_theirs(key).await.map(Box::new).map(LocalAnswer::Conflict)
}

async fn stations(holder: &dyn Holder) -> Result<LocalAnswer, ApiError> {
    if !holder.sends() {
        return Ok(LocalAnswer::Leaving(SentSoFar::default()));
    }
    holder.station()?.stations().await.map(Box::new).map(LocalAnswer::Stations)
}

async fn renew_parcels(holder: &dyn Holder) -> Result<LocalAnswer, ApiError> {
    if !holder.sends() {
        return Ok(LocalAnswer::Leaving(SentSoFar::default()));
    }
    holder.station()?.renew_parcels().await.map(LocalAnswer::Parcels)
}

async fn refresh_copies(holder: &dyn Holder, peer: Peer) -> Result<LocalAnswer, ApiError> {
    if !holder.sends() {
        return Ok(LocalAnswer::Leaving(SentSoFar::default()));
    }
    let copied = met(holder, peer)?.refresh_copies().await?;
    holder.changed(ChangedBy::Work);
    Ok(LocalAnswer::Copies(copied))
}

async fn one_station(holder: &dyn Holder, id: &str) -> Result<LocalAnswer, ApiError> {
    if !holder.sends() {
        return Ok(LocalAnswer::Leaving(SentSoFar::default()));
    }
    holder.station()?.told_by(id).await.map(Box::new).map(LocalAnswer::Station)
}

async fn refresh_contract(holder: &dyn Holder) -> Result<LocalAnswer, ApiError> {
    if !holder.sends() {
        return Ok(LocalAnswer::Leaving(SentSoFar::default()));
    }
    let contract = holder.station()?.refresh_contract().await?;
    holder.changed(ChangedBy::Rules);
    Ok(LocalAnswer::Contract(contract))
}

/// Waits for the drain that is under way, however long, and then makes one of its own; the report is of both.
async fn drain(
    holder: &dyn Holder,
    request: DrainRequest,
    mut gone: Stop,
    mut ends: Stop,
    before: DrainProgress,
) -> Result<LocalAnswer, ApiError> {
    if !holder.sends() {
        return Ok(LocalAnswer::Leaving(SentSoFar::default()));
    }
    let station = holder.station()?;
    let (handle, stop) = Stop::new();
    let draining = drain_to_end(station, request, stop);
    tokio::pin!(draining);
    let report = tokio::select! {
        report = &mut draining => report?,
        () = gone.asked() => { handle.ask(); draining.await? }
        () = ends.asked() => { handle.ask(); draining.await? }
    };
    holder.changed(ChangedBy::Sending);
    let done = station.sent_so_far().since(&before);
    if ends.is_asked() && report.stopped_because == DrainStop::Time {
        return Ok(LocalAnswer::Leaving(so_far(&done)));
    }
    Ok(LocalAnswer::Drained(DrainReport {
        committed: done.committed,
        already_committed: done.already_committed,
        quarantined: done.quarantined,
        ..report
    }))
}

/// A drain gives up waiting for its turn after a while; whoever wants the queue empty waits on.
async fn drain_to_end(station: &Station, request: DrainRequest, stop: Stop) -> Result<DrainReport, ApiError> {
    let began = SystemClock.now();
    loop {
        let gone_s = u32::try_from(SystemClock.now().millis_since(began) / 1_000).unwrap_or(u32::MAX);
        let max_s = request.max_s.map(|max_s| max_s.saturating_sub(gone_s).max(1));
        let report = station.drain(DrainRequest { max_s, ..request }, stop.clone(), &|_| {}).await?;
        let time_is_over = request.max_s.is_some_and(|max_s| gone_s >= max_s.saturating_sub(1));
        let waits_on = request.until_empty && report.stopped_because == DrainStop::Time;
        if !waits_on || time_is_over || stop.is_asked() {
            return Ok(report);
        }
    }
}

fn so_far(done: &DrainProgress) -> SentSoFar {
    SentSoFar {
        committed: done.committed,
        already_committed: done.already_committed,
        quarantined: done.quarantined,
        attempts: done.attempts,
        pending: done.pending,
    }
}

fn id<T: std::str::FromStr>(text: &str) -> Result<T, ApiError> {
    text.parse().map_err(|_| error(ApiCode::NotAnObject))
}

fn error(code: ApiCode) -> ApiError {
    ApiError { code, problems: Vec::new() }
}
