//! The form of a kind of operation, and a look at what is being typed into it.
//!
//! Promise: both come from the rules in use and touch neither disk nor network, so that they answer while someone types
//! and whether or not anybody is signed in. A look tells what is wrong with a value, never what is still missing; what
//! is handed in is judged anew, as a whole.

use holdfast_core::form::{self, CodeWord, Control, Field, Form, Group, Need, Width, Words};
use holdfast_core::operation::Kind;
use holdfast_wire::{
    ApiCode, ApiError, CheckRequest, CheckView, FieldControl, FieldNeed, FieldWidth, FormField, FormGroup,
    FormOption, FormView,
};
use validator::Validate as _;

use crate::station::Station;
use crate::views;

/// Where the payload stands in what is handed in.
const PAYLOAD: &str = "/payload";

impl Station {
    /// The form of a kind, as the rules in use want it.
    ///
    /// # Errors
    /// `RulesOutOfDate` while there are no rules; `NotFound` for a kind that they do not know.
    pub fn form(&self, kind: &str) -> Result<FormView, ApiError> {
        let in_use = self.rules().ok_or_else(|| views::error(ApiCode::RulesOutOfDate))?;
        let form = in_use.rules.form(known(kind)?).ok_or_else(|| views::error(ApiCode::NotFound))?;
        Ok(view(kind, in_use.version, form))
    }

    /// What is wrong with the fields that are asked about, each by itself.
    ///
    /// # Errors
    /// As [`Station::form`]; `Refused` when more is asked than a request may ask.
    pub fn check(&self, request: &CheckRequest) -> Result<CheckView, ApiError> {
        request.validate().map_err(|_| views::error(ApiCode::Refused))?;
        let in_use = self.rules().ok_or_else(|| views::error(ApiCode::RulesOutOfDate))?;
        let asked: Vec<&str> =
            request.pointers.iter().filter_map(|pointer| pointer.strip_prefix(PAYLOAD)).collect();
        let mut problems = form::look(&in_use.rules, known(&request.kind)?, &request.payload, &asked);
        for problem in &mut problems {
            problem.pointer.insert_str(0, PAYLOAD);
        }
        Ok(CheckView { problems: problems.iter().map(views::told_problem).collect() })
    }
}

fn known(kind: &str) -> Result<Kind, ApiError> {
    kind.parse().map_err(|_| views::error(ApiCode::NotFound))
}

fn view(kind: &str, contract_version: u64, form: &Form) -> FormView {
    FormView { kind: kind.to_owned(), contract_version, groups: form.groups.iter().map(group).collect() }
}

fn group(group: &Group) -> FormGroup {
    FormGroup {
        id: group.id.clone(),
        legend: words(&group.legend),
        fields: group.fields.iter().map(field).collect(),
    }
}

fn field(field: &Field) -> FormField {
    FormField {
        name: field.name.clone(),
        pointer: pointer(&field.name),
        label: words(&field.label),
        hint: field.hint.as_ref().map(words),
        example: field.example.clone(),
        need: match field.need {
            Need::Required => FieldNeed::Required,
            Need::Optional => FieldNeed::Optional,
        },
        width: match field.width {
            Width::Xs => FieldWidth::Xs,
            Width::Sm => FieldWidth::Sm,
            Width::Md => FieldWidth::Md,
            Width::Lg => FieldWidth::Lg,
            Width::Xl => FieldWidth::Xl,
            Width::Full => FieldWidth::Full,
        },
        control: control(&field.control),
    }
}

fn control(control: &Control) -> FieldControl {
    match control {
        Control::Line { limit } => FieldControl::Line { limit: *limit },
        Control::LongText { limit } => FieldControl::LongText { limit: *limit },
        Control::Phone { limit } => FieldControl::Phone { limit: *limit },
        Control::Email { limit } => FieldControl::Email { limit: *limit },
        Control::Address { limit } => FieldControl::Address { limit: *limit },
        Control::Count => FieldControl::Count,
        Control::Money => FieldControl::Money,
        Control::Measure { unit } => FieldControl::Measure { unit: words(unit) },
        Control::Day => FieldControl::Day,
        Control::TimeOfDay => FieldControl::TimeOfDay,
        Control::Choice { options } => FieldControl::Choice { options: options.iter().map(option).collect() },
        Control::Several { options, entries_max } => {
            FieldControl::Several { options: options.iter().map(option).collect(), entries_max: *entries_max }
        }
        Control::Parcels { entries_max, reason } => FieldControl::Parcels {
            entries_max: *entries_max,
            reason_pointer: pointer(reason),
            reason_name: reason.clone(),
        },
        Control::Unknown { widget, limit } => FieldControl::Unknown { widget: widget.clone(), limit: *limit },
    }
}

fn option(entry: &CodeWord) -> FormOption {
    FormOption { code: entry.code.clone(), word: words(&entry.word) }
}

fn words(words: &Words) -> holdfast_wire::Words {
    holdfast_wire::Words { en: words.en.clone(), es: words.es.clone() }
}

fn pointer(member: &str) -> String {
    holdfast_core::canonical::pointer_step(PAYLOAD, member)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::collections::BTreeMap;
    use std::path::{Path, PathBuf};

    use holdfast_core::validate::Rules;

    use super::*;

    const VERSION: u64 = 41;
    const HEAD: &str =
        "// Written by the tests of holdfast-station from the contract's own layouts; never by hand.

import type { FormView } from './wire'

export const FORMS: Readonly<Record<string, FormView>> = ";

    /// The page is tried without a station, too. To write its forms anew, after the contract has changed:
    /// `HOLDFAST_WRITE_TYPES=1 cargo test -p holdfast-station --lib form`.
    #[test]
    fn a_page_without_a_station_shows_the_forms_of_the_contract() {
        let rules = Rules::compile(&contract()).unwrap();
        let forms = rules.kinds().map(|kind| (kind, view(kind.word(), VERSION, rules.form(kind).unwrap())));
        let forms: BTreeMap<_, _> = forms.collect();
        let written = format!("{HEAD}{}\n", serde_json::to_string_pretty(&forms).unwrap());
        let file = folder("ui/src/api/generated/forms.ts");
        if std::env::var_os("HOLDFAST_WRITE_TYPES").is_some() {
            std::fs::write(&file, &written).unwrap();
        }
        let committed = std::fs::read_to_string(&file).unwrap();
        assert!(committed == written, "stale: write {} anew, as this test says", file.display());
    }

    fn folder(path: &str) -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..").join(path)
    }

    fn contract() -> BTreeMap<String, Vec<u8>> {
        let entries = std::fs::read_dir(folder("schemas")).unwrap().map(|entry| entry.unwrap().path());
        let files = entries.filter(|path| path.extension().is_some_and(|ending| ending == "json"));
        files
            .map(|path| {
                (path.file_name().unwrap().to_str().unwrap().to_owned(), std::fs::read(&path).unwrap())
            })
            .collect()
    }
}
