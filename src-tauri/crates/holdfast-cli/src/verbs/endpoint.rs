//! `endpoint`: holds an endpoint for planned work on it, and releases it. Works in an outage; who may is the station's matter.

use holdfast_wire::{EndpointSteered, HoldEndpointRequest, ReleaseEndpointRequest};

use crate::arguments::Endpoint;
use crate::compose::{Desk, WayToSor};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::Form;
use crate::table::printable;

pub(crate) fn endpoint(desk: &Desk, command: Endpoint, form: Form) -> Result<Exit, Failure> {
    let mut writer = desk.writer(WayToSor::None)?;
    let steered = match command {
        Endpoint::Hold { name, until, reason } => {
            writer.hold_endpoint(&HoldEndpointRequest { endpoint: name, until, reason })?
        }
        Endpoint::Release { name } => writer.release_endpoint(&ReleaseEndpointRequest { endpoint: name })?,
    };
    form.show(&steered, plain)?;
    Ok(Exit::Done)
}

fn plain(steered: &EndpointSteered) -> String {
    match &steered.held {
        Some(held) => format!(
            "{} is held until {} by {}: {}\n",
            steered.endpoint,
            held.until,
            held.by,
            printable(&held.reason)
        ),
        None => format!("{} is no longer held; it is tried next\n", steered.endpoint),
    }
}
