//! The contract of the made-up city, and the gate that a contract has to pass.
//!
//! The files under `schemas/` are both the product's own rules in demo and drill, and the pattern that a city's rules
//! office starts from; what their README says of them is tried here.
#![allow(clippy::unwrap_used)]
#![allow(clippy::disallowed_methods)] // The tests read the contract's source; core itself never does.

mod city;
mod fields;
mod forms;
mod gate;
mod layouts;
mod looking;
mod source;
mod verdicts;
