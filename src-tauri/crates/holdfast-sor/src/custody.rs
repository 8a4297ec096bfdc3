//! The port `Custody` over HTTP: copies of accepted operations at the mirror.
//!
//! Promise: it speaks to its own address with its own pinned identity and its own token, one attempt within the limits per
//! call. A copy counts as held only when the mirror names the digest of exactly the bytes that were brought, under their key;
//! whoever names another is no mirror. A page is taken whole or not at all.

use std::sync::Arc;

use async_trait::async_trait;
use holdfast_core::canonical::sha256;
use holdfast_core::ids::{ActorId, Digest, IdempotencyKey, LocalSeq, ReceiptNo, StationId};
use holdfast_core::limits::JSON_MAX_BYTES;
use holdfast_core::operation::Kind;
use holdfast_core::sign::KeyPair;
use holdfast_core::time::UtcMillis;
use holdfast_station::ports::{Clock, Custody, CustodyPage, Entropy, HeldCopy, Sockets, SorFault};
use serde::Deserialize;

use crate::answer::{json, long_json};
use crate::client::SorClient;
use crate::exchange::{Ask, Ended, Whole};
use crate::fault::fault;
use crate::settings::{SettingsFault, SorSettings};

/// Copies of one page, in rows.
const PAGE_MAX_ROWS: u32 = 200;
/// One row of it, in bytes: keys, times and names.
const ROW_MAX_BYTES: usize = 1024;

/// A mirror that holds copies, over HTTP.
pub struct CustodyClient {
    mirror: SorClient,
    station_id: StationId,
}

/// `PUT /v1/custody/{key}`
#[derive(Deserialize)]
struct Held {
    key: IdempotencyKey,
    digest: Digest,
}

/// `GET /v1/custody`
#[derive(Deserialize)]
struct Listed {
    copies: Vec<Row>,
    next: Option<LocalSeq>,
}

#[derive(Deserialize)]
struct Row {
    key: IdempotencyKey,
    kind: Kind,
    accepted_at: UtcMillis,
    actor: ActorId,
    local_seq: LocalSeq,
    digest: Digest,
    held_at: UtcMillis,
}

impl CustodyClient {
    /// A client for the mirror that the station was set up with. Nothing is sent yet.
    ///
    /// # Errors
    /// An address or limits that are refused, see [`SettingsFault`].
    pub fn new(
        settings: SorSettings,
        station_key: KeyPair,
        clock: Arc<dyn Clock>,
        entropy: Arc<dyn Entropy>,
    ) -> Result<Self, SettingsFault> {
        let station_id = settings.station_id.clone();
        Ok(Self { mirror: SorClient::new(settings, station_key, clock, entropy)?, station_id })
    }

    fn copy_ask(&self, key: &IdempotencyKey, body: &[u8]) -> Ask {
        let endpoint = &self.mirror.endpoint;
        let url = endpoint.url(&format!("v1/custody/{key}"));
        Ask::put("/v1/custody/{key}", url, body.to_vec(), endpoint.limits().body_max_bytes)
    }

    fn release_ask(&self, key: &IdempotencyKey) -> Ask {
        let endpoint = &self.mirror.endpoint;
        let url = endpoint.url(&format!("v1/custody/{key}"));
        Ask::delete("/v1/custody/{key}", url, endpoint.limits().body_max_bytes)
    }

    fn page_ask(&self, after: LocalSeq, rows: u32) -> Ask {
        let mut url = self.mirror.endpoint.url("v1/custody");
        url.query_pairs_mut()
            .append_pair("station", self.station_id.as_str())
            .append_pair("after", &after.0.to_string())
            .append_pair("limit", &rows.to_string());
        Ask::get("/v1/custody", url, page_max_bytes(rows))
    }

    fn refused<T>(&self, whole: Box<Whole>) -> Result<T, SorFault> {
        Err(fault(&Ended::Whole(whole), &self.mirror.identity))
    }

    /// A page that goes on where the last one ended, in order: whoever follows it comes to an end.
    fn page(&self, whole: &Whole, after: LocalSeq, rows: u32) -> Option<CustodyPage> {
        let Listed { copies, next } = long_json(whole, page_max_bytes(rows))?;
        let seqs: Vec<LocalSeq> =
            std::iter::once(after).chain(copies.iter().map(|row| row.local_seq)).collect();
        let in_order = seqs.windows(2).all(|pair| pair[0] < pair[1]);
        let goes_on = next.is_none() || (next == seqs.last().copied() && !copies.is_empty());
        let fits = copies.len() <= usize::try_from(rows).unwrap_or(usize::MAX);
        let copies = copies.into_iter().map(|row| self.copy(row)).collect();
        (in_order && goes_on && fits).then_some(CustodyPage { copies, next })
    }

    fn copy(&self, row: Row) -> HeldCopy {
        HeldCopy {
            key: row.key,
            receipt_no: ReceiptNo::new(&self.station_id, row.local_seq),
            kind: row.kind,
            accepted_at: row.accepted_at,
            actor: row.actor,
            digest: row.digest,
            held_at: row.held_at,
        }
    }
}

#[async_trait]
impl Custody for CustodyClient {
    async fn hold(&self, key: &IdempotencyKey, body: &[u8], sockets: Sockets) -> Result<Digest, SorFault> {
        let whole = self.mirror.fetch_over(sockets, || self.copy_ask(key, body)).await?;
        match whole.status {
            200 | 201 => {
                let held: Held = json(&whole).ok_or(SorFault::Unreadable)?;
                let wanted = sha256(body);
                let same = held.key == *key && held.digest == wanted;
                if same { Ok(wanted) } else { Err(SorFault::Impostor) }
            }
            0..200 | 202..=u16::MAX => self.refused(whole),
        }
    }

    async fn release(&self, key: &IdempotencyKey, sockets: Sockets) -> Result<(), SorFault> {
        let whole = self.mirror.fetch_over(sockets, || self.release_ask(key)).await?;
        match whole.status {
            200 | 204 => Ok(()),
            0..200 | 201..204 | 205..=u16::MAX => self.refused(whole),
        }
    }

    async fn copies(&self, after: LocalSeq, rows: u32, sockets: Sockets) -> Result<CustodyPage, SorFault> {
        let rows = rows.clamp(1, PAGE_MAX_ROWS);
        let whole = self.mirror.fetch_over(sockets, || self.page_ask(after, rows)).await?;
        match whole.status {
            200 => self.page(&whole, after, rows).ok_or(SorFault::Unreadable),
            0..200 | 201..=u16::MAX => self.refused(whole),
        }
    }
}

fn page_max_bytes(rows: u32) -> usize {
    JSON_MAX_BYTES + usize::try_from(rows).unwrap_or(usize::MAX).saturating_mul(ROW_MAX_BYTES)
}
