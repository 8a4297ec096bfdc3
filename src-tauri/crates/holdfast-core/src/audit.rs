//! The audit chain: what an event is, and how each is bound to all before it.
//!
//! Promise: whoever changes, drops, swaps or adds an event breaks the chain at that event, and a lawful purge of personal
//! values leaves it whole, because the chain holds only salted digests of them. Where the chain is kept is not known here.

use std::fmt;

use hmac::{Hmac, KeyInit as _, Mac as _};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use sha2::{Digest as _, Sha256};

use crate::canonical::canonical;
use crate::ids::{ActorId, DbId, Digest, OperationId, StationId};
use crate::sign::{KeyPair, PublicKey, Purpose, SignatureFault};
use crate::time::{BootMillis, UtcMillis};

/// Version of the event's bytes.
pub const AUDIT_VERSION: u32 = 1;

macro_rules! event_kinds {
    ($($(#[$doc:meta])* $name:ident => $word:literal,)*) => {
        /// Everything that is audited: a closed list, the same as in `schemas/audit-event.json`.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
        pub enum EventKind {
            $($(#[$doc])* #[serde(rename = $word)] $name,)*
        }

        impl EventKind {
            /// Every kind.
            pub const ALL: &'static [EventKind] = &[$(EventKind::$name,)*];

            /// The stored word.
            #[must_use]
            pub fn word(self) -> &'static str {
                match self {
                    $(EventKind::$name => $word,)*
                }
            }
        }
    };
}

event_kinds! {
    /// The station was set up.
    StationInitialised => "station.initialised",
    /// The SoR's identity was pinned.
    IdentityPinned => "identity.pinned",
    /// An answer carried another identity.
    IdentityMismatched => "identity.mismatched",
    /// The key that signs contracts was pinned.
    ContractPinned => "contract.pinned",
    /// A contract or a fresh attestation was taken.
    ContractRefreshed => "contract.refreshed",
    /// A contract was not taken; the old one stays.
    ContractRefused => "contract.refused",
    /// A person signed in.
    SessionOpened => "session.opened",
    /// A person signed out.
    SessionClosed => "session.closed",
    /// An operation was accepted; holds the routing decision with its inputs.
    OperationAccepted => "operation.accepted",
    /// Something was refused at the counter.
    OperationRefused => "operation.refused",
    /// An attempt begins.
    OperationSent => "operation.sent",
    /// The SoR has it.
    OperationCommitted => "operation.committed",
    /// The SoR has it and had it before: found, not rewritten.
    OperationFound => "operation.found",
    /// The SoR has received but not applied it.
    OperationReceived => "operation.received",
    /// It waits for another attempt.
    OperationWaiting => "operation.waiting",
    /// It may or may not have arrived.
    OperationInDoubt => "operation.in_doubt",
    /// It is there once, at least the settle time after it was recorded.
    OperationSettled => "operation.settled",
    /// As often as it is looked at again nothing was proven.
    OperationUnsettled => "operation.unsettled",
    /// The SoR has it more than once; it waits for a person.
    OperationTwinFound => "operation.twin_found",
    /// A person keeps one of those, with the reason.
    OperationKept => "operation.kept",
    /// A person has looked at the SoR and found it there, with the reason.
    OperationFoundByPerson => "operation.found_by_person",
    /// It waits for a person.
    OperationQuarantined => "operation.quarantined",
    /// A start found it in flight and put it back.
    OperationRecovered => "operation.recovered",
    /// A person sent it again, with the reason.
    OperationRequeued => "operation.requeued",
    /// Another operation took its place.
    OperationReplaced => "operation.replaced",
    /// A person took it back, with the reason.
    OperationVoided => "operation.voided",
    /// A record that came from the SoR looks like an application that was accepted here; holds the ids of both.
    LikenessFound => "likeness.found",
    /// A person keeps both of two that look alike, with the reason.
    LikenessKept => "likeness.kept",
    /// A person's decision about it was refused.
    DecisionRefused => "decision.refused",
    /// The breaker opened.
    BreakerTripped => "breaker.tripped",
    /// The breaker lets one canary through.
    BreakerHalfOpen => "breaker.half_open",
    /// The breaker closed.
    BreakerClosed => "breaker.closed",
    /// A person holds the endpoint open.
    BreakerHeld => "breaker.held",
    /// That hold ended.
    BreakerReleased => "breaker.released",
    /// Its wait follows other limits than those that it began with.
    BreakerRetimed => "breaker.retimed",
    /// A block of permit numbers is asked for, under an id that stays its own.
    NumbersAsked => "numbers.asked",
    /// The SoR leased it.
    NumbersLeased => "numbers.leased",
    /// The SoR refused it.
    NumbersRefused => "numbers.refused",
    /// With this acceptance the low mark was reached.
    NumbersLow => "numbers.low",
    /// With this acceptance the last number was given out.
    NumbersNoneLeft => "numbers.none_left",
    /// Unused numbers will not be given out any more.
    NumbersVoid => "numbers.void",
    /// The SoR knows that they are void.
    NumbersReported => "numbers.reported",
    /// The SoR came back from an older copy; holds what was known and what it told.
    RestoreNoticed => "restore.noticed",
    /// All that it has to have was looked for.
    RestoreLookedThrough => "restore.looked_through",
    /// A person decided about what it lacks, with the reason; or nothing was missing.
    RestoreSettled => "restore.settled",
    /// A person's decision about what it lacks was refused.
    RestoreRefused => "restore.refused",
    /// The SoR no longer has a recorded operation.
    OperationMissing => "operation.missing",
    /// It waits again, under the same key.
    OperationReturned => "operation.returned",
    /// It is left missing at the SoR.
    OperationLeft => "operation.left",
    /// This station came back from an older copy; holds the numbers that are passed over.
    StationRestored => "station.restored",
    /// What the SoR holds of this station and is not known here.
    StationStrangers => "station.strangers",
    /// The mirror holds a copy of an operation that is not disposed of; holds the decision with its inputs.
    CustodyHeld => "custody.held",
    /// The mirror refuses to hold that copy.
    CustodyRefused => "custody.refused",
    /// It holds it no longer: the operation is recorded, or was taken back.
    CustodyReleased => "custody.released",
    /// Something goes wrong that no single operation shows.
    AlarmRaised => "alarm.raised",
    /// It no longer does.
    AlarmEnded => "alarm.ended",
    /// A value of the configuration changed.
    ConfigurationChanged => "configuration.changed",
    /// A configuration was not taken; the one before stays.
    ConfigurationRefused => "configuration.refused",
    /// An import ended.
    ImportFinished => "import.finished",
    /// The drain paused by itself.
    DrainPaused => "drain.paused",
    /// A drain ended.
    DrainFinished => "drain.finished",
}

impl fmt::Display for EventKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// One event as it is stored and hashed. `data` never holds a personal value in clear.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Event {
    /// [`AUDIT_VERSION`].
    pub v: u32,
    /// From 1, without gaps.
    pub seq: u64,
    /// The station.
    pub station_id: StationId,
    /// Wall clock.
    pub at: UtcMillis,
    /// Boot clock.
    pub boot_ms: BootMillis,
    /// What happened.
    pub kind: EventKind,
    /// Who did it, when a person did.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub actor_id: Option<ActorId>,
    /// Which operation it is about.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub operation_id: Option<OperationId>,
    /// The rest, by kind.
    pub data: Map<String, Value>,
}

impl Event {
    /// The stored text: RFC 8785.
    #[must_use]
    pub fn text(&self) -> String {
        String::from_utf8(canonical(self)).expect("RFC 8785 text is UTF-8")
    }
}

/// What an event says before it has its place in the chain.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// What happened.
    pub kind: EventKind,
    /// Who did it.
    pub actor_id: Option<ActorId>,
    /// Which operation it is about.
    pub operation_id: Option<OperationId>,
    /// The rest, without personal values.
    pub data: Map<String, Value>,
    /// Personal values by their name in `data`, each with a salt of its own; only their digests enter the chain.
    pub private: Vec<PrivateValue>,
}

/// A personal value that an event refers to by a salted digest.
#[derive(Clone, PartialEq, Eq)]
pub struct PrivateValue {
    /// Member of `data` under which its digest stands.
    pub name: &'static str,
    /// 32 random bytes.
    pub salt: [u8; 32],
    /// The value.
    pub text: String,
}

impl fmt::Debug for PrivateValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PrivateValue").field("name", &self.name).finish_non_exhaustive()
    }
}

