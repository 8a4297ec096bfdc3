//! Copies of what the SoR holds: how long they may be used, which visits of a copy are due, and in which order.
//!
//! Promise: a copy is judged by whichever clock makes it older; one that is dated in the future is refused, and so is one
//! past its ceiling. A visit is due on its day and after it, until a result is recorded for it here or the SoR knows that
//! somebody was there. Deliberately not here: fetching and keeping copies, and what a copy may change in a record.
//!
//! **Which result belongs to which visit.** A result names the inspection that it is for in `ExtraFields.InspectionId`; that
//! decides. One without it belongs to the visits of its application that have the same `InspType` and, where it repeats the
//! `ScheduledDate`, the same day; where it does not, it was recorded on the visit's day or later, so that a failed first
//! visit is not taken for the result of the second.

use serde_json::Value;

use crate::ids::InspectionId;
use crate::time::{Date, Now, Time};

const HOUR_MS: u64 = 3_600_000;

/// How a copy stands against its ceiling.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Age {
    /// It may be used.
    Usable,
    /// It is older than it may be.
    TooOld,
    /// It is dated in the future: this computer's clock has gone back.
    FromTheFuture,
}

/// How a copy that was asked for at `copied` stands now, when it may be `max_h` hours old.
#[must_use]
pub fn age(copied: Now, now: Now, max_h: u32) -> Age {
    if copied.wall > now.wall {
        return Age::FromTheFuture;
    }
    if now.millis_since(copied) <= u64::from(max_h) * HOUR_MS { Age::Usable } else { Age::TooOld }
}

/// Whether somebody has been there, as far as the SoR knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VisitState {
    /// Nobody has.
    Scheduled,
    /// Somebody has.
    Done,
}

/// An inspection as the SoR planned it.
#[derive(Clone, Debug, PartialEq)]
pub struct Visit {
    /// As the SoR names it.
    pub inspection_id: InspectionId,
    /// The day that it is listed under: the planned one, once done the one on which somebody was there.
    pub date: Date,
    /// Whether somebody was there.
    pub state: VisitState,
    /// BLDS inspection fields.
    pub payload: Value,
}

impl Visit {
    /// `InspType`.
    #[must_use]
    pub fn insp_type(&self) -> &str {
        text(&self.payload, "InspType").unwrap_or_default()
    }

    /// The planned day.
    #[must_use]
    pub fn scheduled_date(&self) -> Date {
        text(&self.payload, "ScheduledDate").and_then(|text| text.parse().ok()).unwrap_or(self.date)
    }

    /// The planned time.
    #[must_use]
    pub fn scheduled_time(&self) -> Option<Time> {
        text(&self.payload, "ScheduledTime")?.parse().ok()
    }

    /// Whole days past its day; 0 on it and before it.
    #[must_use]
    pub fn overdue_days(&self, today: Date) -> u32 {
        let days = today.duration_since(self.scheduled_date()).as_hours() / 24;
        u32::try_from(days).unwrap_or(0)
    }

    /// Whether this payload is a result for it; see the module.
    #[must_use]
    pub fn is_answered_by(&self, result: &Value) -> bool {
        let Some(inspected) = text(result, "InspectedDate") else { return false };
        let named = result.get("ExtraFields").and_then(|fields| text(fields, "InspectionId"));
        if let Some(named) = named {
            return named == self.inspection_id.as_str();
        }
        let on_its_day = match text(result, "ScheduledDate") {
            Some(day) => day.parse().is_ok_and(|day: Date| day == self.scheduled_date()),
            None => inspected.parse().is_ok_and(|day: Date| day >= self.scheduled_date()),
        };
        text(result, "InspType") == Some(self.insp_type()) && on_its_day
    }

    /// Whether an inspector sees it among the visits of `today`; `recorded_on` is the day on which a result was recorded
    /// here. One that is answered stays on the list for the rest of that day.
    #[must_use]
    pub fn is_shown(&self, today: Date, recorded_on: Option<Date>) -> bool {
        match (recorded_on, self.state) {
            (Some(day), VisitState::Scheduled | VisitState::Done) => {
                day == today || self.scheduled_date() == today
            }
            (None, VisitState::Scheduled) => self.scheduled_date() <= today,
            (None, VisitState::Done) => false,
        }
    }

    /// Visits in the order in which an inspector goes: overdue ones first, the longest overdue before the others, then by
    /// time, those without a time last, then by address.
    #[must_use]
    pub fn order(&self, address: Option<&str>) -> impl Ord + use<> {
        let time = self.scheduled_time();
        (self.scheduled_date(), time.is_none(), time, address.map(str::to_owned), self.inspection_id.clone())
    }
}

