//! HTTP to the SoR: requests are built, and what comes back is handed on as data.
//!
//! Promise: every call ends within its limits; nothing is called unreachable that may have been sent; a redirect is not
//! followed, and no credential goes anywhere but to the configured origin. Nothing is judged here (that is
//! `holdfast_core::outcome`), nothing is retried here (that is the drain), and the answers' texts are not logged.
//!
//! The SoR is reached directly: proxies of the environment or the desktop are not used, since a call that carries a
//! city's records must not go where a stray variable points. TLS trusts what the operating system trusts (on Linux its CA
//! bundle), and beside it the certificates of [`EndpointSettings::extra_roots_pem`].

mod answer;
mod board;
mod changes;
mod client;
mod connection;
mod copies;
mod custody;
mod enrol;
mod exchange;
mod failure;
mod fault;
mod health;
mod limits;
mod look_before_write;
mod numbers;
mod parcels;
mod settings;
mod token;

pub use board::BoardClient;
pub use client::SorClient;
pub use custody::CustodyClient;
pub use enrol::{EnrolAsk, EnrolFault, Enrolment, enrol, identify};
pub use limits::{Limits, SharedLimits};
pub use look_before_write::VendorClient;
pub use parcels::GisClient;
pub use settings::{EndpointSettings, SettingsFault, SorSettings};
