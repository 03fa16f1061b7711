use super::network::NetworkSummary;
use crate::cli::named::find_set;
use crate::cli::players::game_of;
use crate::cli::{Console, Ended, ErrorDetails, runs_folder};
use crate::error::{Error, Result};
use crate::game::Board;
use crate::games::GameId;
use crate::run::check_path;
use crate::search::SearchConstants;
use crate::weights::WeightSet;
use clap::Args;
use serde::Serialize;
use std::path::Path;

/// Checks weight files against the features of their game
#[derive(Args, Debug)]
pub(in crate::cli) struct WeightsCheckArgs {
    /// Weight files, or runs for the sets that they made
    #[arg(value_name = "FILE", required = true)]
    files: Vec<String>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::cli) struct WeightsCheckJson {
    files: Vec<FileJson>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct FileJson {
    file: String,
    valid: bool,
    error: Option<ErrorDetails>,
}

pub(super) fn run(args: &WeightsCheckArgs, console: &Console) -> Result<Ended> {
    let results: Vec<(&String, Result<WeightSet>)> =
        args.files.iter().map(|file| (file, check(file, console))).collect();
    if console.json {
        let file = |(file, result): &(&String, Result<WeightSet>)| FileJson {
            file: (*file).clone(),
            valid: result.is_ok(),
            error: result.as_ref().err().map(ErrorDetails::from),
        };
        console.document(&WeightsCheckJson { files: results.iter().map(file).collect() })?;
    }
    let mut ended = Ended::Done;
    for (file, result) in results {
        match result {
            Ok(set) if !console.json => {
                let fingerprint = set.fingerprint();
                let numbers = match set.has_only_constants() {
                    true => "search constants".into(),
                    false => format!("{} weights", set.weights.len()),
                };
                let network = NetworkSummary::of(&set)
                    .map_or(String::new(), |network| format!(", a network of {}", network.size()));
                console
                    .say(format!("{file}: good, {numbers}{network}, fingerprint {fingerprint}"))?;
            }
            Ok(_) => {}
            Err(error) => {
                console.error(&error);
                ended = Ended::Refused;
            }
        }
    }
    Ok(ended)
}

/// A path is preferred to the shipped set of the same name, since this command checks files. A file
/// of a run must be as the run wrote it.
fn check(file: &str, console: &Console) -> Result<WeightSet> {
    let path = Path::new(file);
    let is_no_run = || Ok::<_, Error>(!path.is_dir() || runs_folder().find_any(path)?.is_none());
    let set = if path.exists() && is_no_run()? {
        load(path)?
    } else {
        find_set(file, GameId::default().name(), console)?
    };
    check_set_for_game(&set, file)?;
    Ok(set)
}

/// Reads a file of weights or constants; one in a run's directory must be as the run wrote it.
///
/// # Errors
/// When it cannot be read, or has been edited or damaged since.
pub(super) fn load(path: &Path) -> Result<WeightSet> {
    check_path(path)?;
    WeightSet::load(path)
}

/// Checks a set against the features of its game.
///
/// # Errors
/// When it does not fit.
pub(super) fn check_set_for_game(set: &WeightSet, place: &str) -> Result<()> {
    let game = game_of(set, place)?;
    if let Some(values) = &set.search {
        SearchConstants::from_map(values, place)?;
    }
    if let Some(board) = &set.board {
        let checked = board.parse::<Board>().and_then(|board| game.start(board).map(drop));
        checked.map_err(|error| error.within(format!("{place}, key `board`")))?;
    }
    if set.has_only_constants() {
        return Ok(());
    }
    game.check_set(set, place)?;
    game.evaluator(set).map(drop).map_err(|error| error.within(place))
}
