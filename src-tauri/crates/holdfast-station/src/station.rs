//! The station: its ports, its settings, and what it keeps in memory between two verbs.
//!
//! Promise: what is kept here is a copy of what the journal holds (who is signed in, the compiled rules) and is replaced
//! only after the journal has it. No verb is written here; each has a file of its own.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use holdfast_core::board::LastTold;
use holdfast_core::contract::Attested;
use holdfast_core::ids::{EndpointName, LocalSeq, SessionId};
use holdfast_core::sign::KeyPair;
use holdfast_core::time::Now;
use holdfast_core::validate::{Rules, RulesFault};
use holdfast_wire::ApiError;

use crate::accepting::Signed;
use crate::admission::Admission;
use crate::errands::reprove::Compared;
use crate::pacing::Pacing;
use crate::ports::{
    Beside, Clock, Entropy, Journal, JournalError, KeptContract, OsUser, RecordSystem, SecretName, Vault,
};
use crate::settings::Settings;
use crate::verbs::copies::Copying;
use crate::verbs::drain::DrainProgress;
use crate::verbs::parcels::ParcelsRest;
use crate::verbs::reconfigure::Followers;
use crate::views;
use crate::waking::Waking;
use crate::welcome::Welcome;

/// What the station needs of the world.
#[derive(Clone)]
pub struct Ports {
    /// Where everything is kept.
    pub journal: Arc<dyn Journal>,
    /// Where secrets are kept.
    pub vault: Arc<dyn Vault>,
    /// The SoR.
    pub sor: Arc<dyn RecordSystem>,
    /// The endpoints beside it.
    pub beside: Beside,
    /// Time.
    pub clock: Arc<dyn Clock>,
    /// Chance.
    pub entropy: Arc<dyn Entropy>,
}

/// The application layer of one workstation, as one user of this computer meets it: all who do share everything but who is
/// signed in.
#[derive(Clone)]
pub struct Station {
    pub(crate) ports: Ports,
    pub(crate) admission: Arc<Admission>,
    pub(crate) pacing: Arc<Pacing>,
    pub(crate) waking: Arc<Waking>,
    /// Held by the one drain that is under way.
    pub(crate) draining: Arc<tokio::sync::Mutex<()>>,
    /// Held by the one probe that is under way; when the last one was sent.
    pub(crate) probing: Arc<tokio::sync::Mutex<Option<Now>>>,
    pub(crate) copying: Arc<tokio::sync::Mutex<Copying>>,
    /// Held by whoever asks the GIS for parcels; until when it is left alone.
    pub(crate) parcels_rest: Arc<tokio::sync::Mutex<Option<ParcelsRest>>>,
    /// Held by whoever looks after custody.
    pub(crate) copying_away: Arc<tokio::sync::Mutex<()>>,
    /// Held by whoever tells the board; when that was last, and what.
    pub(crate) telling: Arc<tokio::sync::Mutex<Option<LastTold>>>,
    settings: Arc<Mutex<Arc<Settings>>>,
    pub(crate) followers: Arc<Followers>,
    rules: Arc<Mutex<Option<Arc<RulesInUse>>>>,
    /// Whose session it is.
    user: OsUser,
    signed: Arc<Mutex<Option<Signed>>>,
    catching_up: Arc<Mutex<Option<CatchingUp>>>,
    /// What all drains of this process have done.
    sent: Arc<Mutex<DrainProgress>>,
    welcome: Arc<Mutex<Welcome>>,
    compared: Arc<Mutex<Option<Compared>>>,
    /// Whether the SoR has answered anything since this process began.
    answered: Arc<AtomicBool>,
    /// Sessions that the mirror was shown by this process.
    introduced: Arc<Mutex<BTreeSet<SessionId>>>,
}

