//! Alder Falls: a made-up city with three people, a few streets and a day's inspections.

use holdfast_core::ids::{ActorId, ApplicationId, RoleName};
use holdfast_core::lifecycle::Stage;
use holdfast_core::time::UtcMillis;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::clock;
use crate::password::PasswordHash;
use crate::records::{Person, PlantedApplication};

/// Who may sign in; the role is the name, the password `demo-` and the name.
const PEOPLE: [&str; 3] = ["clerk", "inspector", "supervisor"];

/// Address, kind of permit, stage, and the type of today's inspection.
type Row = (&'static str, &'static str, Stage, Option<&'static str>);

const APPLICATIONS: [Row; 20] = [
    ("12 OAK ST", "Building", Stage::ConditionalApproval, Some("Footing")),
    ("14 OAK ST", "Fence", Stage::Intake, None),
    ("31 OAK ST", "Roof", Stage::ConditionalApproval, Some("Sheathing")),
    ("7 MILL RD", "Plumbing", Stage::PrelimReview, None),
    ("9 MILL RD", "Plumbing", Stage::ConditionalApproval, Some("Water Heater")),
    ("22 MILL RD", "Electrical", Stage::FeeEstimated, None),
    ("101 RIVER AVE", "Building", Stage::ConditionalApproval, Some("Framing")),
    ("103 RIVER AVE", "Building", Stage::Returned, None),
    ("110 RIVER AVE", "Demolition", Stage::Intake, None),
    ("118 RIVER AVE", "Mechanical", Stage::ConditionalApproval, Some("Rough Mechanical")),
    ("3 CHAPEL LN", "Pool/Spa", Stage::PrelimReview, None),
    ("5 CHAPEL LN", "Fence", Stage::Withdrawn, None),
    ("8 CHAPEL LN", "Electrical", Stage::ConditionalApproval, Some("Rough Electrical")),
    ("40 HIGH ST", "Building", Stage::FeeEstimated, None),
    ("42 HIGH ST", "Roof", Stage::Intake, None),
    ("44 HIGH ST", "Building", Stage::ConditionalApproval, Some("Insulation")),
    ("61 HIGH ST", "Grading", Stage::PrelimReview, None),
    ("2 QUARRY CT", "Mechanical", Stage::Intake, None),
    ("4 QUARRY CT", "Building", Stage::ConditionalApproval, Some("Final Building")),
    ("6 QUARRY CT", "Fence", Stage::Voided, None),
];

/// The three people, each with a salt of its own.
pub(crate) fn people(salts: [[u8; 16]; 3]) -> Vec<Person> {
    PEOPLE.into_iter().zip(salts).map(|(name, salt)| person(name, salt)).collect()
}

/// The applications, with inspections for the day of `at`.
pub(crate) fn applications(at: UtcMillis) -> Vec<PlantedApplication> {
    APPLICATIONS.iter().enumerate().map(|(n, row)| application(n, row, at)).collect()
}

fn person(name: &str, salt: [u8; 16]) -> Person {
    let actor: ActorId = name.parse().expect("a demo name is a user name");
    let role: RoleName = name.parse().expect("a demo name is a role");
    Person { actor, password: PasswordHash::of(&format!("demo-{name}"), salt), roles: vec![role] }
}

fn application(n: usize, (address, kind, stage, inspection): &Row, at: UtcMillis) -> PlantedApplication {
    let city = Uuid::new_v5(&Uuid::NAMESPACE_URL, b"https://holdfast.example/cities/alder-falls");
    let payload = json!({
        "OriginalAddress1": address,
        "OriginalCity": "ALDER FALLS",
        "PIN": [format!("0010-22-{:03}", 401 + n)],
        "PermitTypeMapped": kind,
        "WorkClassMapped": "Existing",
        "EstProjectCost": format!("{}.00", 2_500 + 1_250 * n),
        "AppliedDate": clock::day(at),
    });
    PlantedApplication {
        application_id: ApplicationId::from_uuid(Uuid::new_v5(&city, address.as_bytes())),
        stage: *stage,
        payload,
        inspections: inspection.iter().map(|insp_type| scheduled(insp_type, at)).collect(),
    }
}

fn scheduled(insp_type: &str, at: UtcMillis) -> Value {
    json!({
        "InspType": insp_type,
        "InspTypeMapped": insp_type,
        "ScheduledDate": clock::day(at),
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
        let city = applications(at);
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
