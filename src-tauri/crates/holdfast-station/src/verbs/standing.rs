//! Standing: mode bar and strip of a window, from one reading of the journal.
//!
//! Promise: a cause is named when its fact holds, and only then; which is shown first is the window's business. Figures
//! that nobody has counted are left out, never guessed.

use holdfast_core::breaker::Admission;
use holdfast_core::contract::{Attested, Validity};
use holdfast_core::headroom::{WorkClass, admits};
use holdfast_core::ids::EndpointName;
use holdfast_core::mode::Mode;
use holdfast_core::operation::Kind;
use holdfast_core::people::SessionStatement;
use holdfast_core::roles::{Act, Permission, Roles};
use holdfast_core::time::Now;
use holdfast_wire::{ApiError, EndpointDoing, EndpointView, ModeCause, StandingView};

use crate::ports::{EndpointRecord, JournalError};
use crate::station::Station;
use crate::verbs::status::Reading;
use crate::views::{self, shown};

const MIB: u64 = 1024 * 1024;
const HOUR_MS: u64 = 3_600_000;
/// From when on the end of a session is told, in milliseconds before it.
const SESSION_ENDS_SOON_MS: i64 = 30 * 60_000;

impl Station {
    /// Everything that a window shows on every screen.
    ///
    /// # Errors
    /// The journal cannot be read.
    pub fn standing(&self) -> Result<StandingView, ApiError> {
        self.read_standing().map_err(|cause| views::journal_error(&cause))
    }

    fn read_standing(&self) -> Result<StandingView, JournalError> {
        let reading = self.read()?;
        let ttl_h = self.settings.schema_cache_ttl_h;
        let attested = reading.standing.contract.map(|(_, attested)| attested);
        Ok(StandingView {
            at: reading.now.wall.to_string(),
            status: self.status_of(&reading),
            causes: self.causes(&reading, attested, ttl_h)?,
            endpoints: reading
                .standing
                .endpoints
                .iter()
                .map(|endpoint| view(endpoint, reading.now))
                .collect(),
            rules_until: attested.map(|attested| attested.holds_until(ttl_h).to_string()),
        })
    }

    fn causes(
        &self,
        reading: &Reading,
        attested: Option<Attested>,
        ttl_h: u32,
    ) -> Result<Vec<ModeCause>, JournalError> {
        let rules = if self.rules().is_some() { attested } else { None };
        let primary = EndpointName::primary();
        let primary = reading.standing.endpoints.iter().find(|endpoint| endpoint.name == primary);
        let told = [
            rules_cause(rules, reading.now, ttl_h),
            room_cause(reading),
            primary.and_then(|primary| endpoint_cause(primary, reading)),
            primary.and_then(|primary| self.catching_up_cause(primary, reading)),
            self.session_cause(reading.now),
            self.decision_cause(reading)?,
        ];
        Ok(told.into_iter().flatten().collect())
    }

    fn catching_up_cause(&self, primary: &EndpointRecord, reading: &Reading) -> Option<ModeCause> {
        let through = primary.recovering_through.filter(|_| reading.mode == Mode::Recovering)?;
        let books = &reading.standing.books;
        let begun = self.catching_up(through, books.committed);
        let recorded = books.committed.saturating_sub(begun.committed_before);
        let of = recorded + books.pending + books.in_flight;
        Some(ModeCause::CatchingUp { recorded: shown(recorded), of: shown(of), minutes_left: None })
    }

    /// Whoever may not decide is told of what was sent back to them, and of nothing else.
    fn decision_cause(&self, reading: &Reading) -> Result<Option<ModeCause>, JournalError> {
        let all = reading.standing.books.quarantined;
        let signed = self.signed_in().ok().filter(|signed| all > 0 && !self.may_decide(signed));
        let (count, own) = match signed {
            Some(signed) => (self.ports.journal.sent_back(&signed.actor)?, true),
            None => (all, false),
        };
        Ok((count > 0).then(|| ModeCause::NeedsDecision { count: shown(count), own }))
    }

    /// Whoever may void may decide.
    fn may_decide(&self, signed: &SessionStatement) -> bool {
        let void = Act::Submit(Kind::Void);
        let may =
            |rules: &Roles| signed.roles.iter().any(|role| rules.may(role, void) == Permission::Granted);
        self.rules().is_some_and(|in_use| may(in_use.rules.roles()))
    }

    fn session_cause(&self, now: Now) -> Option<ModeCause> {
        let until = self.signed()?.statement.until;
        let left_ms = until.millis_since(now.wall);
        let soon = (0..=SESSION_ENDS_SOON_MS).contains(&left_ms);
        soon.then(|| ModeCause::SessionEnds { at: until.to_string() })
    }
}

fn rules_cause(rules: Option<Attested>, now: Now, ttl_h: u32) -> Option<ModeCause> {
    let Some(attested) = rules else {
        return Some(ModeCause::RulesAbsent);
    };
    match attested.validity(now, ttl_h) {
        Validity::Valid => None,
        Validity::Missing => Some(ModeCause::RulesAbsent),
        Validity::Expired | Validity::FromTheFuture => {
            Some(ModeCause::RulesTooOld { age_h: shown(attested.age_ms(now) / HOUR_MS), limit_h: ttl_h })
        }
    }
}

fn room_cause(reading: &Reading) -> Option<ModeCause> {
    let short = !admits(reading.class, WorkClass::Standard);
    short.then(|| ModeCause::RoomShort { free_mib: shown(reading.space.available_bytes / MIB) })
}

fn endpoint_cause(primary: &EndpointRecord, reading: &Reading) -> Option<ModeCause> {
    match primary.breaker.admission(reading.now) {
        Admission::Closed => None,
        Admission::Held { until } => {
            primary.breaker.held(reading.now).map(|hold| ModeCause::SendingStopped {
                until: until.to_string(),
                by: hold.by.to_string(),
                reason: hold.reason.clone(),
            })
        }
        Admission::Open { .. } | Admission::Canary | Admission::CanaryOut { .. } => {
            let books = &reading.standing.books;
            Some(ModeCause::NotAnswering {
                since: primary.first_failure_at.unwrap_or(primary.breaker.since()).to_string(),
                waiting: shown(books.pending + books.in_flight),
                oldest: reading.standing.oldest.map(|(_, at)| at.to_string()),
            })
        }
    }
}

fn view(endpoint: &EndpointRecord, now: Now) -> EndpointView {
    let doing = match endpoint.breaker.admission(now) {
        Admission::Closed => EndpointDoing::Answering,
        Admission::Canary => EndpointDoing::NotAnswering { next_try_at: None },
        Admission::Open { next_try_at } => {
            EndpointDoing::NotAnswering { next_try_at: Some(next_try_at.to_string()) }
        }
        Admission::CanaryOut { .. } => EndpointDoing::TryingOnce,
        Admission::Held { .. } => EndpointDoing::Stopped {
            by: endpoint.breaker.held(now).map(|hold| hold.by.to_string()).unwrap_or_default(),
        },
    };
    EndpointView { name: endpoint.name.to_string(), doing }
}
