//! `configuration show`: every value that this user's programs run under here, and where it comes from.
//!
//! Promise: neither a data folder nor what opens it is needed. A process that is running has read the same sources, a few
//! seconds ago at most; what it refuses stands in `status`.

use holdfast_station::Configured;
use holdfast_station::settings::{Origin, TakesEffect, takes_effect};
use serde::Serialize;
use serde_json::Value;

use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::Form;
use crate::table::Table;

/// The whole configuration.
#[derive(Debug, Serialize)]
struct ConfigurationView {
    values: Vec<ValueView>,
}

/// One value.
#[derive(Debug, Serialize)]
struct ValueView {
    key: String,
    value: Value,
    origin: Origin,
    takes_effect: TakesEffect,
}

pub(crate) fn show(configured: &Configured, form: Form) -> Result<Exit, Failure> {
    form.show(&view(configured), plain)?;
    Ok(Exit::Done)
}

fn view(configured: &Configured) -> ConfigurationView {
    let listed = configured.settings.listed();
    let values = listed.iter().map(|(key, value)| ValueView {
        key: key.to_owned(),
        value: value.clone(),
        origin: configured.origins.of(key),
        takes_effect: takes_effect(key),
    });
    ConfigurationView { values: values.collect() }
}

fn plain(view: &ConfigurationView) -> String {
    let mut table = Table::new(&["KEY", "VALUE", "FROM", ""]);
    for ValueView { key, value, origin, takes_effect } in &view.values {
        let when = match takes_effect {
            TakesEffect::Now => "",
            TakesEffect::NextStart => "takes effect at the next start",
        };
        table.row([key.clone(), value.to_string(), origin.to_string(), when.to_owned()]);
    }
    table.text()
}
