//! The form of a kind of operation: which fields a person is asked for, in which order, in whose words.
//!
//! Promise: a form follows from the contract alone. The schema says what each field may hold, and so how it is entered;
//! a layout beside it, if there is one, says which fields a person is asked for, and in which words. A layout that
//! contradicts its schema makes no form, so that nobody is asked for what the rules do not keep.
//!
//! Deliberately judges no value: that is [`crate::validate`]'s, of which [`look`] asks a part.

mod control;
mod label;
mod layout;
mod looking;
mod order;
mod schema;

use serde::Deserialize;
use serde_json::Value;

pub use layout::LayoutFault;
pub use looking::{Told, look};
pub use order::properties_in_order;

use control::Demand;
use layout::Layout;
use schema::Schema;

/// The same words in each language of the window.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Words {
    /// English of the United States.
    pub en: String,
    /// Spanish of the United States.
    pub es: String,
}

impl Words {
    /// A word that is the same in both.
    #[must_use]
    pub fn same(word: &str) -> Self {
        Self { en: word.to_owned(), es: word.to_owned() }
    }
}

/// The form of one kind of operation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Form {
    /// In the order of the page.
    pub groups: Vec<Group>,
}

/// Fields under one legend.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Group {
    /// Its name in the layout.
    pub id: String,
    /// What stands above it.
    pub legend: Words,
    /// In order.
    pub fields: Vec<Field>,
}

/// One field of a form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field {
    /// The member of the payload.
    pub name: String,
    /// What it is called.
    pub label: Words,
    /// An example of what belongs into it.
    pub hint: Option<Words>,
    /// What a value looks like, the same in every language; completes "must look like …".
    pub example: Option<String>,
    /// Whether it may be left out.
    pub need: Need,
    /// The length that is expected.
    pub width: Width,
    /// What takes the value.
    pub control: Control,
}

/// Whether a field may be left out of a form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Need {
    /// It may not.
    Required,
    /// It may.
    Optional,
}

/// The length that is expected in a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Width {
    /// A postcode.
    Xs,
    /// An amount.
    Sm,
    /// A telephone number.
    Md,
    /// A name.
    Lg,
    /// An address.
    Xl,
    /// The whole column.
    Full,
}

/// What takes a value. Limits are in code points.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Control {
    /// One line of text.
    Line {
        /// Its longest.
        limit: u32,
    },
    /// Several lines of text.
    LongText {
        /// Its longest.
        limit: u32,
    },
    /// A telephone number.
    Phone {
        /// Its longest.
        limit: u32,
    },
    /// An address for electronic mail.
    Email {
        /// Its longest.
        limit: u32,
    },
    /// An address of a site.
    Address {
        /// Its longest.
        limit: u32,
    },
    /// A whole number.
    Count,
    /// US dollars, as decimal text.
    Money,
    /// A measure, as decimal text.
    Measure {
        /// Its unit.
        unit: Words,
    },
    /// A day of the calendar.
    Day,
    /// A local time of day.
    TimeOfDay,
    /// One of a closed list.
    Choice {
        /// In the contract's order.
        options: Vec<CodeWord>,
    },
    /// Several of a closed list.
    Several {
        /// In the contract's order.
        options: Vec<CodeWord>,
        /// Most of them.
        entries_max: u32,
    },
    /// Parcel numbers, or the reason why there are none.
    Parcels {
        /// Most numbers.
        entries_max: u32,
        /// The member of the payload that holds the reason.
        reason: String,
    },
    /// The layout names a way of entering that this version does not know: a line of text.
    Unknown {
        /// What the layout asked for.
        widget: String,
        /// Its longest.
        limit: u32,
    },
}

/// One entry of a closed list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CodeWord {
    /// What is stored.
    pub code: String,
    /// What is read.
    pub word: Words,
}

/// What a form is made from. The schema is one that the dialect has taken.
pub(crate) struct FormSource<'a> {
    /// The schema of the kind.
    pub(crate) schema: &'a Value,
    /// The word lists that it refers to.
    pub(crate) vocabularies: &'a Value,
    /// The schema's properties as they stand in the file; a parsed object has lost their order.
    pub(crate) order: &'a [String],
    /// The layout, if the contract has one.
    pub(crate) layout: Option<&'a Value>,
}

