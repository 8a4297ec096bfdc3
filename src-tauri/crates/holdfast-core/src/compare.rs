//! Three versions of one record, compared field by field: as it was shown when the operation was accepted, as the
//! operation makes it, and as the SoR has it now.
//!
//! Promise: every field of each version has a row, and each row says who changed it; what only one side changed is
//! recognised, so that two changes that do not meet can be proposed together. Nothing is chosen here, and nothing is
//! merged unless a person says so ([`crate::merge`]). Texts are compared as texts: "2500.0" and "2500.00" are two values.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::canonical::{canonical, digest_of, pointer_step};
use crate::holds::{HoldType, is_final};
use crate::ids::{Digest, ETag};
use crate::lifecycle::Stage;
use crate::operation::Kind;

/// A record as somebody had it before their eyes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Snapshot {
    /// Its version, if it has one.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub etag: Option<ETag>,
    /// Where it stands.
    pub stage: Stage,
    /// BLDS fields.
    pub payload: Map<String, Value>,
    /// Holds on it that are open, as the SoR shows them.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub holds: Vec<Value>,
    /// Notes on it, as the SoR shows them.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub notes: Vec<Value>,
}

/// What the person who acted had before their eyes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Base<'a> {
    /// Nothing: the operation opened the record.
    Nothing,
    /// This.
    Shown(&'a Snapshot),
    /// Nobody knows: it was not kept.
    Unknown,
}

/// What an operation makes of a record.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Effect<'a> {
    /// It says all of the record's fields.
    Says(&'a Map<String, Value>),
    /// It moves it.
    Moves(Stage),
    /// It adds something beside the fields.
    Adds(Kind, &'a Map<String, Value>),
}

/// Who changed a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Changed {
    /// Nobody.
    Nobody,
    /// The operation alone.
    ByUs,
    /// The SoR alone.
    ByThem,
    /// Both, to the same.
    ByBothAlike,
    /// Both, to different values.
    ByBothDifferently,
}

/// One field in three versions; none where a version does not have it.
#[derive(Clone, Debug, PartialEq)]
pub struct FieldRow {
    /// RFC 6901 pointer: `/stage`, `/payload/…`, `/holds/…`, `/notes/…`, and for what is added `/{kind}/…`.
    pub pointer: String,
    /// As it was shown.
    pub base: Option<Value>,
    /// As the operation makes it.
    pub ours: Option<Value>,
    /// As the SoR has it.
    pub theirs: Option<Value>,
    /// Who changed it.
    pub changed: Changed,
}

/// How the two changes lie to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Meeting {
    /// They touch no field in common.
    Apart,
    /// They change a field to different values.
    Clash,
    /// A hold that came since keeps back what the operation records.
    HeldBack,
    /// What was shown was not kept, so nobody can say who changed what.
    BaseUnknown,
}

/// What may be proposed to the person who decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Proposal {
    /// The operation as it is, on top of the SoR's version: nothing of either is lost.
    Ours,
    /// The fields of both, together.
    Merge,
}

/// A comparison of three.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// Every field, by its pointer.
    pub rows: Vec<FieldRow>,
    /// How the changes meet.
    pub meeting: Meeting,
}

/// Compares; `kind` and `payload` are the operation's own.
#[must_use]
pub fn compare(base: Base<'_>, effect: Effect<'_>, theirs: &Snapshot) -> Comparison {
    let shown = match base {
        Base::Shown(shown) => Some(shown),
        Base::Nothing => None,
        // Compared with what the SoR has, so that what the operation says is all that shows.
        Base::Unknown => Some(theirs),
    };
    let before = shown.map(leaves).unwrap_or_default();
    let ours = after(effect, before.clone());
    let theirs_leaves = leaves(theirs);
    let pointers: BTreeSet<&String> = before.keys().chain(ours.keys()).chain(theirs_leaves.keys()).collect();
    let rows: Vec<FieldRow> =
        pointers.into_iter().map(|pointer| row(pointer, &before, &ours, &theirs_leaves)).collect();
    let meeting = meeting(base, effect, shown, theirs, &rows);
    Comparison { rows, meeting }
}

