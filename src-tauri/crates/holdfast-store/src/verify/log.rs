//! Which pages the write-ahead log holds: for those the file itself is not read, and may hold anything.
//!
//! While a reader holds a checkpoint back, pages that changed again later stay in the log alone, and their places in the
//! file are old, or empty where the file has grown past them. The format is <https://sqlite.org/fileformat2.html#walformat>;
//! what counts is what SQLite itself would recover: frames whose salts and running checksum fit, up to the last commit.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{BufReader, Read};
use std::path::Path;

const HEADER_BYTES: usize = 32;
const FRAME_HEADER_BYTES: usize = 24;
/// A larger page than SQLite knows.
const PAGE_MAX_BYTES: u32 = 65_536;
/// The log's checksums are of little-endian words; with the lowest bit set, of big-endian ones.
const MAGIC: u32 = 0x377f_0682;

/// The pages of every committed frame; none when there is no log, or none that SQLite would read.
pub(super) fn pages(path: &Path) -> BTreeSet<u64> {
    let mut pages = BTreeSet::new();
    let Ok(file) = File::open(path) else { return pages };
    let mut source = BufReader::new(file);
    let Some(mut log) = Log::begin(&mut source) else { return pages };
    let mut since_commit = Vec::new();
    while let Some((page, end)) = log.frame(&mut source) {
        since_commit.push(page);
        match end {
            Frame::Inside => {}
            Frame::Commits => pages.extend(since_commit.drain(..)),
        }
    }
    pages
}

#[derive(Clone, Copy)]
enum Frame {
    Inside,
    Commits,
}

#[derive(Clone, Copy)]
enum Words {
    Little,
    Big,
}

/// How far the log was read.
struct Log {
    words: Words,
    salts: [u8; 8],
    sum: (u32, u32),
    data: Vec<u8>,
}

impl Log {
    fn begin(source: &mut impl Read) -> Option<Self> {
        let mut header = [0; HEADER_BYTES];
        source.read_exact(&mut header).ok()?;
        let words = match number(&header, 0)? {
            MAGIC => Words::Little,
            magic if magic == MAGIC | 1 => Words::Big,
            _ => return None,
        };
        let page_bytes = number(&header, 8)?;
        let sum = add(words, (0, 0), header.get(..24)?);
        let fits = page_bytes <= PAGE_MAX_BYTES && sum == (number(&header, 24)?, number(&header, 28)?);
        let salts = header.get(16..24)?.try_into().ok()?;
        fits.then(|| Self { words, salts, sum, data: vec![0; page_bytes as usize] })
    }

    /// The next frame's page, unless the log ends there.
    fn frame(&mut self, source: &mut impl Read) -> Option<(u64, Frame)> {
        let mut header = [0; FRAME_HEADER_BYTES];
        source.read_exact(&mut header).ok()?;
        source.read_exact(&mut self.data).ok()?;
        self.sum = add(self.words, add(self.words, self.sum, header.get(..8)?), &self.data);
        let fits = self.sum == (number(&header, 16)?, number(&header, 20)?);
        if !fits || header.get(8..16)? != self.salts.as_slice() {
            return None;
        }
        let end = if number(&header, 4)? == 0 { Frame::Inside } else { Frame::Commits };
        Some((u64::from(number(&header, 0)?), end))
    }
}

/// A number of a header: big-endian.
fn number(bytes: &[u8], at: usize) -> Option<u32> {
    bytes.get(at..at + 4)?.try_into().ok().map(u32::from_be_bytes)
}

/// The running checksum, over pairs of words.
fn add(words: Words, sum: (u32, u32), bytes: &[u8]) -> (u32, u32) {
    let (pairs, _) = bytes.as_chunks::<8>();
    pairs.iter().fold(sum, |(a, b), [b0, b1, b2, b3, b4, b5, b6, b7]| {
        let word = |four| match words {
            Words::Little => u32::from_le_bytes(four),
            Words::Big => u32::from_be_bytes(four),
        };
        let a = a.wrapping_add(word([*b0, *b1, *b2, *b3])).wrapping_add(b);
        let b = b.wrapping_add(word([*b4, *b5, *b6, *b7])).wrapping_add(a);
        (a, b)
    })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use holdfast_core::audit::{Entry, EventKind};
    use holdfast_station::ports::Journal as _;

    use super::*;
    use crate::scratch::{now, scratch, store_in};

    #[test]
    fn what_counts_is_what_the_engine_would_recover() {
        let folder = scratch();
        let store = store_in(folder.path());
        for _ in 0..5 {
            store.note(now(), vec![Entry::new(EventKind::DrainFinished)]).unwrap();
        }
        let log = std::fs::read(folder.path().join("holdfast.db-wal")).unwrap();
        let held = |change: &dyn Fn(&mut Vec<u8>)| {
            let mut bytes = log.clone();
            change(&mut bytes);
            let path = folder.path().join("changed-log");
            std::fs::write(&path, bytes).unwrap();
            pages(&path)
        };
        let whole = held(&|_| {});
        assert!(!whole.is_empty());
        let first_frame = HEADER_BYTES + FRAME_HEADER_BYTES;
        for offset in [0, 9, 17, 25, HEADER_BYTES, HEADER_BYTES + 9, HEADER_BYTES + 17, first_frame + 5] {
            assert!(held(&|bytes| bytes[offset] ^= 1).is_empty(), "offset {offset}");
        }
        let last = log.len() - 1;
        assert!(held(&|bytes| bytes[last] ^= 1).is_subset(&whole));
        assert!(held(&|bytes| bytes.truncate(20)).is_empty());
        assert!(pages(&folder.path().join("no-such-log")).is_empty());
    }
}
