//! The configuration as the audit knows it.

use holdfast_core::audit::Entry;
use holdfast_core::time::{Now, UtcMillis};
use serde::{Deserialize, Serialize};

use super::{Decide, EndpointRecord, JournalError};
use crate::settings::Listed;

/// The configuration as the audit knows it.
pub trait Configurations {
    /// What was told of last, and what is refused now.
    ///
    /// # Errors
    /// It cannot be read.
    fn configuration(&self) -> Result<ConfigurationRecord, JournalError>;

    /// Decides about another configuration; everything that follows is kept at once, or nothing.
    ///
    /// # Errors
    /// The one before stays.
    fn change_configuration(
        &self,
        now: Now,
        decide: Decide<ConfigurationFacts, Option<ConfigurationChange>>,
    ) -> Result<(), JournalError>;
}

/// What was told of last, and what is refused now.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ConfigurationRecord {
    /// Every value as the audit knows it; empty before the first start.
    pub told: Listed,
    /// What lies there and was not taken.
    pub refused: Option<RefusedConfiguration>,
}

/// A configuration that was not taken.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RefusedConfiguration {
    /// Since when.
    pub since: UtcMillis,
    /// The file, or the environment.
    pub source: String,
    /// The key that is wrong, where there is one.
    pub key: Option<String>,
    /// What is wrong with it.
    pub problem: String,
}

/// What is decided from.
#[derive(Clone, Debug)]
pub struct ConfigurationFacts {
    /// As it was.
    pub record: ConfigurationRecord,
    /// Every endpoint.
    pub endpoints: Vec<EndpointRecord>,
}

/// What follows.
#[derive(Clone, Debug)]
pub struct ConfigurationChange {
    /// As it is from now on.
    pub record: ConfigurationRecord,
    /// Endpoints that wait otherwise from now on.
    pub endpoints: Vec<EndpointRecord>,
    /// What the audit is told.
    pub entries: Vec<Entry>,
}
