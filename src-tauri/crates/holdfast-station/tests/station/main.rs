//! The station on the real store, with a record system that answers from a table and a clock that is told.

#![allow(clippy::unwrap_used)]

mod answers;
mod audit;
mod contract;
mod counter;
mod desk;
mod drain;
mod histories;
mod import;
mod loops;
mod office;
mod sign_in;
mod sor;
mod standing;
mod status;