impl Entry {
    /// An entry without anything beside its kind.
    #[must_use]
    pub fn new(kind: EventKind) -> Self {
        Self { kind, actor_id: None, operation_id: None, data: Map::new(), private: Vec::new() }
    }

    /// Who did it.
    #[must_use]
    pub fn by(mut self, actor: ActorId) -> Self {
        self.actor_id = Some(actor);
        self
    }

    /// Which operation it is about.
    #[must_use]
    pub fn of(mut self, operation: OperationId) -> Self {
        self.operation_id = Some(operation);
        self
    }

    /// One more member of `data`; never a personal value.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl Serialize) -> Self {
        let value = serde_json::to_value(value).expect("values of this crate are JSON");
        self.data.insert(name.to_owned(), value);
        self
    }

    /// One more personal value; only its salted digest enters the chain.
    #[must_use]
    pub fn with_private(mut self, name: &'static str, salt: [u8; 32], text: String) -> Self {
        let digest = private_digest(&salt, &text);
        self.private.push(PrivateValue { name, salt, text });
        self.with(name, digest)
    }

    /// The event with its place in the chain.
    #[must_use]
    pub fn into_event(self, station: &StationId, seq: u64, at: UtcMillis, boot: BootMillis) -> Event {
        Event {
            v: AUDIT_VERSION,
            seq,
            station_id: station.clone(),
            at,
            boot_ms: boot,
            kind: self.kind,
            actor_id: self.actor_id,
            operation_id: self.operation_id,
            data: self.data,
        }
    }
}

