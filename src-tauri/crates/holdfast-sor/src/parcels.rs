//! The port `Parcels`: a city's GIS over HTTP.
//!
//! Promise: a page is taken whole or not at all: one parcel that cannot be read, is beyond the limits, or stands there
//! twice makes the whole page unreadable, so that no copy looks complete and is not. Parcels are public: no
//! credential of the station goes there. Members that this program does not know are passed over.

use std::collections::BTreeSet;

use async_trait::async_trait;
use holdfast_core::ids::SorIdentity;
use holdfast_core::outcome::Identity;
use holdfast_core::parcel::Parcel;
use holdfast_core::time::UtcMillis;
use holdfast_station::ports::{Parcels, ParcelsAsk, ParcelsPage, Sockets, SorFault};
use reqwest::Url;
use serde::Deserialize;

use crate::answer::{identity, long_json};
use crate::connection::Endpoint;
use crate::exchange::{Ask, Deadline, Ended, Whole, ask};
use crate::fault::fault;
use crate::settings::{SettingsFault, SorSettings};

/// One page, in bytes.
const PAGE_MAX_BYTES: usize = 4 * 1024 * 1024;
/// Parcels of one page, in rows.
const PAGE_ROWS: usize = 250;
/// How the GIS calls a page, in bytes.
const CURSOR_MAX_BYTES: usize = 256;

/// The GIS, over HTTP.
pub struct GisClient {
    endpoint: Endpoint,
    identity: SorIdentity,
}

#[derive(Deserialize)]
struct Page {
    parcels: Vec<Parcel>,
    next: Option<String>,
    as_of: UtcMillis,
}

impl GisClient {
    /// A client for the GIS that the station was set up with. Nothing is sent yet.
    ///
    /// # Errors
    /// An address or limits that are refused, see [`SettingsFault`].
    pub fn new(settings: SorSettings) -> Result<Self, SettingsFault> {
        Ok(Self { endpoint: Endpoint::new(settings.endpoint)?, identity: settings.identity })
    }

    fn url(&self, page: &ParcelsAsk) -> Url {
        let mut url = self.endpoint.url("v1/parcels");
        let mut query = url.query_pairs_mut();
        query.append_pair("limit", &PAGE_ROWS.to_string());
        if let Some(after) = &page.after {
            query.append_pair("after", after);
        }
        if let Some(since) = page.changed_since {
            query.append_pair("changed_since", &since.to_string());
        }
        drop(query);
        url
    }
}

#[async_trait]
impl Parcels for GisClient {
    async fn parcels(&self, page: &ParcelsAsk, sockets: Sockets) -> Result<ParcelsPage, SorFault> {
        let deadline = Deadline::of(&self.endpoint);
        let client = match sockets {
            Sockets::Kept => self.endpoint.kept(),
            Sockets::Fresh => self.endpoint.fresh(),
        };
        let client = client.map_err(|_| SorFault::NotAnswering)?;
        let url = self.url(page);
        let build = || Ask::get("/v1/parcels", url.clone(), PAGE_MAX_BYTES);
        match ask(&self.endpoint, &client, deadline, build).await {
            Ended::Whole(whole) if is_page(&whole, &self.identity) => {
                read(&whole, page).ok_or(SorFault::Unreadable)
            }
            ended @ (Ended::NotAsked | Ended::Unreachable(_) | Ended::Lost(_) | Ended::Whole(_)) => {
                Err(fault(&ended, &self.identity))
            }
        }
    }
}

fn is_page(whole: &Whole, pinned: &SorIdentity) -> bool {
    whole.status == 200 && identity(whole, pinned) == Identity::Right
}

fn read(whole: &Whole, asked: &ParcelsAsk) -> Option<ParcelsPage> {
    let Page { parcels, next, as_of } = long_json(whole, PAGE_MAX_BYTES)?;
    let pins: BTreeSet<_> = parcels.iter().map(|parcel| &parcel.pin).collect();
    let once = pins.len() == parcels.len();
    let goes_on = next.as_ref().is_none_or(|next| {
        let elsewhere = next.len() <= CURSOR_MAX_BYTES && Some(next) != asked.after.as_ref();
        elsewhere && !parcels.is_empty()
    });
    let fits = parcels.len() <= PAGE_ROWS && parcels.iter().all(Parcel::fits);
    (once && goes_on && fits).then_some(ParcelsPage { parcels, next, as_of })
}
