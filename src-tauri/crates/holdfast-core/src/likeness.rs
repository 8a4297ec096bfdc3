//! Whether an application looks like another one, so that somebody has a second look.
//!
//! Promise: likeness never decides what is kept. Two applications that say the same are two, and are recorded as two; that
//! they are alike is a mark beside them, which a person takes away. What is compared is the place, the kind of work and who
//! wants it, in the form in which texts are compared ([`crate::search::folded`]); the place by its parcels or by its address,
//! whichever both name. Deliberately not here: spelling, abbreviations, and who reads the rows.
//!
//! One that brings a number of its own has been told apart already by whoever gave the number: it is compared with nothing.

use serde_json::{Value, json};

use crate::canonical::{canonical, sha256};
use crate::ids::Digest;
use crate::numbers::brings_number;
use crate::search::folded;
use crate::time::{Date, UtcMillis};

/// Applications that one is said to look like, in entries; the nearest of them.
pub const LIKENESS_MAX_ROWS: u32 = 5;

const HOUR_MS: i64 = 3_600_000;
/// Who wants the work: the first of these that is given.
const WHO: [&str; 4] = ["ApplicantName", "ContractorLicNum", "ContractorCompanyName", "ContractorFullName"];
const ADDRESS: [&str; 3] = ["OriginalAddress1", "OriginalAddress2", "OriginalCity"];

/// What an application is compared by: two are alike when they share one of them. None of what names no place.
#[must_use]
pub fn likeness(payload: &Value) -> Vec<Digest> {
    let work = json!({
        "type": first(payload, &["PermitTypeMapped", "PermitType"]),
        "class": first(payload, &["WorkClassMapped", "WorkClass"]),
        "who": who(payload),
    });
    [parcels(payload), address(payload)].into_iter().flatten().map(|place| digest(&place, &work)).collect()
}

/// The same of what is handed in at the counter.
#[must_use]
pub fn likeness_at_counter(payload: &Value) -> Vec<Digest> {
    if brings_number(payload) { Vec::new() } else { likeness(payload) }
}

/// From when to when another one counts as filed at about the same time.
#[must_use]
pub fn about(filed_at: UtcMillis, window_h: u32) -> (UtcMillis, UtcMillis) {
    let window_ms = i64::from(window_h) * HOUR_MS;
    (filed_at.plus_millis(-window_ms), filed_at.plus_millis(window_ms))
}

/// When a record of the SoR was filed, as far as it tells: it was there when it last changed, and no later than the end of
/// the day on which it says that it was applied for, wherever on Earth that day was.
#[must_use]
pub fn filed_at(payload: &Value, changed_at: UtcMillis) -> UtcMillis {
    let applied = text(payload, "AppliedDate").and_then(|day| day.parse::<Date>().ok());
    let next_day = applied.and_then(|day| day.tomorrow().ok());
    let ended = next_day.and_then(|day| format!("{day}T12:00:00.000Z").parse().ok());
    ended.map_or(changed_at, |ended: UtcMillis| changed_at.min(ended))
}

fn digest(place: &Value, work: &Value) -> Digest {
    sha256(&canonical(&json!({"v": 1, "place": place, "work": work})))
}

fn parcels(payload: &Value) -> Option<Value> {
    let pins = payload.get("PIN")?.as_array()?;
    let mut pins: Vec<String> = pins.iter().filter_map(Value::as_str).map(plain).collect();
    pins.retain(|pin| !pin.is_empty());
    pins.sort_unstable();
    pins.dedup();
    (!pins.is_empty()).then(|| json!({"parcels": pins}))
}

fn address(payload: &Value) -> Option<Value> {
    first(payload, &ADDRESS[..1])?;
    let parts: Vec<String> = ADDRESS.iter().filter_map(|name| text(payload, name)).map(plain).collect();
    Some(json!({ "address": parts }))
}

/// Where nobody is named, what the work is described as tells two apart.
fn who(payload: &Value) -> Option<String> {
    first(payload, &WHO).or_else(|| first(payload, &["Description"]))
}

fn first(payload: &Value, names: &[&str]) -> Option<String> {
    let texts = names.iter().filter_map(|name| text(payload, name));
    texts.map(plain).find(|text| !text.is_empty())
}

