//! Noticing at a start that this folder came back from an older copy: the signed head beside the database names an event
//! that is not there.
//!
//! Promise: told in the audit before anything else is written, with the head that is overwritten by it; and no number that
//! may have been given out in the events that are gone is given out again. A head of another folder, or one whose signature
//! does not hold, says nothing: `audit verify` tells that.

use holdfast_core::audit::{Entry, EventKind, SignedHead};
use holdfast_core::reprove::events_missing;
use holdfast_station::ports::NoticedBy;

use crate::fault::Fault;
use crate::turn::Turn;
use crate::{audit, counts, head, secret, skipped};

pub(crate) fn notice(turn: &mut Turn<'_>) -> Result<(), Fault> {
    let Some(signed) = own_head(turn)? else { return Ok(()) };
    let tail = audit::tail(&turn.tx, turn.record)?;
    let Some(numbers) = events_missing(counts::last_seq(&turn.tx)?, tail.seq, signed.head.seq) else {
        return Ok(());
    };
    let decide = Box::new(move |numbers: &holdfast_core::reprove::StationWentBack| {
        let entry = Entry::new(EventKind::StationRestored).with("noticed_by", NoticedBy::Head);
        let entry = entry.with("first", numbers.first).with("last", numbers.last);
        let entry = entry.with("events", tail.seq).with("head_seq", signed.head.seq);
        vec![entry.with("head_hash", signed.head.hash).with("head_at", signed.head.at)]
    });
    tracing::warn!("this folder came back from an older copy; numbers are passed over");
    skipped::skip(turn, numbers.last, NoticedBy::Head, decide)
}

fn own_head(turn: &Turn<'_>) -> Result<Option<SignedHead>, Fault> {
    let Ok(signed) = head::read(turn.folder) else { return Ok(None) };
    let is_own = signed.head.db_id == turn.record.db_id && signed.head.station_id == turn.record.station_id;
    let key = secret::station_key(&turn.tx)?.public();
    Ok(Some(signed).filter(|signed| is_own && signed.check(&key).is_ok()))
}
