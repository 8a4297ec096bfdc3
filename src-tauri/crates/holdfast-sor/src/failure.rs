//! A request that brought no whole answer: was it sent?
//!
//! Promise: "unreachable" is said only of what provably was not sent; whatever is not known counts as sent. Told by the
//! types in an error's chain of causes, never by its text.

use std::error::Error;
use std::io;
use std::iter::successors;

use holdfast_core::certificate::CertificateSays;
use holdfast_core::outcome::{Lost, Unreachable};
use holdfast_core::time::UtcMillis;
use rustls::CertificateError;
use rustls::pki_types::UnixTime;

use crate::exchange::Ended;

/// Longest chain of causes that is walked.
const CAUSES_MAX: usize = 16;
/// POSIX `ENFILE` and `EMFILE`, for which `io::ErrorKind` has no name: no file descriptors left.
const NO_DESCRIPTORS: [i32; 2] = [23, 24];

/// What an error before the head of an answer means.
pub(crate) fn of_send(error: &reqwest::Error) -> Ended {
    if error.is_builder() {
        return Ended::NotAsked;
    }
    if error.is_connect() {
        return of_connect(error);
    }
    if error.is_timeout() {
        return Ended::Lost(Lost::TimedOut);
    }
    let not_http = causes(error).filter_map(|cause| cause.downcast_ref()).any(hyper::Error::is_parse);
    Ended::Lost(if not_http { Lost::BrokenBody } else { Lost::Reset })
}

fn of_connect(error: &reqwest::Error) -> Ended {
    if io_causes(error).any(is_local) {
        return Ended::NotAsked;
    }
    let tls_failed = causes(error).find_map(|cause| cause.downcast_ref::<rustls::Error>());
    Ended::Unreachable(if let Some(why) = tls_failed {
        certificate(why).map_or(Unreachable::TlsFailed, Unreachable::Certificate)
    } else if error.is_timeout() {
        Unreachable::ConnectTimedOut
    } else if error.is_dns() {
        Unreachable::NameNotFound
    } else {
        io_causes(error).find_map(|cause| of_io(cause.kind())).unwrap_or(Unreachable::NoRoute)
    })
}

/// What the certificate says, if its time alone is why it was refused.
#[allow(clippy::wildcard_enum_match_arm)] // rustls::Error is open-ended
fn certificate(why: &rustls::Error) -> Option<CertificateSays> {
    let at = |time: UnixTime| UtcMillis::from_millis(i64::try_from(time.as_secs()).ok()?.checked_mul(1_000)?);
    match why {
        rustls::Error::InvalidCertificate(CertificateError::ExpiredContext { not_after, .. }) => {
            Some(CertificateSays::Ended { at: at(*not_after)? })
        }
        rustls::Error::InvalidCertificate(CertificateError::NotValidYetContext { not_before, .. }) => {
            Some(CertificateSays::NotBegun { at: at(*not_before)? })
        }
        _ => None,
    }
}

#[allow(clippy::wildcard_enum_match_arm)] // io::ErrorKind is open-ended
fn of_io(kind: io::ErrorKind) -> Option<Unreachable> {
    match kind {
        io::ErrorKind::ConnectionRefused => Some(Unreachable::Refused),
        // Broken off in the TLS handshake: without one nothing can break off before the request is sent.
        io::ErrorKind::ConnectionReset
        | io::ErrorKind::ConnectionAborted
        | io::ErrorKind::BrokenPipe
        | io::ErrorKind::UnexpectedEof => Some(Unreachable::TlsFailed),
        io::ErrorKind::NetworkUnreachable | io::ErrorKind::HostUnreachable | io::ErrorKind::NetworkDown => {
            Some(Unreachable::NoRoute)
        }
        _ => None,
    }
}

/// Whether this machine, not the network, lacked something.
fn is_local(error: &io::Error) -> bool {
    let code_is_local = error.raw_os_error().is_some_and(|code| NO_DESCRIPTORS.contains(&code));
    code_is_local || matches!(error.kind(), io::ErrorKind::OutOfMemory | io::ErrorKind::AddrNotAvailable)
}

fn io_causes<'a>(error: &'a (dyn Error + 'static)) -> impl Iterator<Item = &'a io::Error> {
    causes(error).filter_map(|cause| cause.downcast_ref())
}

/// The error and its causes.
fn causes<'a>(error: &'a (dyn Error + 'static)) -> impl Iterator<Item = &'a (dyn Error + 'static)> {
    successors(Some(error), |error| cause_of(*error)).take(CAUSES_MAX)
}

/// What an `io::Error` wraps is its cause; its own `source` skips that.
fn cause_of<'a>(error: &'a (dyn Error + 'static)) -> Option<&'a (dyn Error + 'static)> {
    let wrapped = error.downcast_ref::<io::Error>().and_then(io::Error::get_ref);
    wrapped.map(|wrapped| wrapped as &(dyn Error + 'static)).or_else(|| error.source())
}
