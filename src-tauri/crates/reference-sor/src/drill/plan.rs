//! A plan of faults, as it is put: read strictly, so that a drill never rehearses something else than it says.

use serde::Deserialize;
use serde_json::Value;

/// Faults of one plan, in entries.
const FAULTS_MAX: usize = 1_000;
/// Longest delay that may be asked for, in milliseconds.
const DELAY_MAX_MS: u64 = 600_000;

/// What is in force.
#[derive(Debug, PartialEq)]
pub(super) enum Plan {
    /// The door is shut.
    Refuse,
    /// The first one that matches a request is carried out.
    Faults(Vec<Fault>),
}

/// One way to fail, and for which requests.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Fault {
    pub(super) on: On,
    pub(super) what: What,
    /// Waited before anything is sent back, or the connection closed.
    pub(super) delay_ms: u64,
    /// How often it is carried out; without a count as long as the plan is in force.
    pub(super) count: Option<u64>,
}

/// The requests that a fault is for; what is absent matches all.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct On {
    /// By prefix.
    pub(super) path: Option<String>,
    pub(super) method: Option<String>,
    /// Of the `Idempotency-Key` header, or of the last step of the path.
    pub(super) key: Option<String>,
    /// The n-th request that matches the rest, from 1, since the plan was put; with a count, so many from that one on.
    pub(super) nth: Option<u64>,
}

/// What happens to the request.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum What {
    /// No byte comes back, and the connection stays open.
    Timeout { commit: Commit },
    /// The connection is reset.
    Reset { commit: Commit },
    /// Applied, and the connection is closed without a byte.
    CommitThenDrop,
    /// Not applied; another answer.
    Status { status: u16, retry_after: Option<String>, body: Option<Value> },
    /// Not applied; sent elsewhere.
    Redirect,
    /// Not applied; a captive portal's page.
    Portal,
    /// Applied; the answer breaks off in its middle.
    HalfBody,
    /// Applied; answered late, by the delay.
    Slow,
    /// Applied; the success says that one of its scripts failed. Of an old vendor.
    ScriptError,
    /// Not applied, and called a success all the same; a script failed. Of an old vendor.
    ScriptAbort,
}

/// Whether a request has its effect although nobody hears of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Commit {
    /// It has none.
    Never,
    /// It has, so much later; whoever asks under the same key until then is answered as if nothing had come.
    After { ms: u64 },
    /// The same, and whoever asks under the same key until then is told that it is worked on.
    UnderWay { ms: u64 },
}

/// Why a plan is refused; the plan before it stays in force.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum PlanFault {
    #[error("not a plan {{faults:[{{on, do, ...}}]}}: {why}")]
    NotAPlan { why: String },
    #[error("a plan has at most {FAULTS_MAX} faults")]
    TooMany,
    #[error("fault {n}: refuse stands alone in its plan and takes nothing else")]
    RefuseAlone { n: usize },
    #[error("fault {n}: {word} takes no {field}")]
    NotTaken { n: usize, word: &'static str, field: &'static str },
    #[error("fault {n}: {word} needs {field}")]
    Needed { n: usize, word: &'static str, field: &'static str },
    #[error("fault {n}: {field} is out of its range")]
    Range { n: usize, field: &'static str },
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    faults: Vec<Written>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    on: Option<On>,
    r#do: Word,
    status: Option<u16>,
    body: Option<Value>,
    retry_after: Option<RetryAfter>,
    delay_ms: Option<u64>,
    commit_after_ms: Option<u64>,
    under_way: Option<bool>,
    count: Option<u64>,
}

#[derive(Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Word {
    Timeout,
    Reset,
    CommitThenDrop,
    Status,
    Redirect,
    Portal,
    HalfBody,
    Slow,
    ScriptError,
    ScriptAbort,
    Refuse,
}

/// Both forms of the header.
#[derive(Deserialize)]
#[serde(untagged)]
enum RetryAfter {
    Seconds(u64),
    Date(String),
}

/// Reads a plan.
///
/// # Errors
/// [`PlanFault`], with the number of the fault from 1.
pub(super) fn parse(bytes: &[u8]) -> Result<Plan, PlanFault> {
    let document: Document =
        serde_json::from_slice(bytes).map_err(|fault| PlanFault::NotAPlan { why: fault.to_string() })?;
    if document.faults.len() > FAULTS_MAX {
        return Err(PlanFault::TooMany);
    }
    match document.faults.iter().position(|fault| fault.r#do == Word::Refuse) {
        Some(0) if document.faults.len() == 1 && document.faults[0].is_bare() => return Ok(Plan::Refuse),
        Some(n) => return Err(PlanFault::RefuseAlone { n: n + 1 }),
        None => {}
    }
    let faults = document.faults.into_iter().enumerate().map(|(n, written)| written.read(n + 1));
    faults.collect::<Result<_, _>>().map(Plan::Faults)
}

impl Written {
    fn is_bare(&self) -> bool {
        self.on.as_ref().is_none_or(|on| *on == On::default())
            && self.count.is_none()
            && self.given().is_empty()
    }