/// Since when a backlog is being worked off, as far as this process has seen it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct CatchingUp {
    /// Everything up to here was accepted before the SoR answered again.
    pub(crate) through: LocalSeq,
    /// What had been recorded when that was first seen.
    pub(crate) committed_before: u64,
    /// When that was.
    pub(crate) from: Now,
}

/// The compiled rules of the contract in use.
pub(crate) struct RulesInUse {
    pub(crate) version: u64,
    pub(crate) attested: Attested,
    pub(crate) rules: Rules,
}

impl Station {
    /// A station on its ports, with the contract and the session that the journal holds. A contract that this program
    /// cannot compile pauses intake; what was accepted has to be brought all the same.
    ///
    /// # Errors
    /// The journal or the vault cannot be read.
    pub fn new(ports: Ports, settings: Settings) -> Result<Self, ApiError> {
        let (began, user) = (ports.clock.now(), ports.journal.own_user());
        let station = Self {
            ports,
            settings: Arc::new(Mutex::new(Arc::new(settings))),
            followers: Arc::default(),
            admission: Arc::default(),
            pacing: Arc::default(),
            waking: Arc::default(),
            draining: Arc::default(),
            probing: Arc::new(tokio::sync::Mutex::new(Some(began))),
            copying: Arc::default(),
            parcels_rest: Arc::default(),
            copying_away: Arc::default(),
            telling: Arc::default(),
            rules: Arc::default(),
            user,
            signed: Arc::default(),
            catching_up: Arc::default(),
            sent: Arc::default(),
            welcome: Arc::default(),
            compared: Arc::default(),
            answered: Arc::default(),
            introduced: Arc::default(),
        };
        station.load_rules()?;
        station.load_session().map_err(|cause| views::journal_error(&cause))?;
        Ok(station)
    }

    /// The same station as another user of this computer meets it: what is done through it is done under that user's session.
    ///
    /// # Errors
    /// The journal or the vault cannot be read.
    pub fn as_met_by(&self, user: OsUser) -> Result<Self, ApiError> {
        let met = Self { user, signed: Arc::default(), ..self.clone() };
        met.load_session().map_err(|cause| views::journal_error(&cause))?;
        Ok(met)
    }

    /// Who of this computer's users meets it.
    pub(crate) fn user(&self) -> OsUser {
        self.user
    }

    pub(crate) fn now(&self) -> holdfast_core::time::Now {
        self.ports.clock.now()
    }

    pub(crate) fn zone(&self) -> holdfast_core::time::TimeZone {
        self.ports.clock.zone()
    }

    /// The settings as they are now. A step that needs several asks once, so that they belong together.
    pub(crate) fn settings(&self) -> Arc<Settings> {
        Arc::clone(&locked(&self.settings))
    }

    /// Others are in force from now on.
    pub(crate) fn exchange_settings(&self, settings: Settings) {
        *locked(&self.settings) = Arc::new(settings);
    }

    /// The same as they are at one endpoint.
    pub(crate) fn settings_at(&self, endpoint: &EndpointName) -> Settings {
        self.settings().for_endpoint(endpoint)
    }

    pub(crate) fn rules(&self) -> Option<Arc<RulesInUse>> {
        locked(&self.rules).clone()
    }

    pub(crate) fn signed(&self) -> Option<Signed> {
        locked(&self.signed).clone()
    }

    /// The catching-up that goes through this number: the one that is known, else it begins now.
    pub(crate) fn catching_up(&self, through: LocalSeq, committed: u64, now: Now) -> CatchingUp {
        let mut known = locked(&self.catching_up);
        let begun = CatchingUp { through, committed_before: committed, from: now };
        let current = known.filter(|known| known.through == through).unwrap_or(begun);
        *known = Some(current);
        current
    }

    /// What all drains of this process have done so far; `pending` is as last seen. For whoever follows one that is not
    /// theirs.
    #[must_use]
    pub fn sent_so_far(&self) -> DrainProgress {
        *locked(&self.sent)
    }

