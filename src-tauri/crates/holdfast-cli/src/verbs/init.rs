//! `init`: enrols this station and sets up its data folder.
//!
//! Promise: the folder is judged before anything is sent, and made only after the SoR has taken the station; so a wrong
//! address, a sign-in page of the network or a refusal leaves nothing behind.

use std::path::Path;

use holdfast_core::audit::{Entry, EventKind};
use holdfast_core::canonical::sha256;
use holdfast_core::ids::DbId;
use holdfast_core::profile::Profile;
use holdfast_core::sign::{KeyPair, PublicKey};
use holdfast_sor::{EnrolAsk, Enrolment, enrol};
use holdfast_station::ports::{Clock as _, Entropy as _, StationRecord, random_id};
use holdfast_store::{ArgonCost, NewStore, Store};
use holdfast_wire::{ContractView, SetUpReport};
use zeroize::Zeroizing;

use crate::arguments::Init;
use crate::compose::{Desk, runtime};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::input::read_document;
use crate::machine::{SystemClock, SystemEntropy};
use crate::output::{Form, say};
use crate::secrets::{ENROL_CODE_MAX_BYTES, SecretText, first_line_of_file};
use crate::verbs::status::plain_contract;

/// An Ed25519 key in PEM has 113 bytes; comments around it are allowed.
const KEY_FILE_MAX_BYTES: usize = 8 * 1024;

pub(crate) fn init(desk: &Desk, init: &Init, form: Form) -> Result<Exit, Failure> {
    let profile = profile(&init.profile)?;
    let office_key = init.contract_key.as_deref().map(contract_key).transpose()?;
    let code = init.enrol_code_file.as_deref().map(enrol_code).transpose()?;
    holdfast_store::check_place(&desk.data_dir).map_err(|error| Failure::from(&error))?;

    let key = station_key();
    let enrolment = enrolled(desk, init, &key, code.as_ref())?;
    let store = Store::create(&desk.data_dir, new_store(desk, init, profile, office_key, &key, &enrolment))?;
    let report = first_contract(desk, store, init, &enrolment)?;
    form.show(&report, plain)?;
    Ok(Exit::Done)
}

fn profile(word: &str) -> Result<Profile, Failure> {
    match Profile::from_word(word) {
        Some(Profile::Idempotent) => Ok(Profile::Idempotent),
        Some(Profile::LookBeforeWrite) => Err(Failure::usage(
            "this version speaks to systems with idempotency keys only: --profile idempotent",
        )),
        None => Err(Failure::usage("--profile is idempotent or look-before-write")),
    }
}

fn contract_key(path: &Path) -> Result<PublicKey, Failure> {
    let bytes = read_document(path, KEY_FILE_MAX_BYTES)?;
    let text = std::str::from_utf8(&bytes).ok().filter(|text| text.len() <= KEY_FILE_MAX_BYTES);
    let key = text.and_then(|text| PublicKey::from_pem(text).ok());
    key.ok_or_else(|| Failure::usage(format!("{} holds no Ed25519 public key in PEM", path.display())))
}

fn enrol_code(path: &Path) -> Result<SecretText, Failure> {
    first_line_of_file(path, ENROL_CODE_MAX_BYTES, "enrolment code")
}

fn station_key() -> KeyPair {
    let mut seed = Zeroizing::new([0; 32]);
    SystemEntropy.fill(seed.as_mut_slice());
    KeyPair::from_seed(&seed)
}

fn enrolled(
    desk: &Desk,
    init: &Init,
    key: &KeyPair,
    code: Option<&SecretText>,
) -> Result<Enrolment, Failure> {
    let nonce = nonce();
    let who = EnrolAsk {
        station_id: &init.station,
        key: key.public(),
        code: code.map(|code| code.as_str()),
        nonce: &nonce,
    };
    Ok(runtime()?.block_on(enrol(&desk.endpoint(&init.sor), &who))?)
}

fn new_store(
    desk: &Desk,
    init: &Init,
    profile: Profile,
    office_key: Option<PublicKey>,
    key: &KeyPair,
    enrolment: &Enrolment,
) -> NewStore {
    let now = SystemClock.now();
    let record = StationRecord {
        station_id: init.station.clone(),
        db_id: DbId::from_uuid(random_id(&SystemEntropy, now)),
        sor_url: init.sor.clone(),
        identity: enrolment.identity.clone(),
        sor_key: enrolment.sor_key,
        profile,
        created_at: now.wall,
    };
    NewStore {
        entries: first_entries(&record, office_key.as_ref()),
        record,
        office_key,
        station_key: Zeroizing::new(key.seed()),
        passphrase: Zeroizing::new(desk.passphrase.as_bytes().to_vec()),
        argon: ArgonCost::default(),
        now,
    }
}

/// What the audit chain begins with: who this station is, and whom it believes.
fn first_entries(record: &StationRecord, office_key: Option<&PublicKey>) -> Vec<Entry> {
    let fingerprint = |key: &PublicKey| sha256(&key.bytes());
    let mut entries = vec![
        Entry::new(EventKind::StationInitialised).with("db_id", record.db_id).with("profile", record.profile),
        Entry::new(EventKind::IdentityPinned)
            .with("identity", &record.identity)
            .with("fingerprint", fingerprint(&record.sor_key)),
    ];
    entries.extend(
        office_key.map(|key| Entry::new(EventKind::ContractPinned).with("fingerprint", fingerprint(key))),
    );
    entries
}

fn nonce() -> String {
    let mut bytes = [0; 16];
    SystemEntropy.fill(&mut bytes);
    holdfast_core::sign::b64u(&bytes)
}

/// The rules are fetched at once, so that the counter can open. Without them the station is set up all the same.
fn first_contract(
    desk: &Desk,
    store: Store,
    init: &Init,
    enrolment: &Enrolment,
) -> Result<SetUpReport, Failure> {
    let open = desk.open_new(store)?;
    let contract: ContractView = match open.runtime.block_on(open.station.refresh_contract()) {
        Ok(contract) => contract,
        Err(error) => {
            let why = Failure::from(error).sentence;
            say(&format!("set up, but without rules ({why}); run `holdfastctl contract refresh` later"));
            open.station.contract()?
        }
    };
    Ok(SetUpReport {
        station: init.station.to_string(),
        identity: enrolment.identity.to_string(),
        contract,
        contract_key: open.station.contract_key()?,
    })
}

fn plain(report: &SetUpReport) -> String {
    let key = report.contract_key.as_deref().unwrap_or("none yet");
    format!(
        "station   {}\nsystem    {}\nrules     {}\nkey       {key} (of the rules office; compare it with theirs)\n",
        report.station,
        report.identity,
        plain_contract(&report.contract),
    )
}
