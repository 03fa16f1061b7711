//! `--older` and `--fresh`: where a training begins, and the older positions that it takes.

use crate::cli::Console;
use crate::error::{Error, Result};
use crate::game::Board;
use crate::games::GameId;
use crate::report::units;
use crate::run::older::open_older;
use crate::run::positions::PositionFiles;
use crate::tune::logistic::samples::PositionSource;
use crate::tune::network::TrainConfig;
use crate::weights::WeightSet;

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
    for path in
        files.incomplete().iter().filter(|path| !path.parent().is_some_and(crate::run::is_run))
    {
        console.note(format!(
            "{} does not end with a checksum: it is unfinished or was cut",
            path.display()
        ));
    }
    config.older = older;
    Ok(Some(files))
}

/// Decides whether a training begins with the network of the start, and keeps that in its settings.
pub(super) fn begin(config: &mut TrainConfig, start: Option<&WeightSet>, board: Board) {
    let fits = start.is_some_and(|start| config.no_beginning_with(start, board).is_none());
    config.from_start = fits && !config.fresh;
    config.fresh = false;
}

/// The start of a training, and the older positions that it takes.
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
