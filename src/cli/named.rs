//! Runs and weight sets, as commands name them.

use crate::error::{Error, Result};
use crate::eval::Game;
use crate::files::{self, Links};
use crate::player::{DefaultWeights, Player};
use crate::protocol::external_engine::COMMAND_PREFIX;
use crate::run::{self, CANDIDATE, WEIGHTS};
use crate::runs::RunsFolder;
use crate::runs::folder::LAST;
use crate::shell::quote_path;
use crate::weights::{WeightSet, find, find_shipped, unknown};
use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// The folder of runs, once for the process.
static FOLDER: OnceLock<RunsFolder> = OnceLock::new();

/// Sets the folder in which runs are begun and looked up. The first call counts.
pub fn set_runs_folder(path: &Path) {
    FOLDER.get_or_init(|| RunsFolder::new(path));
}

/// The folder in which runs are begun and looked up.
pub fn runs_folder() -> &'static RunsFolder {
    FOLDER.get_or_init(RunsFolder::default)
}

/// The directory of the run that an argument names, see [`RunsFolder::find`].
///
/// # Errors
/// When no run or several are named so.
pub fn find_run(named: &Path) -> Result<PathBuf> {
    runs_folder().find(named)
}

/// Where a weight set is that an argument names: the name of a shipped set as it is, the path of a
/// file as it is, the file with the weights of a run that is named by its directory, its name, its
/// id, a part of these, or `last`, and any other file of a run by the run and the file's name
/// (`last/candidate.json`). What is shipped goes before a file, and a file before a run.
///
/// # Errors
/// When nothing is named so, or several runs are.
pub fn set_place<'n>(name: &'n str, game: &str) -> Result<Cow<'n, str>> {
    let path = Path::new(name);
    let is_there = path.exists() && !path.is_dir();
    let is_found = name.starts_with(COMMAND_PREFIX) || find_shipped(name, game).is_some();
    if is_found || is_there || name.contains('\\') {
        return Ok(name.into());
    }
    if name.ends_with(".json") || name.ends_with(".bin") {
        let file = file_of_run(path, WEIGHTS)?;
        return Ok(file.map_or(name.into(), |file| file.display().to_string().into()));
    }
    // A match has no set, so `last` is the last tune.
    let run = match name {
        LAST => Some(runs_folder().last_with(WEIGHTS)?),
        _ => runs_folder().find_any(path)?,
    };
    match run {
        Some(run) => {
            run::check_written(&run, WEIGHTS)?;
            Ok(run.join(WEIGHTS).display().to_string().into())
        }
        None => Err(unknown(name, game, &runs_folder().names().unwrap_or_default())),
    }
}

/// The file with constants of the search that an argument names: a path, or a file of a run
/// (`last/search.json`).
///
/// # Errors
/// As for [`set_place`].
pub fn find_constants(named: &Path) -> Result<PathBuf> {
    let of_run = if named.exists() { None } else { file_of_run(named, WEIGHTS)? };
    Ok(of_run.unwrap_or_else(|| named.to_owned()))
}

/// The file of a run that a path names which leads to no file itself, see
/// [`RunsFolder::find_file`]; `None` when it names no run.
///
/// # Errors
/// When several runs are named so, or the run has no such file.
fn file_of_run(path: &Path, needs: &str) -> Result<Option<PathBuf>> {
    let Some((run, name)) = runs_folder().find_file(path, needs)? else { return Ok(None) };
    let file = run.join(&name);
    if files::exists(&file, Links::Refused)? {
        run::check_written(&run, &name)?;
        return Ok(Some(file));
    }
    let remedy = match name.as_str() {
        CANDIDATE => "only a candidate that did not pass its validation has this file; see \
             weights.json for one that did"
            .into(),
        _ => format!("list its files with `ls {}`", quote_path(&run)),
    };
    Err(Error::input(file.display(), "the run has no such file").remedy(remedy))
}

/// The weight set that an argument names, see [`set_place`].
///
/// # Errors
/// As there, and when the set cannot be read.
pub fn find_set(name: &str, game: &str) -> Result<WeightSet> {
    find(&set_place(name, game)?, game)
}

/// The player that an argument names, see [`set_place`] and [`Player::find`].
///
/// # Errors
/// As there.
pub fn find_player<G: Game>(name: Option<&str>, default: DefaultWeights) -> Result<Player> {
    let place = name.map(|name| set_place(name, G::GAME)).transpose()?;
    Player::find::<G>(place.as_deref(), default)
}

/// The file of games that an argument names: a file, a file of a run (`last/games.jsonl.zst`), or
/// the games of a run.
///
/// # Errors
/// When nothing is named so, or several runs are.
pub fn find_games(named: &Path) -> Result<PathBuf> {
    if named.exists() && !named.is_dir() {
        return Ok(named.into());
    }
    if let Some(run) = runs_folder().find_any(named)? {
        return Ok(run.join(run::GAMES));
    }
    file_of_run(named, run::GAMES)?.ok_or_else(|| {
        Error::input(named.display(), "no file and no run has this name")
            .remedy("name a file of games, or a run; `spar runs` lists them")
    })
}
