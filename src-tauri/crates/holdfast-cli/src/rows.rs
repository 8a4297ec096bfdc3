//! The rows of a CSV file (RFC 4180), plain or gzip, one after the other.
//!
//! Promise: no file, however long, compressed or malformed, takes more memory than one row may have; a row that cannot be
//! read is named by the line where it begins, and the next row is read from where it ends. What the cells mean is
//! judged elsewhere.

mod source;

use std::io::{self, BufRead};

use csv_core::{ReadRecordResult, Reader};
use holdfast_core::limits::JSON_MAX_BYTES;
use holdfast_core::problem::{Problem, ProblemCode};

pub(crate) use source::{Consumed, Fault, open};

/// One row; more would not fit into an operation.
const ROW_MAX_BYTES: usize = JSON_MAX_BYTES;
/// Cells of one row; the columns of BLDS are far fewer.
const ROW_MAX_CELLS: usize = 512;

/// Reads rows.
pub(crate) struct Rows<R> {
    input: R,
    parser: Reader,
    line: u64,
    text: Box<[u8]>,
    ends: Box<[usize]>,
}

/// One row.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Row {
    /// Line of the file where it begins, from 1.
    pub(crate) line: u64,
    /// Its cells, unquoted, or why they cannot be read.
    pub(crate) cells: Result<Vec<String>, Problem>,
}

impl<R: BufRead> Rows<R> {
    /// From the beginning of `input`.
    pub(crate) fn new(input: R) -> Self {
        let text = vec![0; ROW_MAX_BYTES].into_boxed_slice();
        let ends = vec![0; ROW_MAX_CELLS].into_boxed_slice();
        Self { input, parser: Reader::new(), line: 1, text, ends }
    }

    /// The next row that is not empty; `None` at the end.
    ///
    /// # Errors
    /// The file cannot be read any further.
    pub(crate) fn next(&mut self) -> io::Result<Option<Row>> {
        if !self.skip_line_ends()? {
            return Ok(None);
        }
        let line = self.line;
        let cells = self.cells()?;
        Ok(Some(Row { line, cells }))
    }

    /// The line that is read next, from 1.
    pub(crate) fn line(&self) -> u64 {
        self.line
    }

    /// Whether there is a row after the empty lines.
    fn skip_line_ends(&mut self) -> io::Result<bool> {
        loop {
            let input = self.input.fill_buf()?;
            if input.is_empty() {
                return Ok(false);
            }
            let ends = input.iter().take_while(|byte| matches!(byte, b'\n' | b'\r')).count();
            let row_begins = ends < input.len();
            self.consume(ends)?;
            if row_begins {
                return Ok(true);
            }
        }
    }

    fn cells(&mut self) -> io::Result<Result<Vec<String>, Problem>> {
        let (mut bytes, mut cells, mut fits) = (0, 0, true);
        loop {
            let input = self.input.fill_buf()?;
            // A last row may lack its line end; a quote that is still open then shows itself.
            let (chunk, at_end) = if input.is_empty() { (&b"\n"[..], true) } else { (input, false) };
            let (result, read, wrote, ended) =
                self.parser.read_record(chunk, &mut self.text[bytes..], &mut self.ends[cells..]);
            (bytes, cells) = (bytes + wrote, cells + ended);
            if !at_end {
                self.consume(read)?;
            }
            match result {
                ReadRecordResult::Record | ReadRecordResult::End if fits => {
                    return Ok(texts(&self.text[..bytes], &self.ends[..cells]));
                }
                ReadRecordResult::Record | ReadRecordResult::End => return Ok(Err(unreadable())),
                ReadRecordResult::InputEmpty if at_end => return Ok(Err(unreadable())),
                ReadRecordResult::InputEmpty => {}
                // Too much for one row: read to its end, and keep nothing.
                ReadRecordResult::OutputFull | ReadRecordResult::OutputEndsFull => {
                    (bytes, cells, fits) = (0, 0, false);
                }
            }
        }
    }

