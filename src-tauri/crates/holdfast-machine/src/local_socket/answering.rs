//! Answering one caller: request after request, each by one verb of the station.
//!
//! Promise: what acts for the person who is signed in is refused to all but the holder's own user. A verb that blocks runs
//! where blocking is allowed; while it does the caller hears that it is worked on, and a caller that has gone stops the
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
    SignInRequest,
};
use serde_json::Value;
use tokio::net::UnixStream;
use tokio::sync::Semaphore;
use tokio::time::{MissedTickBehavior, interval};

use super::frames::{Frame, message, read, write};
use super::peers::Peer;
use super::serving::{ChangedBy, Holder};
use super::{
    CONTRACT_MAX_BYTES, FRAME_MAX_MS, IDLE_MAX_MS, PASSWORD_MAX_BYTES, REQUEST_MAX_BYTES, WORKING_EVERY_MS,
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
    if !may(peer, &request) {
        return write(stream, &LocalAnswer::Refused(error(ApiCode::NotPermitted))).await;
    }
    let before = desk.holder.station().map(Station::sent_so_far).unwrap_or_default();
    let (handle, gone) = Stop::new();
    let answering =
        carry_out(Arc::clone(&desk.holder), request, document, gone.clone(), stop.clone(), before);
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
            None => tell(desk, stream, &before, &handle).await,
        }
    }
}

/// That it is worked on. Who does not hear it has gone; the drain that it wanted ends after its attempt.
async fn tell(desk: &Desk, stream: &mut UnixStream, before: &DrainProgress, gone: &StopHandle) {
    let now = desk.holder.station().map(Station::sent_so_far).unwrap_or_default();
    if write(stream, &LocalAnswer::Working(so_far(&now.since(before)))).await.is_err() {
        gone.ask();
    }
}

async fn document_of(desk: &Desk, stream: &mut UnixStream, request: &LocalRequest) -> io::Result<Frame> {
    let max_bytes = match request {
        LocalRequest::Submit { .. } | LocalRequest::ImportRow { .. } => JSON_MAX_BYTES,
        LocalRequest::SignIn { .. } => PASSWORD_MAX_BYTES,
        LocalRequest::LoadContract => {
            let _one = desk.contracts.acquire().await.map_err(io::Error::other)?;
            return read(stream, CONTRACT_MAX_BYTES, FRAME_MAX_MS).await;
        }
        LocalRequest::ImportEnded(_)
        | LocalRequest::Decide(_)
        | LocalRequest::SettleRestore(_)
        | LocalRequest::FetchTheirs { .. }
        | LocalRequest::HoldEndpoint(_)
        | LocalRequest::ReleaseEndpoint(_)
        | LocalRequest::SignOut
        | LocalRequest::RefreshContract
        | LocalRequest::Drain(_)
        | LocalRequest::StepAside => return Ok(Frame::default()),
    };
    read(stream, max_bytes, FRAME_MAX_MS).await
}

/// The session that is here is the holder's own user's; nobody else acts under it.
fn may(peer: Peer, request: &LocalRequest) -> bool {
    match (peer, request) {
        (Peer::Own, _)
        | (
            Peer::Member,
            LocalRequest::LoadContract | LocalRequest::RefreshContract | LocalRequest::Drain(_),
        ) => true,
        (
            Peer::Member,
            LocalRequest::Submit { .. }
            | LocalRequest::ImportRow { .. }
            | LocalRequest::ImportEnded(_)
            | LocalRequest::Decide(_)
            | LocalRequest::SettleRestore(_)
            | LocalRequest::FetchTheirs { .. }
            | LocalRequest::HoldEndpoint(_)
            | LocalRequest::ReleaseEndpoint(_)
            | LocalRequest::SignIn { .. }
            | LocalRequest::SignOut
            | LocalRequest::StepAside,
        ) => false,
    }
}

