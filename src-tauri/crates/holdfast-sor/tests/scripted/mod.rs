//! A server over real TCP that does to its client what it is told, byte by byte.
//!
//! Promise: it answers token requests well unless told otherwise, notes every connection and every request, and stops when
//! it is dropped. It is no HTTP server: what it sends is what the test wrote down.
#![allow(dead_code, missing_docs, unreachable_pub)]

use std::net::SocketAddr;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use holdfast_core::canonical::sha256;
use holdfast_core::ids::{Digest, IdempotencyKey, SorIdentity, StationId};
use holdfast_core::operation::Kind;
use holdfast_core::outcome::Sent;
use holdfast_core::sign::KeyPair;
use holdfast_core::time::{BootMillis, Now, TimeZone, UtcMillis};
use holdfast_sor::{EndpointSettings, Limits, SorClient, SorSettings};
use holdfast_station::ports::{Clock, Delivery, Entropy};
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::AbortHandle;

pub const IDENTITY: &str = "alder-falls-sor";
pub const OPERATION: &str = "01932c6f-8f0a-7cc3-98a1-0242ac120002";
pub const APPLICATION: &str = "01932c6f-8f0a-7cc3-98a1-0242ac120003";
pub const BODY: &[u8] = br#"{"v":1}"#;

/// Longest a scripted connection lives.
const CONNECTION_MAX: Duration = Duration::from_secs(30);

/// What the server does with one request.
#[derive(Clone)]
pub enum Act {
    /// Sends these bytes and waits for the next request.
    Send(Vec<u8>),
    /// Sends these bytes and closes (FIN).
    SendThenClose(Vec<u8>),
    /// Sends these bytes and resets (RST).
    SendThenReset(Vec<u8>),
    /// Sends these bytes and nothing more.
    SendThenHang(Vec<u8>),
    /// Sends these bytes one at a time, so far apart.
    Drip(Vec<u8>, Duration),
}

/// One request as it came.
#[derive(Clone, Debug)]
pub struct Seen {
    /// Which connection it came over, from 0.
    pub connection: usize,
    /// Which request of that connection it is, from 0.
    pub nth: usize,
    /// `METHOD target`.
    pub line: String,
    /// Header lines, names in lower case.
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
}

impl Seen {
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    pub fn is_token_request(&self) -> bool {
        self.line.contains("/v1/station-tokens")
    }
}

type Script = dyn Fn(&Seen) -> Act + Send + Sync;

pub struct Scripted {
    pub address: SocketAddr,
    pub connections: Arc<AtomicUsize>,
    seen: Arc<Mutex<Vec<Seen>>>,
    accepting: AbortHandle,
}

impl Scripted {
    /// Serves `script` for everything, token requests included.
    pub async fn start_raw(script: impl Fn(&Seen) -> Act + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let address = listener.local_addr().unwrap();
        let connections = Arc::new(AtomicUsize::new(0));
        let seen = Arc::new(Mutex::new(Vec::new()));
        let accepting =
            tokio::spawn(accept(listener, Arc::new(script), Arc::clone(&connections), Arc::clone(&seen)));
        Self { address, connections, seen, accepting: accepting.abort_handle() }
    }

    /// Serves `script` for everything but token requests, which are answered well.
    pub async fn start(script: impl Fn(&Seen) -> Act + Send + Sync + 'static) -> Self {
        Self::start_raw(move |seen| if seen.is_token_request() { token(3600) } else { script(seen) }).await
    }

    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    pub fn connections(&self) -> usize {
        self.connections.load(Ordering::SeqCst)
    }

    pub fn seen(&self) -> Vec<Seen> {
        self.seen.lock().unwrap().clone()
    }

    pub fn token_requests(&self) -> usize {
        self.seen().iter().filter(|seen| seen.is_token_request()).count()
    }

    /// All but token requests.
    pub fn asked(&self) -> Vec<Seen> {
        self.seen().into_iter().filter(|seen| !seen.is_token_request()).collect()
    }
}

impl Drop for Scripted {
    fn drop(&mut self) {
        self.accepting.abort();
    }
}

async fn accept(
    listener: TcpListener,
    script: Arc<Script>,
    connections: Arc<AtomicUsize>,
    seen: Arc<Mutex<Vec<Seen>>>,
) {
    while let Ok((stream, _)) = listener.accept().await {
        let number = connections.fetch_add(1, Ordering::SeqCst);
        let serving = serve(stream, number, Arc::clone(&script), Arc::clone(&seen));
        tokio::spawn(tokio::time::timeout(CONNECTION_MAX, serving));
    }
}

