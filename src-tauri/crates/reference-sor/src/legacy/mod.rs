//! An old vendor's system: `--profile legacy`.
//!
//! Promise: this is what a city has that bought its permit system long ago. There are no keys and no entity tags, only
//! records with lists, a field for somebody else's reference, and the time of the last change. A write that is sent twice
//! is done twice; a status may be set again; a success may say that one of its scripts failed. Who sent something is
//! proven by the station's token alone: what the body says about a person is believed. Refusals have the vendor's own
//! form; health, sessions, contract and the lists for copies are those of the other profile.

mod answers;
pub(crate) mod records;

use std::sync::Arc;

use axum::Router;
use axum::body::Bytes;
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Response};
use axum::routing::{MethodRouter, get, post};
use holdfast_core::canonical::{canonical, sha256};
use holdfast_core::ids::StationId;
use holdfast_core::lifecycle::Stage;
use holdfast_core::operation::Kind;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::http::{Asked, IDENTITY, identity_value};
use crate::sor::Sor;
use answers::{Fault, result};
use records::{Change, Changed, Entered, LegacyRecords, List, Marks, NewRecord, Search};

/// Rows of one answer, in rows; `more` says that there are further ones.
const LIST_MAX_ROWS: u32 = 200;
/// A vendor's comment field, in characters; what is longer loses its end, silently.
const COMMENT_MAX_CHARS: usize = 1_000;

type Reply = Result<Value, Fault>;

/// A request with everything that answers it.
struct Visit<'a> {
    sor: &'a Sor,
    records: &'a dyn LegacyRecords,
    asked: &'a Asked,
    station: StationId,
    /// The record's id, where the path has one.
    id: &'a str,
}

/// What is posted. Unknown members are passed over, as such systems do.
#[derive(Deserialize)]
struct Posted {
    reference: Option<String>,
    comment: Option<String>,
    external_id: Option<String>,
    application_id: Option<String>,
    status: Option<String>,
    #[serde(default)]
    content: Value,
    entered: Option<Author>,
}

#[derive(Default, Deserialize)]
struct Author {
    #[serde(default)]
    kind: String,
    #[serde(default)]
    by: String,
    #[serde(default)]
    at: String,
    #[serde(default)]
    sequence: u64,
}

/// The paths of the vendor's interface.
pub(crate) fn routes(records: &Arc<dyn LegacyRecords>) -> Router<Arc<Sor>> {
    let reading = |verb| get(door(records, verb));
    let writing = |verb| post(door(records, verb));
    let both =
        |read, write| -> MethodRouter<Arc<Sor>> { get(door(records, read)).post(door(records, write)) };
    Router::new()
        .route("/records", both(search, create))
        .route("/records/{id}", reading(one))
        .route("/records/{id}/status", writing(set_status))
        .route("/records/{id}/fields", writing(set_fields))
        .route("/records/{id}/history", reading(|visit| list(visit, List::History)))
        .route("/records/{id}/inspections", both(|visit| list(visit, List::Inspections), add_inspection))
        .route(
            "/records/{id}/conditions",
            both(|visit| list(visit, List::Conditions), |visit| add_line(visit, List::Conditions)),
        )
        .route("/records/{id}/comments", writing(|visit| add_line(visit, List::Comments)))
        .route("/records/{id}/fees", writing(|visit| add_line(visit, List::Fees)))
}

/// `GET /records?reference=` or `?application=`
fn search(visit: &Visit<'_>) -> Reply {
    let query = visit.asked.query(&["reference", "application"]).map_err(|_| Fault::invalid("", "query"))?;
    let search = match (query.get("reference"), query.get("application")) {
        (Some(reference), None) => Search::Reference(reference),
        (None, Some(application)) => Search::Application(application),
        (Some(_), Some(_)) | (None, None) => return Err(Fault::invalid("", "query")),
    };
    let mut found = visit.records.search(&search, LIST_MAX_ROWS + 1)?;
    let more = cut(&mut found);
    Ok(json!({"result": found, "more": more}))
}

/// `GET /records/{id}`
fn one(visit: &Visit<'_>) -> Reply {
    let record = visit.records.record(visit.id)?.ok_or_else(Fault::no_such_record)?;
    Ok(result(&record))
}

/// `POST /records`
fn create(visit: &Visit<'_>) -> Reply {
    let posted = visit.posted()?;
    visit.check(Kind::Application, &posted.content)?;
    let (marks, entered) = visit.marked(&posted);
    let new = NewRecord { application_id: posted.application_id, fields: posted.content };
    Ok(result(&visit.records.create(&new, &marks, &entered)?))
}

/// `POST /records/{id}/status`
fn set_status(visit: &Visit<'_>) -> Reply {
    let posted = visit.posted()?;
    let to = posted.status.as_deref().and_then(|word| Stage::parse(word).ok());
    let to = to.ok_or_else(|| Fault::invalid("/to", "missing"))?;
    visit.change(&posted, &Change::Status(to))
}

