//! Plain tables for people: columns padded to their widest cell, nothing else.

/// A table with its header.
#[derive(Debug)]
pub(crate) struct Table {
    rows: Vec<Vec<String>>,
}

impl Table {
    /// With the names of its columns.
    pub(crate) fn new(header: &[&str]) -> Self {
        Self { rows: vec![header.iter().map(|name| (*name).to_owned()).collect()] }
    }

    /// One more row. Control characters in a cell would move the cursor of a terminal; they are shown as `?`.
    pub(crate) fn row<const N: usize>(&mut self, cells: [String; N]) {
        self.rows.push(cells.into_iter().map(|cell| printable(&cell)).collect());
    }

    /// The text.
    pub(crate) fn text(&self) -> String {
        let columns = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        let width = |column: usize| {
            self.rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max()
        };
        let widths: Vec<usize> = (0..columns).map(|column| width(column).unwrap_or(0)).collect();
        let lines = self.rows.iter().map(|row| {
            let padded = row.iter().zip(&widths).map(|(cell, width)| format!("{cell:width$}"));
            padded.collect::<Vec<_>>().join("  ").trim_end().to_owned() + "\n"
        });
        lines.collect()
    }
}

/// The text without anything that a terminal would obey.
pub(crate) fn printable(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { '?' } else { c }).collect()
}

/// A value that may be missing.
pub(crate) fn or_dash(value: Option<&String>) -> String {
    value.map_or_else(|| "-".to_owned(), Clone::clone)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_stand_under_each_other_and_cannot_move_the_cursor() {
        let mut table = Table::new(&["a", "bb"]);
        table.row(["long".to_owned(), "x\u{1b}[2J".to_owned()]);
        table.row(["é".to_owned(), String::new()]);
        assert_eq!(table.text(), "a     bb\nlong  x?[2J\né\n");
    }
}
