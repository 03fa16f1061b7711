use super::check::{check_set_for_game, load};
use crate::cli::report::COMPARISON;
use crate::cli::{Console, Ended, ErrorDetails};
use crate::error::{Error, Result};
use crate::files::{self, Links};
use crate::report::names::short_name;
use crate::report::{Role, TextTable, units};
use crate::runs::RunSet;
use crate::serve::{QUEUE_FILE, QUEUE_LOCK};
use crate::weights::{MAX_FILE, WeightSet, is_compact, shipped};
use clap::Args;
use serde::Serialize;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

/// Lists the weight sets that come with the program, and those in folders
#[derive(Args, Debug)]
pub(in crate::cli) struct WeightsListArgs {
    /// Folders with more weight files
    #[arg(value_name = "FOLDER")]
    folders: Vec<PathBuf>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::cli) struct WeightsListJson {
    sets: Vec<ListEntry>,
    /// Weight files in the folders that cannot be used.
    refused: Vec<RefusedFile>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct RefusedFile {
    file: String,
    error: ErrorDetails,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct ListEntry {
    /// The name for other commands.
    name: String,
    game: String,
    board: Option<String>,
    /// Features whose weight is not 0.
    used: usize,
    features: usize,
    /// The window and the hidden units of its network; null where there is none.
    network: Option<ListedNetwork>,
    /// The Elo over `baseline`, measured when the set was tuned: not comparable with an Elo over
    /// another baseline.
    elo: Option<f64>,
    elo_error: Option<f64>,
    /// The opponent of the Elo measurement.
    baseline: Option<String>,
    description: String,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct ListedNetwork {
    window: String,
    units: usize,
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
            network: set.network.as_ref().map(|network| ListedNetwork {
                window: network.window.to_string(),
                units: network.units,
            }),
            elo: provenance.and_then(|provenance| provenance.elo),
            elo_error: provenance.and_then(|provenance| provenance.elo_error),
            baseline: provenance.map(|provenance| provenance.baseline.clone()),
            description: set.description.clone(),
        }
    }
}

pub(super) fn run(args: &WeightsListArgs, console: &Console) -> Result<Ended> {
    let (mut sets, mut refused) = (Vec::new(), Vec::new());
    for shipped in shipped() {
        let mut entry = ListEntry::new(shipped.name.to_owned(), &shipped.without_tables()?);
        entry.used += shipped.tables().filter(|&(_, cells)| cells > 0).count();
        sets.push(entry);
    }
    for folder in args.folders.iter().filter(|path| !is_own_file(path)) {
        add_folder(folder, &mut sets, &mut refused)?;
    }
    if console.json {
        console.document(&WeightsListJson { sets, refused })?;
        return Ok(Ended::Done);
    }
    console.say(table(&sets).fit(console.width()))?;
    for (index, RefusedFile { error, .. }) in refused.iter().enumerate() {
        let gap = if index == 0 { "\n" } else { "" };
        console.say(format!("{gap}{}  {}", Role::Bad.paint("bad"), error.message))?;
    }
    Ok(Ended::Done)
}

/// Whether a path is a file that the program keeps beside the runs in their folder: a shell lists it
/// for `runs/*`.
fn is_own_file(path: &Path) -> bool {
    let is_own = |own: &str| path.file_name().is_some_and(|name| name == own);
    [COMPARISON, QUEUE_FILE, QUEUE_LOCK].into_iter().any(is_own) && path.is_file()
}

/// Adds the weight files of a folder, sorted by name; those that `weights check` refuses go to
/// `refused`. Other JSON files are skipped.
fn add_folder(
    folder: &Path,
    sets: &mut Vec<ListEntry>,
    refused: &mut Vec<RefusedFile>,
) -> Result<()> {
    if folder.is_file() {
        return Err(Error::input(folder.display(), "a file, not a folder")
            .remedy("name its folder, or show the set with `spar weights show`"));
    }
    let failed = |error| Error::io(folder, "read", error);
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        if path.extension().is_some_and(|extension| extension == "json" || extension == "bin") {
            paths.push(path);
        }
    }
    paths.sort();
    for path in paths {
        let file = path.display().to_string();
        let checked = load(&path).and_then(|mut set| {
            check_set_for_game(&set, &file)?;
            if set.is_edited() {
                set.provenance = None;
            }
            Ok(ListEntry::new(name_of(&path), &set))
        });
        match checked {
            Ok(entry) => sets.push(entry),
            Err(_) if is_no_set(&path) => {}
            Err(error) => refused.push(RefusedFile { file, error: ErrorDetails::from(&error) }),
        }
    }
    Ok(())
}

/// The name for other commands: the path, unless the file is the start set of a run.
fn name_of(path: &Path) -> String {
    RunSet::of_file(path).map_or_else(|| path.display().to_string(), |set| set.name())
}

/// Whether a file is clearly no weight set: neither in the compact form, nor JSON with an object of
/// weights or of search constants in it.
fn is_no_set(path: &Path) -> bool {
    let Ok(bytes) = files::read(path, Links::Followed, MAX_FILE as u64) else { return false };
    if path.extension().is_some_and(|extension| extension == "bin") {
        return !is_compact(&bytes);
    }
    serde_json::from_slice::<Value>(&bytes)
        .is_ok_and(|document| !["weights", "search"].iter().any(|&key| document[key].is_object()))
}

/// The features of a set that are in use, and the units of its network.
fn features(set: &ListEntry) -> String {
    let single = format!("{}/{}", set.used, set.features);
    match &set.network {
        Some(network) if set.features == 0 => format!("{} units", network.units),
        Some(network) => format!("{single} + {} units", network.units),
        None => single,
    }
}

fn table(sets: &[ListEntry]) -> TextTable {
    let mut table = TextTable::new()
        .left("name")
        .shortened(24)
        .left("game")
        .optional(4)
        .left("board")
        .right("features")
        .optional(3)
        .right("Elo")
        .left("against")
        .left("about")
        .cut(24)
        .optional(2);
    for set in sets {
        // A list shows the first sentence only.
        let sentence = set.description.split_inclusive(". ").next().unwrap_or_default().trim_end();
        table.row([
            set.name.clone(),
            set.game.clone(),
            set.board.clone().unwrap_or_else(|| "any".into()),
            features(set),
            units::with_error(set.elo, set.elo_error),
            set.baseline.as_deref().map_or_else(String::new, |baseline| {
                // A set that was tuned further may keep its name.
                if baseline == set.name { "its forerunner".into() } else { short_name(baseline) }
            }),
            sentence.to_owned(),
        ]);
    }
    table
}
