//! Alder Falls: a made-up city with three people, a few streets, a day's inspections and two that were left over.

use holdfast_core::ids::{ActorId, ApplicationId, RoleName};
use holdfast_core::lifecycle::Stage;
use holdfast_core::time::{Date, TimeZone, UtcMillis};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::password::PasswordHash;
use crate::records::{Person, PlantedApplication};

/// Who may sign in; the role is the name, the password `demo-` and the name.
const PEOPLE: [&str; 3] = ["clerk", "inspector", "supervisor"];

/// Address, who asks, kind of permit, stage, and what is to be inspected.
type Row = (&'static str, &'static str, &'static str, Stage, Option<Planned>);

/// An inspection: its type, how many days ago it should have been, at what time, and what the inspector is told.
type Planned = (&'static str, i64, &'static str, &'static str);

const APPLICATIONS: [Row; 20] = [
    (
        "12 OAK ST",
        "Rosa Delgado",
        "Building",
        Stage::ConditionalApproval,
        Some(("Footing", 0, "08:30", "North wall first; the pour is planned for noon.")),
    ),
    ("14 OAK ST", "Walter Higgs", "Fence", Stage::Intake, None),
    (
        "31 OAK ST",
        "Minh Tran",
        "Roof",
        Stage::ConditionalApproval,
        Some(("Sheathing", 1, "15:00", "Ladder on the east side.")),
    ),
    ("7 MILL RD", "José Peña", "Plumbing", Stage::PrelimReview, None),
    (
        "9 MILL RD",
        "Ada Lindqvist",
        "Plumbing",
        Stage::ConditionalApproval,
        Some(("Water Heater", 0, "09:15", "Tenant is home until ten.")),
    ),
    ("22 MILL RD", "Noor Haddad", "Electrical", Stage::FeeEstimated, None),
    (
        "101 RIVER AVE",
        "Greenhollow Homes",
        "Building",
        Stage::ConditionalApproval,
        Some(("Framing", 0, "10:00", "Trailer at the gate has the plans.")),
    ),
    ("103 RIVER AVE", "Greenhollow Homes", "Building", Stage::Returned, None),
    ("110 RIVER AVE", "Otis Barlow", "Demolition", Stage::Intake, None),
    (
        "118 RIVER AVE",
        "Priya Raman",
        "Mechanical",
        Stage::ConditionalApproval,
        Some(("Rough Mechanical", 1, "13:30", "Dog in the yard; call from the car.")),
    ),
    ("3 CHAPEL LN", "Elena Sokolova", "Pool/Spa", Stage::PrelimReview, None),
    ("5 CHAPEL LN", "Tom Aldous", "Fence", Stage::Withdrawn, None),
    (
        "8 CHAPEL LN",
        "Beatriz Nunes",
        "Electrical",
        Stage::ConditionalApproval,
        Some(("Rough Electrical", 0, "11:00", "Panel is in the garage.")),
    ),
    ("40 HIGH ST", "Harbor & Finch LLC", "Building", Stage::FeeEstimated, None),
    ("42 HIGH ST", "Samuel Okafor", "Roof", Stage::Intake, None),
    (
        "44 HIGH ST",
        "Yuki Tanabe",
        "Building",
        Stage::ConditionalApproval,
        Some(("Insulation", 0, "13:00", "Attic and both exterior walls.")),
    ),
    ("61 HIGH ST", "Alder Falls Parish", "Grading", Stage::PrelimReview, None),
    ("2 QUARRY CT", "Ines Moreau", "Mechanical", Stage::Intake, None),
    (
        "4 QUARRY CT",
        "Caleb Whitlock",
        "Building",
        Stage::ConditionalApproval,
        Some(("Final Building", 0, "14:30", "Third visit; handrail was missing.")),
    ),
    ("6 QUARRY CT", "Dmitri Volkov", "Fence", Stage::Voided, None),
];

/// The three people, each with a salt of its own.
pub(crate) fn people(salts: [[u8; 16]; 3]) -> Vec<Person> {
    PEOPLE.into_iter().zip(salts).map(|(name, salt)| person(name, salt)).collect()
}

/// The applications, with inspections for the day of `at` in this zone and for the day before it.
pub(crate) fn applications(at: UtcMillis, zone: &TimeZone) -> Vec<PlantedApplication> {
    let today = at.day_in(zone);
    APPLICATIONS.iter().enumerate().map(|(n, row)| application(n, row, today)).collect()
}

/// Where the applications are, in the order of their parcels' numbers.
pub(crate) fn addresses() -> impl Iterator<Item = &'static str> {
    APPLICATIONS.iter().map(|(address, ..)| *address)
}

fn person(name: &str, salt: [u8; 16]) -> Person {
    let actor: ActorId = name.parse().expect("a demo name is a user name");
    let role: RoleName = name.parse().expect("a demo name is a role");
    Person { actor, password: PasswordHash::of(&format!("demo-{name}"), salt), roles: vec![role] }
}

fn application(n: usize, (address, who, kind, stage, planned): &Row, today: Date) -> PlantedApplication {
    let city = Uuid::new_v5(&Uuid::NAMESPACE_URL, b"https://holdfast.example/cities/alder-falls");
    let payload = json!({
        "OriginalAddress1": address,
        "OriginalCity": "ALDER FALLS",
        "PIN": [format!("0010-22-{:03}", 401 + n)],
        "PermitTypeMapped": kind,
        "WorkClassMapped": "Existing",
        "EstProjectCost": format!("{}.00", 2_500 + 1_250 * n),
        "AppliedDate": today.to_string(),
        "ApplicantName": who,
    });
    PlantedApplication {
        application_id: ApplicationId::from_uuid(Uuid::new_v5(&city, address.as_bytes())),
        stage: *stage,
        payload,
        inspections: planned.iter().map(|planned| scheduled(planned, today)).collect(),
    }
}

fn scheduled((insp_type, days_ago, time, told): &Planned, today: Date) -> Value {
    let day = (0..*days_ago).try_fold(today, |day, _| day.yesterday()).unwrap_or(today);
    json!({
        "InspType": insp_type,
        "InspTypeMapped": insp_type,
        "ScheduledDate": day.to_string(),
        "ScheduledTime": time,
        "Description": told,
        "Inspector": "inspector",
    })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use holdfast_core::operation::Kind;
    use holdfast_core::sign::KeyPair;

    use super::*;
    use crate::rulebook::Rulebook;

    #[test]
    fn the_made_up_city_keeps_its_own_rules() {
        let at: UtcMillis = "2026-11-30T08:00:00.000Z".parse().unwrap();
        let book = Rulebook::sign(1, KeyPair::from_seed(&[9; 32])).unwrap();
        let city = applications(at, &TimeZone::UTC);
        for planted in &city {
            assert_eq!(book.rules().check(Kind::Application, &planted.payload), []);
            for inspection in &planted.inspections {
                assert_eq!(book.rules().check(Kind::Inspection, inspection), []);
            }
        }
        assert_eq!(city.iter().map(|planted| planted.inspections.len()).sum::<usize>(), 8);
        let known: Vec<_> = book.rules().roles().names().cloned().collect();
        for person in people([[0; 16]; 3]) {
            assert!(person.roles.iter().all(|role| known.contains(role)));
        }
    }
}
