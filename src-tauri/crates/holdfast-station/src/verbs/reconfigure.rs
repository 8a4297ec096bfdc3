//! Another configuration while the station runs, and the one that it starts with.
//!
//! Promise: settings are exchanged whole, after the audit has them: a step that began under the old ones ends under them. What
//! is refused changes nothing. Reading files is not done here.

use std::sync::{Arc, Mutex, PoisonError};

use holdfast_core::time::Now;
use holdfast_wire::ApiError;

use crate::ports::{ConfigurationFacts, Journal, JournalError, RefusedConfiguration};
use crate::reconfiguring::{Configured, refused, taken};
use crate::settings::{ChangedValue, Settings, TakesEffect};
use crate::station::Station;
use crate::verbs::drain::on_journal;
use crate::views;

/// Hears of settings that were exchanged.
type Follower = Box<dyn Fn(&Settings) + Send + Sync>;

/// Whoever keeps a copy of something that settings say.
#[derive(Default)]
pub(crate) struct Followers(Mutex<Vec<Follower>>);

/// What is wrong with a configuration that was not taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrongConfiguration {
    /// The file, or the environment.
    pub source: String,
    /// The key, where one is wrong.
    pub key: Option<String>,
    /// What is wrong.
    pub problem: String,
}

impl Station {
    /// Whoever keeps a copy of something that settings say, as a client its limits, hears of other settings.
    #[must_use]
    pub fn followed_by(self, follower: impl Fn(&Settings) + Send + Sync + 'static) -> Self {
        self.followers.0.lock().unwrap_or_else(PoisonError::into_inner).push(Box::new(follower));
        self
    }

    /// Tells the audit what is different from when it was told last. For a start: blocks on the disk.
    ///
    /// # Errors
    /// The journal cannot be used; the settings are in force all the same.
    pub fn begin_with(&self, configured: Configured) -> Result<Vec<ChangedValue>, ApiError> {
        let now = self.now();
        let changes = tell(&*self.ports.journal, now, configured);
        changes.inspect(|changes| log(changes)).map_err(|cause| views::journal_error(&cause))
    }

    /// Goes by other settings from now on, and tells what changed.
    ///
    /// # Errors
    /// The journal cannot be used; the old ones stay.
    pub async fn reconfigure(&self, configured: Configured) -> Result<Vec<ChangedValue>, ApiError> {
        let (now, settings) = (self.now(), configured.settings.clone());
        let changes = on_journal(&self.ports.journal, move |journal| tell(journal, now, configured)).await;
        let changes = changes.map_err(|cause| views::journal_error(&cause))?;
        log(&changes);
        for follower in self.followers.0.lock().unwrap_or_else(PoisonError::into_inner).iter() {
            follower(&settings);
        }
        self.exchange_settings(settings);
        // Whoever waits may not have to any more.
        self.work_came();
        Ok(changes)
    }

    /// Keeps that a configuration lies there that is not taken; whether that is new.
    ///
    /// # Errors
    /// The journal cannot be used.
    pub async fn refuse_configuration(&self, wrong: WrongConfiguration) -> Result<bool, ApiError> {
        let now = self.now();
        let WrongConfiguration { source, key, problem } = wrong;
        let wrong = RefusedConfiguration { since: now.wall, source, key, problem };
        let told = wrong.clone();
        let is_new = Arc::new(Mutex::new(false));
        let noticed = Arc::clone(&is_new);
        let kept = on_journal(&self.ports.journal, move |journal| {
            let decide = Box::new(move |facts: &ConfigurationFacts| {
                let change = refused(facts, wrong);
                *noticed.lock().unwrap_or_else(PoisonError::into_inner) = change.is_some();
                change
            });
            journal.change_configuration(now, decide)
        });
        kept.await.map_err(|cause| views::journal_error(&cause))?;
        let is_new = *is_new.lock().unwrap_or_else(PoisonError::into_inner);
        if is_new {
            let RefusedConfiguration { source, problem, .. } = told;
            tracing::warn!(%source, %problem, "a configuration is refused, the running one stays");
        }
        Ok(is_new)
    }
}

fn tell(journal: &dyn Journal, now: Now, configured: Configured) -> Result<Vec<ChangedValue>, JournalError> {
    let changes = Arc::new(Mutex::new(Vec::new()));
    let told = Arc::clone(&changes);
    let decide = Box::new(move |facts: &ConfigurationFacts| {
        let (changes, change) = taken(facts, now, &configured);
        *told.lock().unwrap_or_else(PoisonError::into_inner) = changes;
        change
    });
    journal.change_configuration(now, decide)?;
    let changes = std::mem::take(&mut *changes.lock().unwrap_or_else(PoisonError::into_inner));
    Ok(changes)
}

fn log(changes: &[ChangedValue]) {
    for ChangedValue { key, before, after, origin, takes_effect } in changes {
        match takes_effect {
            TakesEffect::Now => tracing::info!(%key, %before, %after, %origin, "the configuration changed"),
            TakesEffect::NextStart => {
                tracing::info!(%key, %before, %after, %origin, "takes effect at the next start");
            }
        }
    }
}
