//! `spar weights list`.

use crate::cli::console::Console;
use crate::cli::ended::Ended;
use crate::error::{Error, Result};
use crate::report::table::TextTable;
use crate::report::units;
use crate::weights::{WeightSet, shipped};
use clap::Args;
use serde::Serialize;
use std::fs;
use std::path::{Path, PathBuf};

/// Lists the weight sets that come with the program, and those in folders
#[derive(Args, Debug)]
pub(super) struct ListArgs {
    /// Folders with more weight files
    #[arg(value_name = "FOLDER")]
    folders: Vec<PathBuf>,
}

#[derive(Serialize)]
struct WeightsListJson {
    sets: Vec<ListEntry>,
}

#[derive(Serialize)]
struct ListEntry {
    /// The name for other commands.
    name: String,
    game: String,
    board: Option<String>,
    /// Features whose weight is not 0.
    used: usize,
    features: usize,
    /// The Elo above the baseline that was measured when the set was tuned.
    elo: Option<f64>,
    elo_error: Option<f64>,
    description: String,
}

impl ListEntry {
    fn new(name: String, set: &WeightSet) -> Self {
        let used =
            set.weights.iter().filter(|(_, weight)| weight.cells().iter().any(|&value| value != 0));
        let provenance = set.provenance.as_ref();
        Self {
            name,
            game: set.game.clone(),
            board: set.board.clone(),
            used: used.count(),
            features: set.weights.len(),
            elo: provenance.and_then(|provenance| provenance.elo),
            elo_error: provenance.and_then(|provenance| provenance.elo_error),
            description: set.description.clone(),
        }
    }
}

pub(super) fn run(args: &ListArgs, console: &Console) -> Result<Ended> {
    let mut sets = Vec::new();
    for shipped in shipped() {
        let mut entry = ListEntry::new(shipped.name.to_owned(), &shipped.without_tables()?);
        entry.used += shipped.tables().filter(|&(_, cells)| cells > 0).count();
        sets.push(entry);
    }
    for folder in &args.folders {
        add_folder(folder, &mut sets, console)?;
    }
    if console.json {
        console.document(&WeightsListJson { sets })?;
    } else {
        console.say(table(&sets))?;
    }
    Ok(Ended::Done)
}

/// Adds the weight files of a folder, sorted by name. Files that cannot be read are noted on
/// stderr.
fn add_folder(folder: &Path, sets: &mut Vec<ListEntry>, console: &Console) -> Result<()> {
    let failed = |error| Error::io(folder, "read", error);
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        if path.extension().is_some_and(|extension| extension == "json") {
            paths.push(path);
        }
    }
    paths.sort();
    for path in paths {
        match WeightSet::load(&path) {
            Ok(set) => sets.push(ListEntry::new(path.display().to_string(), &set)),
            Err(error) => console.note(format!("left out: {error}")),
        }
    }
    Ok(())
}

fn table(sets: &[ListEntry]) -> TextTable {
    let mut table = TextTable::new()
        .left("name")
        .left("game")
        .left("board")
        .right("features")
        .right("Elo")
        .left("");
    for set in sets {
        // A list shows the first sentence only.
        let sentence = set.description.split_inclusive(". ").next().unwrap_or_default().trim_end();
        table.row([
            set.name.clone(),
            set.game.clone(),
            set.board.clone().unwrap_or_else(|| "any".into()),
            format!("{}/{}", set.used, set.features),
            units::with_error(set.elo, set.elo_error),
            sentence.to_owned(),
        ]);
    }
    table
}
