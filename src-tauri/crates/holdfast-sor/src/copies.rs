//! Reading what a workstation carries: a person's inspections, and applications a page at a time.
//!
//! Promise: an answer is taken whole or not at all. One row that cannot be read, that was not asked for, or that is one too
//! many makes the whole answer unreadable, so that no copy looks complete and is not. Members that this program does not
//! know are passed over.

use std::collections::BTreeSet;

use holdfast_core::copies::{Visit, VisitState};
use holdfast_core::ids::{ActorId, ApplicationId, ETag, InspectionId, PermitNum, RecordId};
use holdfast_core::lifecycle::Stage;
use holdfast_core::limits::COPY_INSPECTIONS_MAX_ROWS;
use holdfast_core::time::{Date, UtcMillis};
use holdfast_station::ports::{CopiedRecord, CopiedVisit, RecordsPage, SorFault, VisitsAsk};
use reqwest::Url;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::answer::long_json;
use crate::client::SorClient;
use crate::exchange::{Ask, Ended};
use crate::fault::fault;

/// One answer, in bytes; the SoR ends a page at a quarter of it.
pub(crate) const COPY_BODY_MAX_BYTES: usize = 4 * 1024 * 1024;
/// Applications of one page, in rows.
pub(crate) const PAGE_ROWS: usize = 250;
/// How the SoR calls a page, in bytes.
const CURSOR_MAX_BYTES: usize = 256;

#[derive(Deserialize)]
struct Inspections {
    inspections: Vec<Inspection>,
}

#[derive(Deserialize)]
struct Inspection {
    inspection_id: InspectionId,
    application_id: ApplicationId,
    assignee: Option<ActorId>,
    date: String,
    state: State,
    payload: Map<String, Value>,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum State {
    Scheduled,
    Done,
}

#[derive(Deserialize)]
struct Applications {
    applications: Vec<Application>,
    next: Option<String>,
}

/// An application as the SoR gives it.
#[derive(Deserialize)]
pub(crate) struct Application {
    application_id: ApplicationId,
    record_id: RecordId,
    permit_num: Option<PermitNum>,
    etag: ETag,
    stage: Stage,
    updated_at: UtcMillis,
    payload: Map<String, Value>,
    #[serde(default)]
    holds: Vec<Value>,
    #[serde(default)]
    notes: Vec<Value>,
}

/// All inspections that are asked for.
pub(crate) async fn visits(sor: &SorClient, ask: &VisitsAsk) -> Result<Vec<CopiedVisit>, SorFault> {
    let mut url = sor.endpoint.url("v1/inspections");
    let limit = COPY_INSPECTIONS_MAX_ROWS.to_string();
    query(
        &mut url,
        &[
            ("assignee", ask.assignee.as_str()),
            ("open_until", &ask.open_until.to_string()),
            ("done_on", &ask.done_on.to_string()),
            ("limit", &limit),
        ],
    );
    let found: Inspections = fetch(sor, "/v1/inspections", &url).await?;
    // As many as were asked for may be a part of them only.
    if found.inspections.len() >= COPY_INSPECTIONS_MAX_ROWS {
        return Err(SorFault::Unreadable);
    }
    let ids: BTreeSet<_> = found.inspections.iter().map(|inspection| &inspection.inspection_id).collect();
    if ids.len() != found.inspections.len() {
        return Err(SorFault::Unreadable);
    }
    let visits = found.inspections.into_iter().map(|inspection| inspection.asked_for(ask));
    visits.collect::<Option<_>>().ok_or(SorFault::Unreadable)
}

/// A page of applications, the latest first.
pub(crate) async fn records(sor: &SorClient, after: Option<&str>) -> Result<RecordsPage, SorFault> {
    let mut url = sor.endpoint.url("v1/applications");
    query(&mut url, &[("order", "latest"), ("limit", &PAGE_ROWS.to_string())]);
    if let Some(after) = after {
        query(&mut url, &[("after", after)]);
    }
    let found: Applications = fetch(sor, "/v1/applications", &url).await?;
    let goes_on =
        found.next.as_ref().is_none_or(|next| next.len() <= CURSOR_MAX_BYTES && Some(next.as_str()) != after);
    if found.applications.len() > PAGE_ROWS || !goes_on {
        return Err(SorFault::Unreadable);
    }
    Ok(RecordsPage {
        records: found.applications.into_iter().map(Application::copied).collect(),
        next: found.next,
    })
}

/// One application.
pub(crate) async fn record(sor: &SorClient, id: ApplicationId) -> Result<CopiedRecord, SorFault> {
    let url = sor.endpoint.url(&format!("v1/applications/{id}"));
    let found: Application = fetch(sor, "/v1/applications/{id}", &url).await?;
    if found.application_id == id { Ok(found.copied()) } else { Err(SorFault::Unreadable) }
}

async fn fetch<T: DeserializeOwned>(
    sor: &SorClient,
    template: &'static str,
    url: &Url,
) -> Result<T, SorFault> {
    let whole = sor.fetch(|| Ask::get(template, url.clone(), COPY_BODY_MAX_BYTES)).await?;
    match whole.status {
        200 => long_json(&whole, COPY_BODY_MAX_BYTES).ok_or(SorFault::Unreadable),
        0..200 | 201..=u16::MAX => Err(fault(&Ended::Whole(whole), &sor.identity)),
    }
}

pub(crate) fn query(url: &mut Url, pairs: &[(&str, &str)]) {
    url.query_pairs_mut().extend_pairs(pairs);
}

impl Inspection {
    /// The visit, if it is one of those that were asked for.
    fn asked_for(self, ask: &VisitsAsk) -> Option<CopiedVisit> {
        let date: Date = self.date.parse().ok()?;
        let (state, of_the_days) = match self.state {
            State::Scheduled => (VisitState::Scheduled, date <= ask.open_until),
            State::Done => (VisitState::Done, date == ask.done_on),
        };
        let has_type = self.payload.get("InspType").is_some_and(Value::is_string);
        let asked_for = self.assignee.as_ref() == Some(&ask.assignee) && of_the_days && has_type;
        let payload = Value::Object(self.payload);
        let visit = Visit { inspection_id: self.inspection_id, date, state, payload };
        asked_for.then_some(CopiedVisit { application_id: self.application_id, visit })
    }
}

/// A hold that was released holds nothing back.
fn is_open(hold: &Value) -> bool {
    hold.get("released_at").is_none_or(Value::is_null)
}

impl Application {
    pub(crate) fn copied(self) -> CopiedRecord {
        CopiedRecord {
            application_id: self.application_id,
            record_id: self.record_id,
            permit_num: self.permit_num,
            etag: self.etag,
            stage: self.stage,
            updated_at: self.updated_at,
            payload: Value::Object(self.payload),
            holds: self.holds.into_iter().filter(is_open).collect(),
            notes: self.notes,
        }
    }
}
