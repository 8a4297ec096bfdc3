//! The errand of conflicts: what the SoR has where an operation was refused because its record had changed.
//!
//! Promise: asked once for each conflict, one at a time and a few in a row; what is not known is asked for again by the
//! next drain. Nothing waits for it, and an SoR that does not answer ends it.

use crate::ports::{JournalError, SorFault, Unfetched};
use crate::station::Station;
use crate::verbs::drain::on_journal;

/// Records that are asked for before the next attempt goes out.
const FETCHED_AT_ONCE_MAX: u32 = 8;

/// Fetches what is not known.
pub(crate) async fn fetch(station: &Station) -> Result<(), JournalError> {
    let unfetched =
        on_journal(&station.ports.journal, |journal| journal.unfetched(FETCHED_AT_ONCE_MAX)).await?;
    for conflict in unfetched {
        match fetch_one(station, conflict).await? {
            // What is wrong with one record says nothing about the next.
            Ok(()) | Err(SorFault::Refused { .. } | SorFault::Unreadable) => {}
            Err(SorFault::NotAnswering | SorFault::Impostor | SorFault::StationUnauthorized) => break,
        }
    }
    Ok(())
}

/// Fetches the record of one conflict, whatever is known of it.
pub(crate) async fn fetch_one(
    station: &Station,
    conflict: Unfetched,
) -> Result<Result<(), SorFault>, JournalError> {
    let record = match station.ports.sor.record(conflict.application_id).await {
        Ok(record) => record,
        Err(fault) => {
            tracing::warn!(error = %fault, "a record in conflict was not fetched");
            return Ok(Err(fault));
        }
    };
    let at = station.now().wall;
    on_journal(&station.ports.journal, move |journal| journal.keep_theirs(conflict.operation_id, record, at))
        .await?;
    Ok(Ok(()))
}
