//! The judge: the SoR's ledger against the receipts that were given.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;
use serde_json::Value;

/// One effect in the SoR.
#[derive(Clone, Debug, Deserialize)]
pub struct Effect {
    /// The operation's key.
    pub key: String,
    /// Its application.
    pub application_id: String,
    /// The application's number.
    pub permit_num: Option<String>,
    /// Its kind.
    pub kind: String,
    /// Its place among all that the station accepted.
    pub local_seq: u64,
    /// Who acted.
    pub actor: String,
}

/// What a test was told when something was accepted.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Receipt {
    /// The operation's key.
    #[serde(rename = "idempotency_key")]
    pub key: String,
    /// Its application.
    pub application_id: String,
    /// `{station}-{n}`.
    pub receipt_no: String,
}

/// Everything that the SoR has, in the order in which it came.
#[derive(Clone, Debug)]
pub struct Ledger {
    /// The effects.
    pub effects: Vec<Effect>,
}

impl Ledger {
    pub(crate) fn read(document: &Value) -> Self {
        Self { effects: Vec::<Effect>::deserialize(&document["effects"]).unwrap() }
    }

    /// Whether the operation is there.
    #[must_use]
    pub fn has(&self, key: &str) -> bool {
        self.effects.iter().any(|effect| effect.key == key)
    }

    /// Which place in the order of arrival the operation has.
    ///
    /// # Panics
    /// It is not there.
    #[must_use]
    #[track_caller]
    pub fn place(&self, receipt: &Receipt) -> usize {
        let place = self.effects.iter().position(|effect| effect.key == receipt.key);
        place.unwrap_or_else(|| panic!("{} is not in the ledger", receipt.receipt_no))
    }

    /// Nothing is there twice, nothing that was not accepted, and each application rises by the station's sequence.
    ///
    /// # Panics
    /// One of these does not hold.
    #[track_caller]
    pub fn assert_sound<'a>(&self, accepted: impl IntoIterator<Item = &'a str>) {
        let accepted: BTreeSet<&str> = accepted.into_iter().collect();
        let wrong = [self.doubled(), self.strangers(&accepted), self.not_rising()].concat();
        assert!(wrong.is_empty(), "{wrong:#?}");
    }

    /// It is sound, and all that was accepted is there.
    ///
    /// # Panics
    /// One of these does not hold.
    #[track_caller]
    pub fn assert_exactly<'a>(&self, accepted: impl IntoIterator<Item = &'a str>) {
        let accepted: Vec<&str> = accepted.into_iter().collect();
        self.assert_sound(accepted.iter().copied());
        let missing: Vec<&&str> = accepted.iter().filter(|key| !self.has(key)).collect();
        assert!(
            missing.is_empty(),
            "{} of {} accepted are missing: {missing:#?}",
            missing.len(),
            accepted.len()
        );
    }

    fn doubled(&self) -> Vec<String> {
        let mut times: BTreeMap<&str, u32> = BTreeMap::new();
        for effect in &self.effects {
            *times.entry(&effect.key).or_default() += 1;
        }
        let doubled = times.into_iter().filter(|(_, times)| *times > 1);
        doubled.map(|(key, times)| format!("{key} is there {times} times")).collect()
    }

    fn strangers(&self, accepted: &BTreeSet<&str>) -> Vec<String> {
        let strangers = self.effects.iter().filter(|effect| !accepted.contains(effect.key.as_str()));
        strangers.map(|effect| format!("{} was never accepted", effect.key)).collect()
    }

    fn not_rising(&self) -> Vec<String> {
        let mut last: BTreeMap<&str, u64> = BTreeMap::new();
        let mut wrong = Vec::new();
        for Effect { application_id, local_seq, .. } in &self.effects {
            match last.insert(application_id, *local_seq) {
                Some(before) if before >= *local_seq => {
                    wrong.push(format!("{application_id}: {local_seq} came after {before}"));
                }
                Some(_) | None => {}
            }
        }
        wrong
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Key, application, place.
    type Row = (&'static str, &'static str, u64);

    fn ledger(effects: &[Row]) -> Ledger {
        let effect = |(key, application_id, local_seq): &Row| Effect {
            key: (*key).to_owned(),
            application_id: (*application_id).to_owned(),
            permit_num: None,
            kind: "stage".to_owned(),
            local_seq: *local_seq,
            actor: "clerk".to_owned(),
        };
        Ledger { effects: effects.iter().map(effect).collect() }
    }

    #[test]
    fn a_doubled_a_strange_and_an_overtaking_operation_are_each_found() {
        let accepted = BTreeSet::from(["k", "l", "m"]);
        let cases: [(&[Row], [usize; 3]); 5] = [
            (&[("k", "a", 1), ("l", "b", 3), ("m", "a", 2)], [0, 0, 0]),
            (&[("k", "a", 1), ("k", "a", 2)], [1, 0, 0]),
            (&[("x", "a", 1)], [0, 1, 0]),
            (&[("l", "a", 2), ("k", "a", 1)], [0, 0, 1]),
            (&[("l", "a", 2), ("k", "a", 2)], [0, 0, 1]),
        ];
        for (effects, counts) in cases {
            let ledger = ledger(effects);
            let found =
                [ledger.doubled().len(), ledger.strangers(&accepted).len(), ledger.not_rising().len()];
            assert_eq!(found, counts, "{effects:?}");
        }
    }

    #[test]
    #[should_panic(expected = "1 of 2 accepted are missing")]
    fn a_lost_operation_is_found() {
        ledger(&[("k", "a", 1)]).assert_exactly(["k", "l"]);
    }
}
