//! The file: each page's authentication code, then the tree that the pages form.

use rusqlite::Connection;

use super::{Finding, Findings, Look, Part, log};
use crate::fault::Fault;

/// Lines that the engine's own check may answer.
const STRUCTURE_LINES_MAX: u32 = 100;
/// How often a page is looked at before it is called damaged.
const LOOKS: u32 = 3;

/// Whether the contents can be looked at afterwards.
pub(super) fn look(look: &Look<'_>, findings: &mut Findings) -> bool {
    let damaged = lastingly_damaged_pages(look);
    if damaged.contains(&1) {
        findings.add(Finding::Header);
        return false;
    }
    let whole = damaged.is_empty();
    damaged.into_iter().for_each(|page| findings.add(Finding::Page { page }));
    // The tree above a damaged page only repeats the news.
    if whole {
        let structure = structure(look, findings);
        findings.add_fault(Part::Pages, structure);
    }
    true
}

/// Those that are damaged however often one looks: a page that a writer is just writing may be seen half old, half new.
fn lastingly_damaged_pages(look: &Look<'_>) -> Vec<u64> {
    // The key is right, so that a connection that does not come about is the first page's fault.
    let once = || damaged_pages(look).unwrap_or_else(|_| vec![1]);
    let mut damaged = once();
    for _ in 1..LOOKS {
        if !damaged.is_empty() {
            let again = once();
            damaged.retain(|page| again.contains(page));
        }
    }
    damaged
}

/// Pages whose code does not fit. Those in the log are checked as they are read; their places in the file do not count.
fn damaged_pages(look: &Look<'_>) -> Result<Vec<u64>, Fault> {
    let conn = look.connect_unread()?;
    let mut statement = conn.prepare("PRAGMA cipher_integrity_check")?;
    let lines = statement.query_map([], |row| row.get::<_, String>(0))?;
    let lines = lines.collect::<rusqlite::Result<Vec<_>>>()?;
    let in_log = log::pages(&look.log());
    let pages = lines.iter().map(|line| page_of(line)).filter(|page| !in_log.contains(page));
    let mut pages: Vec<u64> = pages.collect();
    if pages.is_empty() && !first_page_reads(look) {
        pages.push(1);
    }
    Ok(pages)
}

/// The page that a line names; one that names none says something about the whole file.
fn page_of(line: &str) -> u64 {
    let number = line.split_once("page ").map(|(_, rest)| rest);
    let number = number.and_then(|rest| rest.split(' ').next()).and_then(|number| number.parse().ok());
    number.unwrap_or(1)
}

fn first_page_reads(look: &Look<'_>) -> bool {
    let read = |conn: Connection| conn.query_row("SELECT count(*) FROM sqlite_schema", [], |_| Ok(()));
    look.connect().and_then(read).is_ok()
}

fn structure(look: &Look<'_>, findings: &mut Findings) -> Result<(), Fault> {
    let conn = look.connect()?;
    let mut statement = conn.prepare(&format!("PRAGMA integrity_check({STRUCTURE_LINES_MAX})"))?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let what: String = row.get(0)?;
        if what != "ok" {
            findings.add(Finding::Structure { what });
        }
    }
    let mut statement = conn.prepare("PRAGMA foreign_key_check")?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let table: String = row.get(0)?;
        findings.add(Finding::Structure { what: format!("a row of {table} refers to nothing") });
    }
    Ok(())
}
