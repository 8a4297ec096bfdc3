//! The decisions of Holdfast, as pure functions of their inputs.
//!
//! Promise: the same inputs give the same decision, on every machine and years later, so that an auditor can recompute
//! each of them. Nothing in this crate reads a clock, a disk, a network or a source of entropy; the present moment
//! ([`time::Now`]) and chance ([`wait::Chance`]) are passed in. What is decided here is carried out elsewhere.

pub mod alarms;
pub mod audit;
pub mod beside;
pub mod blame;
pub mod board;
pub mod books;
pub mod breaker;
pub mod canonical;
pub mod cascade;
pub mod certificate;
pub mod changes;
pub mod compare;
pub mod conflict;
pub mod contract;
pub mod copies;
pub mod custody;
pub mod decision;
pub mod estimate;
pub mod fees;
pub mod form;
pub mod headroom;
pub mod holds;
pub mod ids;
pub mod import;
pub mod lane;
pub mod lifecycle;
pub mod likeness;
pub mod limits;
pub mod look_up;
pub mod merge;
pub mod mode;
pub mod moves;
pub mod numbers;
pub mod offered;
pub mod operation;
pub mod outcome;
pub mod parcel;
pub mod people;
pub mod problem;
pub mod profile;
pub mod ramp;
pub mod reinspection;
pub mod replacing;
pub mod replay;
pub mod reprove;
pub mod roles;
pub mod route;
pub mod search;
pub mod settle;
pub mod sign;
pub mod tags;
pub mod time;
pub mod validate;
pub mod wait;
