//! Who is refused, why first, and which refusals the audit hears of.

use holdfast_core::route::replay;

use super::*;

/// One thing that can be wrong with a submission.
struct Wrong {
    what: &'static str,
    reason: RefusalReason,
    audited: bool,
    do_it: fn(&mut Intake, &mut AcceptFacts),
}

/// In the order in which they are said.
const ORDER: [Wrong; 7] = [
    Wrong {
        what: "nobody is signed in",
        reason: RefusalReason::NotSignedIn,
        audited: true,
        do_it: |intake, _| intake.session = None,
    },
    Wrong {
        what: "no role may do this",
        reason: RefusalReason::NotPermitted,
        audited: true,
        do_it: |intake, _| intake.contract.iter_mut().for_each(|contract| contract.role = None),
    },
    Wrong {
        what: "the rules are stale",
        reason: RefusalReason::RulesOutOfDate,
        audited: true,
        do_it: |intake, _| intake.now = after_ms(24 * 3_600_000 + 1),
    },
    Wrong {
        what: "the payload breaks the rules",
        reason: RefusalReason::Invalid,
        audited: false,
        do_it: |intake, _| intake.problems = vec![Problem::at("/payload/PIN", ProblemCode::Missing)],
    },
    Wrong {
        what: "the lifecycle has no such step",
        reason: RefusalReason::Invalid,
        audited: false,
        do_it: |_, facts| facts.application.iter_mut().for_each(|it| it.stage = Stage::Withdrawn),
    },
    Wrong {
        what: "nothing says what it builds on",
        reason: RefusalReason::Invalid,
        audited: false,
        do_it: |_, facts| facts.application.iter_mut().for_each(|it| it.etag = None),
    },
    Wrong {
        what: "there is no room",
        reason: RefusalReason::DiskFull,
        audited: true,
        do_it: |_, facts| facts.space.available_bytes = 99 << 20,
    },
];

/// A move that nothing is wrong with.
fn good() -> (Intake, AcceptFacts) {
    (moving("PrelimReview"), with_application(Stage::Intake))
}

#[test]
fn of_all_that_is_wrong_the_first_in_the_order_of_the_design_is_said() {
    for (first, wrong) in ORDER.iter().enumerate() {
        let (mut intake, mut facts) = good();
        ORDER[first..].iter().for_each(|also| (also.do_it)(&mut intake, &mut facts));
        let refusal = refused(&intake, &facts);
        assert_eq!(refusal.reason, wrong.reason, "{}", wrong.what);
        assert_eq!(refusal.entry.is_some(), wrong.audited, "{}: audited", wrong.what);
    }
    let (intake, facts) = good();
    assert_eq!(accepted(&intake, &facts).body.kind, Kind::Stage);
}

#[test]
fn a_refused_route_is_audited_with_what_it_takes_to_decide_it_again() {
    let of_the_route = [RefusalReason::NotPermitted, RefusalReason::RulesOutOfDate, RefusalReason::DiskFull];
    for wrong in ORDER.iter().filter(|wrong| of_the_route.contains(&wrong.reason)) {
        let (mut intake, mut facts) = good();
        (wrong.do_it)(&mut intake, &mut facts);
        let entry = refused(&intake, &facts).entry.unwrap();
        assert_eq!(entry.kind, EventKind::OperationRefused);
        assert_eq!(entry.actor_id, Some("ann".parse().unwrap()));
        assert_eq!(entry.operation_id, Some(operation(1)));
        assert!(replay(&Value::Object(entry.data)).unwrap().agrees(), "{}", wrong.what);
    }
}

#[test]
fn no_refusal_tells_the_audit_what_was_typed() {
    for wrong in &ORDER {
        let (mut intake, mut facts) = (intake(), facts());
        (wrong.do_it)(&mut intake, &mut facts);
        if let AcceptDecision::Refuse(refusal) = decide(&intake, &facts) {
            assert!(!format!("{:?}", refusal.entry).contains("OAK ST"), "{}", wrong.what);
        }
    }
}

#[test]
fn a_session_that_has_ended_signs_nothing_whatever_the_wall_clock_says() {
    let mut facts = facts();
    // The clock went back over night; the audit's time, which never does, counts.
    facts.stamp.at = after_ms(8 * 3_600_000).wall;
    let refusal = refused(&intake(), &facts);
    assert_eq!(refusal.reason, RefusalReason::NotSignedIn);
    let entry = refusal.entry.unwrap();
    assert_eq!(entry.data["reason"], "not_signed_in");
    assert_eq!(entry.actor_id, Some("ann".parse().unwrap()), "whose session it was");
}

