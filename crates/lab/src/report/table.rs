//! Tables of aligned columns for terminals.

use crate::report::Role;
use crate::terminal::printable;
use anstream::adapter::strip_str;
use std::fmt;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// Columns of a terminal between two columns of a table.
const GAP: usize = 2;
/// The mark of omitted text.
const ELLIPSIS: char = '…';

/// The side on which a column is flush.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Align {
    /// To the left, for text.
    Left,
    /// To the right, for numbers.
    Right,
}

/// Where a cell is shortened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Cut {
    /// In the middle: paths and names differ at their ends.
    Middle,
    /// At the end, as sentences are.
    End,
}

#[derive(Clone, Debug)]
struct Column {
    title: String,
    align: Align,
    width: usize,
    /// How it may be shortened, and the least width that is left of it.
    cut: Option<(Cut, usize)>,
    /// The column with the highest number is the first to be left out; 0 is never.
    optional: u8,
    is_shown: bool,
}

impl Column {
    fn least(&self) -> usize {
        self.cut.map_or(self.width, |(_, least)| least.min(self.width))
    }

    fn fitted(&self, cell: &str, width: usize) -> String {
        match self.cut {
            Some((Cut::Middle, _)) => shorten(cell, width),
            Some((Cut::End, _)) => cut(cell, width),
            None => cell.to_owned(),
        }
    }
}

