//! The errand that proves again: whether the SoR still has what it had recorded.
//!
//! Promise: asked once by every process, whenever the breaker has closed, and, where asking is one request, once a minute
//! otherwise. What this station knows is read before the SoR is asked, so that nothing recorded in between looks lost. From
//! the first contradiction on nothing is sent before every commit that may be lost was looked for and a person has decided;
//! one look at a time, each kept before the next. An answer that proves nothing ends the look and is no sign.

use holdfast_core::ids::{EndpointName, LocalSeq};
use holdfast_core::look_up::{LookUp, judge_look_up};
use holdfast_core::outcome::Sent;
use holdfast_core::reprove::{
    PROVEN_IN_A_ROW, Recollection, Seen, Sign, agreed, holds_more, seen, sor_went_back, station_went_back,
    tells_enough,
};
use holdfast_core::time::Now;

use crate::errands::second_look;
use crate::ports::{
    Agreement, Commitment, Delivery, JournalError, NoticedBy, Reproving, RestoreRecord, RestoreStage,
    Sockets, SorFault, random_id,
};
use crate::proving::{looked, looked_through, noticed, station_restored, strangers};
use crate::station::Station;
use crate::verbs::drain::on_journal;

/// Between two comparisons while the breaker stays closed, in milliseconds.
const COMPARE_EVERY_MS: u64 = 60_000;

/// Sessions that an SoR which came back from an older copy is shown, the latest first.
const SESSIONS_SHOWN_MAX: u32 = 500;

/// When the SoR was asked last what it remembers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Compared {
    /// Changes whenever the breaker opens or tries.
    generation: u64,
    at: Now,
    came: CompareCame,
}

/// What came of asking it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CompareCame {
    /// An answer, or it is about to come.
    Answered,
    /// None. It is asked again when it has answered anything, or after the same time: an SoR that hangs is not asked beside
    /// every attempt.
    Unanswered,
}

impl Compared {
    /// Whether an answer to anything else makes it worth asking again.
    pub(crate) fn is_unanswered(&self) -> bool {
        self.came == CompareCame::Unanswered
    }
}

/// What one step of the errand came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// Nothing speaks against sending.
    GoesOn,
    /// One commit was looked for; there may be more.
    Looked,
    /// The SoR gave no answer that proves anything.
    NoAnswer,
    /// Nothing may be sent before a person has decided.
    Pauses,
}

/// One step.
pub(crate) async fn step(station: &Station) -> Result<Step, JournalError> {
    let reproving = on_journal(&station.ports.journal, |journal| journal.reproving()).await?;
    match reproving.restore.as_ref().map(|restore| restore.stage) {
        None => compare(station, &reproving).await,
        Some(RestoreStage::Looking) => look(station, &reproving).await,
        Some(RestoreStage::Asking) => Ok(Step::Pauses),
        Some(RestoreStage::NothingMissing | RestoreStage::SentAgain | RestoreStage::Left) => Ok(Step::GoesOn),
    }
}

async fn compare(station: &Station, reproving: &Reproving) -> Result<Step, JournalError> {
    let Some(compared) = due(station).await? else { return Ok(Step::GoesOn) };
    let nonce = random_id(&*station.ports.entropy, station.now()).to_string();
    let Ok(told) = station.ports.sor.recall(&nonce).await else {
        station.compared_now(Compared { came: CompareCame::Unanswered, ..compared });
        return Ok(Step::GoesOn);
    };
    station.pacing.heard(told.order);
    if let Some(numbers) = station_went_back(&reproving.known, &told) {
        pass_over(station, numbers.last, &told).await?;
    }
    if holds_more(&reproving.known, &told) {
        name_strangers(station, reproving).await?;
    }
    let sign = match sor_went_back(&reproving.known, &told) {
        Some(sign) => Some(sign),
        None if tells_enough(&told) || station.ports.journal.station().profile.has_keys() => None,
        None => match sample(station).await? {
            Sampled::AllThere => None,
            Sampled::Missing(local_seq) => Some(Sign::Sample { local_seq }),
            Sampled::NoAnswer => return Ok(Step::GoesOn),
        },
    };
    station.compared_now(compared);
    match sign {
        None => agree(station, reproving, &told).await,
        Some(sign) => {
            let (now, noticed) = (station.now(), noticed(&reproving.known, &told, sign));
            on_journal(&station.ports.journal, move |journal| journal.notice_restore(now, noticed)).await?;
            tracing::warn!(?sign, "the permit system came back from an older copy");
            Ok(Step::Looked)
        }
    }
}

/// The comparison that is to be made now, if one is.
async fn due(station: &Station) -> Result<Option<Compared>, JournalError> {
    let standing = on_journal(&station.ports.journal, |journal| journal.standing()).await?;
    let name = EndpointName::primary();
    let primary = standing.endpoints.iter().find(|endpoint| endpoint.name == name);
    let generation = primary.map_or(0, |primary| primary.breaker.generation().0);
    let at = station.now();
    // Of an SoR that tells nothing the last commits are looked for, each with a request: that is left for the next close.
    let is_cheap = station.ports.journal.station().profile.has_keys();
    let is_fresh = station.last_compared().is_some_and(|last| {
        let is_asked_by_the_clock = is_cheap || last.is_unanswered();
        let is_young = !is_asked_by_the_clock || !at.has_passed(last.at, COMPARE_EVERY_MS);
        last.generation == generation && is_young
    });
    Ok((!is_fresh).then_some(Compared { generation, at, came: CompareCame::Answered }))
}

