//! Writing: by this process when the lock is free, else through the process that holds it.
//!
//! Promise: a command comes to the same whoever holds the lock. A holder that says nothing is given up after a few
//! seconds. When a holder is lost with a request in its hands, what is safe to ask twice is asked again, of this process
//! or of the next holder, under the same ids; what is not is said to be unknown, and never guessed.

use std::thread::sleep;
use std::time::{Duration, Instant};

use holdfast_core::ids::{ApplicationId, OperationId, StationId};
use holdfast_core::import::ImportRow;
use holdfast_machine::local_socket::{CallFault, Caller, hand_over};
use holdfast_machine::{SystemClock, SystemEntropy};
use holdfast_station::Imported;
use holdfast_station::ports::{Clock as _, random_id};
use holdfast_store::LocalKey;
use holdfast_wire::{
    ApiCode, ApiError, ConflictView, ContractView, CopiesView, DecideRequest, Decided, EndpointSteered,
    HoldEndpointRequest, ImportEnd, KeepLikenessRequest, LikenessKept, LocalAnswer, LocalRequest,
    ParcelsView, ReceiptView, ReleaseEndpointRequest, RestoreDecided, RestoreRequest, SentSoFar, SessionView,
    SignInRequest, StationView, StationsView,
};

use crate::compose::{Desk, Open, WayToSor};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::say;

/// Longest that a lock which is taken while nobody listens is waited for, in milliseconds: a holder that ends finishes its
/// attempt first, and one that listens and says nothing is given up sooner.
const PATIENCE_MS: u64 = 12_000;
/// Between two tries, in milliseconds.
const TRY_EVERY_MS: u64 = 50;

/// Whoever writes for a command.
pub(crate) struct Writer<'d> {
    desk: &'d Desk,
    way: WayToSor,
    key: Option<LocalKey>,
    at: At,
}

/// Who writes.
enum At {
    /// This process.
    Here(Box<Open>),
    /// The process that holds the lock.
    There(Caller),
}

/// Why a verb came to nothing.
#[derive(Debug)]
pub(crate) enum NotDone {
    /// The station says no.
    Refused(ApiError),
    /// It was not reached, or it is not known.
    Failed(Failure),
}

impl From<NotDone> for Failure {
    fn from(not_done: NotDone) -> Self {
        match not_done {
            NotDone::Refused(error) => error.into(),
            NotDone::Failed(failure) => failure,
        }
    }
}

/// Whether a request whose answer was lost may be made again.
enum Again {
    /// It comes to the same.
    Safe,
    /// It would not; what a person can do.
    Ask(&'static str),
}

impl Desk {
    /// Whoever writes in this folder.
    ///
    /// # Errors
    /// The folder cannot be opened, or another process holds its lock and does not answer (exit 5).
    pub(crate) fn writer(&self, way: WayToSor) -> Result<Writer<'_>, Failure> {
        let mut key = None;
        let at = reach(self, way, &mut key)?;
        Ok(Writer { desk: self, way, key, at })
    }
}

