//! What a field is called when no layout says it: its name, taken apart.
//!
//! Promise: readable and short, in the name's own words; no translation is tried.

/// `OriginalAddress1` is `Original Address 1`, `COIssuedDate` is `CO Issued Date`, `to` is `To`.
pub(super) fn of_name(name: &str) -> String {
    let chars: Vec<char> = name.chars().collect();
    let mut label = String::with_capacity(name.len() + 8);
    for (n, c) in chars.iter().enumerate() {
        let before = n.checked_sub(1).map(|n| chars[n]);
        if before.is_some_and(|before| begins_word(before, *c, chars.get(n + 1).copied())) {
            label.push(' ');
        }
        match before {
            None => label.extend(c.to_uppercase()),
            Some(_) if *c == '_' => {}
            Some(_) => label.push(*c),
        }
    }
    label
}

fn begins_word(before: char, c: char, after: Option<char>) -> bool {
    let ends_capitals = before.is_uppercase() && c.is_uppercase() && after.is_some_and(char::is_lowercase);
    c == '_'
        || ends_capitals
        || (before.is_lowercase() && c.is_uppercase())
        || (!before.is_numeric() && c.is_numeric())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_taken_apart_into_its_words() {
        for (name, label) in [
            ("OriginalAddress1", "Original Address 1"),
            ("COIssuedDate", "CO Issued Date"),
            ("PIN", "PIN"),
            ("TotalUnHeatedSqFt", "Total Un Heated Sq Ft"),
            ("to", "To"),
            ("due_date", "Due date"),
            ("ProjectID", "Project ID"),
        ] {
            assert_eq!(of_name(name), label);
        }
    }
}
