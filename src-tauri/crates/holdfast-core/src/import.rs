//! From a row of a BLDS core-permits file to the payload of an application, and to the ids that it always gets.
//!
//! Promise: the same row at the same station gives the same payload and the same ids, so that a second import of a file
//! finds every row again; money and areas stay the text that was typed. Reading and unquoting the file, and judging the
//! payload by the contract, is done elsewhere.

use serde_json::{Map, Value};
use uuid::Uuid;

use crate::canonical::parse_object;
use crate::ids::{ApplicationId, OperationId, PermitNum, StationId};
use crate::problem::{Problem, ProblemCode};

/// What an application says that came without a parcel number.
pub const NOT_IN_SOURCE: &str = "not-in-source";

/// How the cells of a column are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Cell {
    /// As typed: text, dates, money, areas, coordinates.
    Text,
    /// An integer.
    Count,
    /// Parcel numbers with commas between them.
    Parcels,
    /// One JSON object.
    Object,
}

/// The columns of BLDS 1.2 core permits that hold something else than text.
const NOT_TEXT: [(&str, Cell); 3] =
    [("HousingUnits", Cell::Count), ("PIN", Cell::Parcels), ("ExtraFields", Cell::Object)];

/// The other columns of BLDS 1.2 core permits, in the order of the specification.
const TEXT: [&str; 58] = [
    "PermitNum",
    "Description",
    "AppliedDate",
    "IssuedDate",
    "CompletedDate",
    "StatusCurrent",
    "OriginalAddress1",
    "OriginalAddress2",
    "OriginalCity",
    "OriginalState",
    "OriginalZip",
    "Jurisdiction",
    "PermitClass",
    "PermitClassMapped",
    "StatusCurrentMapped",
    "WorkClass",
    "WorkClassMapped",
    "PermitType",
    "PermitTypeMapped",
    "PermitTypeDesc",
    "StatusDate",
    "TotalSqFt",
    "Link",
    "Latitude",
    "Longitude",
    "EstProjectCost",
    "ContractorCompanyName",
    "ContractorTrade",
    "ContractorTradeMapped",
    "ContractorLicNum",
    "ContractorStateLic",
    "ProposedUse",
    "AddedSqFt",
    "RemovedSqFt",
    "MasterPermitNum",
    "ExpiresDate",
    "COIssuedDate",
    "HoldDate",
    "VoidDate",
    "ProjectName",
    "ProjectID",
    "TotalFinishedSqFt",
    "TotalUnfinishedSqFt",
    "TotalHeatedSqFt",
    "TotalUnHeatedSqFt",
    "TotalAccSqFt",
    "TotalSprinkledSqFt",
    "Publisher",
    "Fee",
    "ContractorFullName",
    "ContractorCompanyDesc",
    "ContractorPhone",
    "ContractorAddress1",
    "ContractorAddress2",
    "ContractorCity",
    "ContractorState",
    "ContractorZip",
    "ContractorEmail",
];

/// The header of a file, understood.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Columns(Vec<(&'static str, Cell)>);

/// One row, ready to be judged by the contract.
#[derive(Debug, Clone, PartialEq)]
pub struct ImportRow {
    /// Its number, from which its ids are made.
    pub permit_num: PermitNum,
    /// The payload of an `application`.
    pub payload: Value,
}

impl Columns {
    /// Understands the first line of a file: columns in any order, none unknown, none twice, `PermitNum` among them.
    ///
    /// # Errors
    /// Everything that is wrong with it. A line that is no header is not repeated: its cells may be personal.
    pub fn from_header<T: AsRef<str>>(header: &[T]) -> Result<Self, Vec<Problem>> {
        let mut names: Vec<&str> = header.iter().map(AsRef::as_ref).collect();
        if let Some(first) = names.first_mut() {
            *first = without_bom(first);
        }
        let columns: Vec<_> = names.iter().filter_map(|name| column(name)).collect();
        if columns.len() * 2 <= names.len() && !names.contains(&"PermitNum") {
            return Err(vec![Problem::at("", ProblemCode::NoHeader)]);
        }
        let problems = header_problems(&names);
        if problems.is_empty() { Ok(Self(columns)) } else { Err(problems) }
    }

