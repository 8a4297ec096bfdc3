//! One question to the drill listener and its answer.
//!
//! It speaks to that one server only, over loopback: HTTP/1.0, so that the answer ends with the connection.

use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use serde_json::Value;

const ANSWER_MAX: Duration = Duration::from_secs(30);
const CONNECT_MAX: Duration = Duration::from_secs(5);

/// Asks, and answers with the document that came; `Null` for an empty one.
///
/// # Panics
/// There was no answer, or it was not one of success.
#[track_caller]
pub(crate) fn ask(server: SocketAddr, method: &str, path: &str, document: Option<&Value>) -> Value {
    let body = document.map(Value::to_string).unwrap_or_default();
    let request =
        format!("{method} {path} HTTP/1.0\r\nhost: {server}\r\ncontent-length: {}\r\n\r\n{body}", body.len());
    let mut stream = TcpStream::connect_timeout(&server, CONNECT_MAX).unwrap();
    stream.set_read_timeout(Some(ANSWER_MAX)).unwrap();
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    let status: u16 = head.split(' ').nth(1).unwrap().parse().unwrap();
    assert!((200..300).contains(&status), "{method} {path}: {head}\n{body}");
    if body.is_empty() { Value::Null } else { serde_json::from_str(body).unwrap() }
}
