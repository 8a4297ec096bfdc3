//! What the program says on the terminal it was started from, which is little; the log is `holdfast_machine::log`.

use std::io::Write as _;

/// A sentence for whoever started the program.
pub(crate) fn say(sentence: &str) {
    // Nobody may be there to read it.
    let _ = writeln!(std::io::stderr(), "holdfast: {sentence}");
}

/// A fault as one sentence with its causes.
pub(crate) fn with_causes(fault: &(dyn std::error::Error + 'static)) -> String {
    let mut text = fault.to_string();
    let mut next = fault.source();
    while let Some(cause) = next {
        let said = cause.to_string();
        if !text.ends_with(&said) {
            text = format!("{text}: {said}");
        }
        next = cause.source();
    }
    text
}

/// A panic says where, and never with which values: they could be a person's.
pub(crate) fn speak_without_payload() {
    std::panic::set_hook(Box::new(|info| {
        let place = info.location().map(ToString::to_string).unwrap_or_default();
        tracing::error!(place, "a defect");
        say(&format!("a defect at {place}"));
    }));
}
