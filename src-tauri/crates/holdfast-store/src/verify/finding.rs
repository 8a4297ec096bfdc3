//! What is found. A finding names the place and never a value.

use std::fmt;

use holdfast_core::audit::ChainFault;
use holdfast_core::books::Books;
use holdfast_core::ids::Digest;

use super::FINDINGS_MAX;
use crate::fault::Fault;

/// One thing that is wrong.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Finding {
    /// The first page, which holds the header.
    #[error("the header of the database (page 1) is damaged")]
    Header,
    /// Another page.
    #[error("page {page} of the database is damaged")]
    Page {
        /// From 1.
        page: u64,
    },
    /// The tree of pages does not hold together.
    #[error("the database does not hold together: {what}")]
    Structure {
        /// What the engine says; names tables, indices and row numbers.
        what: String,
    },
    /// A part cannot be read to its end.
    #[error("{part} cannot be read: {why}")]
    Unreadable {
        /// Which.
        part: Part,
        /// Why.
        why: String,
    },
    /// The audit chain is broken; the first fault.
    #[error("{0}")]
    Chain(ChainFault),
    /// The end of the chain is gone.
    #[error("events {from} to {to} are missing, which head.json names")]
    EventsLost {
        /// The first.
        from: u64,
        /// The last that is known of.
        to: u64,
    },
    /// There is no signed head.
    #[error("head.json is missing")]
    HeadMissing,
    /// It is not a signed head of this database.
    #[error("head.json cannot be read or is another database's")]
    HeadUnreadable,
    /// Not signed by this station.
    #[error("head.json is not signed by this station")]
    HeadForged,
    /// It names another hash than the chain has there.
    #[error("event {seq} is not the one that head.json names")]
    HeadDiffers {
        /// The event.
        seq: u64,
    },
    /// What was accepted was changed.
    #[error("operation {local_seq} is not what was accepted")]
    Operation {
        /// Its number.
        local_seq: u64,
    },
    /// What was kept of the record that was shown, when something was accepted upon it, was changed or is gone.
    #[error("what was shown when operation {local_seq} was accepted is not what was kept")]
    Shown {
        /// The number of the first that was accepted upon it.
        local_seq: u64,
    },
    /// What an event says was accepted is nowhere.
    #[error("the operation that event {seq} accepted is not there")]
    OperationGone {
        /// The event.
        seq: u64,
    },
    /// The order of a lane is not kept as it should be.
    #[error("the lane of operation {local_seq} is not in order")]
    Lane {
        /// The number of an operation of it.
        local_seq: u64,
    },
    /// A counter is not what the rows say.
    #[error("the books of {scope} do not agree with what is stored")]
    Books {
        /// `station`, or the id of an outage.
        scope: String,
        /// What they say.
        kept: Books,
        /// What the rows say.
        counted: Books,
    },
}

/// Parts of what is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The page tree.
    Pages,
    /// What never changes about the folder.
    Station,
    /// The audit chain.
    Chain,
    /// Operations that wait.
    Operations,
    /// Operations in the archive.
    Archive,
    /// The books.
    Books,
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Part::Pages => "the database",
            Part::Station => "the station's record",
            Part::Chain => "the audit chain",
            Part::Operations => "the queue",
            Part::Archive => "the archive",
            Part::Books => "the books",
        })
    }
}

/// Everything that was found, and what was looked at.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Findings {
    found: Vec<Finding>,
    not_listed: u64,
    /// Events whose link to the one before holds.
    pub events: u64,
    /// Hash of the last of them; none when the chain could not be looked at.
    pub hash: Option<Digest>,
    /// Number of the event that `head.json` names, if it can be read.
    pub head_seq: Option<u64>,
    /// Operations looked at, archived ones included.
    pub operations: u64,
}

impl Findings {
    /// In the order found, at most [`FINDINGS_MAX`].
    #[must_use]
    pub fn found(&self) -> &[Finding] {
        &self.found
    }

    /// How many more there are.
    #[must_use]
    pub fn not_listed(&self) -> u64 {
        self.not_listed
    }

    /// Whether nothing is wrong.
    #[must_use]
    pub fn is_clean(&self) -> bool {
        self.found.is_empty()
    }

    pub(super) fn add(&mut self, finding: Finding) {
        if self.found.len() < FINDINGS_MAX {
            self.found.push(finding);
        } else {
            self.not_listed += 1;
        }
    }

    /// A part that could not be read to its end is a finding too.
    pub(super) fn add_fault(&mut self, part: Part, result: Result<(), Fault>) {
        if let Err(fault) = result {
            self.add(unreadable(part, &fault));
        }
    }
}

pub(super) fn unreadable(part: Part, fault: &Fault) -> Finding {
    let why = match fault {
        Fault::Sql(error) => error.to_string(),
        Fault::Damaged { .. } | Fault::Impossible { .. } | Fault::Io(_) => fault.to_string(),
    };
    Finding::Unreadable { part, why }
}
