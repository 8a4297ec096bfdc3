//! What crosses between the station and whoever shows it: the window and the command line.
//!
//! Promise: these are plain data with one JSON form each, in the words of `docs/formats.md`. They hold no logic, decide
//! nothing, and know neither the store nor the network. Numbers that can exceed 2^53 are texts.

mod demo;
mod error;
mod request;
mod view;
mod window;

pub use demo::{DemoFault, DemoPerson};
pub use error::{ApiCode, ApiError};
pub use request::{DrainRequest, ListRequest, SetUpRequest, SignInRequest, SubmitRequest};
pub use view::{
    ApplicationRow, ApplicationView, AuditReport, BacklogView, BooksView, BreakerView, ContractView,
    CountsView, DrainReport, DrainStop, HeadroomView, ImportReport, ProblemView, Problems, QueueItemView,
    QueueRow, ReceiptView, RefusedRow, SessionView, SetUpReport, StatusView, WarningView,
};
pub use window::{
    EndpointDoing, EndpointView, HouseView, ModeCause, Rehearsal, StandingView, StationEvent, Told, Topic,
};
