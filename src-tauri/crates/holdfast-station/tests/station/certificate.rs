//! A certificate that does not hold now: refused either way, and the words say whose fault it is.

use holdfast_core::certificate::CertificateSays;
use holdfast_core::outcome::{Answer, Unreachable};
use holdfast_wire::{CertificateFault, ModeCause};

use crate::answers::recorded;
use crate::desk::{Desk, settings, wall};

fn refused(says: CertificateSays) -> Answer {
    Answer::Unreachable(Unreachable::Certificate(says))
}

fn said(desk: &Desk) -> Vec<CertificateFault> {
    let notices = desk.station.status().unwrap().notices.into_iter();
    let fault = |notice| {
        if let ModeCause::CertificateRefused { fault, .. } = notice { Some(fault) } else { None }
    };
    notices.filter_map(fault).collect()
}

#[tokio::test(start_paused = true)]
async fn a_certificate_refused_since_this_clock_is_wrong_is_told_from_one_that_ended() {
    for (clock, says, fault) in [
        // Rules were attested this morning: it cannot be two years before.
        (
            "2024-11-30T08:00:00.000Z",
            CertificateSays::NotBegun { at: wall("2026-06-01T00:00:00.000Z") },
            CertificateFault::ThisClock,
        ),
        (
            "2028-11-30T08:00:00.000Z",
            CertificateSays::Ended { at: wall("2027-06-01T00:00:00.000Z") },
            CertificateFault::ThisClock,
        ),
        (
            "2026-11-30T08:00:00.000Z",
            CertificateSays::Ended { at: wall("2026-11-29T00:00:00.000Z") },
            CertificateFault::Certificate,
        ),
        (
            "2026-11-30T08:00:00.000Z",
            CertificateSays::NotBegun { at: wall("2026-12-01T00:00:00.000Z") },
            CertificateFault::Unclear,
        ),
    ] {
        let desk = Desk::open(settings()).await;
        desk.apply();
        desk.sor.deliveries(move |_, _| refused(says));
        desk.clock.set_wall(clock);
        desk.pass().await;
        assert_eq!(said(&desk), [fault], "{clock} {says:?}");
        let status = desk.station.status().unwrap();
        assert_eq!((status.backlog.count, status.books.quarantined), (1, 0), "it waits, and nothing is sent");
        let desk = desk.started_again(settings());
        assert_eq!(said(&desk), [fault], "another process says the same");
        desk.clock.set_wall("2026-11-30T09:00:00.000Z");
        desk.sor.deliveries(|_, body| recorded(body, body.local_seq.0));
        assert_eq!(desk.until_empty().await.committed, 1);
        assert_eq!(said(&desk), []);
    }
}
