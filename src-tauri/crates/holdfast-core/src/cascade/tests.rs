//! Every combination of what a decision is made from.

#![allow(clippy::unwrap_used)]

use serde_json::{json, to_value};

use super::*;

const GATES: [Gate; 5] = [Gate::Closed, Gate::CanaryDue, Gate::CanaryOut, Gate::Open, Gate::Held];
const STEPS: [NextStep; 2] = [NextStep::Send, NextStep::LookUp];
const PRIMARY: InDoubt = InDoubt::At(Recorder::Primary);
const MIRROR: InDoubt = InDoubt::At(Recorder::Mirror);

fn all() -> Vec<CascadeInputs> {
    let mirrors = [Mirror::None, Mirror::Custody].into_iter().chain(GATES.map(Mirror::Authoritative));
    let mut all = Vec::new();
    for mirror in mirrors {
        for primary in GATES {
            for in_doubt in [InDoubt::Nowhere, PRIMARY, MIRROR] {
                for keys in [MirrorKeys::Apart, MirrorKeys::Shared] {
                    all.extend(STEPS.map(|next_step| CascadeInputs {
                        primary,
                        mirror,
                        in_doubt,
                        keys,
                        next_step,
                    }));
                }
            }
        }
    }
    all
}

/// A closed one of nothing in particular.
fn inputs() -> CascadeInputs {
    CascadeInputs {
        primary: Gate::Closed,
        mirror: Mirror::Authoritative(Gate::Closed),
        in_doubt: InDoubt::Nowhere,
        keys: MirrorKeys::Apart,
        next_step: NextStep::Send,
    }
}

#[test]
fn where_an_operation_goes_by_every_row_of_the_table() {
    let (send, look) = (NextStep::Send, NextStep::LookUp);
    let (to_primary, to_mirror, wait) = (Goes::Primary, Goes::Mirror, Goes::Wait);
    let works = Mirror::Authoritative(Gate::Closed);
    let rows = [
        // The primary answers: the mirror is not needed.
        (Gate::Closed, works, InDoubt::Nowhere, send, to_primary(send)),
        (Gate::CanaryDue, works, InDoubt::Nowhere, send, to_primary(send)),
        (Gate::Closed, Mirror::None, PRIMARY, send, to_primary(send)),
        // It does not: the mirror records.
        (Gate::Open, works, InDoubt::Nowhere, send, to_mirror(send)),
        (Gate::CanaryOut, works, InDoubt::Nowhere, send, to_mirror(send)),
        (Gate::Held, works, InDoubt::Nowhere, send, to_mirror(send)),
        (Gate::Open, Mirror::Authoritative(Gate::CanaryDue), InDoubt::Nowhere, send, to_mirror(send)),
        // Neither, or none whose receipt commits.
        (Gate::Open, Mirror::Authoritative(Gate::Open), InDoubt::Nowhere, send, wait),
        (Gate::Open, Mirror::Authoritative(Gate::CanaryOut), InDoubt::Nowhere, send, wait),
        (Gate::Open, Mirror::Authoritative(Gate::Held), InDoubt::Nowhere, send, wait),
        (Gate::Open, Mirror::Custody, InDoubt::Nowhere, send, wait),
        (Gate::Open, Mirror::None, InDoubt::Nowhere, send, wait),
        // In doubt at one, it goes to no other.
        (Gate::Open, works, PRIMARY, send, wait),
        (Gate::Open, works, PRIMARY, look, wait),
        (Gate::Closed, works, PRIMARY, look, to_primary(look)),
        (Gate::Open, works, MIRROR, send, to_mirror(send)),
        (Gate::Open, works, MIRROR, look, to_mirror(look)),
        // Looked up there, never sent, once the primary takes operations again.
        (Gate::Closed, works, MIRROR, send, to_mirror(look)),
        (Gate::Closed, works, MIRROR, look, to_mirror(look)),
        (Gate::CanaryDue, works, MIRROR, look, to_mirror(look)),
        (Gate::Closed, Mirror::Authoritative(Gate::Open), MIRROR, look, wait),
        (Gate::Closed, Mirror::None, MIRROR, look, wait),
        (Gate::Closed, Mirror::Custody, MIRROR, look, wait),
    ];
    for (primary, mirror, in_doubt, next_step, expected) in rows {
        let inputs = CascadeInputs { primary, mirror, in_doubt, next_step, ..inputs() };
        assert_eq!(cascade(&inputs), expected, "{inputs:?}");
    }
}

