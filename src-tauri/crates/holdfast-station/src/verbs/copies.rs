//! Copies: fetching what is carried while the SoR answers.
//!
//! Promise: a copy is fetched whole before anything of it is kept, and dated by when it was asked for; what was accepted
//! here is never overwritten by it. Fetching waits for nobody's counter and counts for no breaker: an SoR whose breaker is
//! not closed is not asked at all. Deliberately not here: reading copies, see [`crate::verbs::inspections`].
//!
//! Visits are fetched for as many days ahead as a copy may be used, so that a laptop that leaves for the week has the week.

use std::collections::BTreeSet;
use std::time::Duration;

use holdfast_core::breaker::Admission;
use holdfast_core::ids::{ActorId, ApplicationId, EndpointName};
use holdfast_core::limits::COPY_RECORDS_MAX_ROWS;
use holdfast_core::time::{Date, Now};
use holdfast_wire::{ApiCode, ApiError, CopiesView};

use crate::ports::{
    ChangeMark, CopiedRecord, CopiedVisit, RecordsCopy, SorFault, Standing, VisitsAsk, VisitsCopy, chance,
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
}

#[derive(Clone, Copy, Debug)]
struct Rest {
    from: Now,
    ms: u64,
}

/// What is written down before the SoR is asked.
#[derive(Clone, Copy)]
struct Begun {
    asked: Now,
    mark: ChangeMark,
}

/// What the SoR gave, whole.
struct Fetched {
    visits: Vec<CopiedVisit>,
    records: Vec<CopiedRecord>,
}

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
            copying.rest = Some(self.rest(0, self.settings().first_drain_jitter_ms()));
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
        let fetched = self.fetch(&self.visits_ask(assignee, begun.asked)).await;
        let fetched = fetched.map_err(|fault| views::sor_error(&fault))?;
        self.keep_copy(assignee, begun, fetched).await
    }

    async fn begin_copy(&self) -> Result<Begun, ApiError> {
        let asked = self.now();
        let read =
            move |journal: &dyn crate::ports::Journal| Ok((journal.standing()?, journal.change_mark()?));
        let (standing, mark) =
            on_journal(&self.ports.journal, read).await.map_err(|cause| views::journal_error(&cause))?;
        if answers(&standing, asked) {
            Ok(Begun { asked, mark })
        } else {
            Err(views::error(ApiCode::NotAnswering))
        }
    }

    fn visits_ask(&self, assignee: &ActorId, asked: Now) -> VisitsAsk {
        let today = asked.wall.day_in(&self.zone());
        let days_ahead = self.settings().copy_inspections_max_h / HOURS_OF_A_DAY;
        VisitsAsk { assignee: assignee.clone(), open_until: days_after(today, days_ahead), done_on: today }
    }

    async fn fetch(&self, ask: &VisitsAsk) -> Result<Fetched, SorFault> {
        let visits = self.ports.sor.visits(ask).await?;
        let mut records = self.latest_records().await?;
        let known: BTreeSet<_> = records.iter().map(|record| record.application_id).collect();
        let missing: BTreeSet<ApplicationId> =
            visits.iter().map(|copied| copied.application_id).filter(|id| !known.contains(id)).collect();
        for id in missing {
            records.push(self.ports.sor.record(id).await?);
        }
        Ok(Fetched { visits, records })
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
        let Begun { asked, mark } = begun;
        let Fetched { visits, records } = fetched;
        let view = CopiesView {
            copied_at: asked.wall.to_string(),
            inspections: views::shown(visits.len() as u64),
            records: views::shown(records.len() as u64),
        };
        let assignee = assignee.clone();
        let kept = on_journal(&self.ports.journal, move |journal| {
            journal.keep_records(RecordsCopy { asked, mark, records })?;
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
