//! Putting the station together: the store and the SoR behind its ports, this machine's clocks and randomness.

use std::sync::Arc;

use holdfast_core::profile::Profile;
use holdfast_core::sign::KeyPair;
use holdfast_sor::{EndpointSettings, Limits, SettingsFault, SorClient, SorSettings, VendorClient};
use holdfast_station::ports::{Journal as _, RecordSystem, SecretName, Vault};
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
    EndpointSettings { limits, ..EndpointSettings::new(url) }
}

/// Whoever sets a whole attempt shorter than connecting wants it short: connecting then gets half of it, and leaves the
/// other half to the request.
fn connect_ms(settings: &Settings) -> u64 {
    let (connect_ms, attempt_ms) = (settings.connect_ms(), settings.attempt_ms());
    if connect_ms < attempt_ms { connect_ms } else { attempt_ms / 2 }
}

/// The way to the SoR that the folder was set up with, for what that SoR is able to do. Call it inside the runtime that will do the waiting.
///
/// # Errors
/// [`ComposeFault`]
pub fn record_system(store: &Store, settings: &Settings) -> Result<Arc<dyn RecordSystem>, ComposeFault> {
    let record = store.station();
    let sor_settings = SorSettings {
        endpoint: endpoint(&record.sor_url, settings),
        identity: record.identity.clone(),
        station_id: record.station_id.clone(),
    };
    let key = station_key(store)?;
    let (clock, entropy) = (Arc::new(SystemClock), Arc::new(SystemEntropy));
    Ok(match record.profile {
        Profile::Idempotent => Arc::new(SorClient::new(sor_settings, key, clock, entropy)?),
        Profile::LookBeforeWrite => Arc::new(VendorClient::new(sor_settings, key, clock, entropy)?),
    })
}

/// The station on a store and a way to the SoR, with the clocks and the randomness of this machine.
///
/// # Errors
/// The store cannot be read.
pub fn station(
    store: Arc<Store>,
    sor: Arc<dyn RecordSystem>,
    settings: Settings,
) -> Result<Station, ApiError> {
    let ports = Ports {
        journal: Arc::clone(&store) as _,
        vault: store,
        sor,
        clock: Arc::new(SystemClock),
        entropy: Arc::new(SystemEntropy),
    };
    Station::new(ports, settings)
}

fn station_key(vault: &dyn Vault) -> Result<KeyPair, ComposeFault> {
    let secret = vault.secret(SecretName::StationKey).ok().flatten().ok_or(ComposeFault::StationKey)?;
    let seed: &[u8; 32] = secret.as_slice().try_into().map_err(|_| ComposeFault::StationKey)?;
    Ok(KeyPair::from_seed(seed))
}
