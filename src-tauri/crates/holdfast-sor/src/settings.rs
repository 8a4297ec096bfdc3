//! Where the SoR is, and who.
//!
//! Promise: an address over which a credential could be read by others, or that hides one, is refused before anything is
//! sent. Plain http is for loopback alone. Whether the address answers is not asked here.

use std::path::PathBuf;

use holdfast_core::ids::{SorIdentity, StationId};
use reqwest::{Certificate, Url};

use crate::limits::{Limits, SharedLimits};

/// Where an SoR is and how long it may take.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EndpointSettings {
    /// Its address, e.g. `https://permits.example.gov`; a base path is allowed.
    pub url: String,
    /// PEM file with further root certificates, as of a city's own CA. They count beside those of the operating system,
    /// for this program only. Not read for plain http.
    pub extra_roots_pem: Option<PathBuf>,
    /// Limits of every request. A clone of these settings shares them.
    pub limits: SharedLimits,
}

/// The SoR that a station was set up with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SorSettings {
    /// Where it is.
    pub endpoint: EndpointSettings,
    /// Who it is: pinned at enrolment.
    pub identity: SorIdentity,
    /// Who asks.
    pub station_id: StationId,
}

/// Why the settings are refused.
#[derive(Debug, thiserror::Error)]
pub enum SettingsFault {
    /// Not an absolute http or https URL, or one with a query or a fragment.
    #[error("the permit system's address must be https://HOST[:PORT][/PATH]")]
    NotAnAddress,
    /// Plain http beyond this machine.
    #[error("plain http is for this machine only; the permit system's address must begin with https://")]
    PlainHttp,
    /// A name or password inside the address.
    #[error("the permit system's address must not hold a user name or a password")]
    Credentials,
    /// Limits under which no attempt could succeed.
    #[error(
        "the connect limit ({connect_timeout_ms} ms) must be above 0 and below the whole one ({timeout_ms} ms)"
    )]
    Limits {
        /// The connect limit.
        connect_timeout_ms: u64,
        /// The limit of the whole attempt.
        timeout_ms: u64,
    },
    /// The file of extra certificates.
    #[error("the certificates in {} cannot be read", path.display())]
    ExtraRoots {
        /// Where they should be.
        path: PathBuf,
        /// What the file system said.
        #[source]
        source: std::io::Error,
    },
    /// The file of extra certificates holds something else.
    #[error("{} holds no certificates in PEM form", path.display())]
    NotCertificates {
        /// Where they should be.
        path: PathBuf,
    },
    /// No HTTP client, as when the operating system trusts no certificate at all.
    #[error("no secure connections can be made here (are the system's CA certificates installed?)")]
    NoTls(#[source] reqwest::Error),
}

impl EndpointSettings {
    /// The default limits, and the certificates of the operating system.
    #[must_use]
    pub fn new(url: impl Into<String>) -> Self {
        Self { url: url.into(), extra_roots_pem: None, limits: Limits::default().into() }
    }

    /// The address to which paths are appended; ends with `/`.
    pub(crate) fn base(&self) -> Result<Url, SettingsFault> {
        let mut url = Url::parse(&self.url).map_err(|_| SettingsFault::NotAnAddress)?;
        if !url.username().is_empty() || url.password().is_some() {
            return Err(SettingsFault::Credentials);
        }
        if url.query().is_some() || url.fragment().is_some() {
            return Err(SettingsFault::NotAnAddress);
        }
        match url.scheme() {
            "https" => {}
            "http" if is_loopback(&url) => {}
            "http" => return Err(SettingsFault::PlainHttp),
            _ => return Err(SettingsFault::NotAnAddress),
        }
        if !url.path().ends_with('/') {
            let path = format!("{}/", url.path());
            url.set_path(&path);
        }
        Ok(url)
    }

    /// The certificates that count beside those of the operating system.
    pub(crate) fn extra_roots(&self) -> Result<Vec<Certificate>, SettingsFault> {
        let Some(path) = &self.extra_roots_pem else { return Ok(Vec::new()) };
        let pem =
            std::fs::read(path).map_err(|source| SettingsFault::ExtraRoots { path: path.clone(), source })?;
        match Certificate::from_pem_bundle(&pem) {
            Ok(roots) if !roots.is_empty() => Ok(roots),
            Ok(_) | Err(_) => Err(SettingsFault::NotCertificates { path: path.clone() }),
        }
    }
}

/// 127.0.0.0/8, ::1, or the name that stands for them (RFC 6761 §6.3).
fn is_loopback(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default();
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    host == "localhost" || bare.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback())
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn base(url: &str) -> Result<String, String> {
        let fault = |fault: SettingsFault| format!("{fault:?}");
        EndpointSettings::new(url).base().map(String::from).map_err(fault)
    }

    #[test]
    fn a_credential_never_crosses_a_network_in_the_clear() {
        for url in ["http://127.0.0.1:8080", "http://127.8.0.1/", "http://[::1]:1", "http://localhost:9"] {
            assert!(base(url).is_ok(), "{url}");
        }
        for url in [
            "http://permits.example.gov",
            "http://10.0.0.1",
            "http://0.0.0.0",
            "http://localhost.example.gov",
            "http://127.0.0.1.example.gov",
            "http://[::2]",
        ] {
            assert_eq!(base(url), Err("PlainHttp".into()), "{url}");
        }
    }

    #[test]
    fn an_address_holds_no_secret_and_nothing_beside_a_base_path() {
        assert_eq!(base("https://a.example/sor").unwrap(), "https://a.example/sor/");
        assert_eq!(base("https://a.example").unwrap(), "https://a.example/");
        for url in ["https://me@a.example", "https://me:pw@a.example", "https://:pw@a.example"] {
            assert_eq!(base(url), Err("Credentials".into()), "{url}");
        }
        for url in ["", "a.example", "ftp://a.example", "https://a.example/?x=1", "https://a.example/#x"] {
            assert_eq!(base(url), Err("NotAnAddress".into()), "{url}");
        }
    }
}
