//! A running SoR, a station that talks to it, and a client that sees what happens on the wire.

pub(crate) mod city;
pub(crate) mod station;
pub(crate) mod wire;

pub(crate) use city::City;
pub(crate) use station::{Prepared, Station};
pub(crate) use wire::{End, Request, Seen};
