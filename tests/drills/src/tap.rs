//! A wire between station and SoR that keeps a copy of every byte: what really crossed, tokens included.

use std::io::{Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex, PoisonError};

type Copy = Arc<Mutex<Vec<u8>>>;

/// A relay; it ends with the test's process.
#[derive(Debug)]
pub struct Tap {
    address: SocketAddr,
    copy: Copy,
}

impl Tap {
    /// Relays to a server.
    ///
    /// # Panics
    /// No port can be had.
    #[must_use]
    pub fn before(server: SocketAddr) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let tap = Self { address: listener.local_addr().unwrap(), copy: Copy::default() };
        let copy = Arc::clone(&tap.copy);
        std::thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                relay(stream, server, &copy);
            }
        });
        tap
    }

    /// Where it answers.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// All that crossed so far, both ways.
    #[must_use]
    pub fn bytes(&self) -> Vec<u8> {
        self.copy.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

fn relay(station: TcpStream, server: SocketAddr, copy: &Copy) {
    let Ok(sor) = TcpStream::connect(server) else { return };
    let pairs = [(station.try_clone(), sor.try_clone()), (Ok(sor), Ok(station))];
    for (from, to) in pairs {
        let (Ok(from), Ok(to)) = (from, to) else { return };
        let copy = Arc::clone(copy);
        std::thread::spawn(move || pour(from, to, &copy));
    }
}

fn pour(mut from: TcpStream, mut to: TcpStream, copy: &Copy) {
    let mut bytes = [0; 8192];
    while let Ok(count @ 1..) = from.read(&mut bytes) {
        copy.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(&bytes[..count]);
        if to.write_all(&bytes[..count]).is_err() {
            break;
        }
    }
    let _ = to.shutdown(Shutdown::Write);
}
