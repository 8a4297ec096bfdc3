//! The contract: fetching it, taking it from a file, and saying how old it is.
//!
//! Promise: a contract is taken only when it is signed by the pinned key, does not go back, and its rules compile within
//! their cost and reject their own samples; otherwise the old one stays, and the refusal is audited. Neither fetching nor
//! loading renews anything: only the signed moment counts.

use std::collections::BTreeMap;

use holdfast_core::audit::{Entry, EventKind};
use holdfast_core::canonical::parse_strict;
use holdfast_core::contract::{Attested, Bundle, ContractFault, InUse, SignedAttestation};
use holdfast_core::ids::ETag;
use holdfast_core::limits::{CONTRACT_FILE_MAX_BYTES, CONTRACT_FILES_MAX};
use holdfast_core::sign::PublicKey;
use holdfast_core::time::Now;
use holdfast_wire::{ApiCode, ApiError, ContractView, ProblemView};
use serde_json::Value;

use crate::ports::{ContractAnswer, KeptContract};
use crate::station::{Station, compile};
use crate::views;

/// A rules file, in bytes.
const RULES_FILE_MAX_BYTES: usize = CONTRACT_FILE_MAX_BYTES * CONTRACT_FILES_MAX;

impl Station {
    /// Asks the SoR for the contract, or for a fresh attestation of the one in use.
    ///
    /// # Errors
    /// `NotAnswering`, `Impostor` or `SystemRefused`; `Refused` when the contract was not taken. The old one stays.
    pub async fn refresh_contract(&self) -> Result<ContractView, ApiError> {
        let _place = self.ask_place()?;
        let kept = self.kept_contract()?;
        let known = kept.as_ref().and_then(etag);
        let answer =
            self.ports.sor.contract(known.as_ref()).await.map_err(|fault| views::sor_error(&fault))?;
        self.heard_the_sor();
        match (answer, kept) {
            (ContractAnswer::Bundle(bundle), kept) => self.take_bundle(*bundle, kept.as_ref())?,
            (ContractAnswer::Unchanged(Some(attestation)), Some(kept)) => {
                self.take_attestation(attestation, kept)?;
            }
            // A 304 without a signed word renews nothing.
            (ContractAnswer::Unchanged(None), _) | (ContractAnswer::Unchanged(_), None) => {}
        }
        self.look_after_numbers().await;
        self.contract()
    }

    /// Takes a contract from a rules file, under the same conditions.
    ///
    /// # Errors
    /// `NotAnObject` when the file is no contract; `Refused` when it was not taken. The old one stays.
    pub fn load_contract(&self, document: &[u8]) -> Result<ContractView, ApiError> {
        let object = parse_strict(document, RULES_FILE_MAX_BYTES).ok().filter(Value::is_object);
        let object = object.ok_or_else(|| views::error(ApiCode::NotAnObject))?;
        let bundle: Bundle =
            serde_json::from_value(object).map_err(|_| contract_refused("the file is no contract"))?;
        let kept = self.kept_contract()?;
        self.take_bundle(bundle, kept.as_ref())?;
        self.contract()
    }

    /// The contract in use.
    ///
    /// # Errors
    /// The journal cannot be read.
    pub fn contract(&self) -> Result<ContractView, ApiError> {
        let standing = self.ports.journal.standing().map_err(|cause| views::journal_error(&cause))?;
        Ok(views::contract(standing.contract, self.now(), self.settings().schema_cache_ttl_h))
    }

    /// Fingerprint of the pinned key that signs contracts, 64 hex digits.
    ///
    /// # Errors
    /// The journal cannot be read.
    pub fn contract_key(&self) -> Result<Option<String>, ApiError> {
        let key = self.ports.journal.office_key().map_err(|cause| views::journal_error(&cause))?;
        Ok(key.map(|key| fingerprint(&key)))
    }

    fn kept_contract(&self) -> Result<Option<KeptContract>, ApiError> {
        self.ports.journal.contract().map_err(|cause| views::journal_error(&cause))
    }

