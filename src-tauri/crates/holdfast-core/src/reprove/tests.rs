//! What is noticed, what is no sign, and what follows for a lane, by tables.

use super::*;
use crate::audit::{Entry, EventKind};
use crate::replay::{Recomputed, recompute};
use crate::time::BootMillis;
use uuid::Uuid;

fn known(agreed: Option<(u64, u64, u64)>, committed: u64, since: Option<u64>, last: u64) -> Known {
    let agreed = agreed.map(|(epoch, last, short_by)| Agreed {
        epoch: Some(epoch),
        last_local_seq: Some(LocalSeq(last)),
        short_by,
        ahead_by: 0,
    });
    Known { agreed, committed, committed_since: since.map(LocalSeq), last_seq: LocalSeq(last) }
}

fn told(epoch: u64, last: u64, applied: u64) -> Recollection {
    Recollection {
        epoch: Some(epoch),
        last_local_seq: Some(LocalSeq(last)),
        applied: Some(applied),
        order: None,
    }
}

#[test]
fn an_sor_that_remembers_less_than_it_did_is_noticed_by_the_first_contradiction() {
    let sequence = |known, told| Some(Sign::Sequence { known: LocalSeq(known), told: LocalSeq(told) });
    let cases = [
        ("nothing changed", known(Some((1, 9, 0)), 9, None, 9), told(1, 9, 9), None),
        ("more was applied", known(Some((1, 9, 0)), 11, Some(11), 12), told(1, 11, 11), None),
        ("first contact, nothing sent", known(None, 0, None, 3), told(1, 0, 0), None),
        ("first comparison", known(None, 5, Some(5), 5), told(7, 5, 5), None),
        ("first comparison, lost", known(None, 5, Some(5), 5), told(7, 3, 3), sequence(5, 3)),
        (
            "the epoch alone",
            known(Some((1, 9, 0)), 9, None, 9),
            told(2, 9, 9),
            Some(Sign::Epoch { known: 1, told: 2 }),
        ),
        (
            "an epoch that fell",
            known(Some((3, 9, 0)), 9, None, 9),
            told(2, 4, 4),
            Some(Sign::Epoch { known: 3, told: 2 }),
        ),
        ("the sequence alone", known(Some((1, 9, 0)), 9, None, 9), told(1, 4, 4), sequence(9, 4)),
        ("what was sent since", known(Some((1, 9, 0)), 12, Some(12), 12), told(1, 9, 9), sequence(12, 9)),
        (
            "hidden behind one sent since",
            known(Some((1, 9, 0)), 10, Some(10), 10),
            told(1, 10, 5),
            Some(Sign::Count { known: 10, told: 5 }),
        ),
        ("known to be missing", known(Some((1, 9, 4)), 9, None, 9), told(1, 9, 5), None),
        (
            "one more is missing",
            known(Some((1, 9, 4)), 9, None, 9),
            told(1, 9, 4),
            Some(Sign::Count { known: 5, told: 4 }),
        ),
    ];
    for (name, known, told, sign) in cases {
        assert_eq!(sor_went_back(&known, &told), sign, "{name}");
    }
    let silent = Recollection::default();
    assert_eq!(sor_went_back(&known(Some((1, 9, 0)), 9, None, 9), &silent), None);
    assert!(!tells_enough(&silent) && !tells_enough(&Recollection { epoch: Some(1), ..silent }));
    assert!(tells_enough(&told(1, 0, 0)));
}

#[test]
fn what_is_agreed_on_is_no_sign_the_next_time() {
    for (committed, now) in [(9, told(2, 4, 4)), (0, told(1, 0, 0)), (3, told(5, 9, 9))] {
        let agreed = Some(agreed(&now, committed));
        let known = Known { agreed, committed, committed_since: None, last_seq: LocalSeq(9) };
        assert_eq!(sor_went_back(&known, &now), None, "{now:?}");
    }
}

#[test]
fn a_station_that_went_back_gives_no_number_out_again() {
    let skipped = |first, last| Some(StationWentBack { first: LocalSeq(first), last: LocalSeq(last) });
    let at = |last| known(None, 0, None, last);
    let cases = [(9, 9, None), (9, 4, None), (9, 10, skipped(10, 10)), (4, 30, skipped(5, 30))];
    for (own, there, expected) in cases {
        assert_eq!(station_went_back(&at(own), &told(1, there, 0)), expected, "{own} {there}");
    }
    assert_eq!(station_went_back(&at(1), &Recollection::default()), None);
    assert_eq!(events_missing(LocalSeq(4), 100, 100), None);
    assert_eq!(events_missing(LocalSeq(4), 101, 100), None, "the head is up to a second behind");
    assert_eq!(events_missing(LocalSeq(4), 90, 100), skipped(5, 14));
}

#[test]
fn what_the_sor_holds_beyond_what_is_committed_is_looked_at_once() {
    let here = known(None, 5, Some(5), 9);
    assert!(!holds_more(&here, &told(1, 5, 5)) && !holds_more(&here, &told(1, 3, 3)));
    let more = told(1, 9, 7);
    assert!(holds_more(&here, &more));
    let looked_at = Known { agreed: Some(agreed(&more, 5)), ..here };
    assert!(!holds_more(&looked_at, &more) && holds_more(&looked_at, &told(1, 9, 8)));
    assert!(!holds_more(&here, &Recollection::default()));
}

