//! What the station may count on, whatever the SoR is able to do: one table of promises, kept by both profiles against
//! the reference SoR over TCP.
#![allow(clippy::unwrap_used)]

#[path = "../scripted/mod.rs"]
mod scripted;

mod promises;
mod vendor;
mod world;
