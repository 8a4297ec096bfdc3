//! What takes a value: from what the schema lets a property hold, and from what the layout asks for.
//!
//! Promise: a control gives a value of the shape that the schema wants, or none is chosen. An unknown way of entering is
//! no error, since a contract may be newer than the program: text is then entered as a line, and what a line of text
//! could not hold rightly (a day, a count, a closed list) is entered as its schema says.

use super::layout::{LayoutFault, WordLists};
use super::schema::{Facts, Holds, Schema};
use super::{CodeWord, Control, Width, Words};

/// Text from this length on is entered over several lines, in code points.
const LONG_TEXT_MIN_CHARS: u32 = 1_000;
/// What a text may hold when the schema does not say, in code points.
const LINE_ASSUMED_CHARS: u32 = 250;
/// What a list may hold when the schema does not say, in entries.
const ENTRIES_ASSUMED: u32 = 50;

/// What a layout says about the control of one property.
pub(super) struct Demand<'a> {
    pub(super) name: &'a str,
    pub(super) widget: Option<&'a str>,
    /// The member that holds the reason why a list is empty.
    pub(super) with: Option<&'a str>,
}

/// The ways of entering that a layout may name.
#[derive(Clone, Copy)]
enum Widget {
    Line,
    LongText,
    Phone,
    Email,
    Address,
    Money,
    Area,
    Parcels,
}

impl Widget {
    fn parse(word: &str) -> Option<Self> {
        Some(match word {
            "line" => Self::Line,
            "long_text" => Self::LongText,
            "phone" => Self::Phone,
            "email" => Self::Email,
            "address" => Self::Address,
            "money" => Self::Money,
            "area" => Self::Area,
            "parcels" => Self::Parcels,
            _ => return None,
        })
    }
}

/// The control that a layout asks for.
pub(super) fn demanded(
    schema: &Schema<'_>,
    demand: &Demand<'_>,
    words: &WordLists,
) -> Result<Control, LayoutFault> {
    let name = demand.name;
    let facts = schema.property(name).ok_or_else(|| LayoutFault::unknown_field(name))?;
    let unfit = || LayoutFault::WidgetDoesNotFit { name: name.to_owned() };
    if let Some(reason) = demand.with {
        return parcels(schema, &facts, reason).ok_or_else(unfit);
    }
    let derived = of_schema(schema, name, words);
    let Some(word) = demand.widget else { return derived.ok_or_else(|| LayoutFault::no_control(name)) };
    match Widget::parse(word) {
        Some(widget) => of_widget(widget, derived, limit(&facts)).ok_or_else(unfit),
        None => Ok(of_unknown(word, derived, limit(&facts))),
    }
}

/// The control that follows from the schema alone; `None`: no field of a form takes such a value.
pub(super) fn of_schema(schema: &Schema<'_>, name: &str, words: &WordLists) -> Option<Control> {
    let facts = schema.property(name)?;
    match facts.holds(schema) {
        Holds::Codes(codes) => Some(Control::Choice { options: options(words, name, &facts, &codes) }),
        Holds::Text => Some(of_text(&facts)),
        Holds::Integer => Some(Control::Count),
        Holds::ListOf(entries) => of_list(schema, name, &facts, &entries, words),
        Holds::Other => None,
    }
}

/// By its format, else by the definition that it refers to, else by its length.
fn of_text(facts: &Facts<'_>) -> Control {
    let limit = limit(facts);
    match facts.text("format") {
        Some("date") => return Control::Day,
        Some("email") => return Control::Email { limit },
        Some(_) | None => {}
    }
    match ["money", "area", "clock", "phone"].into_iter().find(|definition| facts.is_a(definition)) {
        Some("money") => Control::Money,
        Some("area") => Control::Measure { unit: square_feet() },
        Some("clock") => Control::TimeOfDay,
        Some(_) => Control::Phone { limit },
        None if limit >= LONG_TEXT_MIN_CHARS && facts.text("format").is_none() => Control::LongText { limit },
        None => Control::Line { limit },
    }
}

fn of_list(
    schema: &Schema<'_>,
    name: &str,
    facts: &Facts<'_>,
    entries: &Facts<'_>,
    words: &WordLists,
) -> Option<Control> {
    if let Holds::Codes(codes) = entries.holds(schema) {
        let options = options(words, name, entries, &codes);
        return Some(Control::Several { options, entries_max: entries_max(facts) });
    }
    let choices = schema.choices_of_required();
    let instead =
        choices.iter().filter(|choice| choice.contains(&name)).flatten().find(|other| **other != name)?;
    parcels(schema, facts, instead)
}

