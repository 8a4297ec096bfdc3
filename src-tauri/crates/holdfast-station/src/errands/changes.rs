//! The errand of the feed of changes: copies kept fresh between two refreshes, after all work.
//!
//! Promise: one request at the most, and none while anything could be sent or the SoR is strained; what comes is kept by the
//! rule of every copy, with the place in the feed, or the same part is asked for again. An SoR that does not know the place
//! is left to the next whole refresh.

use holdfast_core::changes::{FOLLOW_EVERY_MS, FeedStanding, FeedStep, step};
use holdfast_core::ids::{ApplicationId, FeedCursor};

use crate::ports::{
    ChangesAnswer, ChangesCopy, ChangesPage, CopiedRecord, FeedMove, FeedRest, JournalError, RecordsCopy,
    SorFault,
};
use crate::station::Station;
use crate::verbs::copies::Copying;
use crate::verbs::drain::on_journal;

/// Reads on, where that is due.
pub(crate) async fn follow(station: &Station) -> Result<(), JournalError> {
    // Whoever fetches copies now does the same.
    let Ok(mut copying) = station.copying.try_lock() else { return Ok(()) };
    let now = station.now();
    let feed = on_journal(&station.ports.journal, |journal| journal.feed()).await?;
    let standing = FeedStanding {
        cursor: feed.cursor,
        backlog: feed.backlog,
        pace: station.pacing.pace(),
        rest: copying.feed_rest,
    };
    match step(&standing, now) {
        FeedStep::Wait => Ok(()),
        FeedStep::Rest { ms } => {
            station.pacing.rested();
            copying.feed_rest = Some((now, ms));
            Ok(())
        }
        FeedStep::Follow(cursor) => match feed.owed {
            Some(id) => fetch_owed(station, &mut copying, id).await,
            None => read_on(station, &mut copying, &cursor).await,
        },
    }
}

async fn read_on(station: &Station, copying: &mut Copying, cursor: &FeedCursor) -> Result<(), JournalError> {
    let copy = begun(station).await?;
    let answer = station.ports.sor.changes(Some(cursor)).await;
    copying.feed_rest = Some((station.now(), FOLLOW_EVERY_MS));
    match answer {
        Ok(ChangesAnswer::Page(ChangesPage { mut records, gone, next, rest })) => {
            if rest == FeedRest::More {
                copying.feed_rest = None;
            }
            // The latest comes first in a copy, and last in the feed.
            records.reverse();
            let feed = FeedMove::Goes { next, rest };
            keep(station, ChangesCopy { copy: RecordsCopy { records, ..copy }, gone, feed }).await
        }
        Ok(ChangesAnswer::BeginAnew | ChangesAnswer::NotOffered) => {
            on_journal(&station.ports.journal, |journal| journal.forget_feed()).await
        }
        Err(error) => {
            tracing::warn!(%error, "changes are asked for again later");
            Ok(())
        }
    }
}

/// What changed there while work on it waited here, and waits no longer.
async fn fetch_owed(station: &Station, copying: &mut Copying, id: ApplicationId) -> Result<(), JournalError> {
    let copy = begun(station).await?;
    match station.ports.sor.record(id).await {
        Ok(record) => keep(station, owed(copy, record)).await,
        Err(error @ SorFault::NotAnswering) => {
            tracing::warn!(%error, "a changed record is asked for again later");
            copying.feed_rest = Some((station.now(), FOLLOW_EVERY_MS));
            Ok(())
        }
        // It is not shown to this station any more; the next change, or the next whole refresh, brings it.
        Err(error) => {
            tracing::warn!(%error, "a changed record cannot be fetched");
            on_journal(&station.ports.journal, move |journal| journal.forgive(id)).await
        }
    }
}

fn owed(copy: RecordsCopy, record: CopiedRecord) -> ChangesCopy {
    ChangesCopy {
        copy: RecordsCopy { records: vec![record], ..copy },
        gone: Vec::new(),
        feed: FeedMove::Stays,
    }
}

/// Written down before the SoR is asked.
async fn begun(station: &Station) -> Result<RecordsCopy, JournalError> {
    let (asked, likeness_window_h) = (station.now(), station.settings().likeness_window_h);
    let mark = on_journal(&station.ports.journal, |journal| journal.change_mark()).await?;
    Ok(RecordsCopy { asked, mark, likeness_window_h, records: Vec::new() })
}

async fn keep(station: &Station, changes: ChangesCopy) -> Result<(), JournalError> {
    on_journal(&station.ports.journal, move |journal| journal.keep_changes(changes)).await
}
