//! Endpoints beside the primary: where they are, and what is learned of each.

use holdfast_core::beside::Part;
use holdfast_core::ids::{EndpointName, SorIdentity};
use holdfast_core::time::Now;

use super::{Decide, JournalError, SettleFacts, Settlement};

/// An endpoint beside the primary that this station was set up with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BesideRecord {
    /// What it is for; its endpoint's name follows from it.
    pub part: Part,
    /// Its address.
    pub url: String,
    /// Its identity, pinned.
    pub identity: SorIdentity,
}

/// What the journal keeps of endpoints beside the primary.
pub trait Besides {
    /// Those that this station was set up with.
    ///
    /// # Errors
    /// They cannot be read.
    fn besides(&self) -> Result<Vec<BesideRecord>, JournalError>;

    /// Changes what is known of one of them, as `decide` says from its record; a settlement of an operation is none of its
    /// matters.
    ///
    /// # Errors
    /// Nothing was changed.
    fn at_endpoint(
        &self,
        now: Now,
        name: EndpointName,
        decide: Decide<SettleFacts, Settlement>,
    ) -> Result<(), JournalError>;
}
