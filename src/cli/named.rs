//! Runs and weight sets, as commands name them.

use crate::cli::program_hint::program_command;
use crate::cli::{Console, PROCESS, is_same_file};
use crate::error::{Error, Result, shorten};
use crate::files::{self, Links};
use crate::games::GameId;
use crate::player::{DefaultWeights, Player};
use crate::protocol::external_engine::COMMAND_PREFIX;
use crate::run::{self, CANDIDATE, FIRST_POSITIONS, WEIGHTS};
use crate::runs::folder::LAST;
use crate::runs::set::{run_of, start_of};
use crate::runs::{RunSet, RunsFolder, WantedSet, missing_file};
use crate::shell::quote_path;
use crate::weights::{WeightSet, find, find_shipped, unknown};
use std::borrow::Cow;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// Sets the folder in which runs are begun and looked up. Only the first call has an effect.
pub fn set_runs_folder(path: &Path) {
    PROCESS.runs_folder.get_or_init(|| RunsFolder::new(path));
}

/// The folder of runs.
pub fn runs_folder() -> &'static RunsFolder {
    PROCESS.runs_folder.get_or_init(RunsFolder::default)
}

/// The directory of the run that an argument names, see [`RunsFolder::find`].
///
/// # Errors
/// When no run, or more than one, has this name.
pub fn find_run(named: &Path) -> Result<PathBuf> {
    runs_folder().find(named)
}

/// The directories of the runs that arguments name, for a comparison.
///
/// # Errors
/// As for [`find_run`], and when two arguments name the same run.
pub fn find_runs(named: &[PathBuf]) -> Result<Vec<PathBuf>> {
    let mut runs: Vec<PathBuf> = Vec::new();
    for named in named {
        let run = find_run(named)?;
        if runs.iter().any(|other| is_same_file(other, &run)) {
            return Err(Error::input(named.display(), "another argument names this run, too")
                .remedy("name each run once; `spar runs` lists them"));
        }
        runs.push(run);
    }
    Ok(runs)
}

/// A weight set that an argument names, before it is read.
pub enum NamedSet<'n> {
    /// A shipped set by its name, or a file by its path.
    Found(Cow<'n, str>),
    /// A set of a run.
    OfRun(RunSet),
}

impl<'n> NamedSet<'n> {
    /// The set that an argument names: a shipped set, a file, or a run by its directory, its name,
    /// its id, a part of these, or `last`. `RUN` stands for the candidate if it was accepted, else
    /// for the start; `RUN:candidate` and `RUN:start` for either; and `RUN/FILE` for a file of the
    /// run (`last/round-2.json`). Shipped sets go before files, and files before runs.
    ///
    /// # Errors
    /// When nothing has this name, several runs have it, or the run has no such set.
    pub fn find(name: &'n str, game: &str) -> Result<Self> {
        let path = Path::new(name);
        let is_there = path.exists() && !path.is_dir();
        if name.starts_with(COMMAND_PREFIX) || is_there || find_shipped(name, game).is_some() {
            return Self::found(name.into());
        }
        let (run, wanted) = WantedSet::split(name);
        if wanted != WantedSet::Best {
            return Self::of_run(&run_with_sets(run)?, wanted);
        }
        if name.contains('\\') {
            return Self::found(name.into());
        }
        if name.ends_with(".json") || name.ends_with(".bin") {
            let file = file_of_run(path, WEIGHTS)?;
            return Self::found(file.map_or(name.into(), |file| text_of(&file)));
        }
        // A match has no set, so `last` is the last tune.
        let run = match name {
            LAST => Some(runs_folder().last_with(WEIGHTS)?),
            _ => runs_folder().find_any(path)?,
        };
        match run {
            Some(run) => Self::of_run(&run, wanted),
            None => Err(no_set(name, game)),
        }
    }

