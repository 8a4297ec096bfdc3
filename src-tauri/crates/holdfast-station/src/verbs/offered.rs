//! What can be done with an operation that was handed in: corrected, taken back.
//!
//! Promise: what is said here is what handing it in would come to now; when it is handed in it is decided anew. A correction
//! begins with what holds now, so that an earlier correction is not undone by a later one without anybody's wish.

use holdfast_core::decision::NotDecided;
use holdfast_core::ids::{ApplicationId, OperationId};
use holdfast_core::moves::Rights;
use holdfast_core::offered::{Choice, NotOffered, choices, offered};
use holdfast_core::operation::{Body, Kind};
use holdfast_core::replacing::{Change, NotReplaced, Standing, Target, Way};
use holdfast_wire::{
    ApiError, CorrectingView, DecisionOffer, DecisionRefusal, DecisionWord, OfferRefusal, OfferView,
    OfferedView,
};
use serde_json::Value;

use crate::accepting::replacing::target;
use crate::station::Station;
use crate::verbs::changing::Corrected;
use crate::views;

impl Station {
    /// None of what cannot be read any more.
    pub(super) fn offered(
        &self,
        id: OperationId,
        body: Option<&Body>,
    ) -> Result<Option<OfferedView>, ApiError> {
        let facts = self.ports.journal.target(id).map_err(|cause| views::journal_error(&cause))?;
        let Some((target, body)) = target(&facts).zip(body) else { return Ok(None) };
        let corrected = self.corrected(id)?;
        let (signed, in_use) = (self.signed_in().ok(), self.rules());
        let rights = in_use.as_ref().zip(signed.as_ref());
        let rights =
            rights.map(|(in_use, signed)| Rights { roles: in_use.rules.roles(), held: &signed.roles });
        let correct = offered(Change::Correction, target, &body.payload, rights);
        let correcting = self.correcting(&target, &corrected, body, correct.as_ref().ok())?;
        let correct = match (offer(correct), &correcting) {
            (OfferView::TakesPlace | OfferView::Follows, None) => {
                OfferView::Refused { refusal: OfferRefusal::NoForm }
            }
            (offer, _) => offer,
        };
        let take_back = offer(offered(Change::Void, target, &body.payload, rights));
        let decisions = match target.standing {
            Standing::InLane { item, .. } => choices(item).into_iter().map(decision).collect(),
            Standing::Committed | Standing::Voided => Vec::new(),
        };
        Ok(Some(OfferedView { correct, take_back, correcting, decisions }))
    }

    /// The form of what is corrected in the end, filled in with what holds now.
    fn correcting(
        &self,
        target: &Target<'_>,
        corrected: &[Corrected],
        body: &Body,
        way: Option<&Way>,
    ) -> Result<Option<CorrectingView>, ApiError> {
        let Some((way, last)) = way.zip(corrected.last()) else { return Ok(None) };
        let has_form = self.rules().is_some_and(|in_use| in_use.rules.form(last.kind).is_some());
        if !has_form || last.kind == Kind::Correction {
            return Ok(None);
        }
        let payload = match (way, last.kind) {
            (Way::Follows, Kind::Application) => self.says_now(target.application_id)?,
            (Way::Follows | Way::TakesPlace, _) => None,
        };
        let payload = payload.or_else(|| last.inside(&body.payload)).unwrap_or(Value::Null);
        let of = corrected.iter().map(|one| one.operation_id.to_string()).collect();
        Ok(Some(CorrectingView { kind: last.kind.to_string(), payload, of }))
    }

    fn says_now(&self, id: ApplicationId) -> Result<Option<Value>, ApiError> {
        let found = self.ports.journal.found_record(id).map_err(|cause| views::journal_error(&cause))?;
        Ok(found.map(|(found, _)| found.record.payload))
    }
}

fn decision((choice, came): (Choice, Result<(), NotDecided>)) -> DecisionOffer {
    let decision = match choice {
        Choice::Requeue => DecisionWord::Requeue,
        Choice::Void => DecisionWord::Void,
        Choice::Keep => DecisionWord::Keep,
        Choice::Found => DecisionWord::Found,
    };
    let refused = came.err().map(|why| match why {
        NotDecided::InDoubt => DecisionRefusal::InDoubt,
        NotDecided::NothingToBuildOn => DecisionRefusal::NothingToBuildOn,
        NotDecided::NotWaiting
        | NotDecided::NotForAPerson
        | NotDecided::NoneOfThem
        | NotDecided::NoRecord => DecisionRefusal::NotNow,
    });
    DecisionOffer { decision, refused }
}

fn offer(offered: Result<Way, NotOffered>) -> OfferView {
    match offered {
        Ok(Way::TakesPlace) => OfferView::TakesPlace,
        Ok(Way::Follows) => OfferView::Follows,
        Err(why) => OfferView::Refused { refusal: refusal(why) },
    }
}

fn refusal(why: NotOffered) -> OfferRefusal {
    match why {
        NotOffered::Not(NotReplaced::InDoubt) => OfferRefusal::InDoubt,
        // What is shown is there, and of its own application.
        NotOffered::Not(NotReplaced::Voided | NotReplaced::Unknown | NotReplaced::OtherApplication) => {
            OfferRefusal::Voided
        }
        NotOffered::Not(NotReplaced::AVoid) => OfferRefusal::AVoid,
        NotOffered::Not(NotReplaced::NothingToBuildOn) => OfferRefusal::NothingToBuildOn,
        NotOffered::NotPermitted { roles } => {
            OfferRefusal::NotPermitted { roles: roles.iter().map(ToString::to_string).collect() }
        }
        NotOffered::NotNow => OfferRefusal::NotNow,
    }
}
