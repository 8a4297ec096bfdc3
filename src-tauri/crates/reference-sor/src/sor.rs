//! The SoR as its endpoints see it: records, rules, keys and limits, made once per start.

use std::sync::Arc;

use holdfast_core::canonical::{canonical, sha256};
use holdfast_core::ids::{SorIdentity, StationId};
use holdfast_core::people::{SessionStatement, SignedStatement};
use holdfast_core::ramp::Order;
use holdfast_core::sign::{KeyPair, Purpose};
use holdfast_core::time::UtcMillis;

use crate::board::rows::BoardRows;
use crate::custody::rows::CustodyRows;
use crate::http::Refused;
use crate::legacy::records::LegacyRecords;
use crate::parcels::ParcelBook;
use crate::password::Tries;
use crate::records::Records;
use crate::rulebook::Rulebook;
use crate::settings::EnrolmentRule;

/// Everything that an endpoint needs.
pub(crate) struct Sor {
    pub(crate) records: Arc<dyn Records>,
    pub(crate) desk: Desk,
    pub(crate) board: Arc<dyn BoardRows>,
    pub(crate) custody: Arc<dyn CustodyRows>,
    pub(crate) parcels: Arc<dyn ParcelBook>,
    pub(crate) rulebook: Rulebook,
    pub(crate) identity: SorIdentity,
    pub(crate) epoch: u64,
    pub(crate) order: Order,
    pub(crate) key: KeyPair,
    pub(crate) enrolment: EnrolmentRule,
    pub(crate) tries: Tries,
    pub(crate) session_h: u32,
    pub(crate) offline_grace_h: u32,
}

/// Where work is brought to.
#[derive(Clone)]
pub(crate) enum Desk {
    /// `/v1/operations`.
    Operations,
    /// `/records`.
    Records(Arc<dyn LegacyRecords>),
    /// Nowhere: it is a board alone.
    Board,
    /// Nowhere: it is a GIS alone.
    Gis,
}

impl Sor {
    /// The station whose token this is.
    ///
    /// # Errors
    /// [`Refused::unauthorized`]
    pub(crate) fn station_of(&self, token: Option<&str>, at: UtcMillis) -> Result<StationId, Refused> {
        let digest = sha256(token.ok_or_else(Refused::unauthorized)?.as_bytes());
        self.records.token_station(&digest, at)?.ok_or_else(Refused::unauthorized)
    }

    /// Signs a statement about a session.
    pub(crate) fn state(&self, statement: SessionStatement) -> SignedStatement {
        let sig = self.key.sign(Purpose::Session, &canonical(&statement));
        SignedStatement { statement, sig }
    }
}