    fn consume(&mut self, bytes: usize) -> io::Result<()> {
        let lines = self.input.fill_buf()?[..bytes].iter().filter(|byte| **byte == b'\n').count();
        self.line += u64::try_from(lines).unwrap_or(0);
        self.input.consume(bytes);
        Ok(())
    }
}

fn texts(row: &[u8], ends: &[usize]) -> Result<Vec<String>, Problem> {
    let mut begin = 0;
    let mut cells = Vec::with_capacity(ends.len());
    for end in ends {
        let cell =
            std::str::from_utf8(&row[begin..*end]).map_err(|_| Problem::at("", ProblemCode::Encoding))?;
        cells.push(cell.to_owned());
        begin = *end;
    }
    Ok(cells)
}

fn unreadable() -> Problem {
    Problem::at("", ProblemCode::Unreadable)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use std::io::BufReader;

    type Seen = (u64, Result<Vec<String>, &'static str>);

    fn rows_of(bytes: &[u8], buffer_bytes: usize) -> Vec<Seen> {
        let mut rows = Rows::new(BufReader::with_capacity(buffer_bytes, bytes));
        let mut seen = Vec::new();
        while let Some(row) = rows.next().unwrap() {
            seen.push((row.line, row.cells.map_err(|problem| problem.code.as_str())));
        }
        seen
    }

    fn row(line: u64, cells: &[&str]) -> Seen {
        (line, Ok(cells.iter().map(|cell| (*cell).to_owned()).collect()))
    }

    #[test]
    fn a_row_is_named_by_the_line_where_it_begins() {
        let cases: [(&[u8], Vec<Seen>); 9] = [
            (b"a,b\nc,d\n", vec![row(1, &["a", "b"]), row(2, &["c", "d"])]),
            (b"a\r\nb\r\nc", vec![row(1, &["a"]), row(2, &["b"]), row(3, &["c"])]),
            (b"\n\na\n\n\nb", vec![row(3, &["a"]), row(6, &["b"])]),
            (b"\"a\nb\",c\nd", vec![row(1, &["a\nb", "c"]), row(3, &["d"])]),
            (b"12\" pipe,x\ny", vec![row(1, &["12\" pipe", "x"]), row(2, &["y"])]),
            (b"\"say \"\"hi\"\"\",\n", vec![row(1, &["say \"hi\"", ""])]),
            (b"a\n\xff,b\nc", vec![row(1, &["a"]), (2, Err("encoding")), row(3, &["c"])]),
            (b"a\n\"open,b\nc\n", vec![row(1, &["a"]), (2, Err("unreadable"))]),
            (b"", vec![]),
        ];
        for (bytes, expected) in cases {
            for buffer_bytes in [1, 3, 8192] {
                assert_eq!(rows_of(bytes, buffer_bytes), expected, "{:?}", String::from_utf8_lossy(bytes));
            }
        }
    }

    #[test]
    fn a_letter_cut_by_a_comma_is_no_letter() {
        assert_eq!(rows_of(b"\xc3,\xa9\n", 8192), [(1, Err("encoding"))]);
    }

    #[test]
    fn a_row_that_is_too_large_is_refused_and_the_next_is_read() {
        let long_cell = [b"a,".to_vec(), vec![b'x'; 3 * ROW_MAX_BYTES], b"\nb\n".to_vec()].concat();
        assert_eq!(rows_of(&long_cell, 8192), [(1, Err("unreadable")), row(2, &["b"])]);
        let many_cells = [vec![b','; ROW_MAX_CELLS], b"\nb\n".to_vec()].concat();
        assert_eq!(rows_of(&many_cells, 8192), [(1, Err("unreadable")), row(2, &["b"])]);
        let open_quote = [b"a\n\"".to_vec(), vec![b'x'; 2 * ROW_MAX_BYTES]].concat();
        assert_eq!(rows_of(&open_quote, 8192), [row(1, &["a"]), (2, Err("unreadable"))]);
    }
}