/// What the operation makes of what was shown, while it is not known what the SoR has.
#[must_use]
pub fn before_theirs(base: Base<'_>, effect: Effect<'_>) -> Vec<FieldRow> {
    let before = match base {
        Base::Shown(shown) => leaves(shown),
        Base::Nothing | Base::Unknown => Leaves::new(),
    };
    let ours = after(effect, before.clone());
    let pointers: BTreeSet<&String> = before.keys().chain(ours.keys()).collect();
    pointers
        .into_iter()
        .map(|pointer| FieldRow { theirs: None, ..row(pointer, &before, &ours, &before) })
        .collect()
}

impl Snapshot {
    /// The fingerprint under which it is kept.
    #[must_use]
    pub fn digest(&self) -> Digest {
        digest_of(self)
    }
}

impl<'a> Effect<'a> {
    /// What an operation makes of a record; `target` is the kind of the operation that a correction is about.
    #[must_use]
    pub fn of(kind: Kind, payload: &'a Map<String, Value>, target: Option<Kind>) -> Self {
        let corrected = payload.get("payload").and_then(Value::as_object);
        match (kind, target, corrected) {
            (Kind::Application, _, _) => Self::Says(payload),
            (Kind::Correction, Some(Kind::Application), Some(corrected)) => Self::Says(corrected),
            (Kind::Stage, _, _) => moved_to(payload).map_or(Self::Adds(kind, payload), Self::Moves),
            (
                Kind::Inspection
                | Kind::Correction
                | Kind::Void
                | Kind::Hold
                | Kind::Notice
                | Kind::Fee
                | Kind::Note
                | Kind::Tag
                | Kind::Attachment,
                _,
                _,
            ) => Self::Adds(kind, payload),
        }
    }

    /// Whether it says all fields, so that a person can choose them one by one.
    #[must_use]
    pub fn is_chosen_by_field(self) -> bool {
        match self {
            Self::Says(_) => true,
            Self::Moves(_) | Self::Adds(..) => false,
        }
    }
}

impl Comparison {
    /// What may be proposed, when the changes do not meet.
    #[must_use]
    pub fn proposal(&self, effect: Effect<'_>) -> Option<Proposal> {
        let theirs_would_go = effect.is_chosen_by_field()
            && self
                .rows
                .iter()
                .any(|row| row.changed == Changed::ByThem && row.pointer.starts_with("/payload"));
        match self.meeting {
            Meeting::Apart if theirs_would_go => Some(Proposal::Merge),
            Meeting::Apart => Some(Proposal::Ours),
            Meeting::Clash | Meeting::HeldBack | Meeting::BaseUnknown => None,
        }
    }
}

/// Two values, lists without regard to their order.
#[must_use]
pub fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Array(a), Value::Array(b)) => sorted(a) == sorted(b),
        (a, b) => a == b,
    }
}

/// The fields of an object, the nested ones too, by their pointers behind `prefix`.
#[must_use]
pub fn fields(prefix: &str, object: &Map<String, Value>) -> BTreeMap<String, Value> {
    let mut found = BTreeMap::new();
    for (name, value) in object {
        let pointer = pointer_step(prefix, name);
        match value {
            Value::Object(nested) if !nested.is_empty() => found.extend(fields(&pointer, nested)),
            Value::Null
            | Value::Bool(_)
            | Value::Number(_)
            | Value::String(_)
            | Value::Array(_)
            | Value::Object(_) => {
                found.insert(pointer, value.clone());
            }
        }
    }
    found
}

type Leaves = BTreeMap<String, Value>;

fn leaves(snapshot: &Snapshot) -> Leaves {
    let mut leaves = fields("/payload", &snapshot.payload);
    leaves.insert("/stage".to_owned(), snapshot.stage.as_str().into());
    leaves.extend(beside("/holds", &snapshot.holds));
    leaves.extend(beside("/notes", &snapshot.notes));
    leaves
}

