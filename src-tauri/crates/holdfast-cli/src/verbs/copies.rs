//! `copies refresh`: what the SoR has, fetched for whoever is signed in.
//!
//! Promise: copies are kept whole or not at all, and never overrule work that was accepted here.

use crate::arguments::Copies;
use crate::compose::{Desk, WayToSor};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::Form;

pub(crate) fn copies(desk: &Desk, command: Copies, form: Form) -> Result<Exit, Failure> {
    let view = match command {
        Copies::Refresh => desk.writer(WayToSor::Needed)?.refresh_copies()?,
    };
    form.show(&view, |view| {
        format!("copied    {}\nrecords   {}\nvisits    {}\n", view.copied_at, view.records, view.inspections)
    })?;
    Ok(Exit::Done)
}
