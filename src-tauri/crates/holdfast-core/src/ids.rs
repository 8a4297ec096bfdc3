//! Identifiers, each a type of its own, so that none is taken for another.
//!
//! Promise: a value of these types has the one text that is stored and sent (UUIDs lower-case with hyphens, digests 64
//! lower-case hex). What an identifier points to is not known here.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use uuid::Uuid;

/// A text that is not an identifier of the wanted kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("this is no {0}")]
pub struct NotAnId(pub &'static str);

macro_rules! uuid_id {
    ($(#[$doc:meta])* $name:ident, $what:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(Uuid);

        impl $name {
            /// From a UUID.
            #[must_use]
            pub const fn from_uuid(id: Uuid) -> Self {
                Self(id)
            }

            /// The UUID.
            #[must_use]
            pub const fn uuid(self) -> Uuid {
                self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.as_hyphenated().fmt(f)
            }
        }

        impl FromStr for $name {
            type Err = NotAnId;

            fn from_str(text: &str) -> Result<Self, NotAnId> {
                let id = Uuid::try_parse(text).map_err(|_| NotAnId($what))?;
                let id = Self(id);
                if id.to_string() == text { Ok(id) } else { Err(NotAnId($what)) }
            }
        }

        text_serde!($name);
    };
}

macro_rules! word_id {
    ($(#[$doc:meta])* $name:ident, $what:literal, $max:literal, $allowed:expr) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(String);

        impl $name {
            /// The text.
            #[must_use]
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl FromStr for $name {
            type Err = NotAnId;

            fn from_str(text: &str) -> Result<Self, NotAnId> {
                let allowed: fn(char) -> bool = $allowed;
                let fits = (1..=$max).contains(&text.len()) && text.chars().all(allowed);
                if fits { Ok(Self(text.to_owned())) } else { Err(NotAnId($what)) }
            }
        }

        text_serde!($name);
    };
}

macro_rules! digest_id {
    ($(#[$doc:meta])* $name:ident, $what:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name([u8; 32]);

        impl $name {
            /// From the 32 bytes.
            #[must_use]
            pub const fn from_bytes(bytes: [u8; 32]) -> Self {
                Self(bytes)
            }

            /// The 32 bytes.
            #[must_use]
            pub const fn bytes(&self) -> &[u8; 32] {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&hex::encode(self.0))
            }
        }

        impl FromStr for $name {
            type Err = NotAnId;

            fn from_str(text: &str) -> Result<Self, NotAnId> {
                let lower = text.bytes().all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b));
                let mut bytes = [0; 32];
                match hex::decode_to_slice(text, &mut bytes) {
                    Ok(()) if lower => Ok(Self(bytes)),
                    Ok(()) | Err(_) => Err(NotAnId($what)),
                }
            }
        }

        text_serde!($name);
    };
}

macro_rules! text_serde {
    ($name:ident) => {
        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
                text.parse().map_err(serde::de::Error::custom)
            }
        }
    };
}

