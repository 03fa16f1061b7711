//! A fit to an engine author's own rows: the coefficients of each position and the result of its
//! game, as dumped by Texel tuners.
//!
//! ```text
//! csv, npz -> Rows -> fit -> RowsFit (weights with errors) -> a file of knobs
//! ```

mod csv;
mod errors;
mod fit;
mod inverse;
mod left_out;
mod npz;
mod ridge;
mod split;

pub(in crate::tune) use fit::{Ratio, fit_ratios, not_predictive};
pub use fit::{RowWeight, RowsConfig, RowsFit, fit};

use crate::error::{Error, Result, shorten};
use crate::search::Stop;
use std::collections::HashSet;
use std::path::Path;

/// The most columns of features. The second derivatives of all pairs of columns are in memory.
pub const MOST_COLUMNS: usize = 2_000;
/// The extension of a file of numpy arrays.
const NPZ: &str = "npz";

/// A feature of a row that is not zero.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RowTerm {
    /// The place of the feature among the names.
    pub column: u16,
    /// The coefficient of the feature in the row.
    pub value: f32,
}

/// Rows of features with results. A row takes eight bytes of memory for each feature that is not
/// zero.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rows {
    /// The names of the features.
    pub names: Vec<String>,
    /// The features that are not zero, row by row, each row's in the order of the names.
    terms: Vec<RowTerm>,
    /// The end of each row among the terms.
    ends: Vec<usize>,
    /// The result of each row, 0 to 1.
    pub results: Vec<f32>,
    /// The number of each row's game; empty if each row is its own game.
    pub games: Vec<u32>,
}

/// Which columns of a file of rows are read.
#[derive(Clone, Debug, Default)]
pub struct RowSource<'a> {
    /// The column with the results.
    pub result: &'a str,
    /// The column that tells games apart, if there is one.
    pub game: Option<&'a str>,
    /// The features that are read; empty for all of them.
    pub only: &'a [String],
}

impl Rows {
    /// No rows yet, with features of these names.
    pub(in crate::tune) fn new(names: Vec<String>) -> Self {
        Self { names, ..Self::default() }
    }

    /// Reads a file: numpy arrays if its name ends with `.npz`, else CSV with a line of names.
    ///
    /// # Errors
    /// When the file cannot be read, a column is missing or occurs twice, a cell is not a number, a
    /// result is not within 0 to 1, or the rows of a game are not together.
    pub fn read(path: &Path, source: &RowSource, stop: &Stop) -> Result<Self> {
        let is_npz = path.extension().is_some_and(|end| end.eq_ignore_ascii_case(NPZ));
        let rows = if is_npz { npz::read(path, source)? } else { csv::read(path, source, stop)? };
        match rows.results.is_empty() {
            true => Err(Error::input(path.display(), "no rows in it")
                .remedy("give a row of features with a result for each position")),
            false => Ok(rows),
        }
    }

    /// Appends the features of a row, without its result.
    pub(in crate::tune) fn push(&mut self, values: &[f32]) {
        let terms = (0..).zip(values).map(|(column, &value)| RowTerm { column, value });
        self.terms.extend(terms.filter(|term| term.value != 0.0));
        self.ends.push(self.terms.len());
    }

    /// The features of a row that are not zero.
    pub fn row(&self, row: usize) -> &[RowTerm] {
        let begin = if row == 0 { 0 } else { self.ends[row - 1] };
        &self.terms[begin..self.ends[row]]
    }

    /// The number of rows.
    pub fn len(&self) -> usize {
        self.results.len()
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.results.is_empty()
    }
}

/// Numbers the games of rows. The rows of a game must follow each other.
#[derive(Default)]
struct GameNumbers {
    known: HashSet<Box<[u8]>>,
    last: Box<[u8]>,
}

impl GameNumbers {
    /// The number of the game of the next row; `None` if rows of other games have come between.
    fn next(&mut self, game: &[u8]) -> Option<u32> {
        if self.known.is_empty() || *self.last != *game {
            self.last = game.into();
            if !self.known.insert(game.into()) {
                return None;
            }
        }
        Some(self.known.len() as u32 - 1)
    }
}

/// The fault of a row for which [`GameNumbers`] has no number, and the remedy.
const APART: [&str; 2] =
    ["a game with other games between its rows", "put the rows of each game one after the other"];

/// The places of the features among these columns, without the result and the game.
///
/// # Errors
/// When a name occurs twice, a wanted column is missing or has no name, or too few or too many are
/// left.
fn features(
    names: &[String],
    [result, game]: [Option<usize>; 2],
    only: &[String],
    place: &str,
) -> Result<Vec<usize>> {
    for (index, name) in names.iter().enumerate() {
        if names[..index].contains(name) {
            return Err(Error::input(format!("{place}, column `{name}`"), "it is there twice")
                .remedy("give each column a name of its own"));
        }
    }
    for name in only {
        find(names, name, "--only", place)?;
    }
    let is_wanted = |index: &usize| {
        ![result, game].contains(&Some(*index))
            && (only.is_empty() || only.contains(&names[*index]))
    };
    let found: Vec<usize> = (0..names.len()).filter(is_wanted).collect();
    let is_name = |name: &str| !name.trim().is_empty() && !name.contains(char::is_control);
    if let Some(&index) = found.iter().find(|&&index| !is_name(&names[index])) {
        let name = shorten(&names[index]);
        return Err(Error::input(format!("{place}, column {} `{name}`", index + 1), "not a name")
            .remedy("give the column a name, or choose others with --only"));
    }
    match found.len() {
        0 => Err(Error::input(place, "no column of features").remedy("give at least one")),
        1..=MOST_COLUMNS => Ok(found),
        many => Err(Error::input(place, format!("{many} columns of features are too many"))
            .remedy(format!("give at most {MOST_COLUMNS}, or choose some with --only"))),
    }
}

/// The place of a column.
fn find(names: &[String], name: &str, option: &str, place: &str) -> Result<usize> {
    names.iter().position(|known| known == name).ok_or_else(|| {
        let known = names.iter().map(String::as_str);
        let remedy = crate::error::suggest(name, known, "the columns are");
        Error::input(format!("{place}, column `{name}`"), "there is none")
            .remedy(format!("name another one with {option}: {remedy}"))
    })
}

/// Returns an error if the user has interrupted the fit.
fn check_stop(stop: &Stop) -> Result<()> {
    match stop.is_set() {
        true => Err(Error::interrupted("fit", "stopped early")),
        false => Ok(()),
    }
}

/// Reads a result: a number from 0 to 1, or one of PGN's results.
fn parse_result(text: &str) -> Option<f32> {
    match text {
        "1-0" => Some(1.0),
        "0-1" => Some(0.0),
        "1/2-1/2" => Some(0.5),
        _ => text.parse().ok().filter(|result| (0.0..=1.0).contains(result)),
    }
}

#[cfg(test)]
mod tests {
    use super::GameNumbers;

    #[test]
    fn games_are_numbered_while_their_rows_stand_together() {
        let mut games = GameNumbers::default();
        let numbers = [&b""[..], b"", b"7", b"7", b"5", b""].map(|game| games.next(game));
        assert_eq!(numbers, [Some(0), Some(0), Some(1), Some(1), Some(2), None]);
    }
}
