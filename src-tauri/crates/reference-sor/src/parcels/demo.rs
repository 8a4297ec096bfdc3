//! The parcels of Alder Falls: those of the planted applications, and a street where nobody builds yet.

use holdfast_core::parcel::{Bounds, Parcel};
use holdfast_core::time::UtcMillis;

/// A street's name, its district and what lies over all of it.
type Street = (&'static str, &'static str, &'static [&'static str]);

const STREETS: [Street; 6] = [
    ("OAK ST", "R-2", &["Flood zone AE"]),
    ("MILL RD", "R-1", &[]),
    ("RIVER AVE", "R-3", &["Flood zone AE", "Riverfront overlay"]),
    ("CHAPEL LN", "R-1", &["Chapel Hill historic district"]),
    ("HIGH ST", "C-1", &["Downtown design review"]),
    ("QUARRY CT", "R-1", &["Steep slope"]),
];

/// Parcels of the street where nobody builds yet.
const ELM_PARCELS: usize = 40;
/// One lot, in degrees.
const LOT: f64 = 0.0004;

/// All of them; `addresses` are those of the planted applications, in their order.
pub(crate) fn parcels<'a>(addresses: impl Iterator<Item = &'a str>, at: UtcMillis) -> Vec<Parcel> {
    let built =
        addresses.enumerate().map(|(n, address)| parcel(n, format!("0010-22-{:03}", 401 + n), address, at));
    let elm = (0..ELM_PARCELS)
        .map(|n| parcel(100 + n, format!("0010-23-{:03}", 401 + n), &format!("{} ELM ST", 2 * n + 1), at));
    built.chain(elm).collect()
}

fn parcel(n: usize, pin: String, address: &str, updated_at: UtcMillis) -> Parcel {
    let street = STREETS.iter().find(|(street, ..)| address.ends_with(street));
    let (zoning, overlays) = street.map_or(("R-1", &[][..]), |(_, zoning, overlays)| (zoning, overlays));
    Parcel {
        pin: pin.parse().expect("a demo number is a parcel number"),
        address: Some(address.to_owned()),
        zoning: zoning.to_owned(),
        overlays: overlays.iter().map(|overlay| (*overlay).to_owned()).collect(),
        bounds: Some(lot(n)),
        updated_at,
    }
}

/// Lots stand side by side, ten in a row.
fn lot(n: usize) -> Bounds {
    let place = |steps: usize| f64::from(u32::try_from(steps).unwrap_or(u32::MAX)) * 2.0 * LOT;
    let (west, south) = (-90.0 + place(n % 10), 41.5 + place(n / 10));
    Bounds { west, south, east: west + LOT, north: south + LOT }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn every_parcel_of_the_made_up_city_is_one_and_has_a_number_of_its_own() {
        let at = "2026-11-30T08:00:00.000Z".parse().unwrap();
        let parcels = parcels(["12 OAK ST", "61 HIGH ST"].into_iter(), at);
        assert!(parcels.iter().all(Parcel::fits));
        assert_eq!((parcels[0].zoning.as_str(), parcels[0].overlays.len()), ("R-2", 1));
        let mut pins: Vec<_> = parcels.iter().map(|parcel| &parcel.pin).collect();
        pins.sort();
        pins.dedup();
        assert_eq!(pins.len(), parcels.len());
    }
}
