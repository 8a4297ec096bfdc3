//! What went wrong elsewhere, and must not here: faults that other queues, clients and gateways were reported for.

#![allow(clippy::unwrap_used)]

mod answers;

use answers::*;
use holdfast_core::breaker::{Admitted, Breaker, BreakerSettings, Verdict};
use holdfast_core::outcome::{
    Answer, Content, Disposition, Identity, Item, Look, Lost, Outcome, QuarantineReason, Unreachable,
    WaitKind, dispose, judge,
};
use holdfast_core::profile::Profile;
use holdfast_core::time::{BootMillis, Now, UtcMillis};
use holdfast_core::wait::{BackoffSettings, Chance, RetryAfter, asked_ms, back_off_ms};
use serde_json::json;

const ITEM: Item = Item { parent_waits: 0, parent_waits_max: 3, look: Look::Provable };
const BREAKER: BreakerSettings =
    BreakerSettings { fail_max: 4, reset_ms: 30_000, canary_deadline_ms: 5_000, retry_after_max_s: 900 };
const BACKOFF: BackoffSettings = BackoffSettings { base_ms: 1_000, max_ms: 60_000 };

fn done(answer: &Answer) -> Disposition {
    dispose(&judge(answer, &sent()), &ITEM, Profile::Idempotent)
}

/// The state of a breaker after these answers, one after the other.
fn breaker_after(answers: &[Answer]) -> &'static str {
    let now = Now { wall: UtcMillis::from_millis(1_800_000_000_000).unwrap(), boot: BootMillis(1) };
    let mut breaker = Breaker::new(now);
    for answer in answers {
        let outcome = judge(answer, &sent());
        match breaker.admit(now, &BREAKER) {
            Admitted::Through(pass) => {
                breaker.record(now, &BREAKER, &pass, outcome.verdict(), outcome.retry_after(), Chance::MIDDLE)
            }
            Admitted::Canary(_) | Admitted::No(_) => None,
        };
    }
    breaker.state_word(now)
}

#[test]
fn a_race_for_one_key_opens_no_breaker_and_spends_no_budget() {
    let mut answers = vec![typed(409, "in-progress"); 10];
    assert!(answers.iter().all(|answer| done(answer) == Disposition::Wait(WaitKind::Backoff)));
    assert!(answers.iter().all(|answer| judge(answer, &sent()).verdict() != Verdict::Failure));
    answers.push(with_receipt(201, json!({})));
    assert_eq!(breaker_after(&answers), "closed");
}

#[test]
fn too_many_requests_are_waited_out_whoever_says_so() {
    let answers = [from_sor(429, Content::Other), from_stranger(429), asking(5, typed(429, "unavailable"))];
    for answer in &answers {
        assert!(matches!(done(answer), Disposition::Wait(_)), "{answer:?}");
    }
    assert_eq!(breaker_after(&[&answers[..]; 4].concat()), "closed");
    assert_eq!(
        done(&Answer::Lost(Lost::Reset)),
        Disposition::Resend,
        "an HTTP/2 'enhance your calm' ends the stream"
    );
}

#[test]
fn one_operation_that_is_too_large_stops_no_other() {
    let answer = from_stranger(413);
    assert_eq!(done(&answer), Disposition::Quarantine(QuarantineReason::TooLarge));
    assert_eq!(breaker_after(&vec![answer; 10]), "closed");
}

#[test]
fn of_all_conflicts_only_the_proven_one_closes_the_operation() {
    let proof = json!({ "operation": receipt(json!({})) });
    let cases = [
        (from_sor(409, Content::Problem(problem("already-committed", proof))), "archive Found"),
        (typed(409, "in-progress"), "back off"),
        (typed(409, "version-conflict"), "quarantine conflict"),
        (typed(409, "parent-missing"), "wait for parent"),
        (from_sor(409, Content::Other), "look up"),
        (from_stranger(409), "look up"),
    ];
    for (answer, expected) in cases {
        assert_eq!(in_words(&done(&answer)), expected, "{answer:?}");
    }
}

#[test]
fn refused_contents_leave_the_breaker_closed() {
    let refusals = [typed(400, "validation"), typed(404, "validation"), typed(422, "validation")];
    for answer in &refusals {
        assert_eq!(done(answer), Disposition::Quarantine(QuarantineReason::Rejected));
    }
    assert_eq!(breaker_after(&[&refusals[..]; 4].concat()), "closed");
}

#[test]
fn a_captive_portal_is_no_sor() {
    let portal = [
        (from_stranger(200), "look up"),
        (from_stranger(302), "alarm"),
        (Answer::Unreachable(Unreachable::TlsFailed), "back off"),
    ];
    for (answer, expected) in portal {
        assert_eq!(in_words(&done(&answer)), expected);
        assert_eq!(breaker_after(&vec![answer; 4]), "open");
    }
}

#[test]
fn a_success_that_can_not_be_read_is_looked_up() {
    for status in [200, 201] {
        let answer = from_sor(status, Content::Other);
        assert_eq!(judge(&answer, &sent()), Outcome::Impostor);
        assert_eq!(done(&answer), Disposition::LookUp);
    }
}

#[test]
fn a_redirect_of_a_write_is_never_a_success() {
    for status in 300..400 {
        for answer in [from_stranger(status), with_receipt(status, json!({}))] {
            assert_eq!(judge(&answer, &sent()), Outcome::Misdirected);
            assert_eq!(done(&answer), Disposition::AlarmAndWait);
        }
    }
}

#[test]
fn a_retry_after_neither_spins_nor_sleeps_for_years() {
    let date = "Mon, 30 Nov 2026 08:00:00 GMT";
    let own = holdfast_core::wait::http_date(date);
    let (floor, most) = (BACKOFF.base_ms, 900_000);
    let cases: [(&[&str], Option<u64>); 14] = [
        (&["-5"], None),
        (&["0"], Some(floor)),
        (&["1.5"], None),
        (&["abc"], None),
        (&[""], None),
        (&["30"], Some(30_000)),
        (&["99999999999"], Some(most)),
        (&["99999999999999999999999999"], Some(most)),
        (&["Mon, 30 Nov 2026 07:00:00 GMT"], Some(floor)),
        (&["Mon, 30 Nov 2026 08:01:00 GMT"], Some(60_000)),
        (&["Mon, 30 Nov 2036 08:00:00 GMT"], None),
        (&["Sun, 30 Nov 2036 08:00:00 GMT"], Some(most)),
        (&["Wed, 31 Feb 2027 08:00:00 GMT"], None),
        (&["30", "60"], None),
    ];
    for (values, shortest) in cases {
        let asked = RetryAfter::parse(values, own);
        let wait = |share| asked.map(|asked| asked_ms(asked, BACKOFF, 1, Chance::new(share).unwrap()));
        assert_eq!(wait(0.0), shortest, "{values:?}");
        if let (Some(first), Some(last)) = (wait(0.0), wait(0.999)) {
            assert!(first < last, "{values:?} keeps its jitter");
        }
    }
    assert!(back_off_ms(BACKOFF, 1, Chance::MIDDLE) >= floor, "nonsense is met by the back-off");
}

/// No answer of a stranger is taken for the SoR's, whatever it says.
#[test]
fn another_identity_proves_nothing() {
    for identity in [Identity::Wrong, Identity::Absent] {
        assert_eq!(judge(&claiming(identity, with_receipt(201, json!({}))), &sent()), Outcome::Impostor);
        let refusal = judge(&claiming(identity, typed(422, "validation")), &sent());
        assert_eq!(refusal.word(), "untyped");
    }
}
