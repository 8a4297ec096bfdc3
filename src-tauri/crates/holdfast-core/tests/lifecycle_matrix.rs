//! The whole matrix of stages: every step there is, and every step there is not.

#![allow(clippy::unwrap_used)]

use holdfast_core::lifecycle::{MoveRefused, Stage, moves_from, on_recorded, step};

/// Row: the stage now. Column, in the order of `Stage::ALL`: `>` goes there, `r` goes back with a reason, `.` no such
/// step, `n` never chosen, `e` ended.
const MATRIX: [(Stage, &str); 8] = [
    (Stage::Intake, ".>..nn>>"),
    (Stage::PrelimReview, "r.>.nn>>"),
    (Stage::FeeEstimated, "r..>nn>>"),
    (Stage::ConditionalApproval, "r...nn>>"),
    (Stage::Committed, "....nn.>"),
    (Stage::Returned, ".>..nn>>"),
    (Stage::Withdrawn, "eeeeeee>"),
    (Stage::Voided, "eeeeeeee"),
];

fn expected(from: Stage, to: Stage, mark: char, reason: Option<&str>) -> Result<Stage, MoveRefused> {
    match (mark, reason) {
        ('>', _) => Ok(to),
        ('r', Some("incomplete")) => Ok(Stage::Returned),
        ('r', _) => Err(MoveRefused::ReasonMissing { from, to }),
        ('n', _) => Err(MoveRefused::NeverChosen { to }),
        ('e', _) => Err(MoveRefused::Ended { at: from }),
        (_, _) => Err(MoveRefused::NoSuchStep { from, to }),
    }
}

#[test]
fn every_cell_of_the_matrix_is_as_written() {
    for (from, row) in MATRIX {
        assert_eq!(row.len(), Stage::ALL.len());
        for (to, mark) in Stage::ALL.into_iter().zip(row.chars()) {
            for reason in [None, Some("incomplete"), Some(" \n")] {
                assert_eq!(
                    step(from, to, reason),
                    expected(from, to, mark, reason),
                    "{from} to {to}, {reason:?}"
                );
            }
        }
    }
}

#[test]
fn a_screen_offers_exactly_the_moves_that_are_made() {
    for (from, _) in MATRIX {
        for (to, offered) in moves_from(from) {
            assert_eq!(offered, step(from, to, Some("incomplete")).map(|_| ()), "{from} to {to}");
        }
    }
}

#[test]
fn committed_is_set_by_the_record_of_the_approval_and_by_nothing_else() {
    for current in Stage::ALL {
        for recorded in Stage::ALL {
            let approved = (current, recorded) == (Stage::ConditionalApproval, Stage::ConditionalApproval);
            let after = if approved { Stage::Committed } else { current };
            assert_eq!(on_recorded(current, recorded), after, "{recorded} recorded while {current}");
        }
    }
}

#[test]
fn a_stage_has_one_word_stored_sent_and_read() {
    for stage in Stage::ALL {
        let word = stage.as_str();
        assert_eq!(serde_json::to_string(&stage).unwrap(), format!("\"{word}\""));
        assert_eq!(Stage::parse(word), Ok(stage));
        assert!(Stage::parse(&word.to_lowercase()).is_err());
    }
}
