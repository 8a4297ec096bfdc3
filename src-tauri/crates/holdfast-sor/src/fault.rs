//! What came of a request other than an operation, when it is not what was asked for.
//!
//! Promise: only an answer with the pinned identity is called a refusal of the SoR. An error page of a gateway (5xx) says
//! that the SoR does not answer; any other answer of a stranger says that a stranger answered.

use holdfast_core::ids::SorIdentity;
use holdfast_core::outcome::{Content, Identity, ProblemType, Reply, Unreachable};
use holdfast_station::ports::{NoLife, SorFault};

use crate::answer::{is_unauthorized, reply};
use crate::exchange::Ended;

/// The status has no problem type of its own.
pub(crate) const TOO_MANY_REQUESTS: &str = "too-many-requests";

/// What is wrong with it.
pub(crate) fn fault(ended: &Ended, pinned: &SorIdentity) -> SorFault {
    match ended {
        Ended::NotAsked | Ended::Unreachable(_) | Ended::Lost(_) => SorFault::NotAnswering,
        Ended::Whole(whole) => of_reply(&reply(whole, pinned)),
    }
}

fn of_reply(reply: &Reply) -> SorFault {
    match reply.identity {
        Identity::Wrong | Identity::Absent if is_gateway_error(reply.status) => SorFault::NotAnswering,
        Identity::Wrong | Identity::Absent => SorFault::Impostor,
        Identity::Right if is_unauthorized(reply) => SorFault::StationUnauthorized,
        Identity::Right => match &reply.content {
            Content::Problem(problem) => refused(reply.status, &problem.kind),
            Content::Receipt(_) | Content::ReadBack(_) | Content::Other if reply.status >= 500 => {
                SorFault::NotAnswering
            }
            Content::Receipt(_) | Content::ReadBack(_) | Content::Other => SorFault::Unreadable,
        },
    }
}

/// Why what was asked for a sign of life gave none.
pub(crate) fn no_life(ended: &Ended, pinned: &SorIdentity) -> NoLife {
    let Ended::Whole(whole) = ended else {
        return match ended {
            Ended::NotAsked => NoLife::NotAsked,
            Ended::Unreachable(Unreachable::Certificate(says)) => NoLife::Certificate(*says),
            Ended::Unreachable(_) | Ended::Lost(_) | Ended::Whole(_) => NoLife::Silent { retry_after: None },
        };
    };
    let reply = reply(whole, pinned);
    match of_reply(&reply) {
        SorFault::Impostor => NoLife::Stranger,
        SorFault::NotAnswering
        | SorFault::StationUnauthorized
        | SorFault::Refused { .. }
        | SorFault::Unreadable => NoLife::Silent { retry_after: reply.retry_after },
    }
}

/// A stranger's 5xx is that of a gateway before the SoR; but 511 is a network that wants a sign-in (RFC 6585 §6).
pub(crate) fn is_gateway_error(status: u16) -> bool {
    status >= 500 && status != 511
}

fn refused(status: u16, kind: &ProblemType) -> SorFault {
    match (status, kind) {
        (500.., _) | (_, ProblemType::Unavailable) => SorFault::NotAnswering,
        (429, _) => SorFault::Refused { problem: TOO_MANY_REQUESTS.to_owned() },
        // The text of an unknown type is a stranger's: it may be anything.
        (_, ProblemType::Other(_)) => SorFault::Unreadable,
        (_, known) => SorFault::Refused { problem: known.name().to_owned() },
    }
}
