//! Frames: four bytes of length, most significant first, and so many bytes.
//!
//! Promise: a length beyond what is expected is refused before anything is read or allocated, and a frame's bytes are wiped
//! from memory after use: it may hold a password.

use std::io::{self, Read, Write};
use std::time::Duration;

use serde::Serialize;
use serde::de::DeserializeOwned;
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};
use tokio::time::timeout;
use zeroize::Zeroizing;

use super::FRAME_MAX_MS;

/// The bytes of a frame.
pub(super) type Frame = Zeroizing<Vec<u8>>;

/// Reads one frame; its first byte may keep waiting for `idle_ms`.
pub(super) async fn read<R: AsyncRead + Unpin>(
    from: &mut R,
    max_bytes: usize,
    idle_ms: u64,
) -> io::Result<Frame> {
    let mut length = [0; 4];
    within(idle_ms, from.read_exact(&mut length[..1])).await?;
    within(FRAME_MAX_MS, async {
        from.read_exact(&mut length[1..]).await?;
        let mut frame = room(length, max_bytes)?;
        from.read_exact(&mut frame).await?;
        Ok(frame)
    })
    .await
}

/// Writes one frame.
pub(super) async fn write<W: AsyncWrite + Unpin>(to: &mut W, message: &impl Serialize) -> io::Result<()> {
    let frame = framed(message)?;
    within(FRAME_MAX_MS, to.write_all(&frame)).await
}

/// Reads one frame where blocking is allowed; the stream's own time limit holds for each read.
pub(super) fn read_blocking(from: &mut impl Read, max_bytes: usize) -> io::Result<Frame> {
    let mut length = [0; 4];
    from.read_exact(&mut length)?;
    let mut frame = room(length, max_bytes)?;
    from.read_exact(&mut frame)?;
    Ok(frame)
}

/// Writes one message where blocking is allowed.
pub(super) fn write_blocking(to: &mut impl Write, message: &impl Serialize) -> io::Result<()> {
    to.write_all(&framed(message)?)
}

/// Writes bytes as they are where blocking is allowed.
pub(super) fn write_bytes_blocking(to: &mut impl Write, bytes: &[u8]) -> io::Result<()> {
    to.write_all(&length_of(bytes)?)?;
    to.write_all(bytes)
}

/// What a frame says.
pub(super) fn message<T: DeserializeOwned>(frame: &Frame) -> io::Result<T> {
    serde_json::from_slice(frame).map_err(|_| io::Error::from(io::ErrorKind::InvalidData))
}

fn framed(message: &impl Serialize) -> io::Result<Frame> {
    let bytes = Zeroizing::new(serde_json::to_vec(message)?);
    Ok(Zeroizing::new([&length_of(&bytes)?[..], &bytes].concat()))
}

fn length_of(bytes: &[u8]) -> io::Result<[u8; 4]> {
    let length = u32::try_from(bytes.len()).map_err(|_| io::Error::from(io::ErrorKind::InvalidInput))?;
    Ok(length.to_be_bytes())
}

fn room(length: [u8; 4], max_bytes: usize) -> io::Result<Frame> {
    let length = usize::try_from(u32::from_be_bytes(length)).unwrap_or(usize::MAX);
    if length > max_bytes {
        return Err(io::Error::from(io::ErrorKind::InvalidData));
    }
    Ok(Zeroizing::new(vec![0; length]))
}

async fn within<T>(limit_ms: u64, doing: impl Future<Output = io::Result<T>>) -> io::Result<T> {
    let done = timeout(Duration::from_millis(limit_ms), doing).await;
    done.unwrap_or_else(|_| Err(io::Error::from(io::ErrorKind::TimedOut)))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn a_frame_is_read_as_it_was_written_and_a_longer_one_than_expected_not_at_all() {
        let mut bytes = Vec::new();
        write_blocking(&mut bytes, &"word").unwrap();
        let read = read_blocking(&mut &bytes[..], 6).unwrap();
        assert_eq!(message::<String>(&read).unwrap(), "word");
        let refused = read_blocking(&mut &bytes[..], 5).unwrap_err();
        assert_eq!(refused.kind(), io::ErrorKind::InvalidData);
        let boast = read_blocking(&mut &[0xff, 0xff, 0xff, 0xff][..], super::super::CONTRACT_MAX_BYTES);
        assert_eq!(
            boast.unwrap_err().kind(),
            io::ErrorKind::InvalidData,
            "before a byte of it is waited for"
        );
    }
}
