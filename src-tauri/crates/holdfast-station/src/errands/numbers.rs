//! The errand of permit numbers: another block before the last one is used up, and what becomes of numbers never used.
//!
//! Promise: a block is asked for under an id that is on the disk before the SoR hears of it, so that neither a lost answer
//! nor a kill leases two; one request for each thing that is due, and an SoR that does not answer ends the errand.

use holdfast_core::numbers::{Supply, of_year, supply, year};
use uuid::Uuid;

use crate::ports::{JournalError, LeaseCame, NumberLease, NumberStock, RetiredNumbers, SorFault, random_id};
use crate::settings::NumberSource;
use crate::station::Station;
use crate::verbs::drain::on_journal;

/// Does what is due.
pub(crate) async fn look_after(station: &Station) -> Result<(), JournalError> {
    let stock = retired(station, stock(station).await?).await?;
    if !stock.to_report.is_empty() && !report(station, stock.to_report.clone()).await? {
        return Ok(());
    }
    match due(station, &stock) {
        Some(lease) => ask(station, lease).await,
        None => Ok(()),
    }
}

impl Station {
    /// The same where somebody has just heard from the SoR; what does not come now comes with the next drain.
    pub async fn look_after_numbers(&self) {
        if let Err(error) = look_after(self).await {
            tracing::warn!(%error, "permit numbers were not looked after");
        }
    }
}

/// Numbers of years that are over, and all of them once the SoR assigns numbers again.
async fn retired(station: &Station, stock: NumberStock) -> Result<NumberStock, JournalError> {
    let which = match station.settings().numbers {
        NumberSource::Leased => RetiredNumbers::Before(this_year(station)),
        NumberSource::Assigned => RetiredNumbers::All,
    };
    let over = stock.free.iter().any(|numbers| match which {
        RetiredNumbers::Before(year) => numbers.year < year,
        RetiredNumbers::All => true,
    });
    if !over {
        return Ok(stock);
    }
    let now = station.now();
    on_journal(&station.ports.journal, move |journal| journal.retire_numbers(now, which)).await?;
    self::stock(station).await
}

/// Whether the SoR answered.
async fn report(
    station: &Station,
    numbers: Vec<holdfast_core::ids::PermitNum>,
) -> Result<bool, JournalError> {
    match station.ports.sor.void_numbers(&numbers).await {
        Ok(()) => {
            let now = station.now();
            on_journal(&station.ports.journal, move |journal| journal.numbers_reported(now, numbers)).await?;
            Ok(true)
        }
        Err(fault) => {
            tracing::warn!(error = %fault, "unused permit numbers were not reported");
            Ok(matches!(fault, SorFault::Refused { .. }))
        }
    }
}

/// The block that is asked for now: the one that was asked for before, or another one where few are left.
fn due(station: &Station, stock: &NumberStock) -> Option<NumberLease> {
    let settings = station.settings();
    let year = this_year(station);
    let few = match settings.numbers {
        NumberSource::Assigned => false,
        NumberSource::Leased => {
            let left = of_year(&stock.free, year).map_or(0, |numbers| numbers.left);
            supply(left, settings.number_low_mark) != Supply::Ample
        }
    };
    let fresh = || NumberLease {
        lease_id: random_id(&*station.ports.entropy, station.now()),
        year,
        count: settings.number_block_size,
    };
    stock.asked.clone().or_else(|| few.then(fresh))
}

async fn ask(station: &Station, lease: NumberLease) -> Result<(), JournalError> {
    let now = station.now();
    let lease = on_journal(&station.ports.journal, move |journal| journal.ask_numbers(now, lease)).await?;
    match station.ports.sor.lease_numbers(&lease).await {
        Ok(numbers) => keep(station, lease.lease_id, LeaseCame::Leased(numbers)).await,
        Err(fault @ SorFault::Refused { .. }) => {
            tracing::warn!(error = %fault, "no permit numbers were leased");
            keep(station, lease.lease_id, LeaseCame::Refused).await
        }
        Err(fault) => {
            tracing::warn!(error = %fault, "permit numbers are asked for again later");
            Ok(())
        }
    }
}

async fn keep(station: &Station, lease_id: Uuid, came: LeaseCame) -> Result<(), JournalError> {
    let now = station.now();
    on_journal(&station.ports.journal, move |journal| journal.keep_numbers(now, lease_id, came)).await
}

async fn stock(station: &Station) -> Result<NumberStock, JournalError> {
    on_journal(&station.ports.journal, |journal| journal.number_stock()).await
}

fn this_year(station: &Station) -> i16 {
    year(station.now().wall, &station.zone())
}
