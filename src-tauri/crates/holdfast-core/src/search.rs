//! By which text a record is found, and what is looked for in it.
//!
//! Promise: what a person typed and what was stored meet however either was written: composed or decomposed, in capitals
//! or not (Unicode NFC and case folding). A word is found anywhere inside another one, so that `417` finds a parcel.
//! Deliberately not here: spelling, similar words, languages; and who reads the rows.

use icu_normalizer::ComposingNormalizerBorrowed;
use serde_json::Value;

/// Words of one search, in entries; what is typed beyond them is not looked for.
pub const SEARCH_WORDS_MAX: usize = 16;
/// The text of one record, in bytes; what lies beyond is not found.
pub const SEARCH_TEXT_MAX_BYTES: usize = 2_048;

/// Fields of an application by which it is found: site, parcel, and who is named on it.
const FIELDS: [&str; 9] = [
    "PermitNum",
    "OriginalAddress1",
    "OriginalAddress2",
    "OriginalCity",
    "PIN",
    "ApplicantName",
    "ContractorCompanyName",
    "ContractorFullName",
    "ProjectName",
];

/// A text in the form in which texts are compared.
#[must_use]
pub fn folded(text: &str) -> String {
    let nfc = ComposingNormalizerBorrowed::new_nfc();
    // Up and down again: letters that differ in one direction only (ß, ς) meet.
    let cased = nfc
        .normalize(text)
        .chars()
        .flat_map(char::to_uppercase)
        .flat_map(char::to_lowercase)
        .collect::<String>();
    nfc.normalize(&cased).into_owned()
}

/// The words that are looked for.
#[must_use]
pub fn words(text: &str) -> Vec<String> {
    folded(text).split_whitespace().take(SEARCH_WORDS_MAX).map(str::to_owned).collect()
}

/// The text by which an application is found: its numbers first, then what its payload says.
#[must_use]
pub fn text_of<'a>(numbers: impl IntoIterator<Item = &'a str>, payload: &'a Value) -> String {
    let fields = FIELDS.iter().filter_map(|name| payload.get(name)).flat_map(texts);
    let parts: Vec<String> = numbers.into_iter().chain(fields).map(folded).collect();
    cut(parts.join("\n"))
}

/// A text, or the texts of a list.
fn texts(value: &Value) -> Vec<&str> {
    match value {
        Value::String(text) => vec![text],
        Value::Array(entries) => entries.iter().filter_map(Value::as_str).collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => Vec::new(),
    }
}

fn cut(mut text: String) -> String {
    text.truncate(text.floor_char_boundary(SEARCH_TEXT_MAX_BYTES));
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn finds(payload: &Value, typed: &str) -> bool {
        let text = text_of(["front-1-7"], payload);
        words(typed).iter().all(|word| text.contains(word))
    }

    #[test]
    fn what_was_typed_and_what_was_stored_meet_however_they_were_written() {
        let cases = [
            ("12 OAK ST", "oak 12"),
            ("Peña Blanca", "PEN\u{303}A"),
            ("Pen\u{303}a Blanca", "peña"),
            ("STRASSE", "straße"),
            ("ΟΔΟΣ", "οδος"),
            ("שדרות 5", "שדרות"),
            ("🏠 lane", "🏠"),
        ];
        for (stored, typed) in cases {
            assert!(finds(&json!({ "OriginalAddress1": stored }), typed), "{typed} in {stored}");
        }
    }

    #[test]
    fn every_word_has_to_be_there_in_any_field() {
        let payload = json!({
            "OriginalAddress1": "12 OAK ST", "PIN": ["0010-22-417", "0010-22-418"], "ApplicantName": "Ana Ruiz",
            "ContractorCompanyName": "Alder Roofing", "Description": "water heater",
        });
        for typed in ["ruiz oak", "418", "FRONT-1-7", "roofing ana 417", "", "   "] {
            assert!(finds(&payload, typed), "{typed}");
        }
        for typed in ["ruiz elm", "heater", "front-1-8"] {
            assert!(!finds(&payload, typed), "{typed}");
        }
    }

    #[test]
    fn a_payload_of_any_shape_has_a_text_within_its_limit() {
        assert_eq!(text_of(["1"], &json!({ "PIN": 7, "ApplicantName": { "first": "x" } })), "1");
        let long = text_of(["1"], &json!({ "OriginalAddress1": "é".repeat(9_000) }));
        assert!(long.len() <= SEARCH_TEXT_MAX_BYTES);
        assert_eq!(words(&"x ".repeat(100)).len(), SEARCH_WORDS_MAX);
    }
}