    fn found(place: Cow<'n, str>) -> Result<Self> {
        let path = Path::new(place.as_ref());
        run::check_path(path)?;
        Ok(match RunSet::of_file(path) {
            Some(set) => Self::OfRun(set),
            None => Self::Found(place),
        })
    }

    fn of_run(run: &Path, wanted: WantedSet) -> Result<Self> {
        let set = RunSet::find(run, wanted)?;
        if let Some(file) = &set.file {
            files::exists(file, Links::Refused)?;
        }
        Ok(Self::OfRun(set))
    }

    /// The name for output: of a shipped set as it was given, of a run's set [`RunSet::name`], else
    /// the path.
    pub fn name(&self) -> String {
        match self {
            Self::Found(place) => place.to_string(),
            Self::OfRun(set) => set.name(),
        }
    }

    /// The set of a run, if it is one.
    pub fn run_set(&self) -> Option<&RunSet> {
        match self {
            Self::Found(_) => None,
            Self::OfRun(set) => Some(set),
        }
    }

    /// The shipped set's name or the file's path; `None` for a set that only a manifest holds.
    pub fn place(&self) -> Option<Cow<'_, str>> {
        match self {
            Self::Found(place) => Some(place.as_ref().into()),
            Self::OfRun(set) => set.file.as_deref().map(text_of),
        }
    }

    /// Reads the set.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn read(&self, game: &str) -> Result<WeightSet> {
        match (self, self.place()) {
            (Self::OfRun(set), None) => Ok(start_of(&set.run)?.to_set()),
            (_, place) => {
                let place = place.unwrap_or_default();
                find(&place, game).map_err(|error| unless_program(&place, error))
            }
        }
    }

    /// Notes on stderr that a run's set is not an accepted one, if so.
    pub fn tell(&self, console: &Console) {
        let note = self.run_set().and_then(|set| set.note.as_ref());
        note.into_iter().for_each(|note| console.note(note));
    }

    /// The player with this set, see [`Player::find`].
    ///
    /// # Errors
    /// When the set cannot be read, or does not fit the game.
    pub fn player(&self, game: GameId, default: DefaultWeights) -> Result<Player> {
        match self {
            Self::Found(place) => Player::find(game, Some(place), default)
                .map_err(|error| unless_program(place, error)),
            Self::OfRun(set) => Player::from_set(game, set.name(), self.read(game.name)?, default),
        }
    }
}

/// The name of a run's candidate where it is `wanted`, else the name as it is.
pub fn candidate_of(name: &str, wanted: bool) -> Cow<'_, str> {
    match WantedSet::split(name) {
        (run, WantedSet::Best) if wanted => WantedSet::Candidate.name_of(run).into(),
        _ => name.into(),
    }
}

/// The directory of the run before `:candidate` or `:start`; a run's weight file stands for the
/// run.
fn run_with_sets(named: &str) -> Result<PathBuf> {
    match run_of(Path::new(named)) {
        Some(run) => Ok(run.to_owned()),
        None if named == LAST => runs_folder().last_with(WEIGHTS),
        None => find_run(Path::new(named)),
    }
}

/// The error for a name that is neither a shipped set nor a file nor a run.
fn no_set(name: &str, game: &str) -> Error {
    if let Some((run, part)) = name.rsplit_once(':')
        && let Ok(Some(_)) = runs_folder().find_any(Path::new(run))
    {
        let reason = format!("the run has no set called `{}`", shorten(part));
        return Error::input(format!("weights `{}`", shorten(name)), reason)
            .remedy(format!("name `{run}`, `{run}:candidate` or `{run}:start`"));
    }
    unknown(name, game, &runs_folder().names().unwrap_or_default())
}