/// `POST /records/{id}/fields`
fn set_fields(visit: &Visit<'_>) -> Reply {
    let mut posted = visit.posted()?;
    visit.check(Kind::Application, &posted.content)?;
    let fields = posted.content.take();
    visit.change(&posted, &Change::Fields(fields))
}

/// `POST /records/{id}/inspections`
fn add_inspection(visit: &Visit<'_>) -> Reply {
    let mut posted = visit.posted()?;
    visit.check(Kind::Inspection, &posted.content)?;
    let content = posted.content.take();
    visit.change(&posted, &Change::Inspection(content))
}

fn add_line(visit: &Visit<'_>, list: List) -> Reply {
    let mut posted = visit.posted()?;
    let content = posted.content.take();
    visit.change(&posted, &Change::Line(list, content))
}

/// `GET /records/{id}/history`, `/inspections`, `/conditions`: the latest first, with the record.
fn list(visit: &Visit<'_>, list: List) -> Reply {
    let listed = visit.records.list(visit.id, list, LIST_MAX_ROWS + 1)?;
    let mut listed = listed.ok_or_else(Fault::no_such_record)?;
    let more = cut(&mut listed.lines);
    Ok(json!({"record": listed.record, "result": listed.lines, "more": more}))
}

/// Leaves as many as one answer has; true when there were more.
fn cut<T>(rows: &mut Vec<T>) -> bool {
    let most = LIST_MAX_ROWS as usize;
    let more = rows.len() > most;
    rows.truncate(most);
    more
}

impl Visit<'_> {
    fn posted(&self) -> Result<Posted, Fault> {
        self.asked.object().map_err(|_| Fault::invalid("", "not-json"))
    }

    fn check(&self, kind: Kind, content: &Value) -> Result<(), Fault> {
        let problems = self.sor.rulebook.rules().check(kind, content);
        if problems.is_empty() { Ok(()) } else { Err(Fault::fields(&problems)) }
    }

    fn change(&self, posted: &Posted, change: &Change) -> Reply {
        let (marks, entered) = self.marked(posted);
        match self.records.change(self.id, change, &marks, &entered)? {
            Changed::Done(line) => Ok(result(&line)),
            Changed::NoSuchRecord => Err(Fault::no_such_record()),
            Changed::StatusNotAllowed => Err(Fault::status_not_allowed()),
        }
    }

    fn marked(&self, posted: &Posted) -> (Marks, Entered) {
        let cut = |comment: &String| comment.chars().take(COMMENT_MAX_CHARS).collect();
        let marks = Marks {
            reference: posted.reference.clone(),
            comment: posted.comment.as_ref().map(cut),
            external_id: posted.external_id.clone(),
        };
        let unknown = Author::default();
        let author = posted.entered.as_ref().unwrap_or(&unknown);
        let entered = Entered {
            kind: author.kind.clone(),
            by: author.by.clone(),
            at: author.at.clone(),
            sequence: author.sequence,
            station: self.station.to_string(),
            arrived_at: self.asked.at,
            body_digest: sha256(&self.asked.body).to_string(),
        };
        (marks, entered)
    }
}

type Verb = fn(&Visit<'_>) -> Reply;

/// What answers a path, on a thread that may block.
fn door(
    records: &Arc<dyn LegacyRecords>,
    verb: Verb,
) -> impl Fn(State<Arc<Sor>>, Request) -> std::pin::Pin<Box<dyn Future<Output = Response> + Send>> + Clone + use<>
{
    let records = Arc::clone(records);
    move |State(sor): State<Arc<Sor>>, request: Request| {
        let records = Arc::clone(&records);
        Box::pin(async move {
            let identity = identity_value(&sor);
            let (parts, body) = request.into_parts();
            // The reception has read the body and cut it to its limit: nothing is waited for here.
            let body = axum::body::to_bytes(body, usize::MAX).await.unwrap_or_else(|_| Bytes::new());
            let asked = Asked::new(parts, body);
            let work = tokio::task::spawn_blocking(move || answered(&sor, &*records, &asked, verb));
            let reply = work.await.unwrap_or_else(|_| Err(Fault::broken()));
            let mut response = match reply {
                Ok(document) => answers::json(StatusCode::OK, canonical(&document)),
                Err(fault) => fault.into_response(),
            };
            response.headers_mut().insert(IDENTITY, identity);
            response
        })
    }
}

fn answered(sor: &Sor, records: &dyn LegacyRecords, asked: &Asked, verb: Verb) -> Reply {
    let station = sor.station_of(asked.bearer(), asked.at).map_err(|_| Fault::unauthorized())?;
    let id = asked.path().split('/').nth(2).unwrap_or_default();
    verb(&Visit { sor, records, asked, station, id })
}