    /// The payload of one row: an empty cell is an absent field, no parcel is [`NOT_IN_SOURCE`].
    ///
    /// # Errors
    /// The row has another length than the header, or no usable number: it then has no ids. All else is for the
    /// contract to name.
    pub fn payload<T: AsRef<str>>(&self, row: &[T]) -> Result<ImportRow, Vec<Problem>> {
        if row.len() != self.0.len() {
            let problem = Problem::at("", ProblemCode::RowLength);
            return Err(vec![problem.with("expected", self.0.len()).with("found", row.len())]);
        }
        let cells = self.0.iter().zip(row).filter(|(_, text)| !text.as_ref().is_empty());
        let mut payload: Map<String, Value> =
            cells.map(|((name, cell), text)| ((*name).to_owned(), value(*cell, text.as_ref()))).collect();
        if !payload.contains_key("PIN") {
            payload.insert("NoParcelReason".to_owned(), NOT_IN_SOURCE.into());
        }
        match permit_num(&payload) {
            Ok(permit_num) => Ok(ImportRow { permit_num, payload: payload.into() }),
            Err(problem) => Err(vec![problem]),
        }
    }
}

/// The id that the operation of an imported row always has: UUIDv5 of its number in the station's own namespace.
#[must_use]
pub fn import_operation_id(station: &StationId, permit_num: &PermitNum) -> OperationId {
    OperationId::from_uuid(in_namespace_of(station, permit_num.as_str()))
}

/// The id of the application of an imported row, made in the same way.
#[must_use]
pub fn import_application_id(station: &StationId, permit_num: &PermitNum) -> ApplicationId {
    ApplicationId::from_uuid(in_namespace_of(station, &format!("application:{permit_num}")))
}

fn in_namespace_of(station: &StationId, name: &str) -> Uuid {
    let namespace = Uuid::new_v5(&Uuid::NAMESPACE_URL, format!("holdfast:station:{station}").as_bytes());
    Uuid::new_v5(&namespace, name.as_bytes())
}

fn without_bom(name: &str) -> &str {
    name.strip_prefix('\u{feff}').unwrap_or(name)
}

fn column(name: &str) -> Option<(&'static str, Cell)> {
    let text = TEXT.into_iter().map(|known| (known, Cell::Text));
    text.chain(NOT_TEXT).find(|(known, _)| *known == name)
}

fn header_problems(names: &[&str]) -> Vec<Problem> {
    let mut problems = Vec::new();
    for (n, name) in names.iter().enumerate() {
        if column(name).is_none() {
            problems.push(Problem::of_field(name, ProblemCode::UnknownColumn));
        } else if names[..n].contains(name) {
            problems.push(Problem::of_field(name, ProblemCode::DoubledColumn));
        }
    }
    if !names.contains(&"PermitNum") {
        problems.push(Problem::of_field("PermitNum", ProblemCode::Missing));
    }
    problems
}

/// A cell that is not what its column holds stays the text that it is: the contract then names it, with all else that
/// is wrong with the row.
fn value(cell: Cell, text: &str) -> Value {
    match cell {
        Cell::Text => text.into(),
        Cell::Parcels => text.split(',').map(str::trim).collect(),
        Cell::Count => integer(text).map_or_else(|| text.into(), Value::from),
        Cell::Object => parse_object(text.as_bytes()).map_or_else(|_| text.into(), Value::from),
    }
}

/// Digits with at most a minus before them; nothing else is taken for a number.
fn integer(text: &str) -> Option<i64> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let plain = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    if plain { text.parse().ok() } else { None }
}

