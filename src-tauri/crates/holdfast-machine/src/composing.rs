//! Putting the station together: the store and the SoR behind its ports, this machine's clocks and randomness.

use std::sync::Arc;

use holdfast_core::beside::Part;
use holdfast_core::ids::{EndpointName, SorIdentity};
use holdfast_core::profile::Profile;
use holdfast_core::sign::KeyPair;
use holdfast_sor::{
    BoardClient, CustodyClient, EndpointSettings, GisClient, Limits, SettingsFault, SharedLimits, SorClient,
    SorSettings, VendorClient,
};
use holdfast_station::ports::{Beside, Besides as _, Journal as _, RecordSystem, SecretName, Vault};
use holdfast_station::{Ports, Settings, Station};
use holdfast_store::Store;
use holdfast_wire::ApiError;

use crate::clocks::{SystemClock, SystemEntropy};

/// Why there is no way to the SoR.
#[derive(Debug, thiserror::Error)]
pub enum ComposeFault {
    /// The folder holds no such key, or not a whole one.
    #[error("the station's own key is missing or damaged")]
    StationKey,
    /// The store does not say where the endpoints are.
    #[error("the addresses of the endpoints cannot be read")]
    Addresses,
    /// Its address or limits.
    #[error(transparent)]
    Settings(#[from] SettingsFault),
}

/// Where the SoR is, and how long it may take.
#[must_use]
pub fn endpoint(url: &str, settings: &Settings) -> EndpointSettings {
    let limits = Limits {
        connect_timeout_ms: connect_ms(settings),
        timeout_ms: settings.attempt_ms(),
        ..Limits::default()
    };
    EndpointSettings { limits: limits.into(), ..EndpointSettings::new(url) }
}

/// Whoever sets a whole attempt shorter than connecting wants it short: connecting then gets half of it, and leaves the
/// other half to the request.
fn connect_ms(settings: &Settings) -> u64 {
    let (connect_ms, attempt_ms) = (settings.connect_ms(), settings.attempt_ms());
    if connect_ms < attempt_ms { connect_ms } else { attempt_ms / 2 }
}

/// The way to the SoR, and those to the endpoints beside it.
#[derive(Clone)]
pub struct Ways {
    /// To the SoR.
    pub sor: Arc<dyn RecordSystem>,
    /// To the others.
    pub beside: Beside,
    /// How long an attempt on each of them may take.
    pub limits: TimeLimits,
}

/// How long an attempt at each endpoint may take, as its way keeps it.
#[derive(Clone, Default)]
pub struct TimeLimits(Vec<(EndpointName, SharedLimits)>);

impl TimeLimits {
    fn of(&mut self, name: EndpointName, asked: &SorSettings) {
        self.0.push((name, asked.endpoint.limits.clone()));
    }

