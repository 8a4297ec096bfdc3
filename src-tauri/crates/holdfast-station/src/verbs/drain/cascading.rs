//! The mirror in the loop of the drain: asked when the primary has nothing to do for now.
//!
//! Promise: one operation at a time is on its way to the mirror, whatever the pace at the primary; what the mirror refuses this
//! station changes nothing for the primary, and it is left alone for the rest of the run. A session that the mirror may not know
//! is shown to it before the first operation that was accepted under it. Which operation goes there is `sending`'s.

use holdfast_core::cascade::Recorder;
use holdfast_core::ids::SessionId;
use holdfast_core::operation::Body;
use holdfast_core::outcome::{Answer, Unreachable};
use holdfast_wire::DrainStop;

use super::on_the_way::Trial;
use super::{Run, on_journal};
use crate::ports::{InFlight, JournalError, RecordSystem, SorFault};
use crate::sending::Next;
use crate::station::Station;

/// At most so many are on their way to the mirror at once.
const AT_MIRROR_MAX: u32 = 1;
/// Sessions among which one is looked for, the latest first.
const SESSIONS_MAX: u32 = 500;

/// What a turn at one endpoint came to.
pub(super) enum Turned {
    /// Something was done; the drain may have to stop.
    Moved(Option<DrainStop>),
    /// Nothing can be done there for now; none when as much as may be is on its way, or it is not asked.
    Rests(Option<Next>),
}

/// How an endpoint has taken this station in this run.
#[derive(Clone, Copy, Default)]
pub(super) struct Token {
    /// Whether the token was renewed since the last answer that was not about it.
    pub(super) renewed: bool,
    /// How often it was.
    pub(super) renewals: u32,
}

/// Whether the mirror is asked.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum AtMirror {
    /// The primary does everything.
    NotDue,
    /// There may be something for it to do.
    Due,
    /// It refuses this station.
    Refuses(DrainStop),
}

impl Run<'_> {
    /// Begins what is next at this endpoint.
    pub(super) async fn turn_at(&mut self, recorder: Recorder) -> Result<Turned, JournalError> {
        if !self.is_asked(recorder) {
            return Ok(Turned::Rests(None));
        }
        let (in_flight, next) = self.begin(recorder).await?;
        match (next, in_flight) {
            (Next::Attempt { pass, what }, Some(in_flight)) => {
                let renewals = self.token(recorder).renewals;
                let trial = Trial { recorder, pass, what, renewals };
                self.on_the_way.begin(self.station, in_flight, trial);
                Ok(Turned::Moved(None))
            }
            (Next::Probe { pass }, _) => Ok(Turned::Moved(self.probe(recorder, &pass).await?)),
            // The row vanished between decision and write: look again.
            (Next::Attempt { .. }, None) => Ok(Turned::Moved(self.sleep(1).await?)),
            (next @ (Next::Wait { .. } | Next::Stuck | Next::Held | Next::Paused | Next::Empty), _) => {
                Ok(Turned::Rests(Some(next)))
            }
        }
    }

    fn is_asked(&self, recorder: Recorder) -> bool {
        match recorder {
            Recorder::Primary => {
                let allowed = self.station.pacing.allowed(self.most_at_once());
                !self.on_the_way.is_full(recorder, allowed)
            }
            Recorder::Mirror => {
                self.at_mirror == AtMirror::Due && !self.on_the_way.is_full(recorder, AT_MIRROR_MAX)
            }
        }
    }

    /// What a step at the primary says about the mirror.
    pub(super) fn mirror_is(&mut self, is_due: bool) {
        let is_there = self.station.ports.beside.mirror.is_some();
        self.at_mirror = match (self.at_mirror, is_due && is_there) {
            (refuses @ AtMirror::Refuses(_), _) => refuses,
            (AtMirror::NotDue | AtMirror::Due, true) => AtMirror::Due,
            (AtMirror::NotDue | AtMirror::Due, false) => AtMirror::NotDue,
        };
    }

    pub(super) fn token(&mut self, recorder: Recorder) -> &mut Token {
        match recorder {
            Recorder::Primary => &mut self.token_at_primary,
            Recorder::Mirror => &mut self.token_at_mirror,
        }
    }

    /// An endpoint refuses this station: the drain stops if it is the primary, and asks the mirror no more if it is that.
    pub(super) fn refused(&mut self, recorder: Recorder, stop: DrainStop) -> Option<DrainStop> {
        match recorder {
            Recorder::Primary => {
                let at = self.station.now().wall;
                self.station.welcomed(|welcome| welcome.stopped(at));
                Some(stop)
            }
            Recorder::Mirror => {
                tracing::warn!("the mirror refuses this station");
                self.at_mirror = AtMirror::Refuses(stop);
                None
            }
        }
    }
}

