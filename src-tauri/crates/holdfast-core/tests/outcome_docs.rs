//! The tables that the tests assert are the tables that the documentation shows.
//!
//! `HOLDFAST_WRITE_DOCS=1` writes `docs/outcomes.md` from them.

#![allow(clippy::unwrap_used)]
#![allow(clippy::disallowed_methods, reason = "the page is a file; core itself touches none")]

mod answers;

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use answers::{look_ups, rows, sent};
use holdfast_core::breaker::Verdict;
use holdfast_core::look_up::judge_look_up;
use holdfast_core::outcome::{Doubt, NextStep};

const INTRODUCTION: &str = "\
# What every answer means

For those who operate Holdfast or connect an SoR to it: what comes back after a send or a look-up, and what follows. The tests
assert these rows one by one (`src-tauri/crates/holdfast-core/tests/answers/`), and write this page from them.

*typed* means `application/problem+json` of a known type from the pinned SoR; *of a proxy*, *HTML*, *of a portal* means that
nothing of that was there. The columns *closed*, *open* and *half-open* say how a breaker that trips at the first failure stands
after the answer: in the state *open* only results of requests from before it opened arrive, and they change nothing.

Beside the operation's own row the rule of whose fault a failure is applies: a second failure while others are served is the
operation's, and does not count for a closed breaker.
";

const DOUBT: &str = "\
The last column is the doubt that an answer leaves, with keys, about an operation that was not in doubt, and about one that may
have arrived. What is in doubt is replaced by nobody, and goes to no other endpoint.
";

fn page() -> String {
    let mut page = String::from(INTRODUCTION);
    page.push_str("\n## After a send\n\n");
    page.push_str(DOUBT);
    page.push_str(
        "\n| answer | outcome | with keys | without keys | endpoint | closed | open | half-open | doubt |\n",
    );
    page.push_str("|---|---|---|---|---|---|---|---|---|\n");
    for (name, _, word, verdict, [with_keys, without], [after_none, after_sent]) in rows::table() {
        let [closed, half_open] = breaker_after(verdict);
        writeln!(
            page,
            "| {name} | {} | {with_keys} | {without} | {} | {closed} | open | {half_open} | {}, {} |",
            spaced(word),
            verdict_word(verdict),
            after_none.word(),
            after_sent.word()
        )
        .unwrap();
    }
    page.push_str(
        "\n## After a look-up\n\n| answer | found | endpoint | doubt | next |\n|---|---|---|---|---|\n",
    );
    for (name, answer, word, verdict, after) in look_ups::table() {
        let next = next_word(&answer, after);
        let (word, verdict) = (spaced(word), verdict_word(verdict));
        writeln!(page, "| {name} | {word} | {verdict} | {} | {next} |", after.word()).unwrap();
    }
    page
}

fn next_word(answer: &holdfast_core::outcome::Answer, after: Doubt) -> &'static str {
    match (judge_look_up(answer, &sent()).next_step(), after) {
        (NextStep::Send, Doubt::None) if is_found(answer) => "archived",
        (NextStep::Send, _) => "send",
        (NextStep::LookUp, _) => "look up",
    }
}

fn is_found(answer: &holdfast_core::outcome::Answer) -> bool {
    judge_look_up(answer, &sent()).word() == "already_committed"
}

fn breaker_after(verdict: Verdict) -> [&'static str; 2] {
    match verdict {
        Verdict::Success | Verdict::Alive => ["closed", "closed"],
        Verdict::Failure => ["open", "open"],
        Verdict::Neutral => ["closed", "open"],
        Verdict::None => ["closed", "half-open"],
    }
}

fn verdict_word(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Success => "success",
        Verdict::Alive => "alive",
        Verdict::Neutral => "neutral",
        Verdict::Failure => "failure",
        Verdict::None => "none",
    }
}

fn spaced(word: &str) -> String {
    word.replace('_', " ")
}

#[test]
fn the_documentation_shows_the_tables_that_are_asserted() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../docs/outcomes.md");
    let page = page();
    if std::env::var_os("HOLDFAST_WRITE_DOCS").is_some() {
        fs::write(&path, &page).unwrap();
    }
    let shown = fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(shown, page, "docs/outcomes.md is not what the tests assert; HOLDFAST_WRITE_DOCS=1 writes it");
}
