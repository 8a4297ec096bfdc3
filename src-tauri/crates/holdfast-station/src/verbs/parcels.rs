//! Parcels: looking into the copy of the city's GIS, and bringing it up to date.
//!
//! Promise: whoever looks for a parcel waits for no network, and is told the age of what is said. The GIS is asked one page at
//! a time through its own breaker, whatever the SoR does meanwhile; a page that comes to nothing changes no copy. When the
//! copy is due is core's to say.

use std::future::Future;
use std::time::Duration;

use holdfast_core::ids::{EndpointName, OperationId};
use holdfast_core::parcel::copying::{CopyRun, CopyStep, PageEnd, ParcelCopy, RunKind, after_page, step};
use holdfast_core::parcel::{CopyStanding, Parcel, Pin, look, standing};
use holdfast_core::time::{Now, UtcMillis};
use holdfast_wire::{
    ApiCode, ApiError, ParcelCopyView, ParcelView, ParcelsRequest, ParcelsView, ReceiptView, ReceiptWarning,
};
use tokio::sync::watch;
use validator::Validate as _;

use crate::beside::BesideAnswer;
use crate::ports::{JournalError, KeepParcels, ParcelsAsk, ParcelsPage, SeenParcel, SorFault, chance};
use crate::station::Station;
use crate::verbs::drain::on_journal;
use crate::views;

/// After a page that came to nothing, in milliseconds; as much again at random.
const RETRY_MS: u64 = 15_000;
/// How long whoever drains once waits for pages after everything else is done, in seconds.
const AFTERWARDS_MAX_S: u64 = 10;
/// Shortest and longest time between two looks whether a page is due, in milliseconds.
const LOOK_MIN_MS: u64 = 10;
const LOOK_MAX_MS: u64 = 60_000;

/// What a look whether a page of parcels is due has come to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParcelsLook {
    /// What became of the copy.
    pub did: ParcelsDid,
    /// When to look again, in milliseconds from now.
    pub look_again_ms: u64,
}

/// What became of the copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParcelsDid {
    /// This station has no GIS.
    NoGis,
    /// The copy is young enough.
    Rested,
    /// A page came, and further ones are due.
    TookPage,
    /// The last page came: the copy is new.
    Renewed,
    /// The GIS gave nothing, or may not be asked now; the copy is as it was.
    Failed,
}

/// Until when the GIS is left alone after it gave nothing.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ParcelsRest {
    from: Now,
    ms: u64,
}

impl Station {
    /// What the copy says about these parcels, and how it stands.
    ///
    /// # Errors
    /// The request is beyond its limits, or the journal cannot be read.
    pub fn parcels(&self, request: &ParcelsRequest) -> Result<ParcelsView, ApiError> {
        let _place = self.read_place()?;
        request.validate().map_err(|_| views::error(ApiCode::Refused))?;
        let pins: Vec<Pin> = request.pins.iter().filter_map(|pin| pin.parse().ok()).collect();
        let now = self.now();
        let facts = self.ports.journal.parcel_facts(now, &pins);
        let facts = facts.map_err(|cause| views::journal_error(&cause))?;
        let parcels = facts.map_or_else(Vec::new, |facts| {
            let found = |pin: &Pin| facts.found.iter().find(|parcel| parcel.pin == *pin).cloned();
            let max_h = self.settings().copy_parcels_max_h;
            let seen = |pin: &Pin, parcel: Option<Parcel>| SeenParcel {
                pin: pin.clone(),
                seen: look(facts.copied, parcel, now, max_h),
                at: now.wall,
            };
            pins.iter().map(|pin| parcel_view(&seen(pin, found(pin)))).collect()
        });
        Ok(ParcelsView {
            parcels,
            copy: self.parcel_copy_view(now).map_err(|cause| views::journal_error(&cause))?,
        })
    }

    /// How the copy stands; none where this station has no GIS.
    pub(crate) fn parcel_copy_view(&self, now: Now) -> Result<Option<ParcelCopyView>, JournalError> {
        let Some(copy) = self.ports.journal.parcel_copy()? else { return Ok(None) };
        let asked = copy.whole.map(|whole| whole.asked);
        Ok(Some(ParcelCopyView {
            copied_at: asked.map(|asked| asked.wall.to_string()),
            age_s: asked.map(|asked| now.millis_since(asked) / 1_000),
            usable: standing(asked, now, self.settings().copy_parcels_max_h) == CopyStanding::Usable,
        }))
    }