/// A list of texts, with a text that says why there is none.
fn parcels(schema: &Schema<'_>, facts: &Facts<'_>, reason: &str) -> Option<Control> {
    let Holds::ListOf(entries) = facts.holds(schema) else { return None };
    let texts = [entries.holds(schema), schema.property(reason)?.holds(schema)];
    let all_texts = texts.iter().all(|holds| matches!(holds, Holds::Text));
    all_texts.then(|| Control::Parcels { entries_max: entries_max(facts), reason: reason.to_owned() })
}

/// A widget that is asked for, where the value is of its shape: text stays text, a list stays a list.
fn of_widget(widget: Widget, derived: Option<Control>, limit: u32) -> Option<Control> {
    match (widget, derived?) {
        (Widget::Parcels, control @ Control::Parcels { .. }) => Some(control),
        (Widget::Money, control) => decimal(&control).then_some(Control::Money),
        (Widget::Area, control) => decimal(&control).then(|| Control::Measure { unit: square_feet() }),
        (Widget::Line, control) => is_free_text(&control).then_some(Control::Line { limit }),
        (Widget::LongText, control) => is_free_text(&control).then_some(Control::LongText { limit }),
        (Widget::Phone, control) => is_free_text(&control).then_some(Control::Phone { limit }),
        (Widget::Email, control) => is_free_text(&control).then_some(Control::Email { limit }),
        (Widget::Address, control) => is_free_text(&control).then_some(Control::Address { limit }),
        (Widget::Parcels, _) => None,
    }
}

fn of_unknown(widget: &str, derived: Option<Control>, limit: u32) -> Control {
    let unknown = Control::Unknown { widget: widget.to_owned(), limit };
    match derived {
        Some(control) if !is_free_text(&control) => control,
        Some(_) | None => unknown,
    }
}

/// Text of which the schema limits the length alone.
fn is_free_text(control: &Control) -> bool {
    match control {
        Control::Line { .. }
        | Control::LongText { .. }
        | Control::Phone { .. }
        | Control::Email { .. }
        | Control::Address { .. }
        | Control::Unknown { .. } => true,
        Control::Count
        | Control::Money
        | Control::Measure { .. }
        | Control::Day
        | Control::TimeOfDay
        | Control::Choice { .. }
        | Control::Several { .. }
        | Control::Parcels { .. } => false,
    }
}

/// A decimal text, or a line that may be one.
fn decimal(control: &Control) -> bool {
    matches!(control, Control::Money | Control::Measure { .. } | Control::Line { .. })
}

fn options(words: &WordLists, name: &str, facts: &Facts<'_>, codes: &[&str]) -> Vec<CodeWord> {
    let list = words.get(name).or_else(|| facts.definitions().iter().find_map(|list| words.get(*list)));
    let word =
        |code: &str| list.and_then(|list| list.get(code).cloned()).unwrap_or_else(|| Words::same(code));
    codes.iter().map(|code| CodeWord { code: (*code).to_owned(), word: word(code) }).collect()
}

fn limit(facts: &Facts<'_>) -> u32 {
    facts.at_most("maxLength").unwrap_or(LINE_ASSUMED_CHARS)
}

fn entries_max(facts: &Facts<'_>) -> u32 {
    facts.at_most("maxItems").unwrap_or(ENTRIES_ASSUMED)
}

fn square_feet() -> Words {
    Words { en: "sq ft".to_owned(), es: "pies²".to_owned() }
}

/// What a value looks like when the layout does not say. Days and times are written in each reader's own way, by the
/// window.
pub(super) fn example(control: &Control) -> Option<String> {
    let example = match control {
        Control::Money => "1,234.56",
        Control::Measure { .. } => "1840.5",
        Control::Phone { .. } => "(555) 010-0142",
        Control::Email { .. } => "name@example.org",
        Control::Parcels { .. } => "0010-22-417",
        Control::Count => "12",
        Control::Line { .. }
        | Control::LongText { .. }
        | Control::Address { .. }
        | Control::Day
        | Control::TimeOfDay
        | Control::Choice { .. }
        | Control::Several { .. }
        | Control::Unknown { .. } => return None,
    };
    Some(example.to_owned())
}

/// The length that is expected when the layout does not say.
pub(super) fn width(control: &Control) -> Width {
    match control {
        Control::Count | Control::TimeOfDay => Width::Xs,
        Control::Money | Control::Measure { .. } | Control::Day => Width::Sm,
        Control::Phone { .. } | Control::Choice { .. } => Width::Md,
        Control::Email { .. } => Width::Lg,
        Control::Address { .. } => Width::Xl,
        Control::LongText { .. } | Control::Several { .. } | Control::Parcels { .. } => Width::Full,
        Control::Line { limit } | Control::Unknown { limit, .. } => width_of_line(*limit),
    }
}

fn width_of_line(limit: u32) -> Width {
    match limit {
        0..=12 => Width::Xs,
        13..=20 => Width::Sm,
        21..=64 => Width::Md,
        65..=120 => Width::Lg,
        121.. => Width::Xl,
    }
}
