//! What is said when a defect of this program ends it: where, and nothing of what it was working on, since that may be
//! personal.

use std::io::Write as _;
use std::panic;

/// Replaces the hook that would print the payload.
pub(crate) fn speak_without_payload() {
    panic::set_hook(Box::new(|info| {
        let place = info.location().map_or_else(|| "an unknown place".to_owned(), ToString::to_string);
        tracing::error!(place, "defect");
        let _ = writeln!(
            std::io::stderr(),
            "holdfastctl: stopped by a defect of this program at {place}. What was accepted is on the disk; \
             start again, and report this line."
        );
    }));
}