/// A table: columns two spaces apart, a bold heading, no lines. Cells may have a style of their
/// own.
#[derive(Clone, Debug, Default)]
pub struct TextTable {
    columns: Vec<Column>,
    rows: Vec<Vec<String>>,
    limit: Option<usize>,
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
        let width = width.max(display_width(&title));
        self.columns.push(Column { title, align, width, cut: None, optional: 0, is_shown: true });
        self
    }

    /// If the table is too wide, the last column added may be left out. The column with the highest
    /// number is the first to go.
    #[must_use]
    pub fn optional(mut self, order: u8) -> Self {
        self.last_column(|column| column.optional = order);
        self
    }

    /// If the table is too wide, cells of the last column added lose their middle, down to `least`
    /// columns of the terminal. For names and paths.
    #[must_use]
    pub fn shortened(mut self, least: usize) -> Self {
        self.last_column(|column| column.cut = Some((Cut::Middle, least)));
        self
    }

    /// If the table is too wide, cells of the last column added lose their end, down to `least`
    /// columns of the terminal. For sentences and lines of moves.
    #[must_use]
    pub fn cut(mut self, least: usize) -> Self {
        self.last_column(|column| column.cut = Some((Cut::End, least)));
        self
    }

    fn last_column(&mut self, change: impl FnMut(&mut Column)) {
        self.columns.last_mut().into_iter().for_each(change);
    }

    /// Adds a row of as many cells as the table has columns.
    pub fn row<S: Into<String>>(&mut self, cells: impl IntoIterator<Item = S>) {
        let cells: Vec<String> = cells.into_iter().map(|cell| one_line(cell.into())).collect();
        for (column, cell) in self.columns.iter_mut().zip(&cells) {
            column.width = column.width.max(display_width(cell));
        }
        self.rows.push(cells);
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The table at no more than this width, if possible. Columns that may be shortened are, the
    /// widest first. If that is not enough, optional columns are left out. In a table that is
    /// printed row by row, the last column gets the width that the others leave. Without a width
    /// nothing changes.
    #[must_use]
    pub fn fit(mut self, width: Option<usize>) -> Self {
        self.limit = width;
        let Some(limit) = width else { return self };
        while self.width_by(Column::least) > limit {
            let droppable = self.columns.iter_mut().filter(|c| c.is_shown && c.optional > 0);
            // Of several with this number, the rightmost goes.
            let Some(column) = droppable.max_by_key(|column| column.optional) else { break };
            column.is_shown = false;
        }
        while self.width_by(|column| column.width) > limit {
            let shrinkable = self.shown_mut().filter(|column| column.width > column.least());
            let Some(column) = shrinkable.max_by_key(|column| column.width) else { break };
            column.width -= 1;
        }
        self
    }

    fn shown(&self) -> impl Iterator<Item = &Column> {
        self.columns.iter().filter(|column| column.is_shown)
    }

    fn shown_mut(&mut self) -> impl Iterator<Item = &mut Column> {
        self.columns.iter_mut().filter(|column| column.is_shown)
    }

    fn width_by(&self, width: impl Fn(&Column) -> usize) -> usize {
        let columns: usize = self.shown().map(|column| width(column) + GAP).sum();
        columns.saturating_sub(GAP)
    }

    /// The heading as it stands now; `None` when no column has a title.
    pub fn heading(&self) -> Option<String> {
        let titles: Vec<String> = self.columns.iter().map(|column| column.title.clone()).collect();
        let line = self.line(&titles);
        (!line.is_empty()).then(|| Role::Heading.paint(line))
    }

    /// A row as it would stand now, without adding it.
    pub fn line(&self, cells: &[String]) -> String {
        let (mut line, mut used) = (String::new(), 0);
        let last = self.columns.iter().rposition(|column| column.is_shown);
        for (index, (column, cell)) in self.columns.iter().zip(cells).enumerate() {
            if !column.is_shown {
                continue;
            }
            let left = self.limit.map_or(usize::MAX, |limit| limit.saturating_sub(used));
            let cell = match self.limit {
                Some(_) if last == Some(index) => column.fitted(cell, left.max(column.least())),
                Some(_) => column.fitted(cell, column.width),
                None => cell.clone(),
            };
            let gap = " ".repeat(column.width.saturating_sub(display_width(&cell)));
            line += &match column.align {
                Align::Left => format!("{cell}{gap}  "),
                Align::Right => format!("{gap}{cell}  "),
            };
            used += column.width + GAP;
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

/// The text of a cell, with line breaks and tabs as escapes: names of files may have them.
fn one_line(text: String) -> String {
    match text.contains(['\n', '\t']) {
        true => text.replace('\n', "\\n").replace('\t', "\\t"),
        false => text,
    }
}

/// The columns that a text takes on a terminal; styles take none.
pub fn display_width(text: &str) -> usize {
    plain(text).width()
}

/// A text as it is printed, without its styles.
fn plain(text: &str) -> String {
    strip_str(&printable(text)).to_string()
}

/// A text at no more than this many columns of a terminal, its middle left out: `runs/20…/a.json`.
/// A shortened text has no style.
///
/// ```
/// use sparring_lab::report::table::shorten;
/// assert_eq!(shorten("breakthrough/atachiants", 12), "breakt…iants");
/// assert_eq!(shorten("zhu", 12), "zhu");
/// ```
pub fn shorten(text: &str, width: usize) -> String {
    if display_width(text) <= width {
        return text.to_owned();
    }
    let text = plain(text);
    let room = width.saturating_sub(1);
    let head = prefix(text.chars(), room.div_ceil(2));
    let tail: String = prefix(text.chars().rev(), room / 2).chars().rev().collect();
    format!("{head}{ELLIPSIS}{tail}")
}

/// A text at no more than this many columns of a terminal, its end left out. A shortened text has
/// no style.
pub fn cut(text: &str, width: usize) -> String {
    if display_width(text) <= width {
        return text.to_owned();
    }
    let text = plain(text);
    format!("{}{ELLIPSIS}", prefix(text.chars(), width.saturating_sub(1)).trim_end())
}

fn prefix(characters: impl Iterator<Item = char>, width: usize) -> String {
    let mut used = 0;
    let fits = |c: &char| {
        used += c.width().unwrap_or(0);
        used <= width
    };
    characters.take_while(fits).collect()
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
    /// Adds a line with a fact and its name.
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

    fn text(table: &TextTable) -> String {
        plain(&table.to_string())
    }

    #[test]
    fn columns_are_aligned_and_lines_end_with_words() {
        let mut table = TextTable::new().left("name").right("n").left("");
        table.row(["a", "1000", ""]);
        table.row(["longer", "1", "x"]);
        assert_eq!(text(&table), "name       n\na       1000\nlonger     1  x");
    }

    #[test]
    fn a_cell_is_one_line() {
        let mut table = TextTable::new().left("name");
        table.row(["two\nlines\t"]);
        assert_eq!(text(&table), "name\ntwo\\nlines\\t");
    }

    #[test]
    fn facts_have_no_heading() {
        let mut facts = Facts::default();
        facts.add("games", "12").add("Elo", "+3");
        assert_eq!(facts.to_string(), "games  12\nElo    +3");
    }

    #[test]
    fn styles_and_wide_characters_are_measured_as_they_are_seen() {
        let mut table = TextTable::new().left("").right("");
        table.row([Role::Good.paint("H1"), "1".into()]);
        table.row(["手".to_owned(), "2".into()]);
        table.row(["abc".to_owned(), "3".into()]);
        assert_eq!(text(&table), "H1   1\n手   2\nabc  3");
    }

    fn sets() -> TextTable {
        let mut table = TextTable::new()
            .left("name")
            .shortened(12)
            .left("board")
            .right("features")
            .optional(1)
            .left("about")
            .cut(10)
            .optional(2);
        let path = "runs/20261122T214407Z-breakthrough-spsa-1/weights.json";
        table.row([path, "8x8", "11/22", "The default tune of two hours."]);
        table.row(["zhu", "any", "4/22", "By hand."]);
        table
    }

    #[test]
    fn tables_fit_every_width() {
        assert_eq!(text(&sets().fit(None)), text(&sets()));
        for width in 26..=140 {
            let table = text(&sets().fit(Some(width)));
            assert!(table.lines().all(|line| line.width() <= width), "{width}:\n{table}");
            assert!(table.contains("zhu") && table.contains("8x8"), "{width}:\n{table}");
        }
        assert_eq!(
            text(&sets().fit(Some(60))),
            "name                   board  features  about\n\
             runs/20261…ights.json  8x8       11/22  The default tune of…\n\
             zhu                    any        4/22  By hand."
        );
        let narrow = text(&sets().fit(Some(28)));
        assert!(!narrow.contains("features") && narrow.contains("…"), "{narrow}");
    }

    #[test]
    fn the_last_column_of_a_stream_gets_what_is_left() {
        let table = TextTable::new().wide("depth", 5).optional(1).left("line").cut(4);
        let line = ["12", "a2a3 b7b6 c2c3"].map(String::from);
        assert_eq!(table.clone().fit(None).line(&line), "   12  a2a3 b7b6 c2c3");
        assert_eq!(table.clone().fit(Some(16)).line(&line), "   12  a2a3 b7b…");
        assert_eq!(table.fit(Some(8)).line(&line), "a2a3 b7…");
    }

    #[test]
    fn names_lose_their_middle_and_sentences_their_end() {
        assert_eq!(
            [0, 1, 2, 3, 6].map(|width| shorten("abcdef", width)),
            ["…", "…", "a…", "a…f", "abcdef"]
        );
        assert_eq!(shorten("手手手手", 5), "手…手");
        assert_eq!(cut("a line of words", 8), "a line…");
    }
}
