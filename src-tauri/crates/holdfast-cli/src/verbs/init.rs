//! `init`: enrols this station and sets up its data folder.
//!
//! Promise: what makes it safe is `holdfast_machine::set_up`: nothing is left behind unless the SoR has taken the station.

use std::path::Path;

use holdfast_core::beside::{MirrorPart, Part};
use holdfast_core::profile::Profile;
use holdfast_core::sign::PublicKey;
use holdfast_machine::secret_file::SecretText;
use holdfast_machine::{SetUp, keyring, set_up};
use holdfast_sor::Enrolment;
use holdfast_station::ports::Journal as _;
use holdfast_store::{Store, add_keyring};
use holdfast_wire::{ContractView, SetUpReport};

use crate::arguments::Init;
use crate::compose::{Desk, runtime};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::input::read_document;
use crate::output::{Form, say};
use crate::secrets::{ENROL_CODE_MAX_BYTES, first_line_of_file};
use crate::verbs::contract::not_taken;
use crate::verbs::status::plain_contract;

/// An Ed25519 key in PEM has 113 bytes; comments around it are allowed.
const KEY_FILE_MAX_BYTES: usize = 8 * 1024;

pub(crate) fn init(desk: &Desk, init: &Init, form: Form) -> Result<Exit, Failure> {
    let profile = profile(&init.profile)?;
    let office_key = init.contract_key.as_deref().map(contract_key).transpose()?;
    let beside = beside(init)?;
    let code = init.enrol_code_file.as_deref().map(enrol_code).transpose()?;
    let ask = SetUp {
        data_dir: &desk.data_dir,
        settings: &desk.settings,
        sor_url: &init.sor,
        beside: &beside,
        station: &init.station,
        profile,
        code: code.as_ref().map(|code| code.as_str()),
        office_key,
        passphrase: desk.words()?.as_bytes(),
    };
    let (store, enrolment) = runtime()?.block_on(set_up(&ask))?;
    if desk.is_for_keyring() {
        open_by_keyring(desk, &store)?;
    }
    let report = first_contract(desk, store, init, &enrolment)?;
    form.show(&report, plain)?;
    Ok(Exit::Done)
}

/// The folder is set up by its words first, so that whatever the keyring does the data can be opened.
fn open_by_keyring(desk: &Desk, store: &Store) -> Result<(), Failure> {
    let secret = keyring::make(store.station().db_id).inspect_err(|_| {
        say("set up, but the keyring does not open it; its passphrase does");
    })?;
    add_keyring(&desk.data_dir, desk.words()?.as_bytes(), &secret).map_err(|error| Failure::from(&error))
}

fn profile(word: &str) -> Result<Profile, Failure> {
    let unknown = || Failure::usage("--profile is idempotent or look-before-write");
    Profile::from_word(word).ok_or_else(unknown)
}

/// What stands beside the primary, as the command line names it.
fn beside(init: &Init) -> Result<Vec<(Part, String)>, Failure> {
    let unknown = || Failure::usage("--mirror-is is authoritative or custody");
    let mirror = MirrorPart::from_word(&init.mirror_is).ok_or_else(unknown)?;
    let named = [(mirror.into(), &init.mirror), (Part::Board, &init.board), (Part::Gis, &init.gis)];
    Ok(named.into_iter().filter_map(|(part, url)| url.clone().map(|url| (part, url))).collect())
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
            let why = not_taken(error).sentence;
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