/// The file of positions that an argument names, or the directory of a run that has some: a path, a
/// run as for [`find_run`], or a file of a run (`last/positions-2.pos`). `last` is the last run
/// with positions.
///
/// # Errors
/// When nothing has this name, several runs have it, or a run has no such file.
pub fn find_positions(named: &Path) -> Result<PathBuf> {
    match named.symlink_metadata() {
        Err(error) if error.kind() == ErrorKind::NotFound => {}
        _ => return Ok(named.into()),
    }
    let run = match named.to_str() {
        Some(LAST) => Some(runs_folder().last_with(FIRST_POSITIONS)?),
        _ => runs_folder().find_any(named)?,
    };
    let found = run.map_or_else(|| file_of_run(named, FIRST_POSITIONS), |run| Ok(Some(run)))?;
    found.ok_or_else(|| {
        Error::input(named.display(), "no file and no run has this name")
            .remedy("name a file of positions, or a run; `spar positions list` lists them")
    })
}

fn text_of(path: &Path) -> Cow<'static, str> {
    path.display().to_string().into()
}

/// The constants of the search that an argument names, and their place: a file, a file of a run
/// (`last/search.json`), or a set as for [`NamedSet::find`].
///
/// # Errors
/// When [`NamedSet::find`] fails, or the file cannot be read.
pub fn find_constants(named: &Path, game: &str, console: &Console) -> Result<(String, WeightSet)> {
    let of_run = if named.exists() { None } else { file_of_run(named, WEIGHTS)? };
    let path = of_run.as_deref().unwrap_or(named);
    let named_set = match path.to_str() {
        Some(text) if !path.exists() => NamedSet::find(text, game)?,
        _ => NamedSet::found(text_of(path))?,
    };
    named_set.tell(console);
    Ok((named_set.name(), named_set.read(game)?))
}

/// The file of a run that a path such as `last/search.json` names, see [`RunsFolder::find_file`];
/// `None` if the path names no run.
///
/// # Errors
/// When several runs have this name, or the run has no such file.
fn file_of_run(path: &Path, needs: &str) -> Result<Option<PathBuf>> {
    let Some((run, name)) = runs_folder().find_file(path, needs)? else { return Ok(None) };
    let file = run.join(&name);
    if files::exists(&file, Links::Refused)? {
        run::check_written(&run, &name)?;
        return Ok(Some(file));
    }
    if run::is_written_again(&run, &name) {
        return Err(missing_file(&run, &name));
    }
    let remedy = match name.as_str() {
        CANDIDATE => "only a candidate that did not pass its validation has this file; see \
             weights.json for one that did"
            .into(),
        _ => format!("list its files with `ls {}`", quote_path(&run)),
    };
    Err(Error::input(file.display(), "the run has no such file").remedy(remedy))
}

/// Reads the weight set that an argument names, see [`NamedSet::find`], and says on stderr when it
/// is a set of a run that was not accepted.
///
/// # Errors
/// When [`NamedSet::find`] fails, or the set cannot be read.
pub fn find_set(name: &str, game: &str, console: &Console) -> Result<WeightSet> {
    let named = NamedSet::find(name, game)?;
    named.tell(console);
    named.read(game)
}

/// The player that an argument names, see [`NamedSet::find`] and [`Player::find`]; says on stderr
/// when it plays with a set of a run that was not accepted.
///
/// # Errors
/// When the set cannot be found or read, or does not fit the game.
pub fn find_player(
    game: GameId,
    name: Option<&str>,
    default: DefaultWeights,
    console: &Console,
) -> Result<Player> {
    let Some(name) = name else { return Player::find(game, None, default) };
    game.needs_engine()?;
    let named = NamedSet::find(name, game.name)?;
    named.tell(console);
    named.player(game, default)
}

/// The error of reading a weight set, in other words if the file is a program.
fn unless_program(name: &str, error: Error) -> Error {
    if Path::new(name).is_file() && program_command(name).is_some() {
        return Error::input(format!("`{}`", shorten(name)), "a program, not a weight set")
            .remedy("name a weight set, its file or a run");
    }
    error
}

/// The file of games that an argument names: a file, a file of a run (`last/games.jsonl.zst`), or
/// the games of a run.
///
/// # Errors
/// When nothing has this name, or several runs have it.
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
