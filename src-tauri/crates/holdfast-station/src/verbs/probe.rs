//! Probe: a sign of life from time to time, so that an SoR that goes away is noticed although nobody hands anything in.
//!
//! Promise: one probe at a time, and only while the breaker is closed; each changes no count of failed writes. One that is
//! well writes nothing to the disk. Whoever waits for something else gives a probe up at any moment; it has then said
//! nothing.

use std::convert::Infallible;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use holdfast_core::blame::Heard;
use holdfast_core::breaker::Pass;
use holdfast_core::breaker::probes::{Found, due_in_ms};
use holdfast_core::cascade::Recorder;
use holdfast_core::ids::{EndpointName, OutageId};
use holdfast_wire::ApiError;

use crate::ports::{EndpointRecord, JournalError, NoLife, SettleFacts, Sockets, chance, random_id};
use crate::settling::{Ended, Sign, settle_probe};
use crate::station::Station;
use crate::verbs::drain::on_journal;
use crate::views;

/// Until the next look after one that failed, in milliseconds.
const AFTER_FAULT_MS: u64 = 10_000;
/// Shortest and longest time between two looks whether a probe is due, in milliseconds.
const LOOK_MIN_MS: u64 = 10;
const LOOK_MAX_MS: u64 = 60_000;

/// What a look whether a probe is due has come to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProbeLook {
    /// Whether what is known of the endpoint changed by it.
    pub changed: bool,
    /// When to look again, in milliseconds from now.
    pub look_again_ms: u64,
}

impl Station {
    /// Sends a probe if one is due, and settles it.
    ///
    /// # Errors
    /// The journal cannot be used.
    pub async fn probe_when_due(&self) -> Result<ProbeLook, ApiError> {
        self.look_for_probe().await.map_err(|cause| views::journal_error(&cause))
    }

    /// Looks again and again; ends when it is dropped.
    pub(crate) async fn probe_on(&self) -> Infallible {
        loop {
            let look = self.probe_when_due().await;
            let ms = look.map_or(AFTER_FAULT_MS, |look| look.look_again_ms);
            tokio::time::sleep(Duration::from_millis(ms)).await;
        }
    }

    async fn look_for_probe(&self) -> Result<ProbeLook, JournalError> {
        let settings = self.settings_at(&EndpointName::primary()).probes();
        let again = |ms: u64| ms.clamp(LOOK_MIN_MS, LOOK_MAX_MS);
        let mut last = self.probing.lock().await;
        let now = self.now();
        match due_in_ms(*last, now, &settings) {
            0 => {}
            left => return Ok(ProbeLook { changed: false, look_again_ms: again(left) }),
        }
        *last = Some(now);
        let look_again_ms = again(settings.interval_ms);
        let endpoint = self.primary().await?;
        let pass = endpoint.as_ref().and_then(|endpoint| endpoint.breaker.probe_pass(now));
        let Some((endpoint, pass)) = endpoint.zip(pass) else {
            return Ok(ProbeLook { changed: false, look_again_ms });
        };
        let sign = self.sign_of_life(Recorder::Primary, Sockets::Kept).await;
        let changed = self.says_something(&endpoint, sign) && self.settle_sign(&pass, sign).await?;
        let spent = self.now().millis_since(now);
        Ok(ProbeLook { changed, look_again_ms: again(settings.interval_ms.saturating_sub(spent)) })
    }

    async fn primary(&self) -> Result<Option<EndpointRecord>, JournalError> {
        let standing = on_journal(&self.ports.journal, |journal| journal.standing()).await?;
        let name = EndpointName::primary();
        Ok(standing.endpoints.into_iter().find(|endpoint| endpoint.name == name))
    }

    /// Asks one that records, and measures how long it took.
    pub(crate) async fn sign_of_life(&self, recorder: Recorder, sockets: Sockets) -> Sign {
        let began = self.now();
        let nonce = random_id(&*self.ports.entropy, began).to_string();
        let answer = match self.recording(recorder) {
            Some(system) => system.health(&nonce, sockets).await,
            None => Err(NoLife::NotAsked),
        };
        if answer.is_ok() && recorder == Recorder::Primary {
            self.heard_the_sor();
        }
        Sign::of(answer, self.now().millis_since(began))
    }

    /// An endpoint that is well and was well before has nothing to keep.
    fn says_something(&self, endpoint: &EndpointRecord, sign: Sign) -> bool {
        let down = sign.found.down(&self.settings_at(&endpoint.name).probes()).is_some();
        let known =
            endpoint.breaker.probes().probes().is_empty() && endpoint.memory.heard() != Some(Heard::Stranger);
        match sign.found {
            Found::NotAsked => false,
            Found::Alive { .. } | Found::NoLife => down || !known,
        }
    }

    /// Whether a person sees something else from now on.
    async fn settle_sign(&self, pass: &Pass, sign: Sign) -> Result<bool, JournalError> {
        let ended = self.ended(&EndpointName::primary(), pass);
        let now = ended.now;
        let result = Arc::new(Mutex::new(false));
        let told = Arc::clone(&result);
        on_journal(&self.ports.journal, move |journal| {
            let decide = Box::new(move |facts: &SettleFacts| {
                let (settlement, _) = settle_probe(&ended, facts, sign);
                let seen =
                    |endpoint: &EndpointRecord| (endpoint.breaker.state_word(now), endpoint.memory.heard());
                let changed = seen(&facts.endpoint) != seen(&settlement.endpoint);
                *told.lock().unwrap_or_else(PoisonError::into_inner) = changed;
                settlement
            });
            journal.settle(now, Recorder::Primary, None, decide)
        })
        .await?;
        let changed = *result.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(changed)
    }

    /// What is judged by when something that was asked of the SoR has ended now.
    pub(crate) fn ended(&self, at: &EndpointName, pass: &Pass) -> Ended {
        let now = self.now();
        let entropy = &*self.ports.entropy;
        let mut salt = [0; 32];
        entropy.fill(&mut salt);
        Ended {
            now,
            asked: now,
            pass: *pass,
            profile: self.ports.journal.station().profile,
            settings: self.settings_at(at),
            chance: chance(entropy),
            new_outage: OutageId::from_uuid(random_id(entropy, now)),
            salt,
        }
    }
}
