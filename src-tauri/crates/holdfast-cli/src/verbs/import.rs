//! `import`: rows of a BLDS core-permits file, each accepted as an application of its own. No connection to the SoR is
//! opened.
//!
//! Promise: a row that is refused is named by its line and takes no other with it; a fault of the station itself stops
//! the import at once, and what was accepted until then is reported and stays accepted. The same file again finds every
//! row as accepted already.

use std::io::BufRead;
use std::path::Path;

use holdfast_core::import::Columns;
use holdfast_core::problem::{Problem, ProblemCode};
use holdfast_station::{Stop, problem_view};
use holdfast_wire::{ApiCode, ApiError, ImportEnd, ImportReport, RefusedRow};

use crate::compose::{Desk, WayToSor};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::{Form, say};
use crate::progress::Progress;
use crate::rows::{self, Consumed, Fault, Row, Rows};
use crate::signals::stop_on_signal;
use crate::table::printable;
use crate::verbs::plain_problems;
use crate::writing::{NotDone, Writer};

/// Refused rows that are named; a file with more of them is not what it seems.
const REFUSED_MAX_ROWS: usize = 10_000;

pub(crate) fn import(desk: &Desk, file: &Path, limit: Option<u64>, form: Form) -> Result<Exit, Failure> {
    let unreadable = |cause| Failure::of_io(&format!("{} cannot be read", file.display()), &cause);
    let (source, consumed) = rows::open(file).map_err(unreadable)?;
    let mut rows = Rows::new(source);
    // Judged before anything is opened: a file that is refused whole needs no store.
    let columns = header(&mut rows).map_err(unreadable)?.map_err(|problems| not_this_file(&problems))?;
    let mut writer = desk.writer(WayToSor::ForOthers)?;
    let (_, stop) =
        stop_on_signal().map_err(|cause| Failure::of_io("signals cannot be listened to", &cause))?;
    let mut import = Import { writer: &mut writer, columns, report: ImportReport::default(), rows: 0 };
    let end = import.take_all(&mut rows, limit.unwrap_or(u64::MAX), &stop, &consumed);
    let report = import.report;
    let audited = audit(&mut writer, &report);
    let exit = finish(&report, end, form)?;
    Ok(audited.map_or(exit, |failure| failure.exit))
}

/// Says that the import ended, to the log and to the audit. What goes wrong is said here: the report is the one document
/// of this command.
fn audit(writer: &mut Writer<'_>, report: &ImportReport) -> Option<Failure> {
    let refused = report.refused.len();
    tracing::info!(accepted = report.accepted, already = report.already, refused, "imported");
    let refused = u64::try_from(refused).unwrap_or(u64::MAX);
    let end = ImportEnd { accepted: report.accepted, already: report.already, refused };
    let failure = Failure::from(writer.import_ended(end).err()?);
    say(&format!("the end of the import could not be audited: {failure}"));
    Some(failure)
}

/// Why the rows ended.
enum End {
    /// There are no more, or no more are wanted.
    AllTaken,
    /// A person, or the machine, asked.
    Asked,
    /// The file cannot be read further.
    FileFailed(std::io::Error),
    /// The station cannot accept.
    StationFailed(Failure),
    /// Too many were refused.
    TooManyRefused,
}

struct Import<'a, 'd> {
    writer: &'a mut Writer<'d>,
    columns: Columns,
    report: ImportReport,
    rows: u64,
}

impl Import<'_, '_> {
    fn take_all<R: BufRead>(
        &mut self,
        rows: &mut Rows<R>,
        limit: u64,
        stop: &Stop,
        consumed: &Consumed,
    ) -> End {
        let mut progress = Progress::on_stderr();
        while self.rows < limit {
            if stop.is_asked() {
                return End::Asked;
            }
            if self.report.refused.len() >= REFUSED_MAX_ROWS {
                return End::TooManyRefused;
            }
            let row = match rows.next() {
                Ok(Some(row)) => row,
                Ok(None) => return End::AllTaken,
                Err(cause) => return self.file_ended(rows.line(), cause),
            };
            if let Err(failure) = self.take(row) {
                return End::StationFailed(failure);
            }
            self.rows += 1;
            progress.at(self.rows, || self.line(consumed));
        }
        End::AllTaken
    }