#[test]
fn what_is_in_doubt_at_one_endpoint_goes_to_no_other_unless_both_share_their_keys() {
    for inputs in all() {
        let InDoubt::At(there) = inputs.in_doubt else { continue };
        let elsewhere = cascade(&inputs).recorder().is_some_and(|recorder| recorder != there);
        match inputs.keys {
            MirrorKeys::Apart => assert!(!elsewhere, "{inputs:?}"),
            MirrorKeys::Shared => {
                let free = CascadeInputs { in_doubt: InDoubt::Nowhere, ..inputs };
                if inputs.next_step == NextStep::Send {
                    assert_eq!(cascade(&inputs), cascade(&free), "{inputs:?}");
                }
            }
        }
    }
}

#[test]
fn nothing_is_sent_to_the_mirror_while_the_primary_takes_operations() {
    for inputs in all().into_iter().filter(|inputs| inputs.primary == Gate::Closed) {
        assert_ne!(cascade(&inputs), Goes::Mirror(NextStep::Send), "{inputs:?}");
    }
}

#[test]
fn only_an_endpoint_whose_breaker_lets_it_is_asked_and_only_a_mirror_that_commits() {
    for inputs in all() {
        match cascade(&inputs) {
            Goes::Primary(_) => assert!(inputs.primary.lets_through(), "{inputs:?}"),
            Goes::Mirror(_) => assert!(
                matches!(inputs.mirror, Mirror::Authoritative(Gate::Closed | Gate::CanaryDue)),
                "{inputs:?}"
            ),
            Goes::Wait => {}
        }
    }
}

#[test]
fn what_is_free_to_go_waits_only_while_neither_lets_it() {
    for inputs in all() {
        if inputs.in_doubt == InDoubt::Nowhere && inputs.next_step == NextStep::Send {
            let either = inputs.primary.lets_through() || inputs.mirror.records();
            assert_eq!(cascade(&inputs) == Goes::Wait, !either, "{inputs:?}");
        }
    }
}

#[test]
fn a_wait_for_one_endpoint_keeps_nothing_from_the_other() {
    for cause in [WaitCause::Endpoint, WaitCause::RetryAfter] {
        for at in Recorder::ALL {
            assert!(keeps_from(at, cause, at), "{cause:?}");
            assert!(!keeps_from(at, cause, at.other()), "{cause:?}");
        }
    }
    for cause in [WaitCause::Item, WaitCause::Received, WaitCause::Parent, WaitCause::Settle] {
        assert!(keeps_from(Recorder::Mirror, cause, Recorder::Primary), "{cause:?}");
    }
}

#[test]
fn a_decision_is_recomputed_from_what_is_written_down() {
    for inputs in all() {
        let written = to_value(inputs.decided()).unwrap();
        let (recorded, recomputed) = replay(&written).unwrap();
        assert_eq!((recorded.inputs, recorded.goes), (inputs, recomputed), "{written}");
    }
    let mut forged = to_value(inputs().decided()).unwrap();
    forged["goes"] = json!({"mirror": "send"});
    let (recorded, recomputed) = replay(&forged).unwrap();
    assert_ne!(recorded.goes, recomputed);
    forged["cascade_version"] = json!(CASCADE_VERSION + 1);
    assert!(matches!(replay(&forged), Err(NotReplayable::UnknownVersion(_))));
    assert!(matches!(replay(&json!({"cascade_version": 1})), Err(NotReplayable::NotADecision(_))));
}

#[test]
fn an_older_row_in_doubt_is_in_doubt_at_the_primary() {
    assert_eq!(InDoubt::of(Doubt::None, Some(Recorder::Mirror)), InDoubt::Nowhere);
    for doubt in [Doubt::Sent, Doubt::Received] {
        assert_eq!(InDoubt::of(doubt, None), PRIMARY);
        assert_eq!(InDoubt::of(doubt, Some(Recorder::Mirror)), MIRROR);
    }
}

#[test]
fn an_endpoint_that_records_is_found_by_its_name() {
    for recorder in Recorder::ALL {
        assert_eq!(Recorder::from_word(recorder.word()), Some(recorder));
        assert_eq!(recorder.endpoint().to_string(), recorder.word());
        assert_eq!(to_value(recorder).unwrap(), recorder.word());
    }
    assert_eq!(Recorder::from_word("board"), None);
}
