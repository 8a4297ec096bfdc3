//! The reference SoR over real TCP.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod board;
mod changes;
mod contract;
mod custody;
mod enrolment;
mod faults;
mod keys;
mod kinds;
mod legacy;
mod numbers;
mod operations;
mod parcels;
mod program;
mod reading;
mod restart;
mod sessions;
mod support;
mod wrong_requests;