async fn serve(mut stream: TcpStream, connection: usize, script: Arc<Script>, seen: Arc<Mutex<Vec<Seen>>>) {
    for nth in 0.. {
        let Some(request) = read_request(&mut stream, connection, nth).await else { return };
        seen.lock().unwrap().push(request.clone());
        match script(&request) {
            Act::Send(bytes) => {
                if stream.write_all(&bytes).await.is_err() {
                    return;
                }
            }
            Act::SendThenClose(bytes) => {
                let _ = stream.write_all(&bytes).await;
                let _ = stream.shutdown().await;
                return;
            }
            Act::SendThenReset(bytes) => {
                let _ = stream.write_all(&bytes).await;
                reset(stream);
                return;
            }
            Act::SendThenHang(bytes) => {
                let _ = stream.write_all(&bytes).await;
                tokio::time::sleep(CONNECTION_MAX).await;
                return;
            }
            Act::Drip(bytes, pause) => {
                for byte in bytes {
                    if stream.write_all(&[byte]).await.is_err() {
                        return;
                    }
                    tokio::time::sleep(pause).await;
                }
            }
        }
    }
}

/// Closes with RST: lingering for no time (`SO_LINGER` 0).
fn reset(stream: TcpStream) {
    let stream = socket2::Socket::from(stream.into_std().unwrap());
    stream.set_linger(Some(Duration::ZERO)).unwrap();
    drop(stream);
}

/// The next request, or `None` at the end.
pub async fn read_request(
    stream: &mut (impl AsyncRead + Unpin),
    connection: usize,
    nth: usize,
) -> Option<Seen> {
    let mut bytes = Vec::new();
    let end = loop {
        if let Some(at) = bytes.windows(4).position(|four| four == b"\r\n\r\n") {
            break at;
        }
        read_more(stream, &mut bytes).await?;
    };
    let head = String::from_utf8(bytes[..end].to_vec()).unwrap();
    let mut lines = head.split("\r\n");
    let line = lines.next()?.trim_end_matches(" HTTP/1.1").to_owned();
    let headers: Vec<_> = lines
        .filter_map(|line| line.split_once(':'))
        .map(|(name, value)| (name.to_ascii_lowercase(), value.trim().to_owned()))
        .collect();
    let length = headers.iter().find(|(name, _)| name == "content-length");
    let length: usize = length.map_or(0, |(_, value)| value.parse().unwrap());
    while bytes.len() < end + 4 + length {
        read_more(stream, &mut bytes).await?;
    }
    Some(Seen { connection, nth, line, headers, body: bytes[end + 4..].to_vec() })
}

async fn read_more(stream: &mut (impl AsyncRead + Unpin), bytes: &mut Vec<u8>) -> Option<()> {
    let mut part = [0; 4096];
    match stream.read(&mut part).await {
        Ok(read) if read > 0 => bytes.extend_from_slice(&part[..read]),
        Ok(_) | Err(_) => return None,
    }
    Some(())
}

// Bytes of answers.

pub const DATE: &str = "Mon, 30 Nov 2026 08:00:00 GMT";
pub const JSON: &str = "Content-Type: application/json";
pub const PROBLEM: &str = "Content-Type: application/problem+json";
pub const HTML: &str = "Content-Type: text/html; charset=utf-8";
pub const PORTAL: &str = "<html><form action=/login>Guest network</form></html>";

/// An answer with the given header lines and the right length.
pub fn http(status: u16, headers: &[&str], body: &str) -> Vec<u8> {
    let lines: String = headers.iter().map(|line| format!("{line}\r\n")).collect();
    let length = if status == 304 { String::new() } else { format!("Content-Length: {}\r\n", body.len()) };
    format!("HTTP/1.1 {status} Status\r\n{lines}{length}\r\n{body}").into_bytes()
}

/// The SoR's own answer, `Date` and identity included.
pub fn sor(status: u16, headers: &[&str], body: &str) -> Vec<u8> {
    let (identity, date) = (format!("Holdfast-Identity: {IDENTITY}"), format!("Date: {DATE}"));
    http(status, &[&[identity.as_str(), date.as_str()], headers].concat(), body)
}

pub fn problem(status: u16, kind: &str) -> Vec<u8> {
    typed(status, &[], kind)
}

