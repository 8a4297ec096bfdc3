//! What came back from the SoR, what it proves, and what is done about it.
//!
//! Promise: every answer there can be has exactly one [`Outcome`], and every outcome one [`Verdict`] on the endpoint and
//! one [`Disposition`] of the operation; nothing is taken as recorded without proof. Answers are read from the wire
//! elsewhere, and only after the whole body is here. What a look-up answers has a table of its own:
//! [`crate::look_up`].

mod answer;
mod disposition;
mod doubt;
mod forbidden;
mod table;

pub use answer::{
    Answer, Content, FieldError, Identity, Lost, ProblemBody, ProblemType, ReadBack, ReceiptBody,
    ReceiptState, RecordRead, Reply, Sent, Unreachable, Warning,
};
pub use disposition::{
    Archived, Disposition, Item, Look, NextStep, QuarantineReason, WaitKind, dispose, next_step_after,
};
pub use doubt::{Doubt, doubt_after};
pub use forbidden::{FORBIDDEN_LANES_MAX, ForbiddenRun, ForbiddenStep};
pub use table::{BusyWith, Outcome, UnknownCause, judge};

pub(crate) use table::judge_unproven;

pub use crate::breaker::Verdict;
