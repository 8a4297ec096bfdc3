//! Asking an endpoint beside the primary.
//!
//! Promise: each endpoint is asked through a breaker of its own and has outages of its own; whatever becomes of a question
//! there, nothing changes for operations, for the primary, or for whoever stands at the counter. An endpoint that is well and
//! was well before writes nothing to the disk. Which operation goes where is decided elsewhere.

use std::future::Future;
use std::sync::{Arc, Mutex, PoisonError};

use holdfast_core::breaker::{Admitted, Pass, Verdict};
use holdfast_core::ids::EndpointName;
use holdfast_core::time::{Now, UtcMillis};

use crate::ports::{EndpointWaits, JournalError, OutageChange, SettleFacts, Settlement, Sockets, SorFault};
use crate::sending::admit;
use crate::settling::settle_question;
use crate::station::Station;
use crate::verbs::drain::on_journal;

/// What came of a question to an endpoint beside the primary.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum BesideAnswer<T> {
    /// Its answer.
    Came(T),
    /// It was asked, and came to nothing.
    Failed(SorFault),
    /// Its breaker lets nothing through; when the next try may go, if that is known.
    NotNow {
        /// When.
        next_try_at: Option<UtcMillis>,
    },
}

impl Station {
    /// Asks an endpoint something that is no operation, if its breaker lets it. A question that is given up in the middle has
    /// said nothing; if it was the canary, it is lost at its deadline.
    pub(crate) async fn ask_beside<T, A, F>(
        &self,
        name: &EndpointName,
        ask: A,
    ) -> Result<BesideAnswer<T>, JournalError>
    where
        A: FnOnce(Sockets) -> F,
        F: Future<Output = Result<T, SorFault>>,
    {
        let (pass, calm) = match self.admit_beside(name).await? {
            Ok(through) => through,
            Err(next_try_at) => return Ok(BesideAnswer::NotNow { next_try_at }),
        };
        let sockets = if pass.is_canary() { Sockets::Fresh } else { Sockets::Kept };
        let answer = ask(sockets).await;
        let (verdict, word) = judged(&answer);
        let nothing_new = calm && matches!(verdict, Verdict::Success | Verdict::Alive);
        if !nothing_new {
            self.settle_beside(name, &pass, verdict, word).await?;
        }
        Ok(answer.map_or_else(BesideAnswer::Failed, BesideAnswer::Came))
    }

    /// The way through its breaker and whether that is calm, or when the next try may go.
    async fn admit_beside(
        &self,
        name: &EndpointName,
    ) -> Result<Result<(Pass, bool), Option<UtcMillis>>, JournalError> {
        let (now, settings) = (self.now(), self.settings_at(name).breaker());
        let wanted = name.clone();
        let standing = on_journal(&self.ports.journal, |journal| journal.standing()).await?;
        let known = standing.endpoints.into_iter().find(|endpoint| endpoint.name == wanted);
        if let Some(endpoint) = known {
            let (after, _, _, admitted) = admit(&endpoint, now, &settings);
            match admitted {
                Admitted::Through(pass) if after == endpoint => {
                    return Ok(Ok((pass, endpoint.breaker.is_calm())));
                }
                Admitted::No(_) if after == endpoint => return Ok(Err(endpoint.breaker.next_try_at(now))),
                // Something is to be kept of it: decided anew, inside the transaction.
                Admitted::No(_) | Admitted::Through(_) | Admitted::Canary(_) => {}
            }
        }
        self.keep_admission(now, wanted).await
    }

    async fn keep_admission(
        &self,
        now: Now,
        name: EndpointName,
    ) -> Result<Result<(Pass, bool), Option<UtcMillis>>, JournalError> {
        let settings = self.settings_at(&name).breaker();
        let decided = Arc::new(Mutex::new(Err(None)));
        let told = Arc::clone(&decided);
        on_journal(&self.ports.journal, move |journal| {
            let decide = Box::new(move |facts: &SettleFacts| {
                let (endpoint, lost, entries, admitted) = admit(&facts.endpoint, now, &settings);
                let through = match admitted {
                    Admitted::Through(pass) | Admitted::Canary(pass) => Ok((pass, false)),
                    Admitted::No(_) => Err(endpoint.breaker.next_try_at(now)),
                };
                *told.lock().unwrap_or_else(PoisonError::into_inner) = through;
                Settlement {
                    endpoint: Box::new(endpoint),
                    item: None,
                    set_aside: Vec::new(),
                    endpoint_waits: EndpointWaits::GoOn,
                    failed_attempts: 0,
                    outage: OutageChange::None,
                    tried: lost,
                    entries,
                }
            });
            journal.at_endpoint(now, name, decide)
        })
        .await?;
        let decided = *decided.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(decided)
    }

    async fn settle_beside(
        &self,
        name: &EndpointName,
        pass: &Pass,
        verdict: Verdict,
        word: &'static str,
    ) -> Result<(), JournalError> {
        let (ended, name) = (self.ended(name, pass), name.clone());
        on_journal(&self.ports.journal, move |journal| {
            let now = ended.now;
            let decide = Box::new(move |facts: &SettleFacts| settle_question(&ended, facts, verdict, word));
            journal.at_endpoint(now, name, decide)
        })
        .await
    }
}

/// What an answer says about the endpoint, and the word for it: whoever refuses is there.
fn judged<T>(answer: &Result<T, SorFault>) -> (Verdict, &'static str) {
    match answer {
        Ok(_) => (Verdict::Success, "answered"),
        Err(SorFault::NotAnswering) => (Verdict::Failure, "no-answer"),
        Err(SorFault::Impostor) => (Verdict::Failure, "impostor"),
        Err(SorFault::Unreadable) => (Verdict::Failure, "unreadable"),
        Err(SorFault::StationUnauthorized) => (Verdict::Alive, "station-unauthorized"),
        Err(SorFault::Refused { .. }) => (Verdict::Alive, "refused"),
    }
}