    fn take(&mut self, row: Row) -> Result<(), Failure> {
        let Row { line, cells } = row;
        let mapped = cells.map_err(|problem| vec![problem]).and_then(|cells| self.columns.payload(&cells));
        let row = match mapped {
            Ok(row) => row,
            Err(problems) => {
                self.refuse(line, &problems);
                return Ok(());
            }
        };
        match self.writer.import_row(&row) {
            Ok(false) => self.report.accepted += 1,
            Ok(true) => self.report.already += 1,
            Err(NotDone::Refused(ApiError { code: ApiCode::Refused, problems })) => {
                self.report.refused.push(RefusedRow { line, problems });
            }
            Err(error) => return Err(error.into()),
        }
        Ok(())
    }

    fn refuse(&mut self, line: u64, problems: &[Problem]) {
        self.report.refused.push(RefusedRow { line, problems: problems.iter().map(problem_view).collect() });
    }

    /// What is wrong with the file itself is a row's problem; a failing disk is not.
    fn file_ended(&mut self, line: u64, cause: std::io::Error) -> End {
        match Fault::of(&cause) {
            Fault::Content => {
                self.refuse(line, &[Problem::at("", ProblemCode::CutOff)]);
                End::AllTaken
            }
            Fault::Disk => End::FileFailed(cause),
        }
    }

    fn line(&self, consumed: &Consumed) -> String {
        let ImportReport { accepted, already, refused } = &self.report;
        let expected = consumed.rows_expected(self.rows);
        format!("accepted {accepted} of about {expected} rows ({already} already, {} refused)", refused.len())
    }
}

/// The columns, or what is wrong with the first line.
fn header<R: BufRead>(rows: &mut Rows<R>) -> std::io::Result<Result<Columns, Vec<Problem>>> {
    let whole = |code| Ok(Err(vec![Problem::at("", code)]));
    match rows.next() {
        Ok(Some(Row { cells: Ok(cells), .. })) => Ok(Columns::from_header(&cells)),
        Ok(Some(Row { cells: Err(problem), .. })) => Ok(Err(vec![problem])),
        Ok(None) => whole(ProblemCode::NoHeader),
        Err(cause) if Fault::of(&cause) == Fault::Content => whole(ProblemCode::CutOff),
        Err(cause) => Err(cause),
    }
}

fn not_this_file(problems: &[Problem]) -> Failure {
    Failure {
        problems: problems.iter().map(problem_view).collect(),
        ..Failure::new(Exit::Refused, "refused", "the header (line 1) is refused, and no row was taken")
    }
}

fn finish(report: &ImportReport, end: End, form: Form) -> Result<Exit, Failure> {
    form.show(report, plain)?;
    let refused = if report.refused.is_empty() { Exit::Done } else { Exit::Refused };
    let stopped = |why: &str, exit| {
        say(&format!(
            "stopped: {why}; what was accepted stays accepted, and the same file goes on from there"
        ));
        Ok(exit)
    };
    match end {
        End::AllTaken => Ok(refused),
        End::Asked => stopped("it was asked to", Exit::Surroundings),
        End::TooManyRefused => stopped(&format!("{REFUSED_MAX_ROWS} rows were refused"), Exit::Refused),
        End::FileFailed(cause) => stopped(&format!("the file cannot be read ({cause})"), Exit::Surroundings),
        End::StationFailed(failure) => stopped(&failure.sentence, failure.exit),
    }
}

fn plain(report: &ImportReport) -> String {
    let counts = format!(
        "accepted  {}\nalready   {}\nrefused   {}\n",
        report.accepted,
        report.already,
        report.refused.len()
    );
    let rows = report.refused.iter().map(|row| {
        let problems = plain_problems(&row.problems);
        printable(&format!("line {}: {}", row.line, problems.trim_end().replace('\n', "; "))) + "\n"
    });
    counts + &rows.collect::<String>()
}
