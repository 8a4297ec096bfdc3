//! Copies: fetching what is carried while the SoR answers.
//!
//! Promise: a copy is fetched whole before anything of it is kept, and dated by when it was asked for; what was accepted
//! here is never overwritten by it. Fetching waits for nobody's counter and counts for no breaker: an SoR whose breaker is
//! not closed is not asked at all. Deliberately not here: reading copies, see [`crate::verbs::inspections`].
//!
//! Where the SoR has a feed of changes, records are fetched whole once and read on from there; between two refreshes an errand
//! does the same (`crate::errands::changes`).
//!
//! Visits are fetched for as many days ahead as a copy may be used, so that a laptop that leaves for the week has the week.

use std::collections::BTreeSet;
use std::time::Duration;

use holdfast_core::breaker::Admission;
use holdfast_core::ids::{ActorId, ApplicationId, EndpointName, FeedCursor};
use holdfast_core::limits::COPY_RECORDS_MAX_ROWS;
use holdfast_core::time::{Date, Now};
use holdfast_wire::{ApiCode, ApiError, CopiesView};

use crate::ports::{
    ChangeMark, ChangesAnswer, ChangesCopy, CopiedRecord, CopiedVisit, FeedMove, FeedRest, RecordsCopy,
    SorFault, Standing, VisitsAsk, VisitsCopy, chance,
};
use crate::station::Station;
use crate::verbs::drain::on_journal;
use crate::verbs::sign_in::OpenedSession;
use crate::views;

/// One refresh, all of its requests together, in seconds.
const REFRESH_MAX_S: u64 = 60;
/// Pages of records in one refresh.
const PAGES_MAX: usize = 100;
/// Between two refreshes of one person's copy, in milliseconds.
const COPY_EVERY_MS: u64 = 5 * 60_000;
/// After a refresh that failed, in milliseconds; as much again at random.
const RETRY_MS: u64 = 30_000;
const HOURS_OF_A_DAY: u32 = 24;

/// Held by the one refresh that is under way: until when the next one is left.
#[derive(Debug, Default)]
pub(crate) struct Copying {
    rest: Option<Rest>,
    /// Since when the feed of changes is left alone, and for how long, in milliseconds.
    pub(crate) feed_rest: Option<(Now, u64)>,
}

#[derive(Clone, Copy, Debug)]
struct Rest {
    from: Now,
    ms: u64,
}

/// What is written down before the SoR is asked.
#[derive(Clone)]
struct Begun {
    asked: Now,
    mark: ChangeMark,
    cursor: Option<FeedCursor>,
}

/// What the SoR gave, whole.
struct Fetched {
    visits: Vec<CopiedVisit>,
    records: Vec<CopiedRecord>,
    gone: Vec<ApplicationId>,
    feed: FeedMove,
}

/// Records, those that are there no longer, and where the feed stands with them.
type Came = (Vec<CopiedRecord>, Vec<ApplicationId>, FeedMove);

impl Station {
    /// Fetches copies for whoever is signed in, after any refresh that is under way.
    ///
    /// # Errors
    /// `NotSignedIn`; `NotAnswering`, also when the breaker is not closed; `Impostor` or `SystemRefused`. The copies before
    /// stay, but where the journal failed between the two.
    pub async fn refresh_copies(&self) -> Result<CopiesView, ApiError> {
        let _place = self.ask_place()?;
        let assignee = self.signed_in()?.actor;
        let mut copying = self.copying.lock().await;
        self.copy_now(&mut copying, &assignee).await
    }

    /// The same for the person of a session that is not taken up.
    ///
    /// # Errors
    /// As [`Station::refresh_copies`].
    pub async fn refresh_copies_of(&self, opened: &OpenedSession) -> Result<CopiesView, ApiError> {
        let mut copying = self.copying.lock().await;
        self.copy_now(&mut copying, opened.actor()).await
    }

    /// The same when it is time: somebody is signed in whose copy is five minutes old or not there, the SoR answers, and
    /// the backlog of an outage has gone before. `None` when it is not.
    ///
    /// # Errors
    /// As [`Station::refresh_copies`].
    pub async fn refresh_copies_when_due(&self) -> Result<Option<CopiesView>, ApiError> {
        let Ok(signed) = self.signed_in() else { return Ok(None) };
        let Ok(mut copying) = self.copying.try_lock() else { return Ok(None) };
        if !self.copy_is_due(&mut copying, &signed.actor).await? {
            return Ok(None);
        }
        self.copy_now(&mut copying, &signed.actor).await.map(Some)
    }