impl Writer<'_> {
    /// This process's own station, when it is the one that writes.
    pub(crate) fn here(&self) -> Option<&Open> {
        match &self.at {
            At::Here(open) => Some(open),
            At::There(_) => None,
        }
    }

    pub(crate) fn submit(&mut self, document: &[u8]) -> Result<ReceiptView, NotDone> {
        let fresh = || random_id(&SystemEntropy, SystemClock.now());
        let (operation_id, application_id) =
            (OperationId::from_uuid(fresh()), ApplicationId::from_uuid(fresh()));
        let request = LocalRequest::Submit {
            operation_id: operation_id.to_string(),
            application_id: application_id.to_string(),
        };
        let here = |open: &Open| open.station.submit_under(document, operation_id, application_id);
        let answer =
            self.ask(&request, Some(document), &Again::Safe, |open| here(open).map(LocalAnswer::Receipt));
        let answer = answer.map_err(|not_done| with_ids(not_done, &operation_id, &application_id))?;
        if let LocalAnswer::Receipt(receipt) = answer { Ok(receipt) } else { Err(nonsense()) }
    }

    /// Whether the row had been accepted before.
    pub(crate) fn import_row(&mut self, row: &ImportRow) -> Result<bool, NotDone> {
        let request = LocalRequest::ImportRow { permit_num: row.permit_num.to_string() };
        let payload = serde_json::to_vec(&row.payload).expect("a payload is JSON");
        let here = |open: &Open| {
            let already = matches!(open.station.import_row(row)?, Imported::Already(_));
            Ok(LocalAnswer::Row { already })
        };
        let answer = self.ask(&request, Some(&payload), &Again::Safe, here)?;
        if let LocalAnswer::Row { already } = answer { Ok(already) } else { Err(nonsense()) }
    }

    pub(crate) fn import_ended(&mut self, end: ImportEnd) -> Result<(), NotDone> {
        let here = |open: &Open| open.station.import_finished(end).map(|()| LocalAnswer::Done);
        self.ask(&LocalRequest::ImportEnded(end), None, &Again::Safe, here).map(drop)
    }

    pub(crate) fn decide(&mut self, ask: &DecideRequest) -> Result<Decided, NotDone> {
        let again = Again::Ask("look with `holdfastctl quarantine show`");
        let here = |open: &Open| open.station.decide(ask.clone()).map(LocalAnswer::Decided);
        let answer = self.ask(&LocalRequest::Decide(ask.clone()), None, &again, here)?;
        if let LocalAnswer::Decided(decided) = answer { Ok(decided) } else { Err(nonsense()) }
    }

    pub(crate) fn keep_likeness(&mut self, ask: &KeepLikenessRequest) -> Result<LikenessKept, NotDone> {
        let again = Again::Ask("look with `holdfastctl likeness list`");
        let here = |open: &Open| open.station.keep_likeness(ask.clone()).map(LocalAnswer::LikenessKept);
        let answer = self.ask(&LocalRequest::KeepLikeness(ask.clone()), None, &again, here)?;
        if let LocalAnswer::LikenessKept(kept) = answer { Ok(kept) } else { Err(nonsense()) }
    }

    pub(crate) fn settle_restore(&mut self, ask: &RestoreRequest) -> Result<RestoreDecided, NotDone> {
        let again = Again::Ask("look with `holdfastctl reprove list`");
        let here = |open: &Open| open.station.settle_restore(ask.clone()).map(LocalAnswer::Restored);
        let answer = self.ask(&LocalRequest::SettleRestore(ask.clone()), None, &again, here)?;
        if let LocalAnswer::Restored(decided) = answer { Ok(decided) } else { Err(nonsense()) }
    }

    pub(crate) fn fetch_theirs(&mut self, key: &str) -> Result<ConflictView, NotDone> {
        let here = |open: &Open| {
            open.runtime.block_on(open.station.fetch_theirs(key)).map(Box::new).map(LocalAnswer::Conflict)
        };
        let answer =
            self.ask(&LocalRequest::FetchTheirs { key: key.to_owned() }, None, &Again::Safe, here)?;
        if let LocalAnswer::Conflict(conflict) = answer { Ok(*conflict) } else { Err(nonsense()) }
    }

    pub(crate) fn hold_endpoint(&mut self, ask: &HoldEndpointRequest) -> Result<EndpointSteered, NotDone> {
        let here = |open: &Open| open.station.hold_endpoint(ask.clone()).map(LocalAnswer::Steered);
        self.steer(&LocalRequest::HoldEndpoint(ask.clone()), here)
    }

    pub(crate) fn release_endpoint(
        &mut self,
        ask: &ReleaseEndpointRequest,
    ) -> Result<EndpointSteered, NotDone> {
        let here = |open: &Open| open.station.release_endpoint(ask.clone()).map(LocalAnswer::Steered);
        self.steer(&LocalRequest::ReleaseEndpoint(ask.clone()), here)
    }

    fn steer(
        &mut self,
        request: &LocalRequest,
        here: impl Fn(&Open) -> Result<LocalAnswer, ApiError>,
    ) -> Result<EndpointSteered, NotDone> {
        let answer = self.ask(request, None, &Again::Ask("look with `holdfastctl status`"), here)?;
        if let LocalAnswer::Steered(steered) = answer { Ok(steered) } else { Err(nonsense()) }
    }

    /// The password goes to the SoR from here, whoever writes.
    pub(crate) fn sign_in(&mut self, ask: SignInRequest) -> Result<SessionView, NotDone> {
        if let At::Here(open) = &self.at {
            return open.runtime.block_on(open.station.sign_in(ask)).map_err(NotDone::Refused);
        }
        let opened = self.desk.open_session(ask)?;
        let here = |open: &Open| open.station.take_up(&opened).map(LocalAnswer::Session);
        let answer = self.ask(&LocalRequest::TakeUp, Some(&hand_over(&opened)), &Again::Safe, here)?;
        if let LocalAnswer::Session(session) = answer { Ok(session) } else { Err(nonsense()) }
    }

    pub(crate) fn load_contract(&mut self, document: &[u8]) -> Result<ContractView, NotDone> {
        let here = |open: &Open| open.station.load_contract(document).map(LocalAnswer::Contract);
        self.contract(&LocalRequest::LoadContract, Some(document), here)
    }

    pub(crate) fn refresh_contract(&mut self) -> Result<ContractView, NotDone> {
        let here =
            |open: &Open| open.runtime.block_on(open.station.refresh_contract()).map(LocalAnswer::Contract);
        self.contract(&LocalRequest::RefreshContract, None, here)
    }

    pub(crate) fn renew_parcels(&mut self) -> Result<ParcelsView, NotDone> {
        let here =
            |open: &Open| open.runtime.block_on(open.station.renew_parcels()).map(LocalAnswer::Parcels);
        let answer = self.ask(&LocalRequest::RenewParcels, None, &Again::Safe, here)?;
        if let LocalAnswer::Parcels(view) = answer { Ok(view) } else { Err(nonsense()) }
    }

    pub(crate) fn refresh_copies(&mut self) -> Result<CopiesView, NotDone> {
        let here =
            |open: &Open| open.runtime.block_on(open.station.refresh_copies()).map(LocalAnswer::Copies);
        let answer = self.ask(&LocalRequest::RefreshCopies, None, &Again::Safe, here)?;
        if let LocalAnswer::Copies(view) = answer { Ok(view) } else { Err(nonsense()) }
    }

    pub(crate) fn stations(&mut self) -> Result<StationsView, NotDone> {
        let here = |open: &Open| {
            open.runtime.block_on(open.station.stations()).map(Box::new).map(LocalAnswer::Stations)
        };
        let answer = self.ask(&LocalRequest::Stations, None, &Again::Safe, here)?;
        if let LocalAnswer::Stations(view) = answer { Ok(*view) } else { Err(nonsense()) }
    }

    pub(crate) fn station(&mut self, id: &StationId) -> Result<StationView, NotDone> {
        let here = |open: &Open| {
            let told = open.runtime.block_on(open.station.told_by(id.as_str()));
            told.map(Box::new).map(LocalAnswer::Station)
        };
        let answer = self.ask(&LocalRequest::Station { id: id.to_string() }, None, &Again::Safe, here)?;
        if let LocalAnswer::Station(view) = answer { Ok(*view) } else { Err(nonsense()) }
    }

    fn contract(
        &mut self,
        request: &LocalRequest,
        document: Option<&[u8]>,
        here: impl Fn(&Open) -> Result<LocalAnswer, ApiError>,
    ) -> Result<ContractView, NotDone> {
        let answer = self.ask(request, document, &Again::Safe, here)?;
        if let LocalAnswer::Contract(view) = answer { Ok(view) } else { Err(nonsense()) }
    }

    /// Drains through the holder. `None` when it ended before: this process, or the next holder, goes on.
    pub(crate) fn drain_there(
        &mut self,
        request: &LocalRequest,
        working: &mut dyn FnMut(SentSoFar),
    ) -> Result<Option<LocalAnswer>, NotDone> {
        let At::There(caller) = &mut self.at else { return Ok(None) };
        match caller.ask(request, None, working) {
            Ok(LocalAnswer::Refused(error)) => return Err(NotDone::Refused(error)),
            Ok(LocalAnswer::Leaving(so_far)) => working(so_far),
            Ok(answer) => return Ok(Some(answer)),
            Err(fault) => self.bear(&fault, &Again::Safe)?,
        }
        self.reach_again().map_err(NotDone::Failed)?;
        Ok(None)
    }

    /// Asks whoever writes, again and again while that is safe and the lock changes hands.
    fn ask(
        &mut self,
        request: &LocalRequest,
        document: Option<&[u8]>,
        again: &Again,
        here: impl Fn(&Open) -> Result<LocalAnswer, ApiError>,
    ) -> Result<LocalAnswer, NotDone> {
        let until = Instant::now() + Duration::from_millis(PATIENCE_MS);
        let mut lost = false;
        loop {
            let said = match &mut self.at {
                At::Here(open) => return here(open).map_err(NotDone::Refused),
                At::There(caller) => caller.ask(request, document, &mut |_| {}),
            };
            match said {
                Ok(LocalAnswer::Refused(error)) => return Err(NotDone::Refused(error)),
                Ok(LocalAnswer::Leaving(_)) => {}
                Ok(answer) => return Ok(answer),
                Err(fault) => {
                    lost |= matches!(fault, CallFault::Unknown);
                    self.bear(&fault, again)?;
                }
            }
            if Instant::now() > until {
                return Err(NotDone::Failed(if lost { unknown("try again") } else { silent() }));
            }
            sleep(Duration::from_millis(TRY_EVERY_MS));
            self.reach_again()
                .map_err(|failure| if lost { not_known(failure) } else { NotDone::Failed(failure) })?;
        }
    }

    /// Whether a fault can be borne: then the request may be made again.
    fn bear(&self, fault: &CallFault, again: &Again) -> Result<(), NotDone> {
        match (fault, again) {
            (CallFault::Nobody | CallFault::Busy, _) => Ok(()),
            (CallFault::Unknown, Again::Safe) => {
                say("the process that wrote here ended before it answered; asking again, under the same ids");
                Ok(())
            }
            (CallFault::Unknown, Again::Ask(advice)) => Err(NotDone::Failed(unknown(advice))),
            (CallFault::Silent | CallFault::KeptOut | CallFault::Stranger, _) => {
                Err(NotDone::Failed(in_use(fault)))
            }
        }
    }

    fn reach_again(&mut self) -> Result<(), Failure> {
        self.at = reach(self.desk, self.way, &mut self.key)?;
        Ok(())
    }
}

