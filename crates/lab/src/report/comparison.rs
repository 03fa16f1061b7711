//! Several runs side by side: a column for each run.

use super::words::{elo_text, yardstick_name};
use crate::report::{RunSummary, TextTable};

/// The least width of a run's column in the text.
const LEAST_COLUMN: usize = 12;

/// A run among others.
#[derive(Clone, Debug)]
pub struct ComparedRun<'a> {
    /// The run's name on the page.
    pub name: &'a str,
    /// Facts about it by name, in the order in which they are shown.
    pub facts: Vec<(&'static str, String)>,
    /// The results of a tune.
    pub summary: Option<&'a RunSummary>,
}

/// A row of a comparison: its title, and a cell for each run.
pub(crate) struct ComparedRow {
    pub(crate) name: String,
    pub(crate) cells: Vec<String>,
}

/// The rows of a comparison by what they are about.
#[derive(Default)]
struct ComparedRows(Vec<ComparedRow>);

impl ComparedRows {
    /// Puts a text into the cell of a run; a row that is not there yet is added.
    fn set(&mut self, name: &str, run: usize, text: String) {
        let place = self.0.iter().position(|row| row.name == name).unwrap_or_else(|| {
            self.0.push(ComparedRow { name: name.into(), cells: Vec::new() });
            self.0.len() - 1
        });
        let cells = &mut self.0[place].cells;
        if cells.len() <= run {
            cells.resize(run + 1, "-".into());
        }
        cells[run] = text;
    }
}

/// The facts and yardsticks of runs, and then their weights.
pub(crate) fn rows(runs: &[ComparedRun]) -> Vec<ComparedRow> {
    let [mut facts, mut weights] = [ComparedRows::default(), ComparedRows::default()];
    for (number, run) in runs.iter().enumerate() {
        for (name, text) in &run.facts {
            facts.set(name, number, text.clone());
        }
    }
    for (number, run) in runs.iter().enumerate() {
        let Some(summary) = run.summary else { continue };
        for played in &summary.yardsticks {
            let name = format!("Elo against {} at {}", yardstick_name(played), played.limits);
            facts.set(&name, number, elo_text(&played.summary).replace(" (95 %)", ""));
        }
        for row in &summary.weights {
            let error = row.error.map_or(String::new(), |error| format!(" +- {error:.0}"));
            weights.set(&row.name, number, format!("{}{error}", row.tuned));
        }
    }
    for row in facts.0.iter_mut().chain(&mut weights.0) {
        row.cells.resize(runs.len(), "-".into());
    }
    facts.0.into_iter().chain(weights.0).collect()
}

/// The runs as a table, a column for each.
pub fn comparison(runs: &[ComparedRun]) -> TextTable {
    let mut table = TextTable::new().left("").shortened(LEAST_COLUMN);
    for run in runs {
        table = table.left(run.name).shortened(LEAST_COLUMN);
    }
    for ComparedRow { name, cells } in rows(runs) {
        table.row(std::iter::once(name).chain(cells));
    }
    table
}