uuid_id!(
    /// One thing to be recorded; minted when its form is opened (UUIDv7), or from the source row of an import (UUIDv5).
    OperationId,
    "operation id"
);
uuid_id!(
    /// An application: the lane of its operations and part of their keys. Never the permit number.
    ApplicationId,
    "application id"
);
uuid_id!(
    /// One database of one station.
    DbId,
    "database id"
);
uuid_id!(
    /// An interval in the outage register.
    OutageId,
    "outage id"
);
uuid_id!(
    /// A session: one sign-in of one person at one station.
    SessionId,
    "session id"
);
word_id!(
    /// A workstation, as enrolled at the SoR: `[A-Za-z0-9_-]`, 1 to 32 characters.
    StationId,
    "station id (letters, digits, - and _, at most 32)",
    32,
    |c| c.is_ascii_alphanumeric() || c == '-' || c == '_'
);
word_id!(
    /// A person's name at the SoR: printable ASCII without spaces, 1 to 64 characters.
    ActorId,
    "user name (printable, no spaces, at most 64)",
    64,
    |c| c.is_ascii_graphic()
);
word_id!(
    /// A role of the contract, e.g. `clerk`.
    RoleName,
    "role (letters, digits, - and _, at most 32)",
    32,
    |c| c.is_ascii_alphanumeric() || c == '-' || c == '_'
);
word_id!(
    /// A permit number as the city writes it, 1 to 64 bytes without control characters.
    PermitNum,
    "permit number",
    64,
    |c| !c.is_control()
);
word_id!(
    /// The SoR's own identifier of a record.
    RecordId,
    "record id",
    128,
    |c| c.is_ascii_graphic()
);
word_id!(
    /// The SoR's own identifier of an inspection.
    InspectionId,
    "inspection id",
    128,
    |c| c.is_ascii_graphic()
);
word_id!(
    /// An entity tag as it goes into `If-Match`, quotes included.
    ETag,
    "entity tag",
    256,
    |c| c.is_ascii_graphic()
);
word_id!(
    /// How an SoR calls a place in its feed of changes.
    FeedCursor,
    "place in a feed of changes",
    256,
    |c| c.is_ascii_graphic()
);
word_id!(
    /// The identity that every answer of the SoR carries, pinned when the station is set up.
    SorIdentity,
    "system identity",
    128,
    |c| c.is_ascii_graphic()
);
word_id!(
    /// The version of a program, e.g. `0.1.0`.
    ProgramVersion,
    "version (printable, no spaces, at most 32)",
    32,
    |c| c.is_ascii_graphic()
);
word_id!(
    /// An endpoint's name in the configuration, e.g. `primary`.
    EndpointName,
    "endpoint name (lower-case letters, digits, - and _, at most 32)",
    32,
    |c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-' || c == '_'
);
digest_id!(
    /// SHA-256 over the canonical `{v, operation_id, kind, application_id, payload}`: the same for every attempt.
    IdempotencyKey,
    "key (64 lower-case hex digits)"
);
digest_id!(
    /// A SHA-256 digest.
    Digest,
    "digest (64 lower-case hex digits)"
);

impl EndpointName {
    /// The endpoint that the city's records live behind.
    #[must_use]
    pub fn primary() -> Self {
        Self("primary".to_owned())
    }

    /// The mirror.
    #[must_use]
    pub fn mirror() -> Self {
        Self("mirror".to_owned())
    }

    /// The board.
    #[must_use]
    pub fn board() -> Self {
        Self("board".to_owned())
    }

    /// Where parcels come from.
    #[must_use]
    pub fn gis() -> Self {
        Self("gis".to_owned())
    }
}

/// Position in the sequence of everything this station has accepted, from 1, without gaps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct LocalSeq(pub u64);

/// `{station}-{n}`: on every receipt, without gaps, never the permit number.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ReceiptNo(String);

impl ReceiptNo {
    /// The `n`-th receipt of a station, from 1.
    #[must_use]
    pub fn new(station: &StationId, n: LocalSeq) -> Self {
        Self(format!("{station}-{}", n.0))
    }

    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for ReceiptNo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn an_identifier_has_one_text() {
        let id = "01932c6f-8f0a-7cc3-98a1-0242ac120002";
        assert_eq!(id.parse::<OperationId>().unwrap().to_string(), id);
        assert!(id.to_uppercase().parse::<OperationId>().is_err());
        assert!(id.replace('-', "").parse::<OperationId>().is_err());
        let key = "b2f17da92ce34e96cdaced17deea86aa2f69f42eafb05993c36eedc79e44e223";
        assert_eq!(key.parse::<IdempotencyKey>().unwrap().to_string(), key);
        assert!(key.to_uppercase().parse::<IdempotencyKey>().is_err());
        assert!(key[1..].parse::<IdempotencyKey>().is_err());
    }

    #[test]
    fn words_refuse_what_could_leave_a_header_a_path_or_a_line() {
        for bad in ["", "front 1", "front/1", "../x", "a\nb", "ä"] {
            assert!(bad.parse::<StationId>().is_err(), "{bad:?}");
        }
        assert!("W/\"1\r\n\"".parse::<ETag>().is_err());
        assert!("front-1".parse::<StationId>().is_ok());
    }
}