fn beside<'a>(prefix: &'a str, entries: &'a [Value]) -> impl Iterator<Item = (String, Value)> + 'a {
    entries.iter().map(move |entry| (pointer_step(prefix, &name_of(entry)), entry.clone()))
}

/// By its id, else by all that it says: so the same hold has the same row in both versions.
fn name_of(entry: &Value) -> String {
    let id = ["hold_id", "operation_id"].iter().find_map(|name| entry.get(name)?.as_str());
    id.map_or_else(|| digest_of(entry).to_string(), str::to_owned)
}

fn after(effect: Effect<'_>, mut before: Leaves) -> Leaves {
    match effect {
        Effect::Says(payload) => {
            before.retain(|pointer, _| !pointer.starts_with("/payload"));
            before.extend(fields("/payload", payload));
        }
        Effect::Moves(to) => {
            before.insert("/stage".to_owned(), to.as_str().into());
        }
        Effect::Adds(kind, payload) => before.extend(fields(&pointer_step("", kind.word()), payload)),
    }
    before
}

fn row(pointer: &str, base: &Leaves, ours: &Leaves, theirs: &Leaves) -> FieldRow {
    let of = |leaves: &Leaves| leaves.get(pointer).cloned();
    let (base, ours, theirs) = (of(base), of(ours), of(theirs));
    let changed = match (alike(&ours, &base), alike(&theirs, &base), alike(&ours, &theirs)) {
        (true, true, _) => Changed::Nobody,
        (false, true, _) => Changed::ByUs,
        (true, false, _) => Changed::ByThem,
        (false, false, true) => Changed::ByBothAlike,
        (false, false, false) => Changed::ByBothDifferently,
    };
    FieldRow { pointer: pointer.to_owned(), base, ours, theirs, changed }
}

fn alike(a: &Option<Value>, b: &Option<Value>) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => same(a, b),
        (None, None) => true,
        (Some(_), None) | (None, Some(_)) => false,
    }
}

fn meeting(
    base: Base<'_>,
    effect: Effect<'_>,
    shown: Option<&Snapshot>,
    theirs: &Snapshot,
    rows: &[FieldRow],
) -> Meeting {
    let known: &[Value] = if base == Base::Unknown { &[] } else { shown.map_or(&[], |shown| &shown.holds) };
    let holds_it_back =
        |hold: &Value| !known.contains(hold) && HoldType::of(hold).is_some_and(HoldType::keeps_back);
    if is_kept_back(effect) && theirs.holds.iter().any(holds_it_back) {
        return Meeting::HeldBack;
    }
    match base {
        Base::Unknown => Meeting::BaseUnknown,
        Base::Nothing | Base::Shown(_)
            if rows.iter().any(|row| row.changed == Changed::ByBothDifferently) =>
        {
            Meeting::Clash
        }
        Base::Nothing | Base::Shown(_) => Meeting::Apart,
    }
}

fn is_kept_back(effect: Effect<'_>) -> bool {
    match effect {
        Effect::Says(_) => false,
        Effect::Moves(to) => to == Stage::ConditionalApproval,
        Effect::Adds(kind, payload) => is_final(kind, &Value::Object(payload.clone())),
    }
}

fn moved_to(payload: &Map<String, Value>) -> Option<Stage> {
    payload.get("to").and_then(Value::as_str).and_then(|word| Stage::parse(word).ok())
}

