//! Which layouts are taken, and what becomes of those that are newer than the program.

use std::collections::BTreeMap;

use holdfast_core::canonical::parse_strict;
use holdfast_core::form::{Control, Field, LayoutFault};
use holdfast_core::operation::Kind;
use holdfast_core::problem::ProblemCode;
use holdfast_core::validate::{Rules, RulesFault};
use serde_json::{Value, json};

use crate::city::{contract, contract_with_layouts, judged};

fn placed(more: &Value) -> Value {
    let mut field = json!({"name": "EstProjectCost", "label": {"en": "Valuation", "es": "Valuación"}});
    field.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    field
}

fn layout(fields: &[Value]) -> Value {
    json!({"v": 1, "groups": [{"id": "all", "legend": {"en": "All", "es": "Todo"}, "fields": fields}]})
}

fn compiled(name: &str, layout: &Value) -> Result<Rules, RulesFault> {
    let mut files = contract();
    files.insert(name.to_owned(), layout.to_string().into_bytes());
    Rules::compile(&files)
}

fn fault(layout: &Value) -> LayoutFault {
    match compiled("application.layout.json", layout) {
        Err(RulesFault::Layout { path, source }) if path == "application.layout.json" => source,
        other => panic!("{layout}: {other:?}"),
    }
}

/// The one field of a form that asks for one property.
fn only_field(more: &Value) -> Field {
    let rules = compiled("application.layout.json", &layout(&[placed(more)])).unwrap();
    rules.form(Kind::Application).unwrap().groups[0].fields[0].clone()
}

#[test]
fn a_field_that_nobody_keeps_is_refused_by_its_name() {
    let unknown = |name: &str| LayoutFault::UnknownField { name: name.to_owned() };
    assert_eq!(fault(&layout(&[placed(&json!({"name": "EstProjectCosts"}))])), unknown("EstProjectCosts"));
    let mut files = contract_with_layouts();
    let mut schema: Value = serde_json::from_slice(&files["stage.schema.json"]).unwrap();
    schema["properties"].as_object_mut().unwrap().remove("reason");
    schema.as_object_mut().unwrap().remove("if");
    schema.as_object_mut().unwrap().remove("then");
    files.insert("stage.schema.json".to_owned(), schema.to_string().into_bytes());
    let refused = Rules::compile(&files).unwrap_err();
    assert_eq!(refused.to_string(), "stage.layout.json is refused: the schema knows no field reason");
}

#[test]
fn the_same_is_asked_for_once() {
    let twice = [placed(&json!({})), placed(&json!({}))];
    assert_eq!(fault(&layout(&twice)), LayoutFault::Doubled { name: "EstProjectCost".to_owned() });
    let reason_twice = [placed(&json!({"name": "PIN"})), placed(&json!({"name": "NoParcelReason"}))];
    assert_eq!(fault(&layout(&reason_twice)), LayoutFault::Doubled { name: "NoParcelReason".to_owned() });
    let mut groups = layout(&[placed(&json!({}))]);
    let second = groups["groups"][0].clone();
    groups["groups"].as_array_mut().unwrap().push(second);
    assert_eq!(fault(&groups), LayoutFault::Doubled { name: "all".to_owned() });
}

#[test]
fn a_layout_is_read_strictly() {
    let plain = layout(&[placed(&json!({}))]);
    assert!(compiled("application.layout.json", &plain).is_ok());
    let with = |pointer: &str, value: Value| {
        let mut changed = plain.clone();
        *changed.pointer_mut(pointer).unwrap() = value;
        changed
    };
    for wrong in [
        json!([]),
        json!({}),
        layout(&[placed(&json!({"lable": "Valuation"}))]),
        layout(&[placed(&json!({"width": "2xl"}))]),
        with("/groups/0/legend", json!({"en": "All"})),
        with("/groups/0/legend", json!({"en": "All", "es": "Todo", "fr": "Tout"})),
        with("/groups/0/legend", json!("All")),
    ] {
        assert!(matches!(fault(&wrong), LayoutFault::NotALayout { .. }), "{wrong}");
    }
    assert_eq!(fault(&with("/v", json!(2))), LayoutFault::Version { v: 2 });
    for text in ["", " \t", "a\nb", "a\u{1b}[31mb", &"x".repeat(121)] {
        let blank = with("/groups/0/fields/0/label/es", text.into());
        assert_eq!(fault(&blank), LayoutFault::Text { of: "EstProjectCost".to_owned() }, "{text:?}");
    }
    let many = layout(&vec![placed(&json!({})); 101]);
    assert_eq!(fault(&many), LayoutFault::TooMany);
}

#[test]
fn a_reason_repeats_only_so_much_of_the_file() {
    let long = "x".repeat(100_000);
    for wrong in [layout(&[placed(&json!({ long.as_str(): 1 }))]), layout(&[placed(&json!({"name": long}))])]
    {
        assert!(fault(&wrong).to_string().chars().count() < 300);
    }
}

#[test]
fn words_belong_to_a_list_that_the_schema_has() {
    let with_words = |words: Value| {
        let mut layout = layout(&[placed(&json!({"name": "WorkClassMapped"}))]);
        layout["words"] = words;
        layout
    };
    let word = json!({"en": "New", "es": "Nueva"});
    let unknown = with_words(json!({"WorkClass": {"New": word}}));
    assert_eq!(fault(&unknown), LayoutFault::UnknownWords { list: "WorkClass".to_owned() });
    let code = with_words(json!({"WorkClassMapped": {"Newer": word}}));
    let expected = LayoutFault::UnknownCode { list: "WorkClassMapped".to_owned(), code: "Newer".to_owned() };
    assert_eq!(fault(&code), expected);
    let some = with_words(json!({"WorkClassMapped": {"New": word}}));
    let rules = compiled("application.layout.json", &some).unwrap();
    let field = &rules.form(Kind::Application).unwrap().groups[0].fields[0];
    let Control::Choice { options } = &field.control else { panic!("{field:?}") };
    let words: BTreeMap<&str, &str> =
        options.iter().map(|option| (option.code.as_str(), option.word.es.as_str())).collect();
    assert_eq!(
        words,
        [("New", "Nueva"), ("Existing", "Existing")].into(),
        "without a word the code is shown"
    );
}