/// The hash that the first event builds on.
#[must_use]
pub fn genesis(station: &StationId, db: DbId) -> Digest {
    let text = format!("holdfast-audit-v1\n{station}\n{db}");
    Digest::from_bytes(Sha256::digest(text.as_bytes()).into())
}

/// The hash of an event that follows `previous`; `text` is the stored text.
#[must_use]
pub fn link(previous: &Digest, text: &str) -> Digest {
    let mut hash = Sha256::new();
    hash.update(previous.bytes());
    hash.update(text.as_bytes());
    Digest::from_bytes(hash.finalize().into())
}

/// HMAC-SHA256 of a personal value under a salt of its own.
#[must_use]
pub fn private_digest(salt: &[u8; 32], text: &str) -> Digest {
    let mut mac = Hmac::<Sha256>::new_from_slice(salt).expect("HMAC takes a key of any length");
    mac.update(text.as_bytes());
    Digest::from_bytes(mac.finalize().into_bytes().into())
}

/// The last event of a chain, as it is kept outside it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Head {
    /// [`AUDIT_VERSION`].
    pub v: u32,
    /// The station.
    pub station_id: StationId,
    /// The database.
    pub db_id: DbId,
    /// Number of the last event; 0 before the first.
    pub seq: u64,
    /// Its hash.
    pub hash: Digest,
    /// When the head was written.
    pub at: UtcMillis,
}

/// A head with the station's signature, as it lies in `head.json`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SignedHead {
    /// The head.
    pub head: Head,
    /// Over `"holdfast-audit-head-v1\n" ‖ RFC 8785 of the head`, base64url.
    pub sig: String,
}

impl SignedHead {
    /// Signs a head.
    #[must_use]
    pub fn new(head: Head, station: &KeyPair) -> Self {
        let sig = station.sign(Purpose::AuditHead, &canonical(&head));
        Self { head, sig }
    }

    /// Checks the signature.
    ///
    /// # Errors
    /// See [`SignatureFault`].
    pub fn check(&self, station: &PublicKey) -> Result<(), SignatureFault> {
        station.check(Purpose::AuditHead, &canonical(&self.head), &self.sig)
    }
}

/// What is wrong with a chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ChainFault {
    /// A number is missing or stands twice.
    #[error("event {seq} is missing")]
    Gap {
        /// The number that was expected.
        seq: u64,
    },
    /// The stored text is not an event of this chain in canonical form.
    #[error("event {seq} cannot be read")]
    Unreadable {
        /// The event.
        seq: u64,
    },
    /// The text and the hash do not belong together.
    #[error("event {seq} was changed")]
    Changed {
        /// The event.
        seq: u64,
    },
    /// A private value does not belong to the digest in its event.
    #[error("a value kept for event {seq} was changed")]
    PrivateChanged {
        /// The event.
        seq: u64,
    },
}

/// One stored event, as the verifier reads it.
#[derive(Clone, Debug)]
pub struct Stored<'a> {
    /// The number under which it is stored.
    pub seq: u64,
    /// Its text.
    pub text: &'a str,
    /// Its hash.
    pub hash: &'a str,
}

/// Walks a chain from its start, event by event.
#[derive(Clone, Debug)]
pub struct Verifier {
    station: StationId,
    seq: u64,
    hash: Digest,
}

impl Verifier {
    /// At the start of the chain of one database.
    #[must_use]
    pub fn new(station: &StationId, db: DbId) -> Self {
        Self { station: station.clone(), seq: 0, hash: genesis(station, db) }
    }

    /// Takes the next event, and gives it back parsed.
    ///
    /// # Errors
    /// The first fault; see [`ChainFault`].
    pub fn take(&mut self, stored: &Stored<'_>) -> Result<Event, ChainFault> {
        let seq = self.seq + 1;
        if stored.seq != seq {
            return Err(ChainFault::Gap { seq });
        }
        let hash = link(&self.hash, stored.text);
        if stored.hash != hash.to_string() {
            return Err(ChainFault::Changed { seq });
        }
        let event: Event = serde_json::from_str(stored.text).map_err(|_| ChainFault::Unreadable { seq })?;
        let own = event.seq == seq && event.station_id == self.station && event.text() == stored.text;
        if !own {
            return Err(ChainFault::Unreadable { seq });
        }
        (self.seq, self.hash) = (seq, hash);
        Ok(event)
    }

    /// Number and hash of the last event taken.
    #[must_use]
    pub fn head(&self) -> (u64, Digest) {
        (self.seq, self.hash)
    }
}
