//! What every command and every loop of the window shares: the station, and how the window is told.
//!
//! Promise: a verb that blocks on the disk runs where blocking is allowed, so that the window never waits for a disk.

use std::sync::Arc;

use holdfast_machine::SystemClock;
use holdfast_station::ports::Clock as _;
use holdfast_station::{DrainProgress, Station, Stop};
use holdfast_wire::{ApiCode, ApiError, DrainReport, DrainRequest, HouseView, StationEvent, Told, Topic};
use tokio::sync::Notify;

/// Tells every window.
pub type Tell = Arc<dyn Fn(StationEvent) + Send + Sync>;

/// See the module.
#[derive(Clone)]
pub struct Desk(Arc<Shared>);

struct Shared {
    station: Station,
    house: HouseView,
    tell: Tell,
    work_came: Notify,
    stop: Stop,
}

impl Desk {
    /// A desk at a station; `stop` ends its drains.
    #[must_use]
    pub fn new(station: Station, house: HouseView, tell: Tell, stop: Stop) -> Self {
        Self(Arc::new(Shared { station, house, tell, work_came: Notify::new(), stop }))
    }

    /// The station, for verbs that do not block.
    #[must_use]
    pub fn station(&self) -> &Station {
        &self.0.station
    }

    /// Where this window stands.
    #[must_use]
    pub fn house(&self) -> HouseView {
        self.0.house.clone()
    }

    /// When to end.
    #[must_use]
    pub fn stop(&self) -> Stop {
        self.0.stop.clone()
    }

    /// Asks the station where blocking is allowed.
    ///
    /// # Errors
    /// What the verb answers; `Storage` when its thread broke off.
    pub async fn ask<T: Send + 'static>(
        &self,
        verb: impl FnOnce(&Station) -> Result<T, ApiError> + Send + 'static,
    ) -> Result<T, ApiError> {
        let shared = Arc::clone(&self.0);
        let asked = tokio::task::spawn_blocking(move || verb(&shared.station)).await;
        asked.unwrap_or_else(|_| Err(ApiError { code: ApiCode::Storage, problems: Vec::new() }))
    }

    /// Brings the backlog to the SoR, after any drain that is under way.
    ///
    /// # Errors
    /// As [`Station::drain`].
    pub async fn drain(
        &self,
        request: DrainRequest,
        watch: &(dyn Fn(DrainProgress) + Send + Sync),
    ) -> Result<DrainReport, ApiError> {
        self.0.station.drain(request, self.stop(), watch).await
    }

    /// There may be something to send.
    pub fn work_came(&self) {
        self.0.work_came.notify_one();
    }

    /// Waits until there may be.
    pub async fn work(&self) {
        self.0.work_came.notified().await;
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