#[test]
fn a_layout_of_no_schema_is_refused() {
    let refused = compiled("permit.layout.json", &layout(&[]));
    assert!(matches!(refused, Err(RulesFault::Layout { source: LayoutFault::NoSchema, .. })));
}

#[test]
fn an_unknown_widget_is_a_line_of_text_and_the_form_stays() {
    let field = only_field(&json!({"name": "ApplicantName", "widget": "hologram"}));
    assert_eq!(field.control, Control::Unknown { widget: "hologram".to_owned(), limit: 250 });
    let nothing_else_takes_it = only_field(&json!({"name": "ExtraFields", "widget": "key_values"}));
    assert!(matches!(nothing_else_takes_it.control, Control::Unknown { .. }));
    // A line of text would only be refused where the value has a shape of its own.
    for (name, control) in
        [("AppliedDate", Control::Day), ("HousingUnits", Control::Count), ("EstProjectCost", Control::Money)]
    {
        assert_eq!(only_field(&json!({"name": name, "widget": "hologram"})).control, control);
    }
}

#[test]
fn a_known_widget_has_to_fit_what_the_schema_takes() {
    assert_eq!(
        only_field(&json!({"name": "ContractorAddress1", "widget": "address"})).control,
        Control::Address { limit: 250 }
    );
    let reason = only_field(&json!({"name": "PIN", "with": "Jurisdiction"})).control;
    assert_eq!(reason, Control::Parcels { entries_max: 50, reason: "Jurisdiction".to_owned() });
    for wrong in [
        json!({"name": "HousingUnits", "widget": "money"}),
        json!({"name": "AppliedDate", "widget": "long_text"}),
        json!({"name": "WorkClassMapped", "widget": "line"}),
        json!({"name": "ApplicantName", "widget": "parcels"}),
        json!({"name": "PIN", "widget": "phone"}),
        json!({"name": "PIN", "with": "HousingUnits"}),
        json!({"name": "PIN", "with": "NoSuchField"}),
        json!({"name": "ApplicantName", "with": "NoParcelReason"}),
    ] {
        let fault = fault(&layout(&[placed(&wrong)]));
        assert!(matches!(fault, LayoutFault::WidgetDoesNotFit { .. }), "{wrong}: {fault}");
    }
    let nothing = fault(&layout(&[placed(&json!({"name": "ExtraFields"}))]));
    assert_eq!(nothing, LayoutFault::NoControl { name: "ExtraFields".to_owned() });
}

#[test]
fn the_layouts_of_the_city_are_strict_json() {
    for (name, bytes) in contract_with_layouts() {
        assert!(parse_strict(&bytes, bytes.len()).is_ok(), "{name}");
        assert!(!bytes.contains(&b'\r') && bytes.ends_with(b"\n"), "{name}");
    }
}

#[test]
fn whatever_a_layout_asks_for_a_field_gives_a_value_of_the_shape_of_its_schema() {
    let of_each_shape = [
        "PermitNum",
        "Description",
        "AppliedDate",
        "OriginalAddress1",
        "WorkClassMapped",
        "TotalSqFt",
        "Link",
        "Latitude",
        "EstProjectCost",
        "HousingUnits",
        "PIN",
        "ExtraFields",
        "ApplicantPhone",
        "ApplicantEmail",
    ];
    let mut fitting = 0;
    for name in of_each_shape {
        for widget in ["long_text", "money", "parcels", "hologram"] {
            let laid_out = layout(&[placed(&json!({"name": name, "widget": widget}))]);
            match compiled("application.layout.json", &laid_out) {
                Ok(rules) => {
                    fitting += 1;
                    // What nothing here takes can only be said to be so.
                    let value = typed(&rules.form(Kind::Application).unwrap().groups[0].fields[0].control);
                    let code = judged(&rules, name, value);
                    assert!(name == "ExtraFields" || code != Some(ProblemCode::WrongType), "{name} {widget}");
                }
                Err(RulesFault::Layout { source, .. }) => {
                    assert!(
                        matches!(source, LayoutFault::WidgetDoesNotFit { .. }),
                        "{name} {widget}: {source}"
                    );
                    assert_ne!(widget, "hologram", "{name}: what is not known is never in the way");
                }
                Err(other) => panic!("{other}"),
            }
        }
    }
    assert!(fitting > 25, "{fitting}");
}

/// A value as the control gives it.
fn typed(control: &Control) -> Value {
    match control {
        Control::Count => json!(2),
        Control::Several { options, .. } => json!([options[0].code]),
        Control::Choice { options } => json!(options[0].code),
        Control::Parcels { .. } => json!(["0010-22-417"]),
        Control::Money | Control::Measure { .. } => json!("1.5"),
        Control::Day => json!("2026-12-08"),
        Control::TimeOfDay => json!("09:30"),
        Control::Line { .. }
        | Control::LongText { .. }
        | Control::Phone { .. }
        | Control::Email { .. }
        | Control::Address { .. }
        | Control::Unknown { .. } => json!("as typed"),
    }
}
