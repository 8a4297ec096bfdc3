//! What the page of others' failures says is tried, is tried.

use holdfast_house::{output_of, text_of};

/// A name of a test has at least so many parts; shorter ones in backticks are words.
const PARTS_MIN: usize = 4;

#[test]
fn every_test_that_is_named_beside_a_report_exists() {
    let page = text_of("docs/field-reports.md");
    let names = page.split('`').filter(|word| is_name_of_a_test(word));
    let tests = output_of("git", ["grep", "-hE", r"fn [a-z0-9_]+\(", "--", "*.rs"]);
    let missing: Vec<&str> = names.filter(|name| !tests.contains(&format!("fn {name}("))).collect();
    assert!(missing.is_empty(), "named and not there: {missing:?}");
}

#[test]
fn every_report_has_a_test() {
    let page = text_of("docs/field-reports.md");
    let rows = page.lines().filter(|line| line.starts_with("| ") && line.contains('#'));
    let untried: Vec<&str> = rows.filter(|row| !row.split('`').any(is_name_of_a_test)).collect();
    assert!(untried.is_empty(), "{untried:?}");
}

fn is_name_of_a_test(word: &str) -> bool {
    let is_snake =
        word.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_');
    is_snake && word.split('_').count() >= PARTS_MIN
}