async fn carry_out(
    holder: Arc<dyn Holder>,
    request: LocalRequest,
    document: Frame,
    gone: Stop,
    ends: Stop,
    before: DrainProgress,
) -> LocalAnswer {
    let done = match request {
        LocalRequest::Submit { operation_id, application_id } => {
            blocking(&holder, Some(ChangedBy::Work), move |station| {
                let (operation_id, application_id) = (id(&operation_id)?, id(&application_id)?);
                station.submit_under(&document, operation_id, application_id).map(LocalAnswer::Receipt)
            })
            .await
        }
        LocalRequest::ImportRow { permit_num } => {
            blocking(&holder, Some(ChangedBy::Work), move |station| {
                import_row(station, permit_num, &document)
            })
            .await
        }
        LocalRequest::ImportEnded(end) => {
            blocking(&holder, None, move |station| station.import_finished(end).map(|()| LocalAnswer::Done))
                .await
        }
        LocalRequest::Decide(ask) => {
            blocking(&holder, Some(ChangedBy::Work), move |station| {
                station.decide(ask).map(LocalAnswer::Decided)
            })
            .await
        }
        LocalRequest::SettleRestore(ask) => {
            blocking(&holder, Some(ChangedBy::Work), move |station| {
                station.settle_restore(ask).map(LocalAnswer::Restored)
            })
            .await
        }
        LocalRequest::HoldEndpoint(ask) => {
            blocking(&holder, Some(ChangedBy::Work), move |station| {
                station.hold_endpoint(ask).map(LocalAnswer::Steered)
            })
            .await
        }
        LocalRequest::ReleaseEndpoint(ask) => {
            blocking(&holder, Some(ChangedBy::Work), move |station| {
                station.release_endpoint(ask).map(LocalAnswer::Steered)
            })
            .await
        }
        LocalRequest::FetchTheirs { key } => fetch_theirs(&*holder, &key).await,
        LocalRequest::SignOut => {
            blocking(&holder, Some(ChangedBy::Session), |station| {
                station.sign_out().map(|()| LocalAnswer::Done)
            })
            .await
        }
        LocalRequest::LoadContract => {
            blocking(&holder, Some(ChangedBy::Rules), move |station| {
                station.load_contract(&document).map(LocalAnswer::Contract)
            })
            .await
        }
        LocalRequest::SignIn { user } => sign_in(&*holder, user, &document).await,
        LocalRequest::RefreshContract => refresh_contract(&*holder).await,
        LocalRequest::Drain(request) => drain(&*holder, request, gone, ends, before).await,
        LocalRequest::StepAside if holder.step_aside() => Ok(LocalAnswer::Done),
        LocalRequest::StepAside => Err(error(ApiCode::InUse)),
    };
    done.unwrap_or_else(LocalAnswer::Refused)
}

async fn blocking(
    holder: &Arc<dyn Holder>,
    changed: Option<ChangedBy>,
    verb: impl FnOnce(&Station) -> Result<LocalAnswer, ApiError> + Send + 'static,
) -> Result<LocalAnswer, ApiError> {
    let at = Arc::clone(holder);
    let done = tokio::task::spawn_blocking(move || verb(at.station()?)).await;
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

async fn sign_in(holder: &dyn Holder, user: String, password: &Frame) -> Result<LocalAnswer, ApiError> {
    if !holder.sends() {
        return Ok(LocalAnswer::Leaving(SentSoFar::default()));
    }
    let password = std::str::from_utf8(password).map_err(|_| error(ApiCode::NotAnObject))?.to_owned();
    let session = holder.station()?.sign_in(SignInRequest { user, password }).await?;
    holder.changed(ChangedBy::Session);
    Ok(LocalAnswer::Session(session))
}

async fn fetch_theirs(holder: &dyn Holder, key: &str) -> Result<LocalAnswer, ApiError> {
    if !holder.sends() {
        return Ok(LocalAnswer::Leaving(SentSoFar::default()));
    }
    holder.station()?.fetch_theirs(key).await.map(Box::new).map(LocalAnswer::Conflict)
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