    /// From the next attempt on they are those of the settings. What makes no sense at one endpoint leaves its old ones.
    fn follow(&self, settings: &Settings) {
        for (name, shared) in &self.0 {
            let asked = endpoint("", &settings.for_endpoint(name)).limits.now();
            if let Err(fault) = shared.exchange(asked) {
                tracing::warn!(endpoint = %name, error = %fault, "the old limits stay");
            }
        }
    }
}

/// One to the SoR alone.
impl From<Arc<dyn RecordSystem>> for Ways {
    fn from(sor: Arc<dyn RecordSystem>) -> Self {
        Self { sor, beside: Beside::default(), limits: TimeLimits::default() }
    }
}

/// The ways that the folder was set up with, to the SoR for what that SoR is able to do. Call it inside the runtime that will do
/// the waiting.
///
/// # Errors
/// [`ComposeFault`]
pub fn ways(store: &Store, settings: &Settings) -> Result<Ways, ComposeFault> {
    let mut limits = TimeLimits::default();
    let sor = record_system(store, settings, &mut limits)?;
    Ok(Ways { sor, beside: beside(store, settings, &mut limits)?, limits })
}

fn record_system(
    store: &Store,
    settings: &Settings,
    limits: &mut TimeLimits,
) -> Result<Arc<dyn RecordSystem>, ComposeFault> {
    let record = store.station();
    let settings = settings.for_endpoint(&EndpointName::primary());
    let sor_settings = sor_settings(store, &settings, &record.sor_url, record.identity.clone());
    limits.of(EndpointName::primary(), &sor_settings);
    let key = station_key(store)?;
    let (clock, entropy) = (Arc::new(SystemClock), Arc::new(SystemEntropy));
    Ok(match record.profile {
        Profile::Idempotent => Arc::new(SorClient::new(sor_settings, key, clock, entropy)?),
        Profile::LookBeforeWrite => Arc::new(VendorClient::new(sor_settings, key, clock, entropy)?),
    })
}

fn board(store: &Store, asked: SorSettings) -> Result<BoardClient, ComposeFault> {
    let (clock, entropy) = (Arc::new(SystemClock), Arc::new(SystemEntropy));
    Ok(BoardClient::new(asked, station_key(store)?, clock, entropy)?)
}

fn custody(store: &Store, asked: SorSettings) -> Result<CustodyClient, ComposeFault> {
    let (clock, entropy) = (Arc::new(SystemClock), Arc::new(SystemEntropy));
    Ok(CustodyClient::new(asked, station_key(store)?, clock, entropy)?)
}

fn with_keys(store: &Store, asked: SorSettings) -> Result<SorClient, ComposeFault> {
    let (clock, entropy) = (Arc::new(SystemClock), Arc::new(SystemEntropy));
    Ok(SorClient::new(asked, station_key(store)?, clock, entropy)?)
}

/// To each endpoint beside it that the folder was set up with.
fn beside(store: &Store, settings: &Settings, limits: &mut TimeLimits) -> Result<Beside, ComposeFault> {
    let mut beside = Beside::default();
    for record in store.besides().map_err(|_| ComposeFault::Addresses)? {
        let settings = settings.for_endpoint(&record.part.endpoint());
        let asked = sor_settings(store, &settings, &record.url, record.identity.clone());
        limits.of(record.part.endpoint(), &asked);
        match record.part {
            // A mirror whose receipt commits has keys, as the system that it stands in for.
            Part::Authoritative => beside.mirror = Some(Arc::new(with_keys(store, asked)?)),
            Part::Gis => beside.gis = Some(Arc::new(GisClient::new(asked)?)),
            Part::Board => beside.board = Some(Arc::new(board(store, asked)?)),
            Part::Custody => beside.custody = Some(Arc::new(custody(store, asked)?)),
        }
    }
    Ok(beside)
}

fn sor_settings(store: &Store, settings: &Settings, url: &str, identity: SorIdentity) -> SorSettings {
    let station_id = store.station().station_id.clone();
    SorSettings { endpoint: endpoint(url, settings), identity, station_id }
}

/// The station on a store and its ways to the endpoints, with the clocks and the randomness of this machine.
///
/// # Errors
/// The store cannot be read.
pub fn station(store: Arc<Store>, ways: impl Into<Ways>, settings: Settings) -> Result<Station, ApiError> {
    let Ways { sor, beside, limits } = ways.into();
    let ports = Ports {
        journal: Arc::clone(&store) as _,
        vault: store,
        sor,
        beside,
        clock: Arc::new(SystemClock),
        entropy: Arc::new(SystemEntropy),
    };
    Ok(Station::new(ports, settings)?.followed_by(move |settings| limits.follow(settings)))
}

fn station_key(vault: &dyn Vault) -> Result<KeyPair, ComposeFault> {
    let secret = vault.secret(SecretName::StationKey).ok().flatten().ok_or(ComposeFault::StationKey)?;
    let seed: &[u8; 32] = secret.as_slice().try_into().map_err(|_| ComposeFault::StationKey)?;
    Ok(KeyPair::from_seed(seed))
}
