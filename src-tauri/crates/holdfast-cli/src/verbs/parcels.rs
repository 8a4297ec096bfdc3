//! `parcels`: what this computer's copy of the city's GIS says, and how old it is.

use std::fmt::Write as _;

use holdfast_wire::{ParcelCopyView, ParcelView, ParcelsRequest, ParcelsView};

use crate::arguments::Parcels;
use crate::compose::{Desk, WayToSor};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::Form;
use crate::table::{or_dash, printable};

pub(crate) fn parcels(desk: &Desk, command: &Parcels, form: Form) -> Result<Exit, Failure> {
    let view = match command {
        Parcels::Show { pin } => {
            desk.open_to_read()?.station.parcels(&ParcelsRequest { pins: vec![pin.to_string()] })?
        }
        Parcels::Refresh => desk.writer(WayToSor::Needed)?.renew_parcels()?,
    };
    form.show(&view, plain)?;
    Ok(Exit::Done)
}

fn plain(view: &ParcelsView) -> String {
    let copy = view.copy.as_ref().map_or_else(|| "this station has no GIS".to_owned(), plain_copy);
    format!("{}copy         {copy}\n", plain_parcels(&view.parcels))
}

/// One line for each.
pub(crate) fn plain_parcels(parcels: &[ParcelView]) -> String {
    let mut text = String::new();
    for parcel in parcels {
        let _ = writeln!(text, "parcel       {}  {}", printable(&parcel.pin), plain_one(parcel));
    }
    text
}

fn plain_one(parcel: &ParcelView) -> String {
    if let Some(warning) = &parcel.warning {
        return plain_warning(warning, parcel.as_of.as_deref());
    }
    let mut said = vec![or_dash(parcel.zoning.as_ref())];
    said.extend(parcel.overlays.iter().cloned());
    said.extend(parcel.address.clone());
    let (said, as_of) = (printable(&said.join(", ")), or_dash(parcel.as_of.as_ref()));
    format!("{said}, as of {as_of}, {} old", plain_age(parcel.age_s))
}

/// What a warning means, for whoever stands at the counter.
fn plain_warning(code: &str, as_of: Option<&str>) -> String {
    let as_of = as_of.unwrap_or("never");
    match code {
        "parcel-unknown" => format!("not among the city's parcels as of {as_of}; check the number"),
        "parcel-copy-old" => format!("the copy of the city's parcels is too old (as of {as_of})"),
        "parcel-never-copied" => "the city's parcels were never copied to this computer".to_owned(),
        other => other.to_owned(),
    }
}

/// How the copy stands, in one line.
pub(crate) fn plain_copy(copy: &ParcelCopyView) -> String {
    let Some(copied_at) = &copy.copied_at else { return "never copied".to_owned() };
    let standing = if copy.usable { "" } else { ", too old to be used" };
    format!("copied {copied_at}, {} old{standing}", plain_age(copy.age_s))
}

fn plain_age(age_s: Option<u64>) -> String {
    match age_s {
        None => "of unknown age".to_owned(),
        Some(s @ 0..120) => format!("{s} s"),
        Some(s @ 120..7_200) => format!("{} min", s / 60),
        Some(s) => format!("{} h", s / 3_600),
    }
}