impl Form {
    /// The form of a schema, laid out as the contract wants it, or plainly.
    ///
    /// # Errors
    /// [`LayoutFault`], the first met.
    pub(crate) fn compile(source: &FormSource<'_>) -> Result<Self, LayoutFault> {
        let schema = Schema::new(source.schema, source.vocabularies);
        match source.layout {
            Some(document) => laid_out(&schema, &Layout::parse(document, &schema)?),
            None => Ok(plain(&schema, source.order)),
        }
    }

    /// Every field, in order.
    pub fn fields(&self) -> impl Iterator<Item = &Field> {
        self.groups.iter().flat_map(|group| &group.fields)
    }
}

fn laid_out(schema: &Schema<'_>, layout: &Layout) -> Result<Form, LayoutFault> {
    let mut form = Form { groups: Vec::new() };
    for group in &layout.groups {
        let fields = group.fields.iter().map(|placed| {
            let demand =
                Demand { name: &placed.name, widget: placed.widget.as_deref(), with: placed.with.as_deref() };
            let control = control::demanded(schema, &demand, &layout.words)?;
            Ok(Field {
                label: placed.label.clone(),
                hint: placed.hint.clone(),
                example: placed.example.clone().or_else(|| control::example(&control)),
                width: placed.width.unwrap_or_else(|| control::width(&control)),
                need: Need::Optional,
                name: placed.name.clone(),
                control,
            })
        });
        let fields = fields.collect::<Result<_, LayoutFault>>()?;
        form.groups.push(Group { id: group.id.clone(), legend: group.legend.clone(), fields });
    }
    layout::refuse_doubled(&form)?;
    Ok(with_needs(schema, form))
}

/// Each property that can be entered here, in one group. A reason that stands in for parcels is part of their field.
fn plain(schema: &Schema<'_>, order: &[String]) -> Form {
    let fields: Vec<Field> = order.iter().filter_map(|name| plain_field(schema, name)).collect();
    let reasons: Vec<String> =
        fields.iter().filter_map(|field| field.control.reason().map(str::to_owned)).collect();
    let fields = fields.into_iter().filter(|field| !reasons.contains(&field.name)).collect();
    let legend = Words::same(schema.title().unwrap_or_default());
    with_needs(schema, Form { groups: vec![Group { id: "all".to_owned(), legend, fields }] })
}

fn plain_field(schema: &Schema<'_>, name: &str) -> Option<Field> {
    let control = control::of_schema(schema, name, &layout::NO_WORDS)?;
    Some(Field {
        label: Words::same(&label::of_name(name)),
        hint: None,
        example: control::example(&control),
        width: control::width(&control),
        need: Need::Optional,
        name: name.to_owned(),
        control,
    })
}

/// A field may not be left out when the rules demand it, or when they demand one of several and the form asks for no
/// other of them.
fn with_needs(schema: &Schema<'_>, mut form: Form) -> Form {
    let choices = schema.choices_of_required();
    let demanded: Vec<String> = choices.iter().filter_map(|choice| only_field(&form, choice)).collect();
    for field in form.groups.iter_mut().flat_map(|group| &mut group.fields) {
        if demanded.contains(&field.name) || schema.requires(&field.name) {
            field.need = Need::Required;
        }
    }
    form
}

fn only_field(form: &Form, choice: &[&str]) -> Option<String> {
    let mut asked = form.fields().filter(|field| choice.iter().any(|name| field.fills(name)));
    let first = asked.next()?;
    asked.next().is_none().then(|| first.name.clone())
}

impl Field {
    /// Whether a member of the payload comes from this field.
    fn fills(&self, member: &str) -> bool {
        self.name == member || self.control.reason() == Some(member)
    }
}

impl Control {
    fn reason(&self) -> Option<&str> {
        if let Self::Parcels { reason, .. } = self { Some(reason) } else { None }
    }
}