    fn take_bundle(&self, bundle: Bundle, kept: Option<&KeptContract>) -> Result<(), ApiError> {
        let now = self.now();
        let pinned = self.ports.journal.office_key().map_err(|cause| views::journal_error(&cause))?;
        let office_key = match pinned {
            Some(key) => key,
            None => PublicKey::from_pem(&bundle.public_key)
                .map_err(|fault| self.refuse(&ContractFault::Manifest(fault).to_string()))?,
        };
        let in_use = kept.map(in_use);
        bundle
            .check(&office_key, in_use.as_ref(), now.wall)
            .map_err(|fault| self.refuse(&fault.to_string()))?;
        let attestation = bundle.signed_attestation();
        let attested = attested(&attestation, kept, now);
        let contract = KeptContract { attested, attestation, bundle, office_key };
        compile(&contract).map_err(|fault| self.refuse(&fault.to_string()))?;
        let mut entries = vec![refreshed(&contract)];
        if pinned.is_none() {
            let entry = Entry::new(EventKind::ContractPinned).with("fingerprint", fingerprint(&office_key));
            entries.insert(0, entry);
        }
        self.keep(contract, entries)
    }

    fn take_attestation(&self, fresh: SignedAttestation, kept: KeptContract) -> Result<(), ApiError> {
        let now = self.now();
        let manifest = kept.bundle.manifest.sha256();
        let checked =
            fresh.check(&kept.office_key, &manifest, now.wall).and_then(|()| not_older(&fresh, &kept));
        checked.map_err(|fault| self.refuse(&fault.to_string()))?;
        let contract =
            KeptContract { attested: attested(&fresh, Some(&kept), now), attestation: fresh, ..kept };
        let entry = refreshed(&contract);
        self.keep(contract, vec![entry])
    }

    fn keep(&self, contract: KeptContract, entries: Vec<Entry>) -> Result<(), ApiError> {
        let kept = self.ports.journal.keep_contract(self.now(), contract, entries);
        kept.map_err(|cause| views::journal_error(&cause))?;
        self.load_rules()
    }

    /// Audits a refusal; the reason names files and dates of the contract, never a person's data.
    fn refuse(&self, reason: &str) -> ApiError {
        tracing::warn!(reason, "contract refused");
        let entry = Entry::new(EventKind::ContractRefused).with("reason", reason);
        match self.ports.journal.note(self.now(), vec![entry]) {
            Ok(()) => contract_refused(reason),
            Err(cause) => views::journal_error(&cause),
        }
    }
}

fn contract_refused(reason: &str) -> ApiError {
    let problem = ProblemView {
        pointer: String::new(),
        code: "contract-refused".to_owned(),
        message: reason.to_owned(),
        params: BTreeMap::new(),
    };
    ApiError { code: ApiCode::Refused, problems: vec![problem] }
}

fn in_use(kept: &KeptContract) -> InUse {
    InUse {
        version: kept.bundle.manifest.version,
        manifest_sha256: kept.bundle.manifest.sha256(),
        valid_as_of: kept.attested.valid_as_of,
    }
}

fn not_older(fresh: &SignedAttestation, kept: &KeptContract) -> Result<(), ContractFault> {
    let valid_as_of = fresh.attestation.valid_as_of;
    if valid_as_of >= kept.attested.valid_as_of {
        return Ok(());
    }
    Err(ContractFault::OlderAttestation { valid_as_of })
}

/// The same word shown again was seen when it was first seen: else a clock that is set back would make it young.
fn attested(signed: &SignedAttestation, kept: Option<&KeptContract>, now: Now) -> Attested {
    let valid_as_of = signed.attestation.valid_as_of;
    let known = kept.filter(|kept| kept.attested.valid_as_of == valid_as_of);
    let seen = known.map_or(now, |kept| kept.attested.seen);
    Attested { valid_as_of, valid_until: signed.attestation.valid_until, seen }
}

fn refreshed(contract: &KeptContract) -> Entry {
    Entry::new(EventKind::ContractRefreshed)
        .with("version", contract.bundle.manifest.version)
        .with("manifest_sha256", contract.bundle.manifest.sha256())
        .with("valid_as_of", contract.attested.valid_as_of)
        .with("key_id", &contract.attestation.attestation.key_id)
}

fn etag(kept: &KeptContract) -> Option<ETag> {
    format!("\"{}\"", kept.bundle.manifest.sha256()).parse().ok()
}

fn fingerprint(key: &PublicKey) -> String {
    holdfast_core::canonical::sha256(&key.bytes()).to_string()
}