/// What is left to do when neither endpoint can be asked: whoever waits for less is waited for, and what stops the primary
/// alone does not end a run in which the mirror goes on.
pub(super) fn rest_of_both(primary: Option<Next>, mirror: Option<Next>) -> Next {
    match (primary, mirror) {
        (Some(Next::Wait { ms }), Some(Next::Wait { ms: other })) => Next::Wait { ms: ms.min(other) },
        (Some(Next::Held | Next::Stuck) | None, Some(Next::Wait { ms })) => Next::Wait { ms },
        (Some(next), _) => next,
        (None, Some(next)) => next,
        (None, None) => Next::Stuck,
    }
}

impl Station {
    /// Shows the mirror the SoR's own statement about the session of an operation, once: it may have been opened after the
    /// mirror heard of sessions last. Whether the operation is proven by it the mirror says when it is sent.
    pub(super) async fn introduce(
        &self,
        mirror: &dyn RecordSystem,
        in_flight: &InFlight,
    ) -> Result<(), Answer> {
        let Some(sid) = session_of(in_flight).filter(|sid| !self.is_introduced(*sid)) else { return Ok(()) };
        let statements = on_journal(&self.ports.journal, |journal| journal.statements(SESSIONS_MAX)).await;
        let known = statements.unwrap_or_default().into_iter().find(|signed| signed.statement.sid == sid);
        let Some(signed) = known else { return Ok(()) };
        match mirror.show_session(&signed).await {
            // Nothing of the operation was sent.
            Err(SorFault::NotAnswering) => Err(Answer::Unreachable(Unreachable::NotRead)),
            Err(fault) => {
                tracing::warn!(%fault, "the mirror does not take the statement about a session");
                Ok(())
            }
            Ok(()) => {
                self.introduced(sid);
                Ok(())
            }
        }
    }
}

fn session_of(in_flight: &InFlight) -> Option<SessionId> {
    let body: Body = serde_json::from_slice(&in_flight.body).ok()?;
    Some(body.actor_proof.sid)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whoever_waits_for_less_is_waited_for_and_what_stops_the_primary_does_not_stop_the_mirror() {
        let wait = |ms| Some(Next::Wait { ms });
        let rows = [
            (wait(30_000), None, Next::Wait { ms: 30_000 }),
            (wait(30_000), wait(200), Next::Wait { ms: 200 }),
            (wait(200), Some(Next::Stuck), Next::Wait { ms: 200 }),
            (Some(Next::Held), wait(200), Next::Wait { ms: 200 }),
            (Some(Next::Held), Some(Next::Stuck), Next::Held),
            (Some(Next::Held), None, Next::Held),
            (Some(Next::Stuck), wait(200), Next::Wait { ms: 200 }),
            (Some(Next::Paused), wait(200), Next::Paused),
            (Some(Next::Empty), wait(200), Next::Empty),
            (Some(Next::Empty), None, Next::Empty),
        ];
        for (primary, mirror, expected) in rows {
            assert_eq!(rest_of_both(primary.clone(), mirror.clone()), expected, "{primary:?} {mirror:?}");
        }
    }
}
