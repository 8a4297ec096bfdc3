//! When the city's parcels are copied, and how far a copy has come.
//!
//! Promise: a copy of all parcels is whole or not at all. It is taken page by page and goes on where it stood; until its last
//! page is here, what is looked into is the copy before. From then on only what changed is asked for, and all of them again
//! after a day, since what is gone is in no list of changes. A copy is dated by when its run was asked for.

use serde::{Deserialize, Serialize};

use crate::limits::COPY_PARCELS_MAX_ROWS;
use crate::time::{Now, UtcMillis};

/// All parcels are asked for again after this, in milliseconds.
const WHOLE_EVERY_MS: u64 = 24 * 3_600_000;
/// A run that has not come to its end in this time begins anew, in milliseconds.
const RUN_MAX_MS: u64 = 24 * 3_600_000;
/// A change that was being written while the run before was read is asked for once more, in milliseconds.
const OVERLAP_MS: i64 = 60_000;

/// How far the copy of the city's parcels has come.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ParcelCopy {
    /// The one that is looked into.
    pub whole: Option<WholeCopy>,
    /// The run that is under way.
    pub run: Option<CopyRun>,
}

/// A whole copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WholeCopy {
    /// Which rows are its own.
    pub generation: u32,
    /// When the run that brought it up to date was asked for.
    pub asked: Now,
    /// The same by the clock of the GIS.
    pub as_of: UtcMillis,
    /// When all of them were asked for last.
    pub whole_asked: Now,
}

/// A run that is under way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CopyRun {
    /// What it asks for.
    pub kind: RunKind,
    /// Where its rows go.
    pub generation: u32,
    /// When it was begun.
    pub asked: Now,
    /// The same by the clock of the GIS; none before its first page.
    pub as_of: Option<UtcMillis>,
    /// After what the next page begins.
    pub after: Option<String>,
    /// Parcels so far.
    pub rows: u64,
}

/// What a run asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RunKind {
    /// All parcels.
    Whole,
    /// What changed since, by the clock of the GIS.
    Changes {
        /// Since when.
        since: UtcMillis,
    },
}

/// What is to be done now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CopyStep {
    /// The next page of this run is asked for.
    Ask(CopyRun),
    /// The copy is young enough.
    Rest {
        /// For how long, in milliseconds.
        ms: u64,
    },
}

/// What a page says beside its parcels.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PageEnd {
    /// When it was read, by the clock of the GIS.
    pub as_of: UtcMillis,
    /// Parcels on it.
    pub rows: u64,
    /// After what the next one begins; none on the last.
    pub next: Option<String>,
}

/// There are more parcels than a copy holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there are more parcels than a copy holds")]
pub struct TooManyParcels;

/// What is to be done now, when a copy is brought up to date every `interval_ms`.
#[must_use]
pub fn step(copy: &ParcelCopy, now: Now, interval_ms: u64) -> CopyStep {
    let goes_on = |run: &&CopyRun| !now.has_passed(run.asked, RUN_MAX_MS) && run.asked.wall <= now.wall;
    if let Some(run) = copy.run.as_ref().filter(goes_on) {
        return CopyStep::Ask(run.clone());
    }
    // A copy from the future says nothing: all of it is asked for again.
    let Some(whole) = copy.whole.filter(|whole| whole.asked.wall <= now.wall) else {
        return CopyStep::Ask(begun(copy, RunKind::Whole, now));
    };
    if now.has_passed(whole.whole_asked, WHOLE_EVERY_MS) {
        return CopyStep::Ask(begun(copy, RunKind::Whole, now));
    }
    match interval_ms.saturating_sub(now.millis_since(whole.asked)) {
        0 => {
            let since = whole.as_of.plus_millis(-OVERLAP_MS);
            CopyStep::Ask(begun(copy, RunKind::Changes { since }, now))
        }
        ms => CopyStep::Rest { ms },
    }
}

/// A run that begins now. All parcels go to a place of their own; changes go where the copy is.
fn begun(copy: &ParcelCopy, kind: RunKind, now: Now) -> CopyRun {
    let used = copy.whole.map_or(0, |whole| whole.generation);
    let given_up = copy.run.as_ref().map_or(0, |run| run.generation);
    let generation = match kind {
        RunKind::Whole => used.max(given_up).saturating_add(1),
        RunKind::Changes { .. } => used,
    };
    CopyRun { kind, generation, asked: now, as_of: None, after: None, rows: 0 }
}