    async fn copy_is_due(&self, copying: &mut Copying, assignee: &ActorId) -> Result<bool, ApiError> {
        let (now, actor) = (self.now(), assignee.clone());
        let read = move |journal: &dyn crate::ports::Journal| {
            Ok((journal.standing()?, journal.visits_asked(&actor)?))
        };
        let (standing, asked) =
            on_journal(&self.ports.journal, read).await.map_err(|cause| views::journal_error(&cause))?;
        if !answers(&standing, now) || goes_before(&standing) {
            // Every station of an office hears at once that the SoR is back: each one comes at a moment of its own.
            copying.rest =
                Some(self.rest(0, self.settings_at(&EndpointName::primary()).first_drain_jitter_ms()));
            return Ok(false);
        }
        let is_young =
            asked.is_some_and(|asked| asked.wall <= now.wall && !now.has_passed(asked, COPY_EVERY_MS));
        Ok(!is_young && copying.rest.is_none_or(|rest| now.has_passed(rest.from, rest.ms)))
    }

    async fn copy_now(&self, copying: &mut Copying, assignee: &ActorId) -> Result<CopiesView, ApiError> {
        let limit = Duration::from_secs(REFRESH_MAX_S);
        let copied = tokio::time::timeout(limit, self.copy(assignee)).await;
        let copied = copied.unwrap_or_else(|_| Err(views::error(ApiCode::NotAnswering)));
        copying.rest = copied.is_err().then(|| self.rest(RETRY_MS, RETRY_MS));
        match &copied {
            Ok(view) => tracing::info!(inspections = view.inspections, records = view.records, "copied"),
            Err(error) => tracing::warn!(code = ?error.code, "not copied"),
        }
        copied
    }

    async fn copy(&self, assignee: &ActorId) -> Result<CopiesView, ApiError> {
        let begun = self.begin_copy().await?;
        let fetched = self.fetch(&self.visits_ask(assignee, begun.asked), begun.cursor.as_ref()).await;
        let fetched = fetched.map_err(|fault| views::sor_error(&fault))?;
        self.keep_copy(assignee, begun, fetched).await
    }

    async fn begin_copy(&self) -> Result<Begun, ApiError> {
        let asked = self.now();
        let read = move |journal: &dyn crate::ports::Journal| {
            Ok((journal.standing()?, journal.change_mark()?, journal.feed()?.cursor))
        };
        let (standing, mark, cursor) =
            on_journal(&self.ports.journal, read).await.map_err(|cause| views::journal_error(&cause))?;
        if answers(&standing, asked) {
            Ok(Begun { asked, mark, cursor })
        } else {
            Err(views::error(ApiCode::NotAnswering))
        }
    }

    fn visits_ask(&self, assignee: &ActorId, asked: Now) -> VisitsAsk {
        let today = asked.wall.day_in(&self.zone());
        let days_ahead = self.settings().copy_inspections_max_h / HOURS_OF_A_DAY;
        VisitsAsk { assignee: assignee.clone(), open_until: days_after(today, days_ahead), done_on: today }
    }

    async fn fetch(&self, ask: &VisitsAsk, cursor: Option<&FeedCursor>) -> Result<Fetched, SorFault> {
        let visits = self.ports.sor.visits(ask).await?;
        let changed = match cursor {
            Some(cursor) => self.changed_records(cursor).await?,
            None => None,
        };
        let (mut records, gone, feed) = match changed {
            Some(changed) => changed,
            None => self.whole_records().await?,
        };
        for id in self.missing(&visits, &records, &feed).await? {
            records.push(self.ports.sor.record(id).await?);
        }
        Ok(Fetched { visits, records, gone, feed })
    }

    /// The latest of them, and where the feed stood before they were listed, so that it brings what changes meanwhile.
    async fn whole_records(&self) -> Result<Came, SorFault> {
        let feed = match self.ports.sor.changes(None).await? {
            ChangesAnswer::Page(page) => FeedMove::Begins(page.next),
            ChangesAnswer::BeginAnew | ChangesAnswer::NotOffered => FeedMove::Ends,
        };
        Ok((self.latest_records().await?, Vec::new(), feed))
    }

