//! One payload out of two versions, as a person chose it.
//!
//! Promise: no field is lost silently: what either version has is taken, or was left out in so many words. Whether the
//! whole is right, the rules say.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};

use crate::compare::{Changed, Comparison, FieldRow, fields};

/// Which version of a field is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The operation's.
    Ours,
    /// The SoR's.
    Theirs,
}

/// The fields of both, each as it was chosen by its pointer; a field that only one side changed is as that side has it,
/// unless it was chosen otherwise.
///
/// # Errors
/// The pointers that both changed differently and that nobody chose, or that were chosen and are none to choose.
pub fn chosen(
    comparison: &Comparison,
    choices: &BTreeMap<String, Side>,
) -> Result<Map<String, Value>, Vec<String>> {
    let rows: Vec<&FieldRow> = comparison.rows.iter().filter(|row| relative(row).is_some()).collect();
    let known: BTreeSet<&str> = rows.iter().map(|row| row.pointer.as_str()).collect();
    let mut wrong: Vec<String> =
        choices.keys().filter(|pointer| !known.contains(pointer.as_str())).cloned().collect();
    let mut merged = Map::new();
    for row in rows {
        match choices.get(&row.pointer).copied().or_else(|| by_itself(row.changed)) {
            Some(Side::Ours) => put(&mut merged, row, row.ours.as_ref()),
            Some(Side::Theirs) => put(&mut merged, row, row.theirs.as_ref()),
            None => wrong.push(row.pointer.clone()),
        }
    }
    if wrong.is_empty() { Ok(merged) } else { Err(wrong) }
}

/// A payload that a person wrote: `null` leaves a field out in so many words.
///
/// # Errors
/// The pointers, from the payload on, of fields that either version has and that are not spoken of.
pub fn written(
    mut merged: Map<String, Value>,
    ours: &Map<String, Value>,
    theirs: Option<&Map<String, Value>>,
) -> Result<Map<String, Value>, Vec<String>> {
    let had: BTreeSet<String> = [Some(ours), theirs]
        .into_iter()
        .flatten()
        .flat_map(|version| fields("", version).into_keys())
        .collect();
    let document = Value::Object(merged.clone());
    let lost: Vec<String> = had.into_iter().filter(|pointer| !speaks_of(&document, pointer)).collect();
    if !lost.is_empty() {
        return Err(lost);
    }
    without_nulls(&mut merged);
    Ok(merged)
}

fn by_itself(changed: Changed) -> Option<Side> {
    match changed {
        Changed::Nobody | Changed::ByUs | Changed::ByBothAlike => Some(Side::Ours),
        Changed::ByThem => Some(Side::Theirs),
        Changed::ByBothDifferently => None,
    }
}

fn relative(row: &FieldRow) -> Option<&str> {
    row.pointer.strip_prefix("/payload").filter(|rest| rest.starts_with('/'))
}

fn put(merged: &mut Map<String, Value>, row: &FieldRow, value: Option<&Value>) {
    let (Some(value), Some(pointer)) = (value, relative(row)) else { return };
    let mut steps: Vec<String> =
        pointer.split('/').skip(1).map(|step| step.replace("~1", "/").replace("~0", "~")).collect();
    let Some(last) = steps.pop() else { return };
    let mut at = merged;
    for step in steps {
        let nested = at.entry(step).or_insert_with(|| Value::Object(Map::new()));
        if !nested.is_object() {
            *nested = Value::Object(Map::new());
        }
        let Some(object) = nested.as_object_mut() else { return };
        at = object;
    }
    at.insert(last, value.clone());
}

/// Whether it names the field, or something around it, even if only to leave it out.
fn speaks_of(document: &Value, pointer: &str) -> bool {
    let around = pointer.match_indices('/').skip(1).map(|(end, _)| &pointer[..end]);
    document.pointer(pointer).is_some()
        || around.into_iter().any(|outer| document.pointer(outer).is_some_and(|value| !value.is_object()))
}

fn without_nulls(object: &mut Map<String, Value>) {
    object.retain(|_, value| !value.is_null());
    object.values_mut().filter_map(Value::as_object_mut).for_each(without_nulls);
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::compare::{Base, Effect, Snapshot, compare};
    use crate::lifecycle::Stage;

    fn map(value: Value) -> Map<String, Value> {
        value.as_object().unwrap().clone()
    }

    fn of_three(base: Value, ours: Value, theirs: Value) -> Comparison {
        let at = |payload| Snapshot {
            etag: None,
            stage: Stage::Intake,
            payload: map(payload),
            holds: vec![],
            notes: vec![],
        };
        let ours = map(ours);
        compare(Base::Shown(&at(base)), Effect::Says(&ours), &at(theirs))
    }

    #[test]
    fn a_merge_has_the_fields_of_both() {
        let three = of_three(
            json!({"Phone": "1", "Address": "12 OAK ST", "Gone": 1, "Deep": {"a/b": 1}}),
            json!({"Phone": "2", "Address": "12 OAK ST", "Gone": 1, "Deep": {"a/b": 1, "ours": 1}}),
            json!({"Phone": "1", "Address": "12 OAK ST", "Note": "dog", "Deep": {"a/b": 2}}),
        );
        let merged = chosen(&three, &BTreeMap::new()).unwrap();
        let expected =
            json!({"Phone": "2", "Address": "12 OAK ST", "Note": "dog", "Deep": {"a/b": 2, "ours": 1}});
        assert_eq!(Value::Object(merged), expected);
    }

    #[test]
    fn what_both_changed_is_chosen_by_a_person() {
        let three = of_three(json!({"Phone": "1"}), json!({"Phone": "2"}), json!({"Phone": "3"}));
        assert_eq!(chosen(&three, &BTreeMap::new()), Err(vec!["/payload/Phone".to_owned()]));
        for (side, phone) in [(Side::Ours, "2"), (Side::Theirs, "3")] {
            let choices = BTreeMap::from([("/payload/Phone".to_owned(), side)]);
            assert_eq!(chosen(&three, &choices).unwrap()["Phone"], phone);
        }
        let strange = BTreeMap::from([("/stage".to_owned(), Side::Ours)]);
        assert_eq!(chosen(&three, &strange), Err(vec!["/stage".to_owned(), "/payload/Phone".to_owned()]));
    }

    #[test]
    fn a_written_merge_speaks_of_every_field_of_both() {
        let ours = map(json!({"Phone": "2", "Deep": {"a": 1}}));
        let theirs = map(json!({"Phone": "1", "Note": "dog"}));
        // What was written, what is taken or lost.
        let table: [(Value, Result<Value, &[&str]>); 5] = [
            (
                json!({"Phone": "2", "Note": "dog", "Deep": {"a": 1}}),
                Ok(json!({"Phone": "2", "Note": "dog", "Deep": {"a": 1}})),
            ),
            (
                json!({"Phone": "9", "Note": null, "Deep": {"a": 2}}),
                Ok(json!({"Phone": "9", "Deep": {"a": 2}})),
            ),
            (json!({"Phone": "9", "Note": "x", "Deep": null}), Ok(json!({"Phone": "9", "Note": "x"}))),
            (json!({"Phone": "2", "Deep": {"a": 1}}), Err(&["/Note"])),
            (json!({"Note": "dog", "Deep": {}}), Err(&["/Deep/a", "/Phone"])),
        ];
        for (merged, expected) in table {
            let came = written(map(merged.clone()), &ours, Some(&theirs)).map(Value::Object);
            let expected = expected.map_err(|lost| lost.iter().map(ToString::to_string).collect::<Vec<_>>());
            assert_eq!(came, expected, "{merged}");
        }
    }
}
