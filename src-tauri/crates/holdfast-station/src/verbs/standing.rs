//! Standing: mode bar and strip of a window, from one reading of the journal.
//!
//! Promise: a cause is named when its fact holds, and only then; which is shown first is the window's business. Figures
//! that nobody has counted are left out, never guessed.

mod endpoints;
pub(crate) mod notices;

use holdfast_core::breaker::Admission;
use holdfast_core::contract::{Attested, Validity};
use holdfast_core::estimate::minutes_left;
use holdfast_core::headroom::{WorkClass, admits};
use holdfast_core::ids::EndpointName;
use holdfast_core::mode::Mode;
use holdfast_core::operation::Kind;
use holdfast_core::people::SessionStatement;
use holdfast_core::roles::{Act, Permission, Roles};
use holdfast_core::time::Now;
use holdfast_wire::{ApiError, EndpointView, ModeCause, StandingView};

use crate::ports::{EndpointRecord, JournalError};
use crate::station::Station;
use crate::verbs::standing::endpoints::{Seen, view};
use crate::verbs::standing::notices::notices;
use crate::verbs::status::Reading;
use crate::views::{self, shown};

const MIB: u64 = 1024 * 1024;
const HOUR_MS: u64 = 3_600_000;
/// From when on the end of a session is told, in milliseconds before it.
const SESSION_ENDS_SOON_MS: i64 = 30 * 60_000;
/// How long the end of an outage is told, in milliseconds: a shift.
const OUTAGE_TOLD_MAX_MS: i64 = 8 * 3_600_000;

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
        let ttl_h = self.settings().schema_cache_ttl_h;
        let attested = reading.standing.contract.map(|(_, attested)| attested);
        Ok(StandingView {
            at: reading.now.wall.to_string(),
            status: self.status_of(&reading),
            causes: self.causes(&reading, attested, ttl_h)?,
            endpoints: reading
                .standing
                .endpoints
                .iter()
                .map(|endpoint| self.view_of(endpoint, reading.now))
                .collect(),
            rules_until: attested.map(|attested| attested.holds_until(ttl_h).to_string()),
        })
    }

    fn view_of(&self, endpoint: &EndpointRecord, now: Now) -> EndpointView {
        let settings = self.settings_at(&endpoint.name).breaker();
        view(endpoint, &Seen { now, settings, welcome: self.welcome(), answered: self.has_heard_the_sor() })
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
            disk_cause(reading),
            rules_cause(rules, reading.now, ttl_h),
            room_cause(reading),
            self.refused_cause(),
            primary.and_then(|primary| announced_cause(primary, reading)),
            primary.and_then(|primary| endpoint_cause(primary, reading)),
            primary.and_then(|primary| self.catching_up_cause(primary, reading)),
            self.session_cause(reading.now),
            self.decision_cause(reading)?,
            primary.and_then(|primary| over_cause(primary, reading)),
        ];
        Ok(notices(reading).into_iter().chain(told.into_iter().flatten()).collect())
    }

    fn catching_up_cause(&self, primary: &EndpointRecord, reading: &Reading) -> Option<ModeCause> {
        let through = primary.recovering_through.filter(|_| reading.mode == Mode::Recovering)?;
        let books = &reading.standing.books;
        let begun = self.catching_up(through, books.committed, reading.now);
        let recorded = books.committed.saturating_sub(begun.committed_before);
        let left = books.pending + books.in_flight;
        Some(ModeCause::CatchingUp {
            recorded: shown(recorded),
            of: shown(recorded + left),
            minutes_left: minutes_left(recorded, left, reading.now.millis_since(begun.from)),
        })
    }

    fn refused_cause(&self) -> Option<ModeCause> {
        let since = self.welcome().refused_since()?;
        Some(ModeCause::StationRefused { since: since.to_string() })
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

fn disk_cause(reading: &Reading) -> Option<ModeCause> {
    reading.standing.stopped_at.map(|at| ModeCause::DiskFailed { at: at.to_string() })
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

/// The SoR has said until when it is away, and that time is not over.
fn announced_cause(primary: &EndpointRecord, reading: &Reading) -> Option<ModeCause> {
    let until = reading.standing.announced_until.filter(|until| *until > reading.now.wall)?;
    match primary.breaker.admission(reading.now) {
        Admission::Closed | Admission::Held { .. } => None,
        Admission::Open { .. } | Admission::Canary | Admission::CanaryOut { .. } => {
            Some(ModeCause::Maintenance { until: until.to_string() })
        }
    }
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

/// The last outage, once everything that waited at its end, and everything accepted in it, is disposed of.
fn over_cause(primary: &EndpointRecord, reading: &Reading) -> Option<ModeCause> {
    let outage = reading.standing.last_outage.as_ref()?;
    let until = outage.closed_at?;
    let answers = match primary.breaker.admission(reading.now) {
        Admission::Closed => true,
        Admission::Open { .. } | Admission::Canary | Admission::CanaryOut { .. } | Admission::Held { .. } => {
            false
        }
    };
    let oldest = reading.standing.oldest.map(|(seq, _)| seq);
    let waits = oldest.zip(primary.recovering_through).is_some_and(|(oldest, through)| oldest <= through);
    let lately = reading.now.wall.millis_since(until) <= OUTAGE_TOLD_MAX_MS;
    let over = answers && lately && !waits && outage.books.pending + outage.books.in_flight == 0;
    over.then(|| ModeCause::OutageOver {
        from: outage.first_failure_at.to_string(),
        until: until.to_string(),
        recorded: shown(outage.books.committed),
        decisions: shown(outage.books.quarantined),
    })
}
