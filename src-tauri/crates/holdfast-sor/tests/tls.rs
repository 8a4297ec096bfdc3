//! TLS: who is trusted, and that there is no way around it.
#![allow(clippy::unwrap_used)]

mod scripted;

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use holdfast_core::certificate::CertificateSays;
use holdfast_core::outcome::{Answer, Unreachable, judge};
use holdfast_core::time::UtcMillis;
use holdfast_sor::{SorClient, SorSettings};
use holdfast_station::ports::{NoLife, RecordSystem as _, Sockets};
use rcgen::{BasicConstraints, CertificateParams, IsCa, Issuer, KeyPair, date_time_ymd};
use scripted::*;
use tokio::io::AsyncWriteExt as _;
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::rustls::{ServerConfig, crypto::ring};

/// A city's own CA.
struct Office {
    issuer: Issuer<'static, KeyPair>,
    pem: String,
}

impl Office {
    fn new() -> Self {
        let mut params = CertificateParams::new(Vec::new()).unwrap();
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let key = KeyPair::generate().unwrap();
        let pem = params.self_signed(&key).unwrap().pem();
        Self { issuer: Issuer::new(params, key), pem }
    }

    fn certify(&self, params: &CertificateParams) -> ServerConfig {
        let key = KeyPair::generate().unwrap();
        let certificate = params.signed_by(&key, &self.issuer).unwrap();
        config(certificate.der().clone(), &key)
    }
}

fn named(name: &str) -> CertificateParams {
    CertificateParams::new(vec![name.to_owned()]).unwrap()
}

fn self_signed() -> ServerConfig {
    let key = KeyPair::generate().unwrap();
    config(named("localhost").self_signed(&key).unwrap().der().clone(), &key)
}

fn config(certificate: CertificateDer<'static>, key: &KeyPair) -> ServerConfig {
    let key = PrivateKeyDer::try_from(key.serialize_der()).unwrap();
    ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![certificate], key)
        .unwrap()
}

/// An SoR behind TLS: its address, and how many requests it has read.
async fn serve(config: ServerConfig) -> (String, Arc<AtomicUsize>) {
    let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let url = format!("https://localhost:{}", listener.local_addr().unwrap().port());
    let requests = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&requests);
    let acceptor = TlsAcceptor::from(Arc::new(config));
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            tokio::spawn(answer_all(acceptor.clone(), stream, Arc::clone(&counted)));
        }
    });
    (url, requests)
}

async fn answer_all(acceptor: TlsAcceptor, stream: TcpStream, requests: Arc<AtomicUsize>) {
    let Ok(mut stream) = acceptor.accept(stream).await else { return };
    for nth in 0.. {
        let Some(seen) = read_request(&mut stream, 0, nth).await else { return };
        requests.fetch_add(1, Ordering::SeqCst);
        let answer = if seen.is_token_request() { token_bytes("t0ken", 600) } else { committed() };
        if stream.write_all(&answer).await.is_err() {
            return;
        }
    }
}

fn client_trusting(url: &str, extra_roots_pem: Option<&Path>) -> SorClient {
    let mut endpoint = endpoint(url, LIMITS);
    endpoint.extra_roots_pem = extra_roots_pem.map(Into::into);
    let settings = SorSettings { endpoint, identity: identity(), station_id: station() };
    SorClient::new(settings, station_key(), TestClock::new(), Arc::new(Counting::default())).unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_city_s_own_authority_is_trusted_when_it_is_named_and_nothing_else_is() {
    let dir = tempfile::tempdir().unwrap();
    let office = Office::new();
    let pem = dir.path().join("city.pem");
    std::fs::write(&pem, &office.pem).unwrap();
    let (ended, not_begun) = (expired(), not_yet_valid());
    for (name, config, trusted, good) in [
        ("the city's", office.certify(&named("localhost")), Some(pem.as_path()), true),
        ("nobody named the city", office.certify(&named("localhost")), None, false),
        ("another name", office.certify(&named("permits.example")), Some(&pem), false),
        ("ended", office.certify(&ended), Some(&pem), false),
        ("not begun", office.certify(&not_begun), Some(&pem), false),
        ("another city's", Office::new().certify(&named("localhost")), Some(&pem), false),
        ("its own", self_signed(), Some(&pem), false),
    ] {
        let (url, requests) = serve(config).await;
        let client = client_trusting(&url, trusted);
        for sockets in [Sockets::Kept, Sockets::Fresh] {
            let answer = client.deliver(&delivery(), sockets).await;
            if good {
                assert_eq!(judge(&answer, &sent()).word(), "committed", "{name}");
            } else {
                assert_eq!(answer, Answer::Unreachable(why(name)), "{name}");
            }
        }
        let expected = if good { 3 } else { 0 };
        assert_eq!(
            requests.load(Ordering::SeqCst),
            expected,
            "{name}: one token and two operations, or nothing"
        );
    }
}

/// Of a certificate whose time alone is wrong, which; of any other nothing more than that it is.
fn why(name: &str) -> Unreachable {
    match name {
        "ended" => Unreachable::Certificate(CertificateSays::Ended { at: wall("2021-01-01T00:00:00.000Z") }),
        "not begun" => {
            Unreachable::Certificate(CertificateSays::NotBegun { at: wall("2090-01-01T00:00:00.000Z") })
        }
        _ => Unreachable::TlsFailed,
    }
}

fn wall(text: &str) -> UtcMillis {
    text.parse().unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_certificate_refused_for_its_time_says_so_whatever_is_asked() {
    let dir = tempfile::tempdir().unwrap();
    let office = Office::new();
    let pem = dir.path().join("city.pem");
    std::fs::write(&pem, &office.pem).unwrap();
    let (url, requests) = serve(office.certify(&expired())).await;
    let client = client_trusting(&url, Some(&pem));
    let says = CertificateSays::Ended { at: wall("2021-01-01T00:00:00.000Z") };
    assert_eq!(client.health("n0nce", Sockets::Fresh).await, Err(NoLife::Certificate(says)));
    let answer = client.deliver(&delivery(), Sockets::Fresh).await;
    let outcome = judge(&answer, &sent());
    assert_eq!((outcome.word(), requests.load(Ordering::SeqCst)), ("unreachable", 0), "{outcome:?}");
}

fn expired() -> CertificateParams {
    let mut params = named("localhost");
    (params.not_before, params.not_after) = (date_time_ymd(2020, 1, 1), date_time_ymd(2021, 1, 1));
    params
}

fn not_yet_valid() -> CertificateParams {
    let mut params = named("localhost");
    (params.not_before, params.not_after) = (date_time_ymd(2090, 1, 1), date_time_ymd(2091, 1, 1));
    params
}