pub fn typed(status: u16, headers: &[&str], kind: &str) -> Vec<u8> {
    let body = format!(r#"{{"type":"https://holdfast.example/problems/{kind}","status":{status}}}"#);
    sor(status, &[&[PROBLEM], headers].concat(), &body)
}

pub fn html(status: u16) -> Vec<u8> {
    http(status, &[HTML], PORTAL)
}

pub fn token(expires_in: u64) -> Act {
    Act::Send(token_bytes("t0ken", expires_in))
}

pub fn token_bytes(token: &str, expires_in: u64) -> Vec<u8> {
    let body = format!(r#"{{"access_token":"{token}","token_type":"Bearer","expires_in":{expires_in}}}"#);
    sor(200, &[JSON], &body)
}

pub fn receipt_of(key: &str) -> String {
    format!(
        r#"{{"idempotency_key":"{key}","operation_id":"{OPERATION}","application_id":"{APPLICATION}","record_id":"R-1","etag":"\"1\"","state":"applied","applied_at":"2026-11-30T08:00:00.000Z","warnings":[]}}"#
    )
}

pub fn receipt() -> String {
    receipt_of(&key().to_string())
}

pub fn committed() -> Vec<u8> {
    sor(201, &[JSON], &receipt())
}

// The client under test.

pub fn key() -> IdempotencyKey {
    IdempotencyKey::from_bytes([0xab; 32])
}

pub fn sent() -> Sent {
    Sent {
        key: key(),
        operation_id: OPERATION.parse().unwrap(),
        application_id: APPLICATION.parse().unwrap(),
        payload_digest: payload_digest(),
    }
}

fn payload_digest() -> Digest {
    sha256(b"{}")
}

pub fn delivery() -> Delivery {
    Delivery {
        key: key(),
        kind: Kind::Application,
        operation_id: OPERATION.parse().unwrap(),
        application_id: APPLICATION.parse().unwrap(),
        record_id: None,
        body: BODY.to_vec(),
        if_match: Some("\"7\"".parse().unwrap()),
    }
}

pub const LIMITS: Limits = Limits {
    connect_timeout_ms: 1_000,
    timeout_ms: 3_000,
    body_max_bytes: 64 * 1024,
    contract_max_bytes: 256 * 1024,
};

pub fn endpoint(url: &str, limits: Limits) -> EndpointSettings {
    EndpointSettings { limits: limits.into(), ..EndpointSettings::new(url) }
}

pub fn client(url: &str) -> SorClient {
    client_with(url, LIMITS, &TestClock::new())
}

pub fn client_with(url: &str, limits: Limits, clock: &Arc<TestClock>) -> SorClient {
    client_at(endpoint(url, limits), clock)
}

pub fn client_at(endpoint: EndpointSettings, clock: &Arc<TestClock>) -> SorClient {
    let settings = SorSettings { endpoint, identity: identity(), station_id: station() };
    let clock: Arc<dyn Clock> = Arc::<TestClock>::clone(clock);
    SorClient::new(settings, station_key(), clock, Arc::new(Counting::default())).unwrap()
}

pub fn identity() -> SorIdentity {
    IDENTITY.parse().unwrap()
}

pub fn station() -> StationId {
    "front-1".parse().unwrap()
}

pub fn station_key() -> KeyPair {
    KeyPair::from_seed(&[3; 32])
}

/// A clock that moves when it is told to; begins at [`DATE`].
pub struct TestClock(Mutex<Now>);

impl TestClock {
    pub fn new() -> Arc<Self> {
        let wall: UtcMillis = "2026-11-30T08:00:00.000Z".parse().unwrap();
        Arc::new(Self(Mutex::new(Now { wall, boot: BootMillis(1_000_000) })))
    }

    pub fn pass_ms(&self, ms: u64) {
        let mut now = self.0.lock().unwrap();
        *now = now.plus_millis(ms);
    }

    pub fn set_wall_off_by_ms(&self, ms: i64) {
        let mut now = self.0.lock().unwrap();
        now.wall = now.wall.plus_millis(ms);
    }
}

impl Clock for TestClock {
    fn now(&self) -> Now {
        *self.0.lock().unwrap()
    }

    fn zone(&self) -> TimeZone {
        TimeZone::UTC
    }
}

/// Bytes that differ from call to call.
#[derive(Default)]
pub struct Counting(AtomicU64);

impl Entropy for Counting {
    fn fill(&self, bytes: &mut [u8]) {
        let n = self.0.fetch_add(1, Ordering::SeqCst).to_le_bytes();
        for (at, byte) in bytes.iter_mut().enumerate() {
            *byte = n[at % n.len()];
        }
    }
}
