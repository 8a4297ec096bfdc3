//! The table of look-ups: only the SoR itself says that an operation is there, or that it is not.

#![allow(clippy::unwrap_used)]

mod answers;

use answers::look_ups::table;
use answers::*;
use holdfast_core::look_up::judge_look_up;
use holdfast_core::outcome::{Doubt, NextStep};

#[test]
fn only_the_sor_itself_ends_a_doubt() {
    for (name, answer, word, verdict, after) in table() {
        let found = judge_look_up(&answer, &sent());
        assert_eq!((found.word(), found.verdict()), (word, verdict), "{name}");
        assert_eq!(found.doubt_after(Doubt::Sent), after, "{name}");
    }
}

#[test]
fn an_operation_is_sent_again_only_when_it_is_absent() {
    for (name, answer, word, ..) in table() {
        let ends = word == "already_committed";
        let step = judge_look_up(&answer, &sent()).next_step();
        assert_eq!(step == NextStep::Send, word == "absent" || ends, "{name}");
    }
}
