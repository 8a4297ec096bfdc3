//! Until when failed work has to be seen again.
//!
//! Promise: the 48 hours run from the event, the moment at which the inspector saw the work, and not from the hand-in or
//! from the moment at which the SoR hears of it; they are 48 hours that go by, whatever the clocks on the wall do in between.
//! Where the moment is not known to the minute, the clock starts too early rather than too late, so that nobody keeps a
//! deadline that was none.
//!
//! Which results start it: `Rejected` always, since work was seen that does not comply. `Partial` only when the inspector
//! says that another inspection is needed (`ReInspection`): the part that passed has passed, and the rest is often not built
//! yet. `NotReady` and `NoAccess` never: nothing was seen, so nothing has failed, and the next visit is asked for like a
//! first one. Deliberately not here: which of two results of one visit counts; whether anybody went.

use jiff::civil::DateTime;
use serde_json::Value;

use crate::time::{Date, Time, TimeZone, UtcMillis};

/// How long after the event the work has to be seen again, in hours that go by.
pub const REINSPECTION_AFTER_H: i64 = 48;

const HOUR_MS: i64 = 3_600_000;

/// When the work behind this inspection payload has to be seen again; `None` when it does not.
///
/// `accepted_at` is when the result was handed in, `zone` the one in which the inspector's clock runs.
#[must_use]
pub fn due(payload: &Value, accepted_at: UtcMillis, zone: &TimeZone) -> Option<UtcMillis> {
    has_failed(payload)
        .then(|| seen_at(payload, accepted_at, zone).plus_millis(REINSPECTION_AFTER_H * HOUR_MS))
}

fn has_failed(payload: &Value) -> bool {
    match text(payload, "ResultMapped") {
        Some("Rejected") => true,
        Some("Partial") => text(payload, "ReInspection") == Some("Yes"),
        Some(_) | None => false,
    }
}

/// The moment of the event, as early as it can have been: nothing is seen after it was handed in.
fn seen_at(payload: &Value, accepted_at: UtcMillis, zone: &TimeZone) -> UtcMillis {
    stated(payload, accepted_at, zone).map_or(accepted_at, |stated| stated.min(accepted_at))
}

/// What the payload says about the moment. Without a time, a result that is handed in on its own day was recorded on the
/// spot; one that is handed in later counts from the beginning of its day.
fn stated(payload: &Value, accepted_at: UtcMillis, zone: &TimeZone) -> Option<UtcMillis> {
    let date: Date = text(payload, "InspectedDate")?.parse().ok()?;
    let time = text(payload, "InspectedTime").and_then(|text| text.parse::<Time>().ok());
    match time {
        Some(time) => moment(date.to_datetime(time), zone),
        None if date == accepted_at.day_in(zone) => Some(accepted_at),
        None => moment(date.to_datetime(Time::midnight()), zone),
    }
}

/// The earlier of two moments that bear the same local time; a local time that was skipped is taken as before the change.
fn moment(local: DateTime, zone: &TimeZone) -> Option<UtcMillis> {
    let stamp = zone.to_ambiguous_timestamp(local).earlier().ok()?;
    UtcMillis::from_millis(stamp.as_millisecond())
}

fn text<'a>(payload: &'a Value, name: &str) -> Option<&'a str> {
    payload.get(name)?.as_str()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use serde_json::json;

    use super::*;

    fn at(text: &str) -> UtcMillis {
        text.parse().unwrap()
    }

    fn eastern() -> TimeZone {
        TimeZone::get("America/New_York").unwrap()
    }

    fn due_at(payload: &Value, accepted_at: &str) -> Option<String> {
        due(payload, at(accepted_at), &eastern()).map(|due| due.to_string())
    }

    #[test]
    fn the_clock_starts_at_the_event_and_not_at_the_hand_in() {
        let payload =
            json!({"ResultMapped": "Rejected", "InspectedDate": "2026-11-30", "InspectedTime": "09:15"});
        for accepted in ["2026-11-30T14:16:00.000Z", "2026-12-02T20:00:00.000Z", "2027-01-15T00:00:00.000Z"] {
            assert_eq!(due_at(&payload, accepted).unwrap(), "2026-12-02T14:15:00.000Z", "{accepted}");
        }
    }

    #[test]
    fn forty_eight_hours_go_by_whatever_the_clocks_on_the_wall_do() {
        for (date, time, due, what) in [
            ("2026-03-07", "09:00", "2026-03-09T14:00:00.000Z", "an hour is skipped: 10:00 on the wall"),
            ("2026-10-31", "09:00", "2026-11-02T13:00:00.000Z", "an hour is repeated: 08:00 on the wall"),
            ("2026-11-01", "01:30", "2026-11-03T05:30:00.000Z", "twice on that day: the earlier one"),
            (
                "2026-03-08",
                "02:30",
                "2026-03-10T06:30:00.000Z",
                "never on that day: as early as it can be meant",
            ),
        ] {
            let payload = json!({"ResultMapped": "Rejected", "InspectedDate": date, "InspectedTime": time});
            assert_eq!(due_at(&payload, "2026-12-31T00:00:00.000Z").unwrap(), due, "{what}");
        }
    }

    #[test]
    fn a_moment_that_is_not_known_starts_the_clock_too_early_rather_than_too_late() {
        let rejected = |more: Value| {
            let mut payload = json!({"ResultMapped": "Rejected"});
            payload.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            payload
        };
        for (more, accepted, due, what) in [
            (
                json!({"InspectedDate": "2026-11-30"}),
                "2026-11-30T20:00:00.000Z",
                "2026-12-02T20:00:00.000Z",
                "on the spot",
            ),
            (
                json!({"InspectedDate": "2026-11-29"}),
                "2026-11-30T20:00:00.000Z",
                "2026-12-01T05:00:00.000Z",
                "handed in later",
            ),
            (
                json!({"InspectedDate": "2026-12-09", "InspectedTime": "08:00"}),
                "2026-11-30T20:00:00.000Z",
                "2026-12-02T20:00:00.000Z",
                "not after the hand-in",
            ),
            (json!({}), "2026-11-30T20:00:00.000Z", "2026-12-02T20:00:00.000Z", "no day at all"),
            (
                json!({"InspectedDate": "yesterday"}),
                "2026-11-30T20:00:00.000Z",
                "2026-12-02T20:00:00.000Z",
                "no date",
            ),
        ] {
            assert_eq!(due_at(&rejected(more), accepted).unwrap(), due, "{what}");
        }
    }

    #[test]
    fn only_work_that_was_seen_and_does_not_comply_has_to_be_seen_again() {
        for (result, again, is_due) in [
            ("Rejected", None, true),
            ("Rejected", Some("No"), true),
            ("Partial", Some("Yes"), true),
            ("Partial", Some("No"), false),
            ("Partial", None, false),
            ("Passed", Some("Yes"), false),
            ("NotReady", Some("Yes"), false),
            ("NoAccess", None, false),
            ("Cancelled", None, false),
            ("InformationOnly", None, false),
        ] {
            let mut payload = json!({"ResultMapped": result, "InspectedDate": "2026-11-30"});
            if let Some(again) = again {
                payload["ReInspection"] = json!(again);
            }
            assert_eq!(due_at(&payload, "2026-11-30T20:00:00.000Z").is_some(), is_due, "{result} {again:?}");
        }
        assert_eq!(due_at(&json!({"ScheduledDate": "2026-11-30"}), "2026-11-30T20:00:00.000Z"), None);
        assert_eq!(due_at(&json!("Rejected"), "2026-11-30T20:00:00.000Z"), None);
    }
}
