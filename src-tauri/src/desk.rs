//! What every command and every loop of the window shares: the station, once it is open, and how the window is told.
//!
//! Promise: a verb that blocks on the disk runs where blocking is allowed, so that the window never waits for a disk. While
//! there is no station a verb answers `NotStarted`, and opening can be tried again; a station that is open stays.

use std::pin::Pin;
use std::sync::{Arc, OnceLock, PoisonError};

use holdfast_machine::local_socket::Door;
use holdfast_machine::log::Log;
use holdfast_machine::{Configuration, SystemClock};
use holdfast_station::ports::Clock as _;
use holdfast_station::{DrainProgress, Station, Stop};
use holdfast_wire::{
    ApiCode, ApiError, DrainReport, DrainRequest, HouseView, StartView, StationEvent, Told, Topic,
};
use tokio::sync::{Mutex, watch};

/// Tells every window.
pub type Tell = Arc<dyn Fn(StationEvent) + Send + Sync>;

/// Tries to open the station.
pub type Opener = Box<dyn Fn() -> Opening + Send + Sync>;
/// What comes of it: the station, or why there is none.
pub type Opening = Pin<Box<dyn Future<Output = Result<AtWork, StartView>> + Send>>;

/// A station that is open.
pub struct AtWork {
    /// The station.
    pub station: Station,
    /// Where the window stands.
    pub house: HouseView,
    /// The log of this run, if it has one of its own.
    pub log: Option<Log>,
    /// Where other programs of this computer ask, if they may.
    pub door: Option<Door>,
    /// What it runs under, where that is to be followed.
    pub configuration: Option<Configuration>,
}

/// See the module.
#[derive(Clone)]
pub struct Desk(Arc<Shared>);

struct Shared {
    at_work: OnceLock<(Station, HouseView, Option<Door>)>,
    log: std::sync::Mutex<Option<Log>>,
    configuration: std::sync::Mutex<Option<Configuration>>,
    opener: Mutex<Opener>,
    /// None while the station is being opened.
    start: watch::Sender<Option<StartView>>,
    tell: Tell,
    stop: Stop,
}

impl Desk {
    /// A desk whose station is not open yet; `stop` ends its drains.
    #[must_use]
    pub fn new(opener: Opener, tell: Tell, stop: Stop) -> Self {
        let (start, _) = watch::channel(None);
        let opener = Mutex::new(opener);
        let (at_work, log, configuration) =
            (OnceLock::new(), std::sync::Mutex::default(), std::sync::Mutex::default());
        Self(Arc::new(Shared { at_work, log, configuration, opener, start, tell, stop }))
    }

    /// A desk at a station that is open.
    #[must_use]
    pub fn at(at_work: AtWork, tell: Tell, stop: Stop) -> Self {
        // Never asked: there is nothing to open any more.
        let desk = Self::new(Box::new(|| Box::pin(std::future::pending())), tell, stop);
        desk.take(at_work);
        desk
    }

    /// Opens the station, unless it is open; one try at a time.
    pub async fn open(&self) -> StartView {
        let opener = self.0.opener.lock().await;
        if self.0.at_work.get().is_some() {
            return StartView::Ready;
        }
        self.0.start.send_replace(None);
        match opener().await {
            Ok(at_work) => self.take(at_work),
            Err(problem) => drop(self.0.start.send_replace(Some(problem))),
        }
        drop(opener);
        self.changed(&[Topic::Start]);
        self.start().await
    }

    fn take(&self, at_work: AtWork) {
        let AtWork { station, house, log, door, configuration } = at_work;
        // There is one station at most, since one try is made at a time and none after the first that succeeded.
        let _ = self.0.at_work.set((station, house, door));
        *self.0.log.lock().unwrap_or_else(PoisonError::into_inner) = log;
        *self.0.configuration.lock().unwrap_or_else(PoisonError::into_inner) = configuration;
        self.0.start.send_replace(Some(StartView::Ready));
    }

    /// How the program began, once that is known.
    pub async fn start(&self) -> StartView {
        let mut start = self.0.start.subscribe();
        let known = start.wait_for(Option::is_some).await;
        known
            .ok()
            .and_then(|start| start.clone())
            .expect("the desk holds the other end, and waited for a value")
    }

    /// Waits for the station; false when the desk is asked to stop before there is one.
    pub async fn is_at_work(&self) -> bool {
        let mut start = self.0.start.subscribe();
        let mut stop = self.stop();
        tokio::select! {
            () = stop.asked() => false,
            opened = start.wait_for(|start| *start == Some(StartView::Ready)) => opened.is_ok(),
        }
    }

    /// The station, for verbs that do not block.
    ///
    /// # Errors
    /// `NotStarted`
    pub fn station(&self) -> Result<&Station, ApiError> {
        self.0.at_work().map(|(station, ..)| station)
    }

    /// Where this window stands.
    ///
    /// # Errors
    /// `NotStarted`
    pub fn house(&self) -> Result<HouseView, ApiError> {
        self.0.at_work().map(|(_, house, _)| house.clone())
    }

    pub(crate) fn door(&self) -> Option<&Door> {
        self.0.at_work().ok().and_then(|(.., door)| door.as_ref())
    }

    /// When to end.
    #[must_use]
    pub fn stop(&self) -> Stop {
        self.0.stop.clone()
    }

    /// Asks the station where blocking is allowed.
    ///
    /// # Errors
    /// What the verb answers; `NotStarted`; `Storage` when its thread broke off.
    pub async fn ask<T: Send + 'static>(
        &self,
        verb: impl FnOnce(&Station) -> Result<T, ApiError> + Send + 'static,
    ) -> Result<T, ApiError> {
        let shared = Arc::clone(&self.0);
        let asked = tokio::task::spawn_blocking(move || verb(&shared.at_work()?.0)).await;
        asked.unwrap_or_else(|_| Err(error(ApiCode::Storage)))
    }

    /// Brings the backlog to the SoR, after any drain that is under way.
    ///
    /// # Errors
    /// As [`Station::drain`], and `NotStarted`.
    pub async fn drain(
        &self,
        request: DrainRequest,
        watch: &(dyn Fn(DrainProgress) + Send + Sync),
    ) -> Result<DrainReport, ApiError> {
        self.station()?.drain(request, self.stop(), watch).await
    }

    /// What the station runs under, for the one loop that follows it.
    pub(crate) fn take_configuration(&self) -> Option<Configuration> {
        self.0.configuration.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// Ends the log, with every line that still waits for the disk. The process ends without dropping anything.
    pub(crate) fn end(&self) {
        drop(self.0.log.lock().unwrap_or_else(PoisonError::into_inner).take());
    }

    /// Tells every window.
    pub fn tell(&self, told: Told) {
        (self.0.tell)(StationEvent { at: SystemClock.now().wall.to_string(), told });
    }

    /// Tells every window what it shows no longer.
    pub fn changed(&self, topics: &[Topic]) {
        self.tell(Told::Changed { topics: topics.to_vec() });
    }
}

impl Shared {
    fn at_work(&self) -> Result<&(Station, HouseView, Option<Door>), ApiError> {
        self.at_work.get().ok_or_else(|| error(ApiCode::NotStarted))
    }
}

fn error(code: ApiCode) -> ApiError {
    ApiError { code, problems: Vec::new() }
}
