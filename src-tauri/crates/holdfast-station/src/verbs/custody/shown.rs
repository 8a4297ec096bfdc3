//! What is said of copies: beside each operation, in numbers, and as the mirror itself lists them.

use std::collections::BTreeSet;

use holdfast_core::ids::{IdempotencyKey, LocalSeq};
use holdfast_wire::{ApiCode, ApiError, CopyInCustody, CopyRow, CustodyCopiesView, CustodyView, QueueRow};

use crate::ports::{Custody, HeldCopy, Sockets, SorFault};
use crate::station::Station;
use crate::views;

/// Copies of the mirror's list that are read, in rows.
const LIST_MAX_ROWS: usize = 10_000;
/// The same of one page.
const PAGE_ROWS: u32 = 200;

impl Station {
    /// Says of each operation of a list whether the mirror holds a copy of it.
    pub(crate) fn say_what_lies_in_custody<'r>(
        &self,
        rows: impl Iterator<Item = &'r mut QueueRow>,
    ) -> Result<(), ApiError> {
        let rows: Vec<&mut QueueRow> = rows.collect();
        let keys: Vec<IdempotencyKey> =
            rows.iter().filter_map(|row| row.idempotency_key.parse().ok()).collect();
        let held = self.ports.journal.in_custody(&keys).map_err(|cause| views::journal_error(&cause))?;
        let held: BTreeSet<String> = held.iter().map(ToString::to_string).collect();
        for row in rows {
            row.copy = held.contains(&row.idempotency_key).then_some(CopyInCustody::Held);
        }
        Ok(())
    }

    /// How many copies there are; none where no mirror holds any.
    pub(crate) fn custody_view(&self) -> Result<Option<CustodyView>, crate::ports::JournalError> {
        let counts = self.ports.journal.custody_counts()?;
        Ok(counts.map(|counts| CustodyView {
            held: counts.held,
            waiting: counts.waiting,
            refused: counts.refused,
        }))
    }

    /// This station's copies as the mirror lists them. A person asks: the question goes whatever the mirror's breaker says, and
    /// says nothing to it.
    ///
    /// # Errors
    /// `NotFound` where no mirror holds copies; the SoR's faults; too many are asking.
    pub async fn copies_in_custody(&self) -> Result<CustodyCopiesView, ApiError> {
        let _place = self.ask_place()?;
        let mirror = self.ports.beside.custody.clone().ok_or_else(|| views::error(ApiCode::NotFound))?;
        let copies = all_pages(&*mirror).await.map_err(|fault| views::sor_error(&fault))?;
        Ok(CustodyCopiesView { copies: copies.iter().map(row).collect() })
    }
}

/// Page after page, at most [`LIST_MAX_ROWS`]; each page goes on where the last one ended.
async fn all_pages(mirror: &dyn Custody) -> Result<Vec<HeldCopy>, SorFault> {
    let (mut copies, mut after) = (Vec::new(), LocalSeq(0));
    loop {
        let page = mirror.copies(after, PAGE_ROWS, Sockets::Kept).await?;
        copies.extend(page.copies);
        match page.next {
            Some(next) if next > after && copies.len() < LIST_MAX_ROWS => after = next,
            Some(_) | None => return Ok(copies),
        }
    }
}

fn row(copy: &HeldCopy) -> CopyRow {
    CopyRow {
        idempotency_key: copy.key.to_string(),
        receipt_no: copy.receipt_no.to_string(),
        kind: copy.kind.to_string(),
        accepted_at: copy.accepted_at.to_string(),
        actor: copy.actor.to_string(),
        digest: copy.digest.to_string(),
        held_at: copy.held_at.to_string(),
    }
}
