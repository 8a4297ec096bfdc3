//! The ports of the station, as this store keeps them: each method is one transaction.

use holdfast_core::alarms::Alarm;
use holdfast_core::audit::Entry;
use holdfast_core::cascade::Recorder;
use holdfast_core::headroom::DiskSpace;
use holdfast_core::ids::{ApplicationId, EndpointName, IdempotencyKey, LocalSeq, OperationId};
use holdfast_core::people::SignedStatement;
use holdfast_core::reprove::StationWentBack;
use holdfast_core::sign::PublicKey;
use holdfast_core::time::{Now, UtcMillis};
use holdfast_station::ports::{
    AcceptAsk, AcceptDecision, AcceptFacts, Accepting, Agreement, Alarms, ApplicationRecord, Backlog,
    Commitment, Decide, DecideFacts, Decisions, InFlight, Journal, JournalError, KeptContract, KeptSession,
    Look, LookingEnded, MissingFacts, MissingRecord, MissingRuled, MissingRuling, NoticeFacts, Noticed,
    NoticedBy, OperationRecord, OsUser, OutageRecord, Page, Reprovals, Reproving, RestoreRecord, Ruled,
    Ruling, Secret, SecretName, SendFacts, SettleFacts, Settlement, SkippedRecord, Standing, StationRecord,
    Step, Vault,
};
use rusqlite::Connection;
use rustix::process::geteuid;

use crate::accept::accept;
use crate::begin::begin;
use crate::fault::Fault;
use crate::recover::recover;
use crate::settle::settle;
use crate::store::Store;
use crate::writer::WhenFull;
use crate::{
    alarm, application, backlog, books, contract, counts, endpoint, folder, meta, missing, operation,
    operation_record, outage, reproving, secret, session, skipped,
};

impl Journal for Store {
    fn station(&self) -> &StationRecord {
        self.record()
    }

    fn own_user(&self) -> OsUser {
        OsUser(geteuid().as_raw())
    }

    fn accept(
        &self,
        now: Now,
        ask: AcceptAsk,
        decide: Decide<AcceptFacts, AcceptDecision>,
    ) -> Result<Accepting, JournalError> {
        self.write(now, WhenFull::Refuse, move |turn| accept(turn, &ask, decide))
    }

    fn recover(&self, now: Now) -> Result<(), JournalError> {
        self.write(now, WhenFull::Wait, recover)
    }

    fn begin(
        &self,
        now: Now,
        recorder: Recorder,
        decide: Decide<SendFacts, Step>,
    ) -> Result<Option<InFlight>, JournalError> {
        self.write(now, WhenFull::Wait, move |turn| begin(turn, recorder, decide))
    }

    fn settle(
        &self,
        now: Now,
        recorder: Recorder,
        operation: Option<OperationId>,
        decide: Decide<SettleFacts, Settlement>,
    ) -> Result<(), JournalError> {
        self.write(now, WhenFull::Wait, move |turn| settle(turn, recorder, operation, decide))
    }

    fn note(&self, now: Now, entries: Vec<Entry>) -> Result<(), JournalError> {
        self.write(now, WhenFull::Wait, move |turn| turn.audit_all(entries))
    }

    fn keep_contract(
        &self,
        now: Now,
        contract: KeptContract,
        entries: Vec<Entry>,
    ) -> Result<(), JournalError> {
        self.write(now, WhenFull::Wait, move |turn| {
            contract::keep(&turn.tx, &contract)?;
            turn.audit_all(entries)
        })
    }

    fn keep_session(&self, now: Now, session: KeptSession, entries: Vec<Entry>) -> Result<(), JournalError> {
        self.write(now, WhenFull::Wait, move |turn| {
            session::keep(&turn.tx, &session)?;
            turn.audit_all(entries)
        })
    }

    fn close_session(&self, now: Now, user: OsUser, entries: Vec<Entry>) -> Result<(), JournalError> {
        self.write(now, WhenFull::Wait, move |turn| {
            session::close(&turn.tx, user)?;
            turn.audit_all(entries)
        })
    }

    fn contract(&self) -> Result<Option<KeptContract>, JournalError> {
        self.read(|tx| contract::contract(tx))
    }

    fn office_key(&self) -> Result<Option<PublicKey>, JournalError> {
        self.read(|tx| meta::office_key(tx))
    }

    fn session(&self, user: OsUser) -> Result<Option<KeptSession>, JournalError> {
        self.read(|tx| session::session(tx, user))
    }

    fn standing(&self) -> Result<Standing, JournalError> {
        let stopped_at = self.stopped_at();
        self.read(|tx| standing(tx, stopped_at))
    }

    fn waiting(&self, page: Page) -> Result<Vec<OperationRecord>, JournalError> {
        self.read(|tx| operation::page(tx, page))
    }

    fn operation(&self, key: &IdempotencyKey) -> Result<Option<OperationRecord>, JournalError> {
        self.read(|tx| operation_record::by_key(tx, key))
    }

    fn applications(&self, page: Page) -> Result<Vec<ApplicationRecord>, JournalError> {
        self.read(|tx| application::page(tx, page))
    }

