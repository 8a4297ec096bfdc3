//! Alarms: what they follow from, and which of them are raised.

use holdfast_core::alarms::{Alarm, Rejections, Sendable};
use holdfast_core::audit::Entry;
use holdfast_core::time::Now;

use super::{EndpointRecord, JournalError, RefusedConfiguration, RestoreRecord, Sending, SkippedRecord};

/// What alarms and notices follow from, and the alarms that are raised.
pub trait Alarms: Send + Sync {
    /// What they follow from.
    ///
    /// # Errors
    /// It cannot be read.
    fn notices(&self) -> Result<NoticeFacts, JournalError>;

    /// Keeps which alarms are raised from now on.
    ///
    /// # Errors
    /// Those before stay.
    fn keep_alarms(&self, now: Now, raised: Vec<Alarm>, entries: Vec<Entry>) -> Result<(), JournalError>;
}

/// What alarms and notices follow from.
#[derive(Clone, Debug)]
pub struct NoticeFacts {
    /// The primary endpoint.
    pub primary: EndpointRecord,
    /// Whether operations may go.
    pub sending: Sending,
    /// The first operation that could be sent at once.
    pub sendable: Option<Sendable>,
    /// Rejections that wait for a decision: the most frequent reasons.
    pub rejections: Vec<Rejections>,
    /// Alarms that are raised.
    pub raised: Vec<Alarm>,
    /// The SoR's return from an older copy that is not settled.
    pub restore: Option<RestoreRecord>,
    /// A configuration that lies there and is not taken.
    pub configuration: Option<RefusedConfiguration>,
    /// The last numbers that were passed over.
    pub skipped: Option<SkippedRecord>,
}
