//! The verbs of the station, one file each.

pub(crate) mod applications;
pub(crate) mod audit;
mod changing;
mod conflict;
pub(crate) mod contract;
pub(crate) mod copies;
pub(crate) mod decide;
pub(crate) mod drafts;
pub(crate) mod drain;
pub(crate) mod endpoints;
pub(crate) mod form;
pub(crate) mod import;
pub(crate) mod inspections;
pub(crate) mod items;
pub(crate) mod outages;
pub(crate) mod probe;
pub(crate) mod queue;
pub(crate) mod records;
pub(crate) mod reprove;
pub(crate) mod sign_in;
pub(crate) mod sign_out;
pub(crate) mod standing;
pub(crate) mod status;
pub(crate) mod submit;