/// How far the copy has come when a page of the run is here.
///
/// # Errors
/// [`TooManyParcels`]; the run is given up.
pub fn after_page(copy: &ParcelCopy, run: CopyRun, page: PageEnd) -> Result<ParcelCopy, TooManyParcels> {
    let as_of = run.as_of.unwrap_or(page.as_of);
    let rows = run.rows + page.rows;
    if rows > COPY_PARCELS_MAX_ROWS as u64 {
        return Err(TooManyParcels);
    }
    if let Some(after) = page.next {
        let run = CopyRun { as_of: Some(as_of), after: Some(after), rows, ..run };
        return Ok(ParcelCopy { run: Some(run), ..copy.clone() });
    }
    let whole_asked = match (run.kind, copy.whole) {
        (RunKind::Changes { .. }, Some(whole)) => whole.whole_asked,
        (RunKind::Whole, _) | (RunKind::Changes { .. }, None) => run.asked,
    };
    let whole = WholeCopy { generation: run.generation, asked: run.asked, as_of, whole_asked };
    Ok(ParcelCopy { whole: Some(whole), run: None })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::time::BootMillis;

    const EVERY_MS: u64 = 900_000;

    fn at(s: u64) -> Now {
        let noon: UtcMillis = "2026-11-30T12:00:00.000Z".parse().unwrap();
        let ms = s * 1_000;
        Now { wall: noon.plus_millis(i64::try_from(ms).unwrap()), boot: BootMillis(ms) }
    }

    fn asked(copy: &ParcelCopy, now: Now) -> CopyRun {
        match step(copy, now, EVERY_MS) {
            CopyStep::Ask(run) => run,
            CopyStep::Rest { ms } => panic!("rests for {ms} ms"),
        }
    }

    fn page(now: Now, next: Option<&str>) -> PageEnd {
        PageEnd { as_of: now.wall.plus_millis(5_000), rows: 250, next: next.map(str::to_owned) }
    }

    fn whole(now: Now) -> ParcelCopy {
        let run = asked(&ParcelCopy::default(), now);
        after_page(&ParcelCopy::default(), run, page(now, None)).unwrap()
    }

    #[test]
    fn the_first_copy_is_whole_only_with_its_last_page_and_dated_by_when_it_was_begun() {
        let none = ParcelCopy::default();
        let run = asked(&none, at(0));
        assert_eq!((run.kind, run.generation, &run.after), (RunKind::Whole, 1, &None));
        let half = after_page(&none, run, page(at(1), Some("b"))).unwrap();
        assert_eq!(half.whole, None);
        let run = asked(&half, at(60));
        assert_eq!((run.after.as_deref(), run.asked), (Some("b"), at(0)), "it goes on where it stood");
        let done = after_page(&half, run, page(at(61), None)).unwrap();
        let expected =
            WholeCopy { generation: 1, asked: at(0), as_of: page(at(1), None).as_of, whole_asked: at(0) };
        assert_eq!(done, ParcelCopy { whole: Some(expected), run: None });
    }

    #[test]
    fn a_young_copy_rests_an_older_one_asks_for_changes_and_after_a_day_for_all() {
        let copy = whole(at(0));
        assert_eq!(step(&copy, at(300), EVERY_MS), CopyStep::Rest { ms: 600_000 });
        let run = asked(&copy, at(900));
        let since = copy.whole.unwrap().as_of.plus_millis(-OVERLAP_MS);
        assert_eq!((run.kind, run.generation), (RunKind::Changes { since }, 1));
        let newer = after_page(&copy, run, page(at(900), None)).unwrap();
        assert_eq!(newer.whole.unwrap().asked, at(900));
        assert_eq!(newer.whole.unwrap().whole_asked, at(0));
        let run = asked(&newer, at(24 * 3_600));
        assert_eq!((run.kind, run.generation), (RunKind::Whole, 2));
    }

    #[test]
    fn a_run_that_does_not_end_begins_anew_beside_what_it_left() {
        let run = asked(&ParcelCopy::default(), at(0));
        let half = after_page(&ParcelCopy::default(), run, page(at(0), Some("b"))).unwrap();
        let run = asked(&half, at(24 * 3_600));
        assert_eq!((run.generation, run.after, run.asked), (2, None, at(24 * 3_600)));
    }

    #[test]
    fn a_copy_from_the_future_is_asked_for_again() {
        let copy = whole(at(1_000));
        assert_eq!(asked(&copy, at(0)).kind, RunKind::Whole);
    }

    #[test]
    fn more_parcels_than_a_copy_holds_are_no_copy() {
        let run = CopyRun { rows: COPY_PARCELS_MAX_ROWS as u64, ..asked(&ParcelCopy::default(), at(0)) };
        assert_eq!(after_page(&ParcelCopy::default(), run, page(at(0), None)), Err(TooManyParcels));
    }
}