fn permit_num(payload: &Map<String, Value>) -> Result<PermitNum, Problem> {
    match payload.get("PermitNum").and_then(Value::as_str) {
        Some(text) if !text.trim().is_empty() => {
            let problem = || Problem::of_field("PermitNum", ProblemCode::Pattern);
            text.parse().map_err(|_| problem().with("shape", "one line of at most 64 bytes"))
        }
        Some(_) | None => Err(Problem::of_field("PermitNum", ProblemCode::Missing)),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use serde_json::json;

    fn codes<T>(result: Result<T, Vec<Problem>>) -> Vec<(String, &'static str)> {
        let problems = result.err().unwrap_or_default();
        problems.into_iter().map(|problem| (problem.pointer, problem.code.as_str())).collect()
    }

    fn at(pointer: &str, code: &'static str) -> (String, &'static str) {
        (pointer.to_owned(), code)
    }

    #[test]
    fn a_row_always_gets_the_same_ids() {
        let station = "front-1".parse().unwrap();
        let number = "2007-001000-000-00-RS".parse().unwrap();
        let id = import_operation_id(&station, &number).to_string();
        assert_eq!(id, "c86f2c05-990d-535c-bada-f3226340f287");
        assert_ne!(import_application_id(&station, &number).to_string(), id);
        assert_ne!(import_operation_id(&"front-2".parse().unwrap(), &number).to_string(), id);
    }

    #[test]
    fn columns_come_in_any_order_but_known_and_once() {
        assert!(Columns::from_header(&["PIN", "PermitNum", "Fee"]).is_ok());
        assert!(Columns::from_header(&["\u{feff}PermitNum", "PIN"]).is_ok());
        assert!(Columns::from_header(&["\u{feff}PIN", "PermitNum"]).is_ok());
        let cases: [(&[&str], &[_]); 7] = [
            (&["PermitNum", "Colour", "PIN"], &[at("/Colour", "unknown-column")]),
            (&["PermitNum", "PIN", "PIN"], &[at("/PIN", "doubled-column")]),
            (&["Description", "PIN"], &[at("/PermitNum", "missing")]),
            (&["2007-001000", "Jane Roe", "12 OAK ST"], &[at("", "no-header")]),
            (&["PermitNum", "\u{feff}PIN"], &[at("/\u{feff}PIN", "unknown-column")]),
            (&[""], &[at("", "no-header")]),
            (&[], &[at("", "no-header")]),
        ];
        for (header, expected) in cases {
            assert_eq!(codes(Columns::from_header(header)), expected, "{header:?}");
        }
    }

    #[test]
    fn no_column_is_named_twice_in_the_lists() {
        let all: Vec<&str> = TEXT.into_iter().chain(NOT_TEXT.map(|(name, _)| name)).collect();
        assert!(Columns::from_header(&all).is_ok());
    }

    #[test]
    fn cells_become_fields_and_empty_cells_do_not() {
        let header = ["PermitNum", "WorkClass", "EstProjectCost", "HousingUnits", "PIN", "ExtraFields"];
        let columns = Columns::from_header(&header).unwrap();
        let row = |cells: [&str; 6]| columns.payload(&cells).unwrap().payload;
        assert_eq!(
            row(["A-1", "", "1759.50", "-1", "24906007,  2490803A", r#"{"Tract":"7"}"#]),
            json!({"PermitNum": "A-1", "EstProjectCost": "1759.50", "HousingUnits": -1,
                "PIN": ["24906007", "2490803A"], "ExtraFields": {"Tract": "7"}})
        );
        assert_eq!(
            row(["A-2", "ReRoof", "0", "0", "", ""]),
            json!({"PermitNum": "A-2", "WorkClass": "ReRoof", "EstProjectCost": "0", "HousingUnits": 0,
                "NoParcelReason": "not-in-source"})
        );
    }

    #[test]
    fn a_cell_that_is_not_what_its_column_holds_stays_text_for_the_contract_to_refuse() {
        let columns = Columns::from_header(&["PermitNum", "HousingUnits", "PIN", "ExtraFields"]).unwrap();
        let cases = [
            (["A-1", "1.0", "77", "[]"], json!("1.0"), json!(["77"]), json!("[]")),
            (["A-1", "+1", " ", "{"], json!("+1"), json!([""]), json!("{")),
            (
                ["A-1", "-", "77,", r#"{"a":1,"a":1}"#],
                json!("-"),
                json!(["77", ""]),
                json!(r#"{"a":1,"a":1}"#),
            ),
            (
                ["A-1", "9007199254740992", ",", "{}"],
                json!(9_007_199_254_740_992_i64),
                json!(["", ""]),
                json!({}),
            ),
            (
                ["A-1", "99999999999999999999", "77", "{}"],
                json!("99999999999999999999"),
                json!(["77"]),
                json!({}),
            ),
        ];
        for (row, units, parcels, extra) in cases {
            let payload = columns.payload(&row).unwrap().payload;
            assert_eq!(payload["HousingUnits"], units, "{row:?}");
            assert_eq!(payload["PIN"], parcels, "{row:?}");
            assert_eq!(payload["ExtraFields"], extra, "{row:?}");
        }
    }

    #[test]
    fn a_row_without_its_length_or_its_number_is_refused() {
        let columns = Columns::from_header(&["PermitNum", "HousingUnits", "PIN"]).unwrap();
        let long = "9".repeat(65);
        let cases: [(&[&str], _); 7] = [
            (&["  ", "1", "77"], at("/PermitNum", "missing")),
            (&["A-1", "1"], at("", "row-length")),
            (&["A-1", "1", "77", ""], at("", "row-length")),
            (&[], at("", "row-length")),
            (&["", "x", "77"], at("/PermitNum", "missing")),
            (&["A\n1", "1", "77"], at("/PermitNum", "pattern")),
            (&[&long, "1", "77"], at("/PermitNum", "pattern")),
        ];
        for (row, expected) in cases {
            assert_eq!(codes(columns.payload(row)), [expected], "{row:?}");
        }
    }
}
