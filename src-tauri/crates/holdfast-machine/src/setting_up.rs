//! Enrols this station and sets up its data folder.
//!
//! Promise: the folder is judged before anything is sent, and made only after the SoR has taken the station; so a wrong
//! address, a sign-in page of the network or a refusal leaves nothing behind.

use std::path::Path;

use holdfast_core::audit::{Entry, EventKind};
use holdfast_core::beside::{Part, PartFault};
use holdfast_core::canonical::sha256;
use holdfast_core::ids::{DbId, EndpointName, StationId};
use holdfast_core::profile::Profile;
use holdfast_core::sign::{KeyPair, PublicKey, b64u};
use holdfast_sor::{EnrolAsk, EnrolFault, Enrolment, enrol, identify};
use holdfast_station::Settings;
use holdfast_station::ports::{BesideRecord, Clock as _, Entropy as _, StationRecord, random_id};
use holdfast_store::{ArgonCost, FolderError, NewStore, OpenError, Store, check_place};
use zeroize::Zeroizing;

use crate::clocks::{SystemClock, SystemEntropy};
use crate::composing::endpoint;

/// What a folder is set up with.
pub struct SetUp<'a> {
    /// Where.
    pub data_dir: &'a Path,
    /// Limits of the one conversation.
    pub settings: &'a Settings,
    /// Address of the primary endpoint.
    pub sor_url: &'a str,
    /// The endpoints beside it: what each is for, and its address.
    pub beside: &'a [(Part, String)],
    /// Name under which the station is enrolled.
    pub station: &'a StationId,
    /// What the SoR can do.
    pub profile: Profile,
    /// One-time code for the enrolment, if one is needed.
    pub code: Option<&'a str>,
    /// The key that signs contracts, when it is given; else the first one seen is pinned.
    pub office_key: Option<PublicKey>,
    /// What opens the folder from now on.
    pub passphrase: &'a [u8],
}

/// Why nothing was set up.
#[derive(Debug, thiserror::Error)]
pub enum SetUpFault {
    /// The folder is not fit, or set up already.
    #[error(transparent)]
    Place(#[from] FolderError),
    /// The SoR did not take the station.
    #[error(transparent)]
    Enrol(#[from] EnrolFault),
    /// An endpoint beside it did not take the station.
    #[error("the {} at {url} cannot be used", part.endpoint())]
    Beside {
        /// What it is for.
        part: Part,
        /// Its address.
        url: String,
        /// Why.
        #[source]
        source: EnrolFault,
    },
    /// An endpoint that this primary cannot have beside it.
    #[error(transparent)]
    Part(#[from] PartFault),
    /// The store could not be made.
    #[error(transparent)]
    Store(#[from] OpenError),
}

/// Enrols the station, then makes its folder.
///
/// # Errors
/// [`SetUpFault`]
pub async fn set_up(ask: &SetUp<'_>) -> Result<(Store, Enrolment), SetUpFault> {
    check_place(ask.data_dir)?;
    ask.beside.iter().try_for_each(|(part, _)| part.beside(ask.profile).map(|_| ()))?;
    let key = station_key();
    let nonce = nonce();
    let who = EnrolAsk { station_id: ask.station, key: key.public(), code: ask.code, nonce: &nonce };
    let enrolment =
        enrol(&endpoint(ask.sor_url, &ask.settings.for_endpoint(&EndpointName::primary())), &who).await?;
    let beside = beside(ask, &who).await?;
    let store = Store::create(ask.data_dir, new_store(ask, &key, &enrolment, beside))?;
    Ok((store, enrolment))
}

/// Each of them is asked who it is, and takes the station if it has to know it.
async fn beside(ask: &SetUp<'_>, who: &EnrolAsk<'_>) -> Result<Vec<BesideRecord>, SetUpFault> {
    let mut records = Vec::with_capacity(ask.beside.len());
    for (part, url) in ask.beside {
        let settings = endpoint(url, &ask.settings.for_endpoint(&part.endpoint()));
        let identity = match part.enrols() {
            true => enrol(&settings, who).await.map(|enrolment| enrolment.identity),
            false => identify(&settings, who.nonce).await,
        };
        let fault = |source| SetUpFault::Beside { part: *part, url: url.clone(), source };
        records.push(BesideRecord { part: *part, url: url.clone(), identity: identity.map_err(fault)? });
    }
    Ok(records)
}

fn station_key() -> KeyPair {
    let mut seed = Zeroizing::new([0; 32]);
    SystemEntropy.fill(seed.as_mut_slice());
    KeyPair::from_seed(&seed)
}

fn new_store(ask: &SetUp<'_>, key: &KeyPair, enrolment: &Enrolment, beside: Vec<BesideRecord>) -> NewStore {
    let now = SystemClock.now();
    let record = StationRecord {
        station_id: ask.station.clone(),
        db_id: DbId::from_uuid(random_id(&SystemEntropy, now)),
        sor_url: ask.sor_url.to_owned(),
        identity: enrolment.identity.clone(),
        sor_key: enrolment.sor_key,
        profile: ask.profile,
        created_at: now.wall,
    };
    NewStore {
        entries: first_entries(&record, &beside, ask.office_key.as_ref()),
        record,
        beside,
        office_key: ask.office_key,
        station_key: Zeroizing::new(key.seed()),
        passphrase: Zeroizing::new(ask.passphrase.to_vec()),
        argon: ArgonCost::default(),
        now,
    }
}

/// What the audit chain begins with: who this station is, and whom it believes.
fn first_entries(
    record: &StationRecord,
    beside: &[BesideRecord],
    office_key: Option<&PublicKey>,
) -> Vec<Entry> {
    let fingerprint = |key: &PublicKey| sha256(&key.bytes());
    let mut entries = vec![
        Entry::new(EventKind::StationInitialised).with("db_id", record.db_id).with("profile", record.profile),
        Entry::new(EventKind::IdentityPinned)
            .with("identity", &record.identity)
            .with("fingerprint", fingerprint(&record.sor_key)),
    ];
    entries.extend(beside.iter().map(|beside| {
        let entry = Entry::new(EventKind::IdentityPinned).with("endpoint", beside.part.endpoint());
        entry.with("part", beside.part).with("identity", &beside.identity)
    }));
    entries.extend(
        office_key.map(|key| Entry::new(EventKind::ContractPinned).with("fingerprint", fingerprint(key))),
    );
    entries
}

fn nonce() -> String {
    let mut bytes = [0; 16];
    SystemEntropy.fill(&mut bytes);
    b64u(&bytes)
}