    /// The parcels of an operation, as they were seen when it was accepted.
    pub(crate) fn parcels_seen(&self, id: OperationId) -> Result<Vec<ParcelView>, ApiError> {
        let seen = self.ports.journal.parcels_seen(id).map_err(|cause| views::journal_error(&cause))?;
        Ok(seen.iter().map(parcel_view).collect())
    }

    /// The same on a receipt, with what it warns of.
    pub(crate) fn say_what_was_seen(&self, view: &mut ReceiptView, id: OperationId) -> Result<(), ApiError> {
        view.parcels = self.parcels_seen(id)?;
        view.warnings = (0_u32..).zip(&view.parcels).filter_map(|(n, parcel)| warning(n, parcel)).collect();
        Ok(())
    }

    /// Asks the GIS for one page if one is due.
    ///
    /// # Errors
    /// The journal cannot be used.
    pub async fn refresh_parcels_when_due(&self) -> Result<ParcelsLook, ApiError> {
        let every_ms = u64::from(self.settings().parcels_refresh_interval_s) * 1_000;
        self.look_after_parcels(every_ms).await.map_err(|cause| views::journal_error(&cause))
    }

    /// Asks for page after page until the copy is new, however young it was.
    ///
    /// # Errors
    /// `NotFound` where this station has no GIS; `NotAnswering` when it gives nothing, or its breaker lets nothing through.
    pub async fn renew_parcels(&self) -> Result<ParcelsView, ApiError> {
        let _place = self.ask_place()?;
        *self.parcels_rest.lock().await = None;
        loop {
            let look = self.look_after_parcels(0).await.map_err(|cause| views::journal_error(&cause))?;
            match look.did {
                ParcelsDid::TookPage => {}
                ParcelsDid::Rested | ParcelsDid::Renewed => break,
                ParcelsDid::NoGis => return Err(views::error(ApiCode::NotFound)),
                ParcelsDid::Failed => return Err(views::error(ApiCode::NotAnswering)),
            }
        }
        self.parcels(&ParcelsRequest { pins: Vec::new() })
    }

    /// Does something and brings the copy up to date beside it. A page that is being asked for when that is done is waited
    /// for, and so are those that are due after it, for [`AFTERWARDS_MAX_S`] at most.
    pub async fn while_copying_parcels<T>(&self, work: impl Future<Output = T>) -> T {
        if self.ports.beside.gis.is_none() {
            return work.await;
        }
        let (over, is_over) = watch::channel(());
        let work = async move {
            let done = work.await;
            drop(over);
            done
        };
        let (done, ()) = tokio::join!(work, self.copy_parcels_until(is_over));
        done
    }

    async fn copy_parcels_until(&self, is_over: watch::Receiver<()>) {
        let mut until_over = is_over.clone();
        let mut until_late = is_over;
        let late = async {
            let _ = until_late.changed().await;
            tokio::time::sleep(Duration::from_secs(AFTERWARDS_MAX_S)).await;
        };
        let copying = async {
            loop {
                let look = self.refresh_parcels_when_due().await;
                let (goes_on, ms) = look.map_or((false, LOOK_MAX_MS), |look| {
                    (look.did == ParcelsDid::TookPage, look.look_again_ms)
                });
                tokio::select! {
                    _ = until_over.changed(), if !goes_on => return,
                    () = tokio::time::sleep(Duration::from_millis(ms)) => {}
                }
            }
        };
        tokio::select! {
            () = copying => {}
            () = late => {}
        }
    }

    /// Asks for a page when the copy is as old as that, or one is under way.
    async fn look_after_parcels(&self, every_ms: u64) -> Result<ParcelsLook, JournalError> {
        let look = |did, ms: u64| ParcelsLook { did, look_again_ms: ms.clamp(LOOK_MIN_MS, LOOK_MAX_MS) };
        let mut rest = self.parcels_rest.lock().await;
        let now = self.now();
        if let Some(ms) = rest.and_then(|rest| rest.left_ms(now)) {
            return Ok(look(ParcelsDid::Failed, ms));
        }
        let copy = on_journal(&self.ports.journal, |journal| journal.parcel_copy()).await?;
        let Some((copy, gis)) = copy.zip(self.ports.beside.gis.clone()) else {
            return Ok(look(ParcelsDid::NoGis, LOOK_MAX_MS));
        };
        let run = match step(&copy, now, every_ms) {
            CopyStep::Rest { ms } => return Ok(look(ParcelsDid::Rested, ms)),
            CopyStep::Ask(run) => run,
        };
        let ask = asked_by(&run);
        let answer = self
            .ask_beside(&EndpointName::gis(), |sockets| async move { gis.parcels(&ask, sockets).await })
            .await?;
        let retry_ms = RETRY_MS + chance(&*self.ports.entropy).share_of(RETRY_MS);
        let ms = match answer {
            BesideAnswer::Came(page) => match self.keep_page(&copy, run, page).await? {
                Some(did) => return Ok(look(did, if did == ParcelsDid::TookPage { 0 } else { every_ms })),
                None => retry_ms,
            },
            BesideAnswer::Failed(fault) => {
                self.parcels_failed(&copy, &fault).await?;
                retry_ms.min(self.gis_reset_ms())
            }
            BesideAnswer::NotNow { next_try_at } => {
                next_try_at.map_or(retry_ms, |at| until(at, now)).min(retry_ms)
            }
        };
        *rest = Some(ParcelsRest { from: now, ms });
        Ok(look(ParcelsDid::Failed, ms))
    }