    /// The members that only some faults take.
    fn given(&self) -> Vec<&'static str> {
        let members = [
            ("status", self.status.is_some()),
            ("body", self.body.is_some()),
            ("retry_after", self.retry_after.is_some()),
            ("delay_ms", self.delay_ms.is_some()),
            ("commit_after_ms", self.commit_after_ms.is_some()),
            ("under_way", self.under_way.is_some()),
        ];
        members.into_iter().filter(|(_, given)| *given).map(|(name, _)| name).collect()
    }

    fn read(self, n: usize) -> Result<Fault, PlanFault> {
        let (word, taken) = self.r#do.takes();
        if let Some(field) = self.given().into_iter().find(|field| !taken.contains(field)) {
            return Err(PlanFault::NotTaken { n, word, field });
        }
        let too_long = |delay: Option<u64>| delay.is_some_and(|ms| ms > DELAY_MAX_MS);
        if too_long(self.delay_ms) || too_long(self.commit_after_ms) {
            return Err(PlanFault::Range { n, field: "delay" });
        }
        let (on, delay_ms, count) = (self.on.clone().unwrap_or_default(), self.delay_ms, self.count);
        if on.nth == Some(0) {
            return Err(PlanFault::Range { n, field: "nth" });
        }
        Ok(Fault { on, count, delay_ms: delay_ms.unwrap_or(0), what: self.what(n, word)? })
    }

    fn what(self, n: usize, word: &'static str) -> Result<What, PlanFault> {
        let commit = match (self.commit_after_ms, self.under_way) {
            (Some(ms), Some(true)) => Commit::UnderWay { ms },
            (Some(ms), Some(false) | None) => Commit::After { ms },
            (None, None) => Commit::Never,
            (None, Some(_)) => return Err(PlanFault::Needed { n, word, field: "commit_after_ms" }),
        };
        Ok(match self.r#do {
            Word::Timeout => What::Timeout { commit },
            Word::Reset => What::Reset { commit },
            Word::CommitThenDrop => What::CommitThenDrop,
            Word::Redirect => What::Redirect,
            Word::Portal => What::Portal,
            Word::HalfBody => What::HalfBody,
            Word::ScriptError => What::ScriptError,
            Word::ScriptAbort => What::ScriptAbort,
            Word::Refuse => return Err(PlanFault::RefuseAlone { n }),
            Word::Slow if self.delay_ms.is_none() => {
                return Err(PlanFault::Needed { n, word, field: "delay_ms" });
            }
            Word::Slow => What::Slow,
            Word::Status => {
                let status = self.status.ok_or(PlanFault::Needed { n, word, field: "status" })?;
                if !(200..=599).contains(&status) {
                    return Err(PlanFault::Range { n, field: "status" });
                }
                let retry_after = self.retry_after.map(RetryAfter::text);
                What::Status { status, retry_after, body: self.body }
            }
        })
    }
}

impl Word {
    /// Its name, and the members that it takes beside `on` and `count`.
    fn takes(self) -> (&'static str, &'static [&'static str]) {
        match self {
            Self::Timeout => ("timeout", &["commit_after_ms", "under_way"]),
            Self::Reset => ("reset", &["delay_ms", "commit_after_ms", "under_way"]),
            Self::CommitThenDrop => ("commit_then_drop", &["delay_ms"]),
            Self::Status => ("status", &["status", "body", "retry_after", "delay_ms"]),
            Self::Redirect => ("redirect", &["delay_ms"]),
            Self::Portal => ("portal", &["delay_ms"]),
            Self::HalfBody => ("half_body", &["delay_ms"]),
            Self::Slow => ("slow", &["delay_ms"]),
            Self::ScriptError => ("script_error", &["delay_ms"]),
            Self::ScriptAbort => ("script_abort", &["delay_ms"]),
            Self::Refuse => ("refuse", &[]),
        }
    }
}

impl RetryAfter {
    fn text(self) -> String {
        match self {
            Self::Seconds(seconds) => seconds.to_string(),
            Self::Date(date) => date,
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn what_a_plan_does_not_know_is_refused_by_name() {
        let cases = [
            (r#"{"faults":[{"do":"explode"}]}"#, "explode"),
            (r#"{"faults":[{"do":"reset","after":3}]}"#, "after"),
            (r#"{"faults":[{"do":"reset","on":{"verb":"GET"}}]}"#, "verb"),
            (r#"{"faults":[{"do":"slow"}]}"#, "slow needs delay_ms"),
            (r#"{"faults":[{"do":"timeout","delay_ms":5}]}"#, "timeout takes no delay_ms"),
            (r#"{"faults":[{"do":"timeout","under_way":true}]}"#, "timeout needs commit_after_ms"),
            (r#"{"faults":[{"do":"reset","on":{"nth":0}}]}"#, "nth is out of its range"),
            (r#"{"faults":[{"do":"status","status":99}]}"#, "status is out of its range"),
            (r#"{"faults":[{"do":"slow","delay_ms":600001}]}"#, "out of its range"),
            (r#"{"faults":[{"do":"refuse","on":{"path":"/"}}]}"#, "refuse stands alone"),
            (r#"{"faults":[{"do":"portal"},{"do":"refuse"}]}"#, "fault 2: refuse stands alone"),
            (r#"{"faults":{}}"#, "not a plan"),
            (r"[]", "not a plan"),
        ];
        for (text, named) in cases {
            let fault = parse(text.as_bytes()).unwrap_err().to_string();
            assert!(fault.contains(named), "{text}: {fault}");
        }
    }

    #[test]
    fn an_empty_plan_mends_everything() {
        assert_eq!(parse(br#"{"faults":[]}"#).unwrap(), Plan::Faults(Vec::new()));
        assert_eq!(parse(br#"{"faults":[{"do":"refuse"}]}"#).unwrap(), Plan::Refuse);
        assert_eq!(parse(br#"{"faults":[{"do":"refuse","on":{}}]}"#).unwrap(), Plan::Refuse);
    }
}
