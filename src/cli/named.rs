//! Runs and weight sets, as commands name them.

use crate::error::{Error, Result};
use crate::eval::Game;
use crate::player::{DefaultWeights, Player};
use crate::protocol::external_engine::COMMAND_PREFIX;
use crate::run::{self, WEIGHTS};
use crate::runs::RunsFolder;
use crate::runs::folder::LAST;
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
/// file as it is, and the file with the weights of a run that is named by its directory, its name,
/// its id, a part of these, or `last`. What is shipped goes before a file, and a file before a run.
///
/// # Errors
/// When nothing is named so, or several runs are.
pub fn set_place<'n>(name: &'n str, game: &str) -> Result<Cow<'n, str>> {
    let path = Path::new(name);
    let is_path = path.is_file() || name.ends_with(".json") || name.contains('\\');
    if name.starts_with(COMMAND_PREFIX) || find_shipped(name, game).is_some() || is_path {
        return Ok(name.into());
    }
    // A match has no set, so `last` is the last tune.
    let run = match name {
        LAST => Some(runs_folder().last_with(WEIGHTS)?),
        _ => runs_folder().find_any(path)?,
    };
    match run {
        Some(run) => Ok(run.join(WEIGHTS).display().to_string().into()),
        // A pipe, for example.
        None if path.exists() && !path.is_dir() => Ok(name.into()),
        None => Err(unknown(name, game, &runs_folder().names().unwrap_or_default())),
    }
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

/// The file of games that an argument names: a file, or the games of a run.
///
/// # Errors
/// When nothing is named so, or several runs are.
pub fn find_games(named: &Path) -> Result<PathBuf> {
    if named.exists() && !named.is_dir() {
        return Ok(named.into());
    }
    match runs_folder().find_any(named)? {
        Some(run) => Ok(run.join(run::GAMES)),
        None => Err(Error::input(named.display(), "no file and no run has this name")
            .remedy("name a file of games, or a run; `spar runs` lists them")),
    }
}