async fn agree(station: &Station, reproving: &Reproving, told: &Recollection) -> Result<Step, JournalError> {
    let agreed = agreed(told, reproving.known.committed);
    let (now, agreement) = (station.now(), Agreement { agreed, through: reproving.through });
    on_journal(&station.ports.journal, move |journal| journal.keep_agreed(now, agreement)).await?;
    Ok(Step::GoesOn)
}

/// This station itself came back from an older copy: what was given out is not given out again.
async fn pass_over(station: &Station, through: LocalSeq, told: &Recollection) -> Result<(), JournalError> {
    let (now, told) = (station.now(), *told);
    tracing::warn!("this station came back from an older copy; numbers are passed over");
    on_journal(&station.ports.journal, move |journal| {
        let decide = Box::new(move |numbers: &_| station_restored(*numbers, NoticedBy::Sequence, &told));
        journal.skip_numbers(now, through, decide)
    })
    .await
}

/// What the SoR holds of this station and is not known here is named, as far as it can say.
async fn name_strangers(station: &Station, reproving: &Reproving) -> Result<(), JournalError> {
    let after = reproving.known.agreed.and_then(|agreed| agreed.last_local_seq).unwrap_or(LocalSeq(0));
    let held = station.ports.sor.held_after(after).await.unwrap_or_default();
    let now = station.now();
    on_journal(&station.ports.journal, move |journal| {
        let mut unknown = Vec::new();
        for row in held {
            if journal.operation(&row.key)?.is_none() {
                unknown.push(row);
            }
        }
        if unknown.is_empty() { Ok(()) } else { journal.note(now, vec![strangers(&unknown)]) }
    })
    .await
}

/// What looking for the last commits found.
enum Sampled {
    AllThere,
    Missing(LocalSeq),
    NoAnswer,
}

async fn sample(station: &Station) -> Result<Sampled, JournalError> {
    let latest = on_journal(&station.ports.journal, |journal| journal.latest_commits(PROVEN_IN_A_ROW));
    for commitment in latest.await? {
        let found = found(station, &commitment).await;
        second_look::seen_later(station, commitment.operation_id, &found).await?;
        match seen(&found, station.ports.journal.station().profile) {
            Some(Seen::There | Seen::Unproven) => {}
            Some(Seen::Missing) => return Ok(Sampled::Missing(commitment.place.local_seq)),
            None => return Ok(Sampled::NoAnswer),
        }
    }
    Ok(Sampled::AllThere)
}

/// The next commit, or the end.
async fn look(station: &Station, reproving: &Reproving) -> Result<Step, JournalError> {
    let walk = reproving.restore.as_ref().map(|restore| restore.walk).unwrap_or_default();
    let next = on_journal(&station.ports.journal, |journal| journal.next_to_look_for()).await?;
    match next.filter(|_| !walk.is_through()) {
        None => end(station, reproving.known.committed).await,
        Some(commitment) => {
            let Some(seen) = look_for(station, &commitment).await else { return Ok(Step::NoAnswer) };
            let (now, look) = (station.now(), looked(&commitment, walk, seen));
            on_journal(&station.ports.journal, move |journal| journal.keep_look(now, look)).await?;
            Ok(Step::Looked)
        }
    }
}

/// The next step says what it ended with. The SoR may have forgotten sessions too: what was accepted under one is refused
/// there until it is shown its own statement.
async fn end(station: &Station, committed: u64) -> Result<Step, JournalError> {
    for signed in on_journal(&station.ports.journal, |journal| journal.statements(SESSIONS_SHOWN_MAX)).await?
    {
        match station.ports.sor.show_session(&signed).await {
            Ok(()) => {}
            Err(SorFault::NotAnswering | SorFault::Impostor) => return Ok(Step::NoAnswer),
            Err(fault) => tracing::warn!(%fault, "the permit system does not take its own statement back"),
        }
    }
    let now = station.now();
    on_journal(&station.ports.journal, move |journal| {
        let decide = Box::new(move |restore: &RestoreRecord| looked_through(restore, committed));
        journal.end_looking(now, decide)
    })
    .await?;
    Ok(Step::Looked)
}

/// Whether a commit is there; none when the answer proves neither.
async fn look_for(station: &Station, commitment: &Commitment) -> Option<Seen> {
    seen(&found(station, commitment).await, station.ports.journal.station().profile)
}

async fn found(station: &Station, commitment: &Commitment) -> LookUp {
    let Commitment { key, operation_id, application_id, payload_digest, kind, record_id, body, .. } =
        commitment.clone();
    let delivery = Delivery { key, kind, operation_id, application_id, record_id, body, if_match: None };
    let answer = station.ports.sor.look_up(&delivery, Sockets::Kept).await;
    judge_look_up(&answer, &Sent { key, operation_id, application_id, payload_digest })
}
