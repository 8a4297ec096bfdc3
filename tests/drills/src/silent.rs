//! An SoR that hangs: it takes every connection and never answers a byte.

use std::io::Read as _;
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Longest that one of its connections is kept.
const CONNECTION_MAX: Duration = Duration::from_secs(120);

/// What was asked of it.
#[derive(Clone, Debug, Default)]
struct Heard {
    connections: usize,
    /// When each request came: counted by the blank line that ends its head, so that a reused connection counts again.
    requests: Vec<Instant>,
    stop: bool,
}

/// A listener that stays silent, until it is dropped.
#[derive(Debug)]
pub struct Silent {
    address: SocketAddr,
    heard: Arc<Mutex<Heard>>,
    door: Option<JoinHandle<()>>,
}

impl Silent {
    /// Takes the place of a server that has just gone.
    ///
    /// # Panics
    /// That server is still there.
    #[must_use]
    pub fn at(address: SocketAddr) -> Self {
        let listener = TcpListener::bind(address).unwrap();
        let heard = Arc::new(Mutex::new(Heard::default()));
        let told = Arc::clone(&heard);
        let door = std::thread::spawn(move || take_all(&listener, &told));
        Self { address, heard, door: Some(door) }
    }

    /// Connections so far.
    #[must_use]
    pub fn connections(&self) -> usize {
        self.heard.lock().unwrap_or_else(PoisonError::into_inner).connections
    }

    /// When each request came.
    #[must_use]
    pub fn requests(&self) -> Vec<Instant> {
        self.heard.lock().unwrap_or_else(PoisonError::into_inner).requests.clone()
    }
}

impl Drop for Silent {
    fn drop(&mut self) {
        self.heard.lock().unwrap_or_else(PoisonError::into_inner).stop = true;
        let _ = TcpStream::connect(self.address);
        let _ = self.door.take().map(JoinHandle::join);
    }
}

fn take_all(listener: &TcpListener, heard: &Arc<Mutex<Heard>>) {
    for stream in listener.incoming() {
        let Ok(stream) = stream else { continue };
        let mut now = heard.lock().unwrap_or_else(PoisonError::into_inner);
        if now.stop {
            return;
        }
        now.connections += 1;
        let heard = Arc::clone(heard);
        std::thread::spawn(move || listen(stream, &heard));
    }
}

/// Until the other side hangs up.
fn listen(mut stream: TcpStream, heard: &Mutex<Heard>) {
    let _ = stream.set_read_timeout(Some(CONNECTION_MAX));
    let mut last_four = [0; 4];
    let mut bytes = [0; 4096];
    while let Ok(count @ 1..) = stream.read(&mut bytes) {
        for byte in &bytes[..count] {
            last_four.rotate_left(1);
            last_four[3] = *byte;
            if last_four == *b"\r\n\r\n" {
                heard.lock().unwrap_or_else(PoisonError::into_inner).requests.push(Instant::now());
            }
        }
    }
}