fn sorted(list: &[Value]) -> Vec<Vec<u8>> {
    let mut texts: Vec<_> = list.iter().map(canonical).collect();
    texts.sort_unstable();
    texts
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use serde_json::json;

    use super::*;

    fn map(value: Value) -> Map<String, Value> {
        value.as_object().unwrap().clone()
    }

    fn record(stage: Stage, payload: Value) -> Snapshot {
        Snapshot { etag: None, stage, payload: map(payload), holds: Vec::new(), notes: Vec::new() }
    }

    fn changed(comparison: &Comparison, pointer: &str) -> Changed {
        comparison.rows.iter().find(|row| row.pointer == pointer).unwrap().changed
    }

    #[test]
    fn each_field_says_who_changed_it() {
        let base = json!({"a": 1, "list": ["x", "y"], "deep": {"n": 1, "m": 1}});
        // What we say, what they have, the field, who changed it.
        let table = [
            (json!({"a": 1}), json!({"a": 1}), "a", Changed::Nobody),
            (json!({"a": 2}), json!({"a": 1}), "a", Changed::ByUs),
            (json!({"a": 1}), json!({"a": 2}), "a", Changed::ByThem),
            (json!({"a": 2}), json!({"a": 2}), "a", Changed::ByBothAlike),
            (json!({"a": 2}), json!({"a": 3}), "a", Changed::ByBothDifferently),
            (json!({}), json!({"a": 1}), "a", Changed::ByUs),
            (json!({}), json!({"a": 2}), "a", Changed::ByBothDifferently),
            (json!({}), json!({}), "a", Changed::ByBothAlike),
            (json!({"a": 1, "new": 1}), json!({"a": 1}), "new", Changed::ByUs),
            (json!({"a": 1}), json!({"a": 1, "new": 1}), "new", Changed::ByThem),
            (json!({"list": ["y", "x"]}), json!({"list": ["x", "y"]}), "list", Changed::Nobody),
            (json!({"list": ["x"]}), json!({"list": ["y", "x", "z"]}), "list", Changed::ByBothDifferently),
            (json!({"list": ["x", "x"]}), json!({"list": ["x", "y"]}), "list", Changed::ByUs),
            (json!({"deep": {"n": 2, "m": 1}}), json!({"deep": {"n": 1, "m": 2}}), "deep/n", Changed::ByUs),
            (json!({"deep": {"n": 2, "m": 1}}), json!({"deep": {"n": 1, "m": 2}}), "deep/m", Changed::ByThem),
        ];
        let shown = record(Stage::Intake, base);
        for (ours, theirs, field, expected) in table {
            let (ours, theirs) = (map(ours), record(Stage::Intake, theirs));
            let comparison = compare(Base::Shown(&shown), Effect::Says(&ours), &theirs);
            assert_eq!(changed(&comparison, &format!("/payload/{field}")), expected, "{ours:?} {theirs:?}");
        }
    }

    #[test]
    fn a_phone_corrected_here_and_a_note_added_there_do_not_meet() {
        let shown = record(Stage::Intake, json!({"Phone": "1", "Address": "12 OAK ST"}));
        let ours = map(json!({"Phone": "2", "Address": "12 OAK ST"}));
        let effect = Effect::Says(&ours);
        let theirs = record(Stage::Intake, json!({"Phone": "1", "Address": "12 OAK ST", "Note": "dog"}));
        let both = compare(Base::Shown(&shown), effect, &theirs);
        assert_eq!((both.meeting, both.proposal(effect)), (Meeting::Apart, Some(Proposal::Merge)));
        let same = compare(Base::Shown(&shown), effect, &shown);
        assert_eq!(same.proposal(effect), Some(Proposal::Ours), "nothing of theirs would go");
        let theirs = record(Stage::Intake, json!({"Phone": "3", "Address": "12 OAK ST"}));
        let clash = compare(Base::Shown(&shown), effect, &theirs);
        assert_eq!((clash.meeting, clash.proposal(effect)), (Meeting::Clash, None));
    }

    #[test]
    fn a_stage_is_a_field() {
        let at = |stage| record(stage, json!({"Address": "12 OAK ST"}));
        let shown = at(Stage::Intake);
        let cases = [
            (Stage::Intake, Changed::ByUs, Meeting::Apart),
            (Stage::PrelimReview, Changed::ByBothAlike, Meeting::Apart),
            (Stage::Withdrawn, Changed::ByBothDifferently, Meeting::Clash),
        ];
        for (theirs, who, meeting) in cases {
            let comparison = compare(Base::Shown(&shown), Effect::Moves(Stage::PrelimReview), &at(theirs));
            assert_eq!((changed(&comparison, "/stage"), comparison.meeting), (who, meeting), "{theirs}");
        }
    }

    #[test]
    fn a_hold_that_came_since_keeps_back_a_final_result_and_nothing_else() {
        let shown = record(Stage::Committed, json!({}));
        let hold = json!({"hold_id": "S-88", "type": "stop-work", "reason": "gas"});
        let held = Snapshot { holds: vec![hold.clone()], ..shown.clone() };
        let passed = map(json!({"InspType": "Final", "Final": "Yes", "ResultMapped": "Passed"}));
        let failed = map(json!({"InspType": "Final", "Final": "Yes", "ResultMapped": "Rejected"}));
        let final_pass = Effect::Adds(Kind::Inspection, &passed);
        let comparison = compare(Base::Shown(&shown), final_pass, &held);
        assert_eq!((comparison.meeting, comparison.proposal(final_pass)), (Meeting::HeldBack, None));
        assert_eq!(changed(&comparison, "/holds/S-88"), Changed::ByThem);
        assert_eq!(changed(&comparison, "/inspection/ResultMapped"), Changed::ByUs);
        assert_eq!(compare(Base::Shown(&held), final_pass, &held).meeting, Meeting::Apart, "it was seen");
        let rejected = Effect::Adds(Kind::Inspection, &failed);
        assert_eq!(compare(Base::Shown(&shown), rejected, &held).meeting, Meeting::Apart);
        assert_eq!(compare(Base::Unknown, final_pass, &held).meeting, Meeting::HeldBack);
        let approval = Effect::Moves(Stage::ConditionalApproval);
        assert_eq!(compare(Base::Shown(&shown), approval, &held).meeting, Meeting::HeldBack);
    }

    #[test]
    fn without_what_was_shown_nothing_is_proposed() {
        let theirs = record(Stage::Intake, json!({"Phone": "1"}));
        let ours = map(json!({"text": "dog"}));
        let note = Effect::Adds(Kind::Note, &ours);
        let comparison = compare(Base::Unknown, note, &theirs);
        assert_eq!((comparison.meeting, comparison.proposal(note)), (Meeting::BaseUnknown, None));
        assert_eq!(changed(&comparison, "/note/text"), Changed::ByUs);
        assert_eq!(changed(&comparison, "/payload/Phone"), Changed::Nobody);
    }

    #[test]
    fn an_application_that_is_there_already_is_compared_with_nothing_before_it() {
        let ours = map(json!({"Phone": "1", "Address": "12 OAK ST"}));
        let theirs = record(Stage::Intake, json!({"Phone": "2", "Address": "12 OAK ST"}));
        let comparison = compare(Base::Nothing, Effect::Says(&ours), &theirs);
        assert_eq!(changed(&comparison, "/payload/Address"), Changed::ByBothAlike);
        assert_eq!(
            (changed(&comparison, "/payload/Phone"), comparison.meeting),
            (Changed::ByBothDifferently, Meeting::Clash)
        );
    }

    #[test]
    fn a_correction_says_what_its_target_would() {
        let correction = map(json!({"of": "x", "payload": {"Phone": "1"}}));
        let corrected = map(json!({"Phone": "1"}));
        assert_eq!(
            Effect::of(Kind::Correction, &correction, Some(Kind::Application)),
            Effect::Says(&corrected)
        );
        let other = Effect::of(Kind::Correction, &correction, Some(Kind::Note));
        assert_eq!(other, Effect::Adds(Kind::Correction, &correction));
        let stage = map(json!({"to": "Withdrawn", "reason": "x"}));
        assert_eq!(Effect::of(Kind::Stage, &stage, None), Effect::Moves(Stage::Withdrawn));
    }
}