#[test]
fn stale_rules_pause_the_counter_and_inspections_go_on() {
    let table = [
        (Kind::Application, json!({}), false),
        (Kind::Stage, json!({ "to": "PrelimReview" }), false),
        (Kind::Note, json!({}), false),
        (Kind::Inspection, json!({}), true),
        (Kind::Hold, json!({ "type": "stop-work" }), true),
        (Kind::Tag, json!({ "level": "unsafe" }), true),
    ];
    let too_old = rulebook(Some("clerk")).attested;
    let from_the_future = Attested { valid_as_of: after_ms(72 * 3_600_000).wall, ..too_old };
    for (kind, payload, goes_on) in table {
        for attested in [too_old, from_the_future] {
            let mut intake = Intake { now: after_ms(25 * 3_600_000), ..about_it(kind, payload.clone()) };
            intake.contract.iter_mut().for_each(|contract| contract.attested = attested);
            match decide(&intake, &with_application(Stage::Intake)) {
                AcceptDecision::Accept(acceptance) => {
                    assert!(goes_on, "{kind}");
                    assert_eq!(acceptance.body.contract_version, 7, "judged by the rules that are there");
                }
                AcceptDecision::Refuse(refusal) => {
                    assert_eq!((goes_on, refusal.reason), (false, RefusalReason::RulesOutOfDate), "{kind}");
                }
                AcceptDecision::Already => panic!("{kind}"),
            }
        }
    }
}

#[test]
fn without_any_rules_nothing_is_taken() {
    for kind in Kind::ALL {
        let intake = Intake { contract: None, ..about_it(kind, json!({})) };
        assert_eq!(refused(&intake, &facts()).reason, RefusalReason::RulesOutOfDate, "{kind}");
    }
}

#[test]
fn the_last_megabytes_are_kept_for_what_the_law_asks_for() {
    let table = [
        (Kind::Note, 100, None),
        (Kind::Note, 99, Some(RefusalReason::DiskFull)),
        (Kind::Inspection, 99, None),
        (Kind::Inspection, 8, None),
        (Kind::Inspection, 7, Some(RefusalReason::DiskFull)),
    ];
    for (kind, available_mib, expected) in table {
        let space = DiskSpace { used_bytes: GIB, available_bytes: available_mib << 20 };
        let facts = AcceptFacts { space, ..with_application(Stage::Intake) };
        let reason = match decide(&about_it(kind, json!({})), &facts) {
            AcceptDecision::Refuse(refusal) => Some(refusal.reason),
            AcceptDecision::Accept(_) | AcceptDecision::Already => None,
        };
        assert_eq!(reason, expected, "{kind} at {available_mib} MiB");
    }
}

#[test]
fn the_same_again_is_met_and_another_under_its_id_is_refused() {
    let typed = intake().payload;
    let table = [
        (twin(Kind::Application, &typed), true),
        (twin(Kind::Application, &json!({ "OriginalAddress1": "14 OAK ST" })), false),
        (twin(Kind::Note, &typed), false),
    ];
    for (twin, same) in table {
        // Whoever asks twice is told so, after the session's end too.
        for session in [intake().session, None] {
            let facts = AcceptFacts { twin: twin.clone(), ..facts() };
            match decide(&Intake { session, ..intake() }, &facts) {
                AcceptDecision::Already => assert!(same, "{twin:?}"),
                AcceptDecision::Refuse(refusal) => {
                    assert_eq!((same, refusal.reason), (false, RefusalReason::Changed), "{twin:?}");
                    assert_eq!(codes(&refusal), [("/operation_id", "changed")]);
                    assert!(refusal.entry.is_none(), "input alone");
                }
                AcceptDecision::Accept(_) => panic!("{twin:?}"),
            }
        }
    }
}

