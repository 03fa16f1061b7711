//! Several runs side by side: a column for each run.

use super::words::{elo_text, yardstick_name};
use crate::report::{RunSummary, TextTable};

/// The least width of a run's column in the text.
const LEAST_COLUMN: usize = 12;

/// A run to be compared.
#[derive(Clone, Debug)]
pub struct ComparedRun<'a> {
    /// The run's name on the page.
    pub name: &'a str,
    /// Facts about it by name, in the order in which they are shown.
    pub facts: Vec<(&'static str, String)>,
    /// The results of a tune.
    pub summary: Option<&'a RunSummary>,
}

/// Sets the cell of a run in the row with a title. Adds the row if there is none yet.
fn set(rows: &mut Vec<(String, Vec<String>)>, title: &str, run: usize, text: String) {
    let place = rows.iter().position(|(known, _)| known == title).unwrap_or_else(|| {
        rows.push((title.into(), Vec::new()));
        rows.len() - 1
    });
    let cells = &mut rows[place].1;
    if cells.len() <= run {
        cells.resize(run + 1, "-".into());
    }
    cells[run] = text;
}

/// The facts and yardsticks of runs, and then their weights: titles, and a cell for each run.
pub(crate) fn rows(runs: &[ComparedRun]) -> Vec<(String, Vec<String>)> {
    let (mut facts, mut weights) = (Vec::new(), Vec::new());
    for (number, run) in runs.iter().enumerate() {
        for (name, text) in &run.facts {
            set(&mut facts, name, number, text.clone());
        }
    }
    for (number, run) in runs.iter().enumerate() {
        let Some(summary) = run.summary else { continue };
        for played in &summary.yardsticks {
            let name = format!("Elo against {} at {}", yardstick_name(played), played.limits);
            set(&mut facts, &name, number, elo_text(&played.summary).replace(" (95 %)", ""));
        }
        for row in &summary.weights {
            let error = row.error_text().map_or(String::new(), |error| format!(" {error}"));
            set(&mut weights, &row.name, number, format!("{}{error}", row.tuned));
        }
    }
    facts.append(&mut weights);
    facts.iter_mut().for_each(|(_, cells)| cells.resize(runs.len(), "-".into()));
    facts
}

/// The runs as a table, a column for each.
pub fn comparison(runs: &[ComparedRun]) -> TextTable {
    let mut table = TextTable::new().left("").shortened(LEAST_COLUMN);
    for run in runs {
        table = table.left(run.name).shortened(LEAST_COLUMN);
    }
    for (name, cells) in rows(runs) {
        table.row(std::iter::once(name).chain(cells));
    }
    table
}