    /// A drain has come from `before` to `now`.
    pub(crate) fn has_sent(&self, before: &DrainProgress, now: &DrainProgress) {
        let mut sent = locked(&self.sent);
        let more = now.since(before);
        sent.committed += more.committed;
        sent.already_committed += more.already_committed;
        sent.quarantined += more.quarantined;
        sent.attempts += more.attempts;
        sent.pending = now.pending;
    }

    /// How this station stands with the SoR.
    pub(crate) fn welcome(&self) -> Welcome {
        *locked(&self.welcome)
    }

    /// It stands differently from now on.
    pub(crate) fn welcomed(&self, change: impl FnOnce(Welcome) -> Welcome) {
        let mut welcome = locked(&self.welcome);
        *welcome = change(*welcome);
    }

    /// When the SoR was asked last what it remembers, by this process.
    pub(crate) fn last_compared(&self) -> Option<Compared> {
        *locked(&self.compared)
    }

    /// Whether the SoR has answered something for the first time since it did not say what it remembers: then it is asked
    /// again.
    pub(crate) fn may_be_compared_again(&self) -> bool {
        locked(&self.compared).take_if(|last| last.is_unanswered()).is_some()
    }

    /// It was asked now.
    pub(crate) fn compared_now(&self, compared: Compared) {
        *locked(&self.compared) = Some(compared);
    }

    /// The SoR has answered something that is no operation.
    pub(crate) fn heard_the_sor(&self) {
        self.answered.store(true, Ordering::Release);
    }

    pub(crate) fn has_heard_the_sor(&self) -> bool {
        self.answered.load(Ordering::Acquire)
    }

    /// Whether the mirror was shown this session.
    pub(crate) fn is_introduced(&self, sid: SessionId) -> bool {
        locked(&self.introduced).contains(&sid)
    }

    /// It was, just now.
    pub(crate) fn introduced(&self, sid: SessionId) {
        locked(&self.introduced).insert(sid);
    }

    pub(crate) fn load_rules(&self) -> Result<(), ApiError> {
        let kept = self.ports.journal.contract().map_err(|cause| views::journal_error(&cause))?;
        *locked(&self.rules) = kept.and_then(|kept| match compile(&kept) {
            Ok(rules) => Some(Arc::new(RulesInUse {
                version: kept.bundle.manifest.version,
                attested: kept.attested,
                rules,
            })),
            Err(fault) => {
                tracing::error!(error = %fault, "the rules in the store cannot be used");
                None
            }
        });
        Ok(())
    }

    /// Nobody is signed in any more.
    pub(crate) fn forget_session(&self) {
        *locked(&self.signed) = None;
    }

    pub(crate) fn load_session(&self) -> Result<(), JournalError> {
        let session = self.ports.journal.session(self.user)?;
        let seed = self.ports.vault.secret(SecretName::SessionKey(self.user))?;
        let seed: Option<[u8; 32]> = seed.and_then(|seed| seed.as_slice().try_into().ok());
        let signed = session.zip(seed).map(|(session, seed)| Signed {
            statement: session.signed.statement,
            key: KeyPair::from_seed(&seed),
        });
        // A key that is not the statement's belongs to an interrupted sign-in: nobody is signed in.
        *locked(&self.signed) = signed.filter(|signed| signed.key.public() == signed.statement.key);
        Ok(())
    }
}

/// Compiles the rules of a contract.
pub(crate) fn compile(kept: &KeptContract) -> Result<Rules, RulesFault> {
    let files = kept.bundle.files.iter().map(|(path, text)| (path.clone(), text.clone().into_bytes()));
    Rules::compile(&files.collect::<BTreeMap<_, _>>())
}

/// What is behind these locks is replaced whole, so a panic elsewhere cannot leave it half-written.
fn locked<T>(lock: &Mutex<T>) -> MutexGuard<'_, T> {
    lock.lock().unwrap_or_else(PoisonError::into_inner)
}
