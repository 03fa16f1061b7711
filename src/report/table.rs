//! Tables of aligned columns for terminals.

use crate::terminal::BOLD;
use std::fmt;

/// On which side a column is flush.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Align {
    /// Left, for text.
    Left,
    /// Right, for numbers.
    Right,
}

#[derive(Clone, Debug)]
struct Column {
    title: String,
    align: Align,
    width: usize,
}

/// A table: columns two spaces apart, a bold heading, no lines.
#[derive(Clone, Debug, Default)]
pub struct TextTable {
    columns: Vec<Column>,
    rows: Vec<Vec<String>>,
}

impl TextTable {
    /// A table without columns.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a column that is flush left, for text.
    #[must_use]
    pub fn left(self, title: impl Into<String>) -> Self {
        self.column(title.into(), Align::Left, 0)
    }

    /// Adds a column that is flush right, for numbers.
    #[must_use]
    pub fn right(self, title: impl Into<String>) -> Self {
        self.column(title.into(), Align::Right, 0)
    }

    /// Adds a column of numbers at least `width` wide: for rows that are printed before the next
    /// one is known.
    #[must_use]
    pub fn wide(self, title: impl Into<String>, width: usize) -> Self {
        self.column(title.into(), Align::Right, width)
    }

    fn column(mut self, title: String, align: Align, width: usize) -> Self {
        let width = width.max(title.chars().count());
        self.columns.push(Column { title, align, width });
        self
    }

    /// Adds a row.
    pub fn row<S: Into<String>>(&mut self, cells: impl IntoIterator<Item = S>) {
        let cells: Vec<String> = cells.into_iter().map(Into::into).collect();
        for (column, cell) in self.columns.iter_mut().zip(&cells) {
            column.width = column.width.max(cell.chars().count());
        }
        self.rows.push(cells);
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The heading as it stands now; `None` when no column has a title.
    pub fn heading(&self) -> Option<String> {
        let titles: Vec<String> = self.columns.iter().map(|column| column.title.clone()).collect();
        let line = self.line(&titles);
        (!line.is_empty()).then(|| format!("{BOLD}{line}{BOLD:#}"))
    }

    /// A row as it would stand now, without adding it.
    pub fn line(&self, cells: &[String]) -> String {
        let mut line = String::new();
        for (column, cell) in self.columns.iter().zip(cells) {
            let gap = " ".repeat(column.width.saturating_sub(cell.chars().count()));
            line += &match column.align {
                Align::Left => format!("{cell}{gap}  "),
                Align::Right => format!("{gap}{cell}  "),
            };
        }
        line.trim_end().to_owned()
    }
}

/// The heading and the rows, without a line break at the end.
impl fmt::Display for TextTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rows = self.rows.iter().map(|row| self.line(row));
        let lines: Vec<String> = self.heading().into_iter().chain(rows).collect();
        f.write_str(&lines.join("\n"))
    }
}

/// Names and values, one pair to a line.
#[derive(Clone, Debug)]
pub struct Facts(TextTable);

impl Default for Facts {
    fn default() -> Self {
        Self(TextTable::new().left("").left(""))
    }
}

impl Facts {
    /// Adds a fact.
    pub fn add(&mut self, name: &str, what: impl Into<String>) -> &mut Self {
        self.0.row([name.to_owned(), what.into()]);
        self
    }
}

impl fmt::Display for Facts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_aligned_and_lines_end_with_words() {
        let mut table = TextTable::new().left("name").right("n").left("");
        table.row(["a", "1000", ""]);
        table.row(["longer", "1", "x"]);
        let text = anstream::adapter::strip_str(&table.to_string()).to_string();
        assert_eq!(text, "name       n\na       1000\nlonger     1  x");
    }

    #[test]
    fn facts_have_no_heading() {
        let mut facts = Facts::default();
        facts.add("games", "12").add("Elo", "+3");
        assert_eq!(facts.to_string(), "games  12\nElo    +3");
    }
}
