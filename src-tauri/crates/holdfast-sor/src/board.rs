//! The port `Board` over HTTP: a station's own report, and what all stations told last.
//!
//! Promise: it speaks to its own address with its own pinned identity and its own token, one attempt within the limits per
//! call. A page is taken whole or not at all, and only from the identity that was pinned. What a head that comes back means is
//! judged by core.

use std::sync::Arc;

use async_trait::async_trait;
use holdfast_core::audit::SignedHead;
use holdfast_core::board::{BoardReport, BoardRow};
use holdfast_core::canonical::canonical;
use holdfast_core::ids::StationId;
use holdfast_core::limits::JSON_MAX_BYTES;
use holdfast_core::sign::KeyPair;
use holdfast_core::time::UtcMillis;
use holdfast_station::ports::{Board, BoardPage, Clock, Entropy, Sockets, SorFault};
use serde::Deserialize;

use crate::answer::{json, long_json};
use crate::client::SorClient;
use crate::exchange::{Ask, Ended, Whole};
use crate::fault::fault;
use crate::settings::{SettingsFault, SorSettings};

/// Stations of one page, in rows.
const PAGE_ROWS: usize = 20;
/// One page, in bytes: each row is a report and the head that is kept beside it.
const PAGE_MAX_BYTES: usize = PAGE_ROWS * (JSON_MAX_BYTES + 4 * 1024);

/// The board, over HTTP.
pub struct BoardClient {
    board: SorClient,
}

/// `PUT /v1/stations/{id}`
#[derive(Deserialize)]
struct Told {
    head: SignedHead,
}

/// `GET /v1/stations`
#[derive(Deserialize)]
struct Stations {
    stations: Vec<BoardRow>,
    next: Option<StationId>,
    as_of: UtcMillis,
}

impl BoardClient {
    /// A client for the board that the station was set up with. Nothing is sent yet.
    ///
    /// # Errors
    /// An address or limits that are refused, see [`SettingsFault`].
    pub fn new(
        settings: SorSettings,
        station_key: KeyPair,
        clock: Arc<dyn Clock>,
        entropy: Arc<dyn Entropy>,
    ) -> Result<Self, SettingsFault> {
        Ok(Self { board: SorClient::new(settings, station_key, clock, entropy)? })
    }

    fn report_ask(&self, report: &BoardReport) -> Ask {
        let endpoint = &self.board.endpoint;
        let url = endpoint.url(&format!("v1/stations/{}", report.station_id));
        Ask::put("/v1/stations/{id}", url, canonical(report), endpoint.limits().body_max_bytes)
    }

    fn page_ask(&self, after: Option<&StationId>) -> Ask {
        let mut url = self.board.endpoint.url("v1/stations");
        url.query_pairs_mut().append_pair("limit", &PAGE_ROWS.to_string());
        if let Some(after) = after {
            url.query_pairs_mut().append_pair("after", after.as_str());
        }
        Ask::get("/v1/stations", url, PAGE_MAX_BYTES)
    }

    fn refused<T>(&self, whole: Box<Whole>) -> Result<T, SorFault> {
        Err(fault(&Ended::Whole(whole), &self.board.identity))
    }
}

#[async_trait]
impl Board for BoardClient {
    async fn tell(&self, report: &BoardReport, sockets: Sockets) -> Result<SignedHead, SorFault> {
        let whole = self.board.fetch_over(sockets, || self.report_ask(report)).await?;
        match whole.status {
            200 | 201 => json::<Told>(&whole).map(|Told { head, .. }| head).ok_or(SorFault::Unreadable),
            0..200 | 202..=u16::MAX => self.refused(whole),
        }
    }

    async fn stations(&self, after: Option<&StationId>, sockets: Sockets) -> Result<BoardPage, SorFault> {
        let whole = self.board.fetch_over(sockets, || self.page_ask(after)).await?;
        match whole.status {
            200 => page(&whole, after).ok_or(SorFault::Unreadable),
            0..200 | 201..=u16::MAX => self.refused(whole),
        }
    }
}

/// A page that goes on where the last one ended, in order: whoever follows it comes to an end.
fn page(whole: &Whole, after: Option<&StationId>) -> Option<BoardPage> {
    let Stations { stations: rows, next, as_of } = long_json(whole, PAGE_MAX_BYTES)?;
    let names: Vec<&StationId> =
        after.into_iter().chain(rows.iter().map(|row| &row.report.station_id)).collect();
    let in_order = names.windows(2).all(|pair| pair[0] < pair[1]);
    let last = rows.last().map(|row| &row.report.station_id);
    let goes_on = next.is_none() || next.as_ref() == last;
    (in_order && goes_on && rows.len() <= PAGE_ROWS).then_some(BoardPage { rows, next, as_of })
}
