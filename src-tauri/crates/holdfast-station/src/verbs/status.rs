//! Status: in which mode the station works, and what it has.

use holdfast_core::contract::Validity;
use holdfast_core::headroom::{DiskSpace, HeadroomClass, WorkClass, admits, assess};
use holdfast_core::ids::EndpointName;
use holdfast_core::mode::{Intake, Mode, ModeInputs, mode};
use holdfast_core::numbers::{Supply, of_year, supply, year};
use holdfast_core::time::Now;
use holdfast_wire::{
    ApiError, BacklogView, BreakerView, CustodyView, HeadroomView, ParcelCopyView, StatusView,
};

use crate::ports::{EndpointRecord, JournalError, NoticeFacts, Standing};
use crate::settings::NumberSource;
use crate::station::Station;
use crate::verbs::standing::notices::notices;
use crate::views;

const MIB: u64 = 1024 * 1024;

/// What was read at one moment, and the mode that follows.
pub(crate) struct Reading {
    pub(crate) now: Now,
    pub(crate) standing: Standing,
    pub(crate) space: DiskSpace,
    pub(crate) class: HeadroomClass,
    pub(crate) mode: Mode,
    /// Of copies; none where no mirror holds any.
    pub(crate) custody: Option<CustodyView>,
    pub(crate) notices: NoticeFacts,
    /// Of the permit numbers of this year; none where the SoR gives them.
    pub(crate) numbers: Option<Supply>,
    /// How the copy of parcels stands; none where there is no GIS.
    pub(crate) parcels: Option<ParcelCopyView>,
}

impl Station {
    /// The whole standing, from one transaction.
    ///
    /// # Errors
    /// The journal cannot be read.
    pub fn status(&self) -> Result<StatusView, ApiError> {
        self.read_status().map_err(|cause| views::journal_error(&cause))
    }

    fn read_status(&self) -> Result<StatusView, JournalError> {
        Ok(self.status_of(&self.read()?))
    }

    pub(crate) fn read(&self) -> Result<Reading, JournalError> {
        let now = self.now();
        let standing = self.ports.journal.standing()?;
        let space = self.ports.journal.space()?;
        let class = assess(standing.headroom, space, &self.settings().headroom());
        let mode = self.mode(&standing, class, now);
        let custody = self.custody_view()?;
        let notices = self.ports.journal.notices()?;
        let numbers = self.number_supply(now)?;
        let parcels = self.parcel_copy_view(now)?;
        Ok(Reading { now, standing, space, class, mode, custody, notices, numbers, parcels })
    }

    fn number_supply(&self, now: Now) -> Result<Option<Supply>, JournalError> {
        let settings = self.settings();
        match settings.numbers {
            NumberSource::Assigned => Ok(None),
            NumberSource::Leased => {
                let free = self.ports.journal.number_stock()?.free;
                let left = of_year(&free, year(now.wall, &self.zone())).map_or(0, |numbers| numbers.left);
                Ok(Some(supply(left, settings.number_low_mark)))
            }
        }
    }

    pub(crate) fn status_of(&self, reading: &Reading) -> StatusView {
        let Reading { now, standing, space, class, mode, custody, notices: _, numbers: _, parcels } = reading;
        let now = *now;
        let books = &standing.books;
        StatusView {
            mode: mode.word().to_owned(),
            breakers: standing.endpoints.iter().map(|endpoint| breaker(endpoint, now)).collect(),
            backlog: BacklogView {
                count: books.pending + books.in_flight,
                oldest_accepted_at: standing.oldest.map(|(_, at)| at.to_string()),
            },
            books: views::books(books),
            counts: views::counts(&standing.counts),
            contract: views::contract(standing.contract, now, self.settings().schema_cache_ttl_h),
            headroom: HeadroomView { free_mib: space.available_bytes / MIB, class: class.word().to_owned() },
            custody: *custody,
            outages_open: standing.outages_open,
            notices: notices(reading),
            parcels: parcels.clone(),
        }
    }

    pub(crate) fn mode(&self, standing: &Standing, class: HeadroomClass, now: Now) -> Mode {
        let ttl_h = self.settings().schema_cache_ttl_h;
        let valid =
            standing.contract.is_some_and(|(_, attested)| attested.validity(now, ttl_h) == Validity::Valid);
        let room = admits(class, WorkClass::Standard) && standing.stopped_at.is_none();
        let open = valid && self.rules().is_some() && room;
        let primary = EndpointName::primary();
        let primary = standing.endpoints.iter().find(|endpoint| endpoint.name == primary);
        mode(&ModeInputs {
            intake: if open { Intake::Open } else { Intake::Paused },
            primary: primary.map_or(holdfast_core::breaker::Admission::Closed, |p| p.breaker.admission(now)),
            recovering_through: primary.and_then(|primary| primary.recovering_through),
            oldest_waiting: standing.oldest.map(|(seq, _)| seq),
        })
    }
}

fn breaker(endpoint: &EndpointRecord, now: Now) -> BreakerView {
    BreakerView {
        endpoint: endpoint.name.to_string(),
        state: endpoint.breaker.state_word(now).to_owned(),
        since: endpoint.breaker.since().to_string(),
        next_try_at: endpoint.breaker.next_try_at(now).map(|at| at.to_string()),
    }
}
