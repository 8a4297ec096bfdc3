//! Copies of what the SoR holds: records for everybody here, inspections for the person who carries them.
//!
//! A copy never says less than what was accepted here: an application with operations that are not disposed of stays as it
//! stands, and so does one that changed here after the copy was asked for, since the answer may be from before that.

use holdfast_core::copies::Visit;
use holdfast_core::ids::{ActorId, InspectionId};
use holdfast_core::time::Now;

use super::{FoundRecord, JournalError, OperationRecord};
use crate::ports::{CopiedRecord, CopiedVisit};

/// A place in the order of changes of the applications here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChangeMark(pub u64);

/// Records as the SoR gave them.
#[derive(Clone, Debug, PartialEq)]
pub struct RecordsCopy {
    /// When they were asked for.
    pub asked: Now,
    /// How far the applications had changed here by then.
    pub mark: ChangeMark,
    /// How far apart two of them may have been filed to look alike, in hours.
    pub likeness_window_h: u32,
    /// Them, the latest first.
    pub records: Vec<CopiedRecord>,
}

/// All inspections of one person as the SoR gave them; they take the place of the person's older copy.
#[derive(Clone, Debug, PartialEq)]
pub struct VisitsCopy {
    /// When they were asked for.
    pub asked: Now,
    /// Whose they are.
    pub assignee: ActorId,
    /// Them.
    pub visits: Vec<CopiedVisit>,
}

/// A person's copy, as it is read.
#[derive(Clone, Debug, PartialEq)]
pub struct KeptVisits {
    /// When it was asked for.
    pub asked: Now,
    /// Its rows.
    pub visits: Vec<KeptVisit>,
}

/// One visit with what is known here of its application.
#[derive(Clone, Debug, PartialEq)]
pub struct KeptVisit {
    /// The visit.
    pub visit: Visit,
    /// Its application as it stands here.
    pub record: FoundRecord,
    /// Inspections of the application that were accepted here and not voided, oldest first.
    pub results: Vec<OperationRecord>,
}

/// The part of the journal that keeps copies. They are no acts, so the audit is not told, but of what comes to look like
/// something that was accepted here.
pub trait Copies {
    /// How far the applications have changed here; asked before the SoR is.
    ///
    /// # Errors
    /// It cannot be read.
    fn change_mark(&self) -> Result<ChangeMark, JournalError>;

    /// Keeps records, all or none of them; see the module for those that stay as they are.
    ///
    /// # Errors
    /// None was kept.
    fn keep_records(&self, copy: RecordsCopy) -> Result<(), JournalError>;

    /// Keeps a person's inspections in place of the copy before, all or none of them. Their applications are known here.
    ///
    /// # Errors
    /// The copy before stays.
    fn keep_visits(&self, copy: VisitsCopy) -> Result<(), JournalError>;

    /// When a person's inspections were last copied.
    ///
    /// # Errors
    /// It cannot be read.
    fn visits_asked(&self, assignee: &ActorId) -> Result<Option<Now>, JournalError>;

    /// A person's copy.
    ///
    /// # Errors
    /// It cannot be read.
    fn visits(&self, assignee: &ActorId) -> Result<Option<KeptVisits>, JournalError>;

    /// One visit of a person's copy, with when the copy was asked for.
    ///
    /// # Errors
    /// It cannot be read.
    fn visit(&self, assignee: &ActorId, id: &InspectionId) -> Result<Option<(Now, KeptVisit)>, JournalError>;
}