    fn application(
        &self,
        id: ApplicationId,
    ) -> Result<Option<(ApplicationRecord, Vec<OperationRecord>)>, JournalError> {
        self.read(|tx| {
            let Some(record) = application::record(tx, id)? else { return Ok(None) };
            Ok(Some((record, operation_record::of_application(tx, id)?)))
        })
    }

    fn space(&self) -> Result<DiskSpace, JournalError> {
        folder::space(self.folder()).map_err(|error| Fault::from(error).into())
    }
}

impl Decisions for Store {
    fn decide(
        &self,
        now: Now,
        key: IdempotencyKey,
        decide: Decide<DecideFacts, Ruling>,
    ) -> Result<Ruled, JournalError> {
        self.write(now, WhenFull::Wait, move |turn| crate::decide::decide(turn, &key, decide))
    }

    fn outages(&self, page: Page) -> Result<(Vec<OutageRecord>, u32), JournalError> {
        self.read(|tx| outage::page(tx, page))
    }

    fn backlog(&self, hours_max: u32) -> Result<Backlog, JournalError> {
        self.read(|tx| backlog::by_hour(tx, hours_max))
    }
}

impl Reprovals for Store {
    fn reproving(&self) -> Result<Reproving, JournalError> {
        self.read(|tx| reproving::reproving(tx))
    }

    fn keep_agreed(&self, now: Now, agreement: Agreement) -> Result<(), JournalError> {
        self.write(now, WhenFull::Wait, move |turn| reproving::keep_agreed(turn, &agreement))
    }

    fn notice_restore(&self, now: Now, noticed: Noticed) -> Result<(), JournalError> {
        self.write(now, WhenFull::Wait, move |turn| reproving::notice(turn, noticed))
    }

    fn skip_numbers(
        &self,
        now: Now,
        through: LocalSeq,
        decide: Decide<StationWentBack, Vec<Entry>>,
    ) -> Result<(), JournalError> {
        self.write(now, WhenFull::Wait, move |turn| skipped::skip(turn, through, NoticedBy::Sequence, decide))
    }

    fn latest_commits(&self, rows: u32) -> Result<Vec<Commitment>, JournalError> {
        self.read(|tx| reproving::latest_commits(tx, rows))
    }

    fn next_to_look_for(&self) -> Result<Option<Commitment>, JournalError> {
        self.read(|tx| reproving::next_to_look_for(tx))
    }

    fn keep_look(&self, now: Now, look: Look) -> Result<(), JournalError> {
        self.write(now, WhenFull::Wait, move |turn| reproving::keep_look(turn, look))
    }

    fn end_looking(&self, now: Now, decide: Decide<RestoreRecord, LookingEnded>) -> Result<(), JournalError> {
        self.write(now, WhenFull::Wait, move |turn| reproving::end_looking(turn, decide))
    }

    fn missing(&self, page: Page) -> Result<(Option<RestoreRecord>, Vec<MissingRecord>), JournalError> {
        self.read(|tx| missing::page(tx, page))
    }

    fn decide_missing(
        &self,
        now: Now,
        decide: Decide<MissingFacts, MissingRuling>,
    ) -> Result<MissingRuled, JournalError> {
        self.write(now, WhenFull::Wait, move |turn| missing::decide(turn, decide))
    }

    fn statements(&self, rows: u32) -> Result<Vec<SignedStatement>, JournalError> {
        self.read(|tx| session::statements(tx, rows))
    }

    fn skipped(&self) -> Result<Vec<SkippedRecord>, JournalError> {
        self.read(|tx| skipped::all(tx))
    }
}

impl Alarms for Store {
    fn notices(&self) -> Result<NoticeFacts, JournalError> {
        self.read(|tx| alarm::notices(tx))
    }

    fn keep_alarms(&self, now: Now, raised: Vec<Alarm>, entries: Vec<Entry>) -> Result<(), JournalError> {
        self.write(now, WhenFull::Wait, move |turn| alarm::keep(turn, &raised, entries))
    }
}

impl Vault for Store {
    fn secret(&self, name: SecretName) -> Result<Option<Secret>, JournalError> {
        self.read(|tx| secret::secret(tx, name))
    }

    fn keep(&self, name: SecretName, secret: Secret) -> Result<(), JournalError> {
        self.write_untold(move |tx| secret::keep(tx, name, &secret))
    }

    fn forget(&self, name: SecretName) -> Result<(), JournalError> {
        self.write_untold(move |tx| secret::forget(tx, name))
    }
}

fn standing(conn: &Connection, stopped_at: Option<UtcMillis>) -> Result<Standing, Fault> {
    Ok(Standing {
        endpoints: endpoint::all(conn)?,
        books: books::station(conn)?,
        counts: counts::counts(conn)?,
        oldest: operation::oldest(conn)?,
        contract: contract::attested(conn)?,
        headroom: meta::headroom(conn)?,
        outages_open: outage::open_count(conn)?,
        last_outage: outage::last_ended(conn, &EndpointName::primary())?,
        announced_until: outage::announced_until(conn, &EndpointName::primary())?,
        stopped_at,
    })
}
