//! The forms of the made-up city, and those that a schema alone makes.

use holdfast_core::form::{Control, Field, Form, Need, Width, Words};
use holdfast_core::operation::Kind;
use holdfast_core::validate::{KINDS_DEMANDED, Rules};
use serde_json::Value;

use crate::city::{contract, contract_with_layouts};

fn laid_out() -> Rules {
    Rules::compile(&contract_with_layouts()).unwrap()
}

fn plain() -> Rules {
    Rules::compile(&contract()).unwrap()
}

fn field<'a>(form: &'a Form, name: &str) -> &'a Field {
    form.fields().find(|field| field.name == name).unwrap_or_else(|| panic!("no field {name}"))
}

fn schema(kind: Kind) -> Value {
    serde_json::from_slice(&contract()[&format!("{kind}.schema.json")]).unwrap()
}

/// A group by its id, with the name and the control of each of its fields.
type Placed = (&'static str, &'static [(&'static str, (&'static str, usize))]);

/// The control in a word, and its limit or number of entries.
fn control(control: &Control) -> (&'static str, usize) {
    match control {
        Control::Line { limit } => ("line", *limit as usize),
        Control::LongText { limit } => ("long text", *limit as usize),
        Control::Phone { limit } => ("phone", *limit as usize),
        Control::Email { limit } => ("email", *limit as usize),
        Control::Address { limit } => ("address", *limit as usize),
        Control::Count => ("count", 0),
        Control::Money => ("money", 0),
        Control::Measure { unit } => ("measure", unit.en.len()),
        Control::Day => ("day", 0),
        Control::TimeOfDay => ("time", 0),
        Control::Choice { options } => ("choice", options.len()),
        Control::Several { options, .. } => ("several", options.len()),
        Control::Parcels { entries_max, .. } => ("parcels", *entries_max as usize),
        Control::Unknown { limit, .. } => ("unknown", *limit as usize),
    }
}

#[test]
fn each_field_of_the_counter_is_entered_by_its_own_control() {
    let table: [(Kind, &[Placed]); 3] = [
        (
            Kind::Application,
            &[
                (
                    "site",
                    &[
                        ("OriginalAddress1", ("address", 250)),
                        ("OriginalAddress2", ("line", 250)),
                        ("OriginalZip", ("line", 12)),
                        ("PIN", ("parcels", 50)),
                    ],
                ),
                (
                    "work",
                    &[
                        ("PermitTypeMapped", ("choice", 9)),
                        ("WorkClassMapped", ("choice", 2)),
                        ("Description", ("long text", 4000)),
                        ("PermitClassMapped", ("choice", 2)),
                        ("ProposedUse", ("line", 250)),
                        ("HousingUnits", ("count", 0)),
                        ("TotalSqFt", ("measure", 5)),
                        ("AddedSqFt", ("measure", 5)),
                        ("RemovedSqFt", ("measure", 5)),
                        ("ProjectName", ("line", 250)),
                        ("MasterPermitNum", ("line", 64)),
                    ],
                ),
                (
                    "people",
                    &[
                        ("ApplicantName", ("line", 250)),
                        ("ApplicantPhone", ("phone", 40)),
                        ("ApplicantEmail", ("email", 254)),
                        ("ContractorCompanyName", ("line", 250)),
                        ("ContractorLicNum", ("line", 60)),
                        ("ContractorTradeMapped", ("choice", 9)),
                        ("ContractorPhone", ("phone", 40)),
                    ],
                ),
                ("money", &[("EstProjectCost", ("money", 0)), ("AppliedDate", ("day", 0))]),
            ],
        ),
        (
            Kind::Inspection,
            &[(
                "result",
                &[
                    ("ResultMapped", ("choice", 7)),
                    ("InspectedDate", ("day", 0)),
                    ("InspectedTime", ("time", 0)),
                    ("InspectionNotes", ("long text", 4000)),
                    ("ReInspection", ("choice", 2)),
                ],
            )],
        ),
        (Kind::Stage, &[("move", &[("to", ("choice", 6)), ("reason", ("long text", 2000))])]),
    ];
    let rules = laid_out();
    for (kind, groups) in table {
        let form = rules.form(kind).unwrap();
        assert_eq!(form.groups.len(), groups.len(), "{kind}");
        for (group, (id, fields)) in form.groups.iter().zip(groups) {
            assert_eq!(group.id, *id);
            let found: Vec<_> =
                group.fields.iter().map(|field| (field.name.as_str(), control(&field.control))).collect();
            assert_eq!(found, *fields, "{kind} {id}");
        }
    }
}

