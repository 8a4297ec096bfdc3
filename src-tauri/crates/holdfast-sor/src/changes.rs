//! Following the SoR's feed of changes.
//!
//! Promise: a part is taken whole or not at all, and only one that goes on from where it was asked. That a place is not known
//! there is believed of the SoR's own typed answer alone.

use holdfast_core::ids::{ApplicationId, FeedCursor};
use holdfast_core::outcome::{Content, ProblemType};
use holdfast_station::ports::{ChangesAnswer, ChangesPage, FeedRest, SorFault};
use serde::Deserialize;

use crate::answer::{long_json, reply};
use crate::client::SorClient;
use crate::copies::{Application, COPY_BODY_MAX_BYTES, PAGE_ROWS, query};
use crate::exchange::{Ask, Ended, Whole};
use crate::fault::fault;

/// The last step of the problem type that says: begin anew.
const BEGIN_ANEW: &str = "/begin-anew";

#[derive(Deserialize)]
struct Page {
    changes: Vec<Change>,
    next: FeedCursor,
    more: bool,
}

/// A record that changed, or one that is there no longer.
#[derive(Deserialize)]
#[serde(untagged)]
enum Change {
    Gone { application_id: ApplicationId, gone: Gone },
    Changed(Box<Application>),
}

/// `true`
#[derive(Deserialize)]
#[serde(try_from = "bool")]
struct Gone;

impl TryFrom<bool> for Gone {
    type Error = &'static str;

    fn try_from(gone: bool) -> Result<Self, Self::Error> {
        if gone { Ok(Self) } else { Err("gone is true or absent") }
    }
}

/// `GET /v1/changes?since=`
pub(crate) async fn changes(sor: &SorClient, since: Option<&FeedCursor>) -> Result<ChangesAnswer, SorFault> {
    let mut url = sor.endpoint.url("v1/changes");
    if let Some(since) = since {
        query(&mut url, &[("since", since.as_str()), ("limit", &PAGE_ROWS.to_string())]);
    }
    let whole = sor.fetch(|| Ask::get("/v1/changes", url.clone(), COPY_BODY_MAX_BYTES)).await?;
    match whole.status {
        200 => page(&whole, since).map(ChangesAnswer::Page).ok_or(SorFault::Unreadable),
        410 if says_begin_anew(sor, &whole) => Ok(ChangesAnswer::BeginAnew),
        404 | 405 | 501 => Ok(ChangesAnswer::NotOffered),
        0..200 | 201..=u16::MAX => Err(fault(&Ended::Whole(whole), &sor.identity)),
    }
}

/// A part that has more goes on; whoever asks for nothing is told nothing.
fn page(whole: &Whole, since: Option<&FeedCursor>) -> Option<ChangesPage> {
    let Page { changes, next, more } = long_json(whole, COPY_BODY_MAX_BYTES)?;
    let goes_on = !more || Some(&next) != since;
    let fits = since.map_or(changes.is_empty() && !more, |_| changes.len() <= PAGE_ROWS);
    if !goes_on || !fits {
        return None;
    }
    let (mut records, mut gone) = (Vec::new(), Vec::new());
    for change in changes {
        match change {
            Change::Changed(application) => records.push(application.copied()),
            Change::Gone { application_id, gone: Gone } => gone.push(application_id),
        }
    }
    Some(ChangesPage { records, gone, next, rest: if more { FeedRest::More } else { FeedRest::All } })
}

fn says_begin_anew(sor: &SorClient, whole: &Whole) -> bool {
    match reply(whole, &sor.identity).content {
        Content::Problem(problem) => {
            matches!(&problem.kind, ProblemType::Other(kind) if kind.ends_with(BEGIN_ANEW))
        }
        Content::Receipt(_) | Content::ReadBack(_) | Content::Other => false,
    }
}