fn text<'a>(payload: &'a Value, name: &str) -> Option<&'a str> {
    payload.get(name)?.as_str()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::time::{BootMillis, UtcMillis};

    const MAX_H: u32 = 168;

    fn at(wall_h: i64, boot_h: u64) -> Now {
        let noon: UtcMillis = "2026-11-30T12:00:00.000Z".parse().unwrap();
        Now { wall: noon.plus_millis(wall_h * 3_600_000), boot: BootMillis(boot_h * HOUR_MS) }
    }

    fn visit(id: &str, payload: Value) -> Visit {
        let date = payload["ScheduledDate"].as_str().unwrap().parse().unwrap();
        Visit { inspection_id: id.parse().unwrap(), date, state: VisitState::Scheduled, payload }
    }

    fn footing(day: &str) -> Visit {
        visit("AF-I-1", json!({"InspType": "Footing", "ScheduledDate": day}))
    }

    #[test]
    fn a_copy_is_as_old_as_the_clock_that_makes_it_older_says() {
        for (copied, now, found, what) in [
            (at(0, 10), at(0, 10), Age::Usable, "just now"),
            (at(0, 10), at(168, 178), Age::Usable, "at its ceiling"),
            (at(0, 10), at(169, 179), Age::TooOld, "past it"),
            (at(0, 10), at(169, 0), Age::TooOld, "past it, and restarted"),
            (at(0, 10), at(1, 179), Age::TooOld, "the wall clock was set back"),
            (at(0, 10), at(-1, 11), Age::FromTheFuture, "the wall clock was set back behind it"),
            (at(0, 10), at(-400, 0), Age::FromTheFuture, "and restarted"),
        ] {
            assert_eq!(age(copied, now, MAX_H), found, "{what}");
        }
    }

    #[test]
    fn a_result_belongs_to_the_visit_that_it_names_and_else_to_the_one_it_fits() {
        let visit = footing("2026-11-30");
        for (result, belongs, what) in [
            (json!({"InspType": "Footing", "InspectedDate": "2026-11-30"}), true, "of its day"),
            (json!({"InspType": "Footing", "InspectedDate": "2026-12-02"}), true, "after it"),
            (json!({"InspType": "Footing", "InspectedDate": "2026-11-28"}), false, "the first visit's"),
            (json!({"InspType": "Framing", "InspectedDate": "2026-11-30"}), false, "of another type"),
            (json!({"InspType": "Footing", "ScheduledDate": "2026-12-04"}), false, "a plan, no result"),
            (
                json!({"InspType": "Footing", "InspectedDate": "2026-11-29", "ScheduledDate": "2026-11-30"}),
                true,
                "a day early, for this plan",
            ),
            (
                json!({"InspType": "Footing", "InspectedDate": "2026-11-30", "ScheduledDate": "2026-11-28"}),
                false,
                "for another plan",
            ),
            (
                json!({"InspType": "Re-inspection", "InspectedDate": "2026-11-01", "ExtraFields": {"InspectionId": "AF-I-1"}}),
                true,
                "by name",
            ),
            (
                json!({"InspType": "Footing", "InspectedDate": "2026-11-30", "ExtraFields": {"InspectionId": "AF-I-2"}}),
                false,
                "by another's name",
            ),
        ] {
            assert_eq!(visit.is_answered_by(&result), belongs, "{what}");
        }
    }

    #[test]
    fn a_visit_is_due_from_its_day_on_until_it_is_answered() {
        let today: Date = "2026-11-30".parse().unwrap();
        let day = |text: &str| Some(text.parse::<Date>().unwrap());
        for (scheduled, recorded, shown, overdue) in [
            ("2026-11-30", None, true, 0),
            ("2026-11-28", None, true, 2),
            ("2026-12-01", None, false, 0),
            ("2026-11-28", day("2026-11-30"), true, 2),
            ("2026-11-28", day("2026-11-29"), false, 2),
            ("2026-12-01", day("2026-11-30"), true, 0),
            ("2026-11-30", day("2026-11-29"), true, 0),
        ] {
            let visit = footing(scheduled);
            assert_eq!(visit.is_shown(today, recorded), shown, "{scheduled} {recorded:?}");
            assert_eq!(visit.overdue_days(today), overdue, "{scheduled}");
        }
        let done = Visit { state: VisitState::Done, ..footing("2026-11-30") };
        assert!(!done.is_shown(today, None), "somebody else was there");
        assert!(done.is_shown(today, day("2026-11-30")), "this computer recorded it");
    }

    #[test]
    fn an_inspector_goes_to_overdue_visits_first_then_by_time_then_by_address() {
        let planned = |id: &str, day: &str, time: Option<&str>| {
            let mut payload = json!({"InspType": "Footing", "ScheduledDate": day});
            if let Some(time) = time {
                payload["ScheduledTime"] = json!(time);
            }
            visit(id, payload)
        };
        let mut visits = [
            (planned("a", "2026-11-30", Some("13:00")), "1 OAK ST"),
            (planned("b", "2026-11-30", None), "1 OAK ST"),
            (planned("c", "2026-11-30", Some("08:30")), "9 OAK ST"),
            (planned("d", "2026-11-30", Some("08:30")), "12 ELM ST"),
            (planned("e", "2026-11-29", Some("15:00")), "1 OAK ST"),
            (planned("f", "2026-11-27", None), "1 OAK ST"),
        ];
        visits.sort_by_key(|(visit, address)| visit.order(Some(address)));
        let order: Vec<_> = visits.iter().map(|(visit, _)| visit.inspection_id.as_str()).collect();
        assert_eq!(order, ["f", "e", "d", "c", "a", "b"]);
    }
}
