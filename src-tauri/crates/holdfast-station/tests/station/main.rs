//! The station on the real store, with a record system that answers from a table and a clock that is told.

#![allow(clippy::unwrap_used)]

mod answers;
mod audit;
mod board;
mod canaries;
mod certificate;
mod changes;
mod conflicts;
mod contract;
mod copies;
mod counter;
mod custody;
mod decide;
mod desk;
mod drafts;
mod drain;
mod field_reports;
mod form;
mod histories;
mod import;
mod items;
mod likeness;
mod loops;
mod numbers;
mod office;
mod outages;
mod pace;
mod parcels;
mod places;
mod records;
mod replacing;
mod reprove;
mod settling;
mod sign_in;
mod sor;
mod standing;
mod status;
