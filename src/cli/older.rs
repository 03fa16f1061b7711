//! The positions of fits and trainings; `--older` and `--fresh`: where a training begins, and the
//! older positions that it takes.

use crate::cli::{Console, find_positions};
use crate::error::{Error, Result};
use crate::game::Board;
use crate::games::GameId;
use crate::report::units;
use crate::run::older::{open_older, position_paths};
use crate::run::positions::{PositionFiles, game_of};
use crate::tune::PositionSource;
use crate::tune::network::TrainConfig;
use crate::weights::{Provenance, WeightSet};
use std::path::{Path, PathBuf};

/// The positions for a fit or a training.
pub(super) struct NamedPositions {
    /// The files and runs, by their paths.
    pub(super) sources: Vec<PathBuf>,
    /// All files.
    pub(super) files: Vec<PathBuf>,
}

impl NamedPositions {
    /// The positions that arguments name, see [`find_positions`].
    ///
    /// # Errors
    /// When nothing is named so, or a run has no positions.
    pub(super) fn find(named: &[PathBuf]) -> Result<Self> {
        let sources = named.iter().map(|path| find_positions(path)).collect::<Result<Vec<_>>>()?;
        let files = sources.iter().map(|path| position_paths(path)).collect::<Result<Vec<_>>>()?;
        Ok(Self { sources, files: files.concat() })
    }

    /// The game of the positions. Unreadable files say nothing: their own error comes later.
    pub(super) fn game(&self) -> Option<GameId> {
        self.files.iter().find_map(|file| game_of(file).ok()?.parse().ok())
    }

    /// An error about the positions, with their names unless it names a file itself.
    pub(super) fn name_in(&self, error: Error) -> Error {
        let has_name = |file: &PathBuf| error.place().starts_with(&*file.display().to_string());
        if self.files.iter().any(has_name) {
            return error;
        }
        match self.sources.as_slice() {
            [] => error,
            [one] => error.within(one.display()),
            [first, others @ ..] => {
                error.within(format!("{} and {} more", first.display(), others.len()))
            }
        }
    }
}

/// Opens the files of a fit or a training, whose board must be the one given, if there is one.
///
/// # Errors
/// When they cannot be read, are of different games or boards, or of another board than the given
/// one, or
/// hold no positions.
pub(super) fn open_new(
    game: GameId,
    paths: &[PathBuf],
    wanted: Option<Board>,
    console: &Console,
) -> Result<PositionFiles> {
    let files = PositionFiles::open(game, paths)?;
    note_incomplete(&files, console);
    let board = files.board();
    match wanted.filter(|&wanted| wanted != board) {
        None if files.count() == 0 => Err(Error::input(
            paths.first().map_or("positions".into(), |path| path.display().to_string()),
            "has no positions",
        )
        .remedy("play more games, or name other files")),
        None => Ok(files),
        Some(wanted) => {
            let reason = format!("the positions are of {board}");
            Err(Error::input(format!("board `{wanted}`"), reason).remedy("leave out --board"))
        }
    }
}

/// Notes the unfinished files; files in runs never end with a checksum.
pub(super) fn note_incomplete(files: &PositionFiles, console: &Console) {
    for path in files.incomplete() {
        if !path.parent().is_some_and(crate::run::is_run) {
            console.note(format!("{} is unfinished", path.display()));
        }
    }
}

/// The name of a set that is written to a file: the file's, without its ending.
pub(super) fn name_of(output: &Path, usual: &str) -> String {
    let stem = output.file_stem().map(|stem| stem.to_string_lossy().into_owned());
    stem.filter(|stem| !stem.is_empty()).unwrap_or_else(|| usual.into())
}

/// The provenance of a set made from these positions.
pub(super) fn provenance(paths: &[PathBuf], files: &PositionFiles) -> Provenance {
    let first = files.games().next();
    Provenance {
        run: paths.iter().map(|file| file.display().to_string()).collect::<Vec<_>>().join(" "),
        games: files.games().fold(0, |games, config| config.games.saturating_add(games)),
        limits: first.map_or(String::new(), |config| config.limits.to_string()),
        version: env!("CARGO_PKG_VERSION").into(),
        ..Provenance::default()
    }
}

/// Finds the older positions that a training asks for, and keeps them in its settings.
///
/// # Errors
/// When they cannot be read, have been damaged, or are of another game or board.
pub(super) fn open(
    config: &mut TrainConfig,
    game: GameId,
    board: Board,
    console: &Console,
) -> Result<Option<PositionFiles>> {
    config.check()?;
    let paths = std::mem::take(&mut config.older_from);
    let paths = paths.iter().map(|path| find_positions(path)).collect::<Result<Vec<_>>>()?;
    if paths.is_empty() {
        return Ok(None);
    }
    for path in &paths {
        let (of_game, of_board) = crate::run::older::game_and_board(path)?;
        if (of_game.as_str(), of_board.as_str()) != (game.name, board.to_string().as_str()) {
            let reason = format!("positions of {of_game} on {of_board}, not of {game} on {board}");
            return Err(Error::input(path.display(), reason)
                .remedy("leave it out, or train for that game and board"));
        }
    }
    let (files, older) = open_older(game, &paths)?;
    note_incomplete(&files, console);
    config.older = older;
    Ok(Some(files))
}

/// Decides whether a training begins with the network of the start, and keeps that in its settings.
pub(super) fn begin(config: &mut TrainConfig, start: Option<&WeightSet>, board: Board) {
    let fits = start.is_some_and(|start| config.no_beginning_with(start, board).is_none());
    config.from_start = fits && !config.fresh;
    config.fresh = false;
}

/// The start of a training and its older positions, in words.
pub(super) fn text(config: &TrainConfig, start: Option<&WeightSet>, board: Board) -> String {
    let begun = match start {
        Some(start) if config.from_start => format!("the network of {}", start.name),
        Some(start) => match config.no_beginning_with(start, board) {
            Some(reason) if start.network.is_some() => format!("random numbers: {reason}"),
            _ => "random numbers".into(),
        },
        None => "random numbers".into(),
    };
    if config.older.is_empty() {
        return begun;
    }
    let positions = config.older.iter().map(|file| file.positions).sum();
    let share = config.older_share.unwrap_or(TrainConfig::OLDER_SHARE);
    format!(
        "{begun}; {} older positions, at most {:.0} % of a pass",
        units::count(positions),
        100.0 * share
    )
}

/// The number of older positions.
pub(super) fn count(files: Option<&PositionFiles>) -> u64 {
    files.map_or(0, PositionSource::count)
}