#[test]
fn looking_ends_when_as_many_in_a_row_are_there_before_the_last_comparison() {
    let there = |walk: Walk, made| (0..PROVEN_IN_A_ROW).fold(walk, |walk, _| walk.after(Seen::There, made));
    let since = there(Walk::default(), Made::Since);
    assert!(!since.is_through(), "those may have been sent after the SoR came back");
    let lost = (0..41).fold(since, |walk, _| walk.after(Seen::Missing, Made::Before));
    let almost = (1..PROVEN_IN_A_ROW).fold(lost, |walk, _| walk.after(Seen::There, Made::Before));
    assert!(!almost.is_through());
    assert!(!almost.after(Seen::Missing, Made::Before).after(Seen::There, Made::Before).is_through());
    let through = almost.after(Seen::There, Made::Before);
    assert!(through.is_through());
    assert_eq!((through.found, through.missing), (2 * u64::from(PROVEN_IN_A_ROW), 41));
}

#[test]
fn only_what_the_sor_itself_says_is_a_sign_and_what_no_look_can_prove_is_passed_over() {
    use Profile::{Idempotent, LookBeforeWrite};
    let doubt = |why| LookUp::StillInDoubt { why };
    let cases = [
        (LookUp::Received, Idempotent, Some(Seen::There)),
        (LookUp::Twin { record_ids: Vec::new() }, LookBeforeWrite, Some(Seen::There)),
        (LookUp::Absent, Idempotent, Some(Seen::Missing)),
        (doubt(Outcome::ParentMissing), LookBeforeWrite, Some(Seen::Missing)),
        (doubt(Outcome::NotAsked), LookBeforeWrite, Some(Seen::Unproven)),
        (doubt(Outcome::NotAsked), Idempotent, None),
        (doubt(Outcome::Impostor), Idempotent, None),
        (doubt(Outcome::StationUnauthorized), LookBeforeWrite, None),
    ];
    for (found, profile, expected) in cases {
        assert_eq!(seen(&found, profile), expected, "{found:?} {profile:?}");
    }
    let walk = Walk { in_a_row: 3, found: 4, missing: 5 };
    assert_eq!(walk.after(Seen::Unproven, Made::Before), walk);
}

fn id(n: u64) -> OperationId {
    OperationId::from_uuid(Uuid::from_u64_pair(0x0193_2c6f_0000_7000, 0x8000_0000_0000_0000 | n))
}

fn tag(n: u64) -> ETag {
    format!("\"v{n}\"").parse().unwrap()
}

fn link(n: u64, left: Option<u64>, after: Option<u64>, base: Option<u64>) -> Link {
    Link { operation_id: id(n), had_left: left.map(tag), after_op: after.map(id), base: base.map(tag) }
}

#[test]
fn what_built_on_a_lost_one_follows_it_again_and_the_first_stays_bound_as_it_was() {
    // The first was made against a copy; the second followed it; the third was accepted when both were recorded.
    let lane = [
        link(1, Some(11), None, Some(10)),
        link(2, Some(12), Some(1), Some(11)),
        link(3, None, None, Some(12)),
        link(4, None, Some(3), None),
    ];
    assert_eq!(relink(&lane), [link(2, Some(12), Some(1), None), link(3, None, Some(2), None)]);
    let application = [link(1, Some(11), None, None), link(2, None, Some(1), Some(11))];
    assert_eq!(relink(&application), [link(2, None, Some(1), None)]);
    let another_base = [link(1, Some(11), None, Some(10)), link(2, None, None, Some(99))];
    assert_eq!(relink(&another_base), [], "somebody had seen another version: that is for the SoR to judge");
    assert_eq!(relink(&[link(3, None, None, Some(12))]), []);
}

#[test]
fn a_final_approval_that_is_lost_is_final_no_more() {
    use Stage::{Committed, ConditionalApproval, FeeEstimated, Withdrawn};
    assert_eq!(stage_unrecorded(Committed, &[FeeEstimated, ConditionalApproval]), ConditionalApproval);
    assert_eq!(stage_unrecorded(Committed, &[]), Committed, "only a note was lost");
    assert_eq!(stage_unrecorded(Withdrawn, &[ConditionalApproval]), Withdrawn);
}

#[test]
fn what_was_judged_without_its_predecessor_goes_on_with_it() {
    assert!(goes_on_with(QuarantineReason::Conflict) && goes_on_with(QuarantineReason::ParentMissing));
    assert!(!goes_on_with(QuarantineReason::Rejected) && !goes_on_with(QuarantineReason::Twin));
}

#[test]
fn a_verifier_recomputes_from_its_event_why_a_return_was_noticed() {
    let told = told(2, 4, 4);
    let sign = sor_went_back(&known(Some((1, 9, 0)), 9, None, 9), &told).unwrap();
    let event = |sign: Sign, version: u32| {
        let entry = Entry::new(EventKind::RestoreNoticed).with("proving_version", version).with("sign", sign);
        let entry = entry.with("known", known(Some((1, 9, 0)), 9, None, 9)).with("told", told);
        let at = "2026-11-30T08:00:00.000Z".parse().unwrap();
        entry.into_event(&"front-1".parse().unwrap(), 1, at, BootMillis(1))
    };
    assert_eq!(recompute(&event(sign, PROVING_VERSION)), Recomputed::Agrees);
    assert_eq!(recompute(&event(sign, 9)), Recomputed::UnknownVersion(9));
    let other = Sign::Count { known: 9, told: 4 };
    assert!(matches!(recompute(&event(other, PROVING_VERSION)), Recomputed::Differs { .. }));
}