    /// A page is kept; none when there are more parcels than a copy holds.
    async fn keep_page(
        &self,
        copy: &ParcelCopy,
        run: CopyRun,
        page: ParcelsPage,
    ) -> Result<Option<ParcelsDid>, JournalError> {
        let ParcelsPage { parcels, next, as_of } = page;
        let end = PageEnd { as_of, rows: parcels.len() as u64, next };
        let copy = match after_page(copy, run.clone(), end) {
            Ok(copy) => copy,
            Err(fault) => {
                tracing::warn!(%fault, "parcels are not copied");
                on_journal(&self.ports.journal, |journal| journal.give_up_parcels()).await?;
                return Ok(None);
            }
        };
        let did = if copy.run.is_some() { ParcelsDid::TookPage } else { ParcelsDid::Renewed };
        if did == ParcelsDid::Renewed {
            tracing::info!(parcels = run.rows + parcels.len() as u64, "parcels copied");
        }
        let page = KeepParcels { run, parcels, copy };
        on_journal(&self.ports.journal, move |journal| journal.keep_parcels(page)).await?;
        Ok(Some(did))
    }

    /// A GIS that is away goes on where it stood; one that does not like the question is asked from the beginning.
    async fn parcels_failed(&self, copy: &ParcelCopy, fault: &SorFault) -> Result<(), JournalError> {
        tracing::warn!(?fault, "no page of parcels came");
        let begins_anew = match fault {
            SorFault::NotAnswering | SorFault::Impostor | SorFault::StationUnauthorized => false,
            SorFault::Unreadable | SorFault::Refused { .. } => copy.run.is_some(),
        };
        if begins_anew {
            on_journal(&self.ports.journal, |journal| journal.give_up_parcels()).await?;
        }
        Ok(())
    }

    /// A GIS that fails is asked as often as its breaker would be tried: so that it is found open, and closed again, in time.
    fn gis_reset_ms(&self) -> u64 {
        self.settings_at(&EndpointName::gis()).breaker().reset_ms
    }
}

impl ParcelsRest {
    fn left_ms(self, now: Now) -> Option<u64> {
        Some(self.ms.saturating_sub(now.millis_since(self.from))).filter(|ms| *ms > 0)
    }
}

fn asked_by(run: &CopyRun) -> ParcelsAsk {
    let changed_since = match run.kind {
        RunKind::Whole => None,
        RunKind::Changes { since } => Some(since),
    };
    ParcelsAsk { after: run.after.clone(), changed_since }
}

fn until(at: UtcMillis, now: Now) -> u64 {
    u64::try_from(at.millis_since(now.wall)).unwrap_or(0)
}

/// One parcel, as it was seen.
pub(crate) fn parcel_view(parcel: &SeenParcel) -> ParcelView {
    let SeenParcel { pin, seen, at } = parcel;
    let known = seen.parcel();
    let as_of = seen.as_of();
    ParcelView {
        pin: pin.to_string(),
        seen: seen.word().to_owned(),
        address: known.and_then(|parcel| parcel.address.clone()),
        zoning: known.map(|parcel| parcel.zoning.clone()),
        overlays: known.map_or_else(Vec::new, |parcel| parcel.overlays.clone()),
        as_of: as_of.map(|as_of| as_of.to_string()),
        age_s: as_of.map(|as_of| u64::try_from(at.millis_since(as_of) / 1_000).unwrap_or(0)),
        warning: seen.warning().map(|warning| warning.code().to_owned()),
    }
}

fn warning(n: u32, parcel: &ParcelView) -> Option<ReceiptWarning> {
    let code = parcel.warning.clone()?;
    Some(ReceiptWarning { code, pointer: format!("/payload/PIN/{n}"), as_of: parcel.as_of.clone() })
}
