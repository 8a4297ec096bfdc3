//! A plain HTTP client over one socket: it reports how the connection ended, which other clients hide.

use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use serde_json::Value;

/// How long an answer may take before it counts as none, in milliseconds. Only the silent fault ever waits that long.
const ANSWER_MAX_MS: u64 = 20_000;

/// A request to be sent on a connection of its own.
#[derive(Clone)]
pub(crate) struct Request {
    method: &'static str,
    path: String,
    headers: Vec<(&'static str, String)>,
    body: Vec<u8>,
    patience_ms: u64,
}

/// How the connection ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// An orderly close.
    Closed,
    /// A reset.
    Reset,
    /// It is still open, and silent.
    Silent,
    /// Nobody listened.
    Refused,
}

/// What came back.
#[derive(Debug)]
pub(crate) struct Seen {
    pub(crate) status: Option<u16>,
    headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
    pub(crate) end: End,
}

impl Request {
    pub(crate) fn new(method: &'static str, path: impl Into<String>) -> Self {
        Self { method, path: path.into(), headers: Vec::new(), body: Vec::new(), patience_ms: ANSWER_MAX_MS }
    }

    pub(crate) fn get(path: impl Into<String>) -> Self {
        Self::new("GET", path)
    }

    pub(crate) fn post(path: impl Into<String>, body: &Value) -> Self {
        Self::new("POST", path).body(body.to_string())
    }

    pub(crate) fn body(mut self, body: impl Into<Vec<u8>>) -> Self {
        self.body = body.into();
        self
    }

    pub(crate) fn header(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.headers.push((name, value.into()));
        self
    }

    pub(crate) fn bearer(self, token: &str) -> Self {
        self.header("Authorization", format!("Bearer {token}"))
    }

    /// Gives up after `ms` without an end.
    pub(crate) fn patience_ms(mut self, ms: u64) -> Self {
        self.patience_ms = ms;
        self
    }

    /// Sends it to `http://ADDRESS`.
    pub(crate) fn send(&self, url: &str) -> Seen {
        let address = url.strip_prefix("http://").unwrap();
        let mut stream = match TcpStream::connect(address) {
            Ok(stream) => stream,
            Err(fault) if fault.kind() == ErrorKind::ConnectionRefused => return Seen::nothing(End::Refused),
            Err(fault) => panic!("{fault}"),
        };
        stream.set_read_timeout(Some(Duration::from_millis(self.patience_ms))).unwrap();
        stream.write_all(&self.bytes(address)).unwrap();
        let mut bytes = Vec::new();
        let end = read_to_end(&mut stream, &mut bytes);
        Seen::parse(&bytes, end)
    }

    fn bytes(&self, host: &str) -> Vec<u8> {
        let mut head =
            format!("{} {} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n", self.method, self.path);
        for (name, value) in &self.headers {
            head += &format!("{name}: {value}\r\n");
        }
        head += &format!("Content-Length: {}\r\n\r\n", self.body.len());
        [head.as_bytes(), &self.body].concat()
    }
}

fn read_to_end(stream: &mut TcpStream, bytes: &mut Vec<u8>) -> End {
    let mut chunk = [0; 16 * 1024];
    loop {
        match stream.read(&mut chunk) {
            Ok(0) => return End::Closed,
            Ok(n) => bytes.extend_from_slice(&chunk[..n]),
            Err(fault) if fault.kind() == ErrorKind::ConnectionReset => return End::Reset,
            Err(fault) if [ErrorKind::WouldBlock, ErrorKind::TimedOut].contains(&fault.kind()) => {
                return End::Silent;
            }
            Err(fault) => panic!("{fault}"),
        }
    }
}

impl Seen {
    fn nothing(end: End) -> Self {
        Self { status: None, headers: Vec::new(), body: Vec::new(), end }
    }

    fn parse(bytes: &[u8], end: End) -> Self {
        let Some(at) = bytes.windows(4).position(|window| window == b"\r\n\r\n") else {
            assert!(bytes.is_empty(), "half a head");
            return Self::nothing(end);
        };
        let head = std::str::from_utf8(&bytes[..at]).unwrap();
        let mut lines = head.split("\r\n");
        let status = lines.next().unwrap().split(' ').nth(1).unwrap().parse().unwrap();
        let header = |line: &str| {
            let (name, value) = line.split_once(": ").unwrap();
            (name.to_lowercase(), value.to_owned())
        };
        let headers = lines.map(header).collect();
        Self { status: Some(status), headers, body: bytes[at + 4..].to_vec(), end }
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|_| panic!("not JSON: {self:?}"))
    }

    /// Status and last step of the problem's type, of an answer that is typed.
    #[track_caller]
    pub(crate) fn problem(&self) -> (u16, String) {
        assert_eq!(self.header("content-type"), Some("application/problem+json"), "{self:?}");
        assert!(self.header("holdfast-identity").is_some(), "{self:?}");
        let document = self.json();
        assert_eq!(document["status"], self.status.unwrap());
        let kind = document["type"].as_str().unwrap();
        (self.status.unwrap(), kind.strip_prefix("https://holdfast.example/problems/").unwrap().to_owned())
    }

    /// The status of an answer that has one.
    #[track_caller]
    pub(crate) fn code(&self) -> u16 {
        self.status.unwrap_or_else(|| panic!("no answer: {:?}", self.end))
    }
}