#[test]
fn a_person_reads_every_label_and_every_word_in_both_languages() {
    let rules = laid_out();
    for kind in KINDS_DEMANDED {
        let form = rules.form(kind).unwrap();
        for group in &form.groups {
            assert_ne!(group.legend.en, group.legend.es, "{kind} {}", group.id);
        }
        for field in form.fields() {
            assert_ne!(field.label.en, field.label.es, "{kind} {}", field.name);
            let (Control::Choice { options } | Control::Several { options, .. }) = &field.control else {
                continue;
            };
            for option in options {
                let alike = ["No", "General"].contains(&option.word.en.as_str());
                assert!(alike || option.word.en != option.word.es, "{}: {}", field.name, option.code);
            }
        }
    }
}

#[test]
fn what_the_rules_demand_may_not_be_left_out() {
    let rules = laid_out();
    let required = |kind| -> Vec<String> {
        let fields = rules.form(kind).unwrap().fields();
        fields.filter(|field| field.need == Need::Required).map(|field| field.name.clone()).collect()
    };
    // One of parcels and reason: one field holds both. One of two days: the form asks for the one alone.
    assert_eq!(required(Kind::Application), ["OriginalAddress1", "PIN"]);
    assert_eq!(required(Kind::Inspection), ["InspectedDate"]);
    assert_eq!(required(Kind::Stage), ["to"]);
}

#[test]
fn parcels_and_the_reason_for_none_are_one_field() {
    for rules in [laid_out(), plain()] {
        let form = rules.form(Kind::Application).unwrap();
        let parcels = field(form, "PIN");
        let Control::Parcels { reason, .. } = &parcels.control else { panic!("{parcels:?}") };
        assert_eq!(reason, "NoParcelReason");
        assert_eq!(parcels.need, Need::Required);
        assert!(form.fields().all(|field| field.name != "NoParcelReason"));
    }
}

#[test]
fn what_a_format_wants_is_shown_by_an_example_that_the_rules_take() {
    let rules = laid_out();
    let form = rules.form(Kind::Application).unwrap();
    for field in form.fields() {
        let Some(example) = &field.example else { continue };
        // Entered as it is read, grouped by thousands; handed in without.
        let value: Value = example.replace("1,234", "1234").into();
        let a_list = matches!(field.control, Control::Parcels { .. });
        let a_count = matches!(field.control, Control::Count);
        let value = if a_list {
            vec![value].into()
        } else if a_count {
            12.into()
        } else {
            value
        };
        assert_eq!(crate::city::judged(&rules, &field.name, value), None, "{}", field.name);
    }
    assert_eq!(field(form, "EstProjectCost").example.as_deref(), Some("1,234.56"));
    assert_eq!(field(form, "OriginalZip").example.as_deref(), Some("98101"));
    assert_eq!(field(form, "AppliedDate").example, None, "each reader's language writes days in its own way");
}

#[test]
fn a_contract_without_layouts_makes_plain_forms() {
    let rules = plain();
    let form = rules.form(Kind::Application).unwrap();
    assert_eq!(form.groups.len(), 1);
    assert_eq!(form.groups[0].legend, Words::same("Permit application"));
    let first: Vec<&str> = form.fields().take(3).map(|field| field.label.en.as_str()).collect();
    assert_eq!(first, ["Permit Num", "Description", "Applied Date"], "in the order of the schema");
    let money = field(form, "EstProjectCost");
    assert_eq!((&money.control, money.width), (&Control::Money, Width::Sm));
    let zip = field(form, "OriginalZip");
    assert_eq!((&zip.control, zip.width), (&Control::Line { limit: 12 }, Width::Xs));
    assert_eq!(control(&field(form, "StatusCurrentMapped").control), ("choice", 6));
}

#[test]
fn every_property_of_every_schema_that_a_person_could_type_gets_a_field() {
    let rules = plain();
    for kind in KINDS_DEMANDED {
        let form = rules.form(kind).unwrap();
        let schema = schema(kind);
        for (name, property) in schema["properties"].as_object().unwrap() {
            // Fields of the source that fit nowhere else come by import; the reason is part of the parcels.
            let elsewhere = property["type"] == "object" || name == "NoParcelReason";
            let fields = form.fields().filter(|field| field.name == *name).count();
            assert_eq!(fields, usize::from(!elsewhere), "{kind} {name}");
        }
    }
}