/// Letters and digits in lower case, with one blank between words.
fn plain(text: &str) -> String {
    let folded = folded(text);
    let words = folded.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join(" ")
}

fn text<'a>(payload: &'a Value, name: &str) -> Option<&'a str> {
    payload.get(name)?.as_str()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn fence() -> Value {
        json!({
            "OriginalAddress1": "12 Oak St.", "PIN": ["0010-22-417"], "PermitTypeMapped": "Fence",
            "WorkClassMapped": "New", "ApplicantName": "Rosa Delgado", "Description": "cedar fence",
        })
    }

    fn with(changes: Value) -> Value {
        let mut payload = fence();
        for (name, value) in changes.as_object().unwrap() {
            match value {
                Value::Null => payload.as_object_mut().unwrap().remove(name),
                Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) | Value::Object(_) => {
                    payload.as_object_mut().unwrap().insert(name.clone(), value.clone())
                }
            };
        }
        payload
    }

    fn alike(one: &Value, other: &Value) -> bool {
        let others = likeness(other);
        likeness(one).iter().any(|digest| others.contains(digest))
    }

    #[test]
    fn place_work_and_person_make_two_alike_however_they_are_written() {
        for (changes, is_alike, what) in [
            (json!({}), true, "the same"),
            (json!({"OriginalAddress1": "12  OAK ST", "ApplicantName": "ROSA DELGADO"}), true, "in capitals"),
            (json!({"ApplicantName": "Rosa  Delgado "}), true, "with blanks"),
            (json!({"Description": "a fence of cedar, 6 ft"}), true, "in other words, by the same person"),
            (json!({"PIN": ["0010 22 417"]}), true, "the parcel written in another way"),
            (json!({"PIN": null, "NoParcelReason": "not known"}), true, "by the address alone"),
            (json!({"OriginalAddress1": "12 OAK STREET"}), true, "by the parcel alone"),
            (json!({"OriginalAddress1": "14 OAK ST", "PIN": ["0010-22-418"]}), false, "next door"),
            (json!({"PermitTypeMapped": "Electrical"}), false, "other work"),
            (json!({"WorkClassMapped": "Demolition"}), false, "another class of work"),
            (json!({"ApplicantName": "Ben Ortiz"}), false, "another person"),
        ] {
            assert_eq!(alike(&fence(), &with(changes)), is_alike, "{what}");
        }
    }

    #[test]
    fn where_nobody_is_named_the_description_tells_two_apart() {
        let nobody = json!({"ApplicantName": null});
        let other = json!({"ApplicantName": null, "Description": "gate"});
        assert!(alike(&with(nobody.clone()), &with(nobody.clone())));
        assert!(!alike(&with(nobody), &with(other)));
    }

    #[test]
    fn what_names_no_place_or_brings_its_number_is_compared_with_nothing() {
        assert!(likeness(&json!({"OriginalAddress1": " .", "ApplicantName": "Rosa Delgado"})).is_empty());
        assert!(likeness_at_counter(&with(json!({"PermitNum": "AF-2026-00001"}))).is_empty());
        assert_eq!(likeness(&with(json!({"PermitNum": "AF-2026-00001"}))), likeness_at_counter(&fence()));
    }

    #[test]
    fn a_record_was_filed_no_later_than_it_says() {
        let changed: UtcMillis = "2026-11-30T14:00:00.000Z".parse().unwrap();
        for (applied, filed) in [
            (json!({}), "2026-11-30T14:00:00.000Z"),
            (json!({"AppliedDate": "2026-11-30"}), "2026-11-30T14:00:00.000Z"),
            (json!({"AppliedDate": "2024-02-29"}), "2024-03-01T12:00:00.000Z"),
            (json!({"AppliedDate": "soon"}), "2026-11-30T14:00:00.000Z"),
        ] {
            assert_eq!(filed_at(&applied, changed).to_string(), filed, "{applied}");
        }
        let (from, to) = about(changed, 24);
        let day = ["2026-11-29T14:00:00.000Z".to_owned(), "2026-12-01T14:00:00.000Z".to_owned()];
        assert_eq!([from.to_string(), to.to_string()], day);
    }
}