/// Takes the lock, or finds who has it; tries for a while, since commands come and go.
fn reach(desk: &Desk, way: WayToSor, key: &mut Option<LocalKey>) -> Result<At, Failure> {
    let until = Instant::now() + Duration::from_millis(PATIENCE_MS);
    loop {
        if let Some(open) = desk.open_to_write(way)? {
            return Ok(At::Here(Box::new(open)));
        }
        let key = match key {
            Some(key) => key,
            None => key.insert(desk.local_key()?),
        };
        match Caller::reach(&desk.data_dir, key) {
            Ok(caller) => return Ok(At::There(caller)),
            Err(fault @ (CallFault::Silent | CallFault::KeptOut | CallFault::Stranger)) => {
                return Err(in_use(&fault));
            }
            Err(CallFault::Nobody | CallFault::Busy | CallFault::Unknown) => {}
        }
        if Instant::now() > until {
            return Err(silent());
        }
        sleep(Duration::from_millis(TRY_EVERY_MS));
    }
}

fn silent() -> Failure {
    ApiError { code: ApiCode::InUse, problems: Vec::new() }.into()
}

fn in_use(fault: &CallFault) -> Failure {
    Failure::new(Exit::InUse, "in-use", format!("another process writes here: {fault}; nothing was touched"))
}

fn unknown(advice: &str) -> Failure {
    let sentence = format!(
        "it is not known whether this was done: the process that writes here ended before it answered; {advice}"
    );
    Failure::new(Exit::InUse, "unknown", sentence)
}

fn not_known(failure: Failure) -> NotDone {
    let why = failure.sentence;
    NotDone::Failed(unknown(&format!("try again ({why})")))
}

/// What a person needs to ask again and meet the same receipt.
fn with_ids(not_done: NotDone, operation_id: &OperationId, application_id: &ApplicationId) -> NotDone {
    match not_done {
        NotDone::Failed(failure) if failure.code == "unknown" => {
            let sentence = format!(
                "{}; with \"operation_id\": \"{operation_id}\" (and for a new application \"application_id\": \
                 \"{application_id}\") in the document, where it names none, the receipt will be the same",
                failure.sentence
            );
            NotDone::Failed(Failure { sentence, ..failure })
        }
        NotDone::Failed(_) | NotDone::Refused(_) => not_done,
    }
}

fn nonsense() -> NotDone {
    NotDone::Failed(in_use(&CallFault::Stranger))
}