#[test]
fn each_refused_input_names_the_member_that_is_wrong() {
    let mut bare = with_application(Stage::Intake);
    bare.application.iter_mut().for_each(|it| it.etag = None);
    let at = with_application;
    let unreasoned = about_it(Kind::Stage, json!({ "to": "Intake" }));
    let table: [(Intake, AcceptFacts, (&str, &str)); 9] = [
        (intake(), at(Stage::Intake), ("/application_id", "doubled")),
        (moving("PrelimReview"), facts(), ("/application_id", "unknown-application")),
        (about_it(Kind::Inspection, json!({})), facts(), ("/application_id", "unknown-application")),
        (moving("FeeEstimated"), at(Stage::Intake), ("/payload/to", "step-not-allowed")),
        (moving("Committed"), at(Stage::Intake), ("/payload/to", "step-not-allowed")),
        (unreasoned, at(Stage::PrelimReview), ("/payload/reason", "missing")),
        (moving("PrelimReview"), bare, ("/base", "base-missing")),
        // What takes another's place or takes it back has rules of its own, which this version does not have yet.
        (about_it(Kind::Correction, json!({})), at(Stage::Intake), ("/kind", "unknown-kind")),
        (about_it(Kind::Void, json!({})), at(Stage::Intake), ("/kind", "unknown-kind")),
    ];
    for (intake, facts, expected) in table {
        let refusal = refused(&intake, &facts);
        assert_eq!(refusal.reason, RefusalReason::Invalid);
        assert_eq!(codes(&refusal), [expected], "{} {}", intake.kind, intake.payload);
    }
}

#[test]
fn who_takes_a_fee_may_not_waive_it_and_who_places_a_hold_may_not_release_it() {
    let roles = json!({ "v": 1, "roles": {
        "clerk": { "submit": ["fee"], "move_to": [], "fee": ["payment"] },
        "inspector": { "submit": ["hold"], "move_to": [], "hold": ["stop-work"] },
        "supervisor": { "submit": ["fee", "hold"], "move_to": [], "fee": ["waiver"], "hold": ["release"] },
    } });
    let roles = Roles::parse(&roles).unwrap();
    let fee = |word: &str| (Kind::Fee, json!({ "type": word }));
    let hold = |word: &str| (Kind::Hold, json!({ "type": word }));
    /// Roles held, what is handed in, and the role under which it is taken.
    type Row<'a> = (&'a [&'a str], (Kind, Value), Option<&'a str>);
    let table: [Row<'_>; 7] = [
        (&["clerk"], fee("payment"), Some("clerk")),
        (&["clerk"], fee("waiver"), None),
        (&["clerk", "supervisor"], fee("waiver"), Some("supervisor")),
        (&["supervisor"], fee("payment"), None),
        (&["inspector"], hold("stop-work"), Some("inspector")),
        (&["inspector"], hold("release"), None),
        (&["inspector", "supervisor"], hold("release"), Some("supervisor")),
    ];
    for (held, (kind, payload), expected) in table {
        let held: Vec<RoleName> = held.iter().map(|role| role.parse().unwrap()).collect();
        let role = entitled(&roles, &held, kind, &payload);
        assert_eq!(role.as_ref().map(RoleName::as_str), expected, "{held:?} {kind} {payload}");
    }
}

#[test]
fn a_move_needs_the_right_to_move_and_the_right_to_that_stage_in_one_role() {
    let roles = json!({ "v": 1, "roles": {
        "clerk": { "submit": ["application", "stage"], "move_to": ["PrelimReview"] },
        "chief": { "submit": ["stage"], "move_to": ["PrelimReview", "ConditionalApproval"] },
        "inspector": { "submit": ["inspection"], "move_to": [] },
    } });
    let roles = Roles::parse(&roles).unwrap();
    let table: [(&[&str], Kind, Value, Option<&str>); 10] = [
        (&["clerk"], Kind::Application, json!({}), Some("clerk")),
        (&["clerk"], Kind::Stage, json!({ "to": "PrelimReview" }), Some("clerk")),
        (&["clerk"], Kind::Stage, json!({ "to": "ConditionalApproval" }), None),
        (&["clerk", "chief"], Kind::Stage, json!({ "to": "ConditionalApproval" }), Some("chief")),
        (&["clerk", "chief"], Kind::Stage, json!({ "to": "PrelimReview" }), Some("clerk")),
        (&["clerk", "inspector"], Kind::Inspection, json!({}), Some("inspector")),
        (&["chief"], Kind::Application, json!({}), None),
        (&["mayor"], Kind::Application, json!({}), None),
        (&[], Kind::Application, json!({}), None),
        // No known stage: the rules say what is wrong with it, not the rights.
        (&["clerk"], Kind::Stage, json!({ "to": "Bogus" }), Some("clerk")),
    ];
    for (held, kind, payload, expected) in table {
        let held: Vec<RoleName> = held.iter().map(|role| role.parse().unwrap()).collect();
        let role = entitled(&roles, &held, kind, &payload);
        assert_eq!(role.as_ref().map(RoleName::as_str), expected, "{held:?} {kind} {payload}");
    }
}
