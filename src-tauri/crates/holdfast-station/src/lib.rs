//! The application layer: the verbs of the station, its loop, and the ports to the world.
//!
//! Promise: every operation is journaled first, in every mode, and nobody waits for the SoR: the verbs of the counter
//! touch the journal only, and sending goes on apart from them. The station knows neither SQLite nor HTTP nor a screen;
//! it is given ports, and decisions come from `holdfast-core`.

mod accepting;
mod admission;
mod alarming;
mod beside;
mod deciding;
mod errands;
mod finding;
mod holding;
mod likening;
#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod made_up;
mod pacing;
pub mod ports;
mod proving;
mod reconfiguring;
mod resolving;
mod sending;
pub mod settings;
mod settling;
mod station;
mod stop;
mod submission;
mod told_drain;
mod verbs;
mod views;
mod waking;
mod welcome;

pub use reconfiguring::Configured;
pub use settings::{NumberSource, Settings};
pub use station::{Ports, Station};
pub use stop::{Stop, StopHandle};
pub use submission::{NotASubmission, Submission};
pub use told_drain::ToldDrain;
pub use verbs::audit::{AuditWalk, Finding, Replay, audit_report};
pub use verbs::board::BoardLook;
pub use verbs::custody::CustodyLook;
pub use verbs::drain::DrainProgress;
pub use verbs::import::Imported;
pub use verbs::parcels::{ParcelsDid, ParcelsLook};
pub use verbs::probe::ProbeLook;
pub use verbs::reconfigure::WrongConfiguration;
pub use verbs::sign_in::OpenedSession;
pub use views::problem_view;
pub use waking::Work;