    /// What changed since; none where the place is not known there, or more changed than is carried.
    async fn changed_records(&self, cursor: &FeedCursor) -> Result<Option<Came>, SorFault> {
        let (mut records, mut gone, mut since) = (Vec::new(), Vec::new(), cursor.clone());
        for _ in 0..PAGES_MAX {
            let page = match self.ports.sor.changes(Some(&since)).await? {
                ChangesAnswer::Page(page) => page,
                ChangesAnswer::BeginAnew | ChangesAnswer::NotOffered => return Ok(None),
            };
            records.extend(page.records);
            gone.extend(page.gone);
            since = page.next;
            if page.rest == FeedRest::All {
                // The latest comes first in a copy, and last in the feed.
                records.reverse();
                return Ok(Some((records, gone, FeedMove::Goes { next: since, rest: FeedRest::All })));
            }
            if records.len() > COPY_RECORDS_MAX_ROWS {
                break;
            }
        }
        Ok(None)
    }

    /// Applications of visits that did not come along; of a feed those that are not known here either.
    async fn missing(
        &self,
        visits: &[CopiedVisit],
        records: &[CopiedRecord],
        feed: &FeedMove,
    ) -> Result<Vec<ApplicationId>, SorFault> {
        let came: BTreeSet<_> = records.iter().map(|record| record.application_id).collect();
        let ids: BTreeSet<ApplicationId> =
            visits.iter().map(|copied| copied.application_id).filter(|id| !came.contains(id)).collect();
        let ids: Vec<_> = ids.into_iter().collect();
        match feed {
            FeedMove::Begins(_) | FeedMove::Ends | FeedMove::Stays => Ok(ids),
            FeedMove::Goes { .. } => {
                let all = ids.clone();
                let unknown = on_journal(&self.ports.journal, move |journal| journal.unknown_here(ids)).await;
                // Whoever cannot look asks for all of them.
                Ok(unknown.unwrap_or(all))
            }
        }
    }

    async fn latest_records(&self) -> Result<Vec<CopiedRecord>, SorFault> {
        let (mut records, mut after) = (Vec::new(), None);
        for _ in 0..PAGES_MAX {
            let page = self.ports.sor.records(after.as_deref()).await?;
            records.extend(page.records);
            after = page.next.filter(|_| records.len() < COPY_RECORDS_MAX_ROWS);
            if after.is_none() {
                break;
            }
        }
        records.truncate(COPY_RECORDS_MAX_ROWS);
        Ok(records)
    }

    /// Records first: each visit's application is known when the visit is kept.
    async fn keep_copy(
        &self,
        assignee: &ActorId,
        begun: Begun,
        fetched: Fetched,
    ) -> Result<CopiesView, ApiError> {
        let Begun { asked, mark, cursor: _ } = begun;
        let Fetched { visits, records, gone, feed } = fetched;
        let view = CopiesView {
            copied_at: asked.wall.to_string(),
            inspections: views::shown(visits.len() as u64),
            records: views::shown(records.len() as u64),
        };
        let assignee = assignee.clone();
        let likeness_window_h = self.settings().likeness_window_h;
        let kept = on_journal(&self.ports.journal, move |journal| {
            let copy = RecordsCopy { asked, mark, likeness_window_h, records };
            journal.keep_changes(ChangesCopy { copy, gone, feed })?;
            journal.keep_visits(VisitsCopy { asked, assignee, visits })
        });
        kept.await.map_err(|cause| views::journal_error(&cause))?;
        Ok(view)
    }

    fn rest(&self, least_ms: u64, random_ms: u64) -> Rest {
        Rest { from: self.now(), ms: least_ms + chance(&*self.ports.entropy).share_of(random_ms) }
    }
}

/// Whether the breaker is closed.
fn answers(standing: &Standing, now: Now) -> bool {
    let primary = EndpointName::primary();
    let primary = standing.endpoints.iter().find(|endpoint| endpoint.name == primary);
    primary.is_some_and(|primary| primary.breaker.admission(now) == Admission::Closed)
}

/// Whether something that was accepted before the breaker last closed still waits.
fn goes_before(standing: &Standing) -> bool {
    let primary = EndpointName::primary();
    let primary = standing.endpoints.iter().find(|endpoint| endpoint.name == primary);
    let through = primary.and_then(|primary| primary.recovering_through);
    through.zip(standing.oldest).is_some_and(|(through, (oldest, _))| oldest <= through)
}

fn days_after(day: Date, days: u32) -> Date {
    (0..days).try_fold(day, |day, _| day.tomorrow()).unwrap_or(day)
}
