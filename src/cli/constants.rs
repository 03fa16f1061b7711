//! Constants of the search named on the command line: files that a tune wrote, and single values.

use super::named::find_constants;
use crate::cli::Console;
use crate::error::{Error, Result};
use crate::game::Board;
use crate::player::Player;
use crate::search::{Algorithm, SearchConstants};
use clap::Args;
use std::path::{Path, PathBuf};

/// The constants that an engine searches with.
#[derive(Args, Clone, Debug, Default)]
pub struct SearchArg {
    /// Constants of the search: a file that `tune --target search` wrote, or NAME=VALUE; may be
    /// repeated, the last one counts
    #[arg(long, value_name = "FILE|NAME=VALUE", value_parser = parse_change, allow_hyphen_values = true, help_heading = "Search")]
    search: Vec<ConstantChange>,
}

impl SearchArg {
    /// Changes the constants of a player; `board` is the board that it will play on, if known.
    ///
    /// # Errors
    /// As [`change`].
    pub fn change(
        &self,
        player: &mut Player,
        algorithm: Algorithm,
        board: impl Into<Option<Board>>,
        console: &Console,
    ) -> Result<()> {
        change(player, &self.search, algorithm, board, console)
    }

    /// The constants given on the command line, in order.
    ///
    /// # Errors
    /// When a file cannot be read, holds no search constants, or is for another game.
    pub fn values(
        &self,
        game: &str,
        board: Board,
        console: &Console,
    ) -> Result<Vec<(&'static str, i32)>> {
        values(&self.search, game, Some(board), console)
    }
}

/// Applies the changes to a player's constants in order; `board` is the board it will play on, if
/// known.
///
/// # Errors
/// When a file cannot be read, holds no search constants, or is for another game.
pub fn change(
    player: &mut Player,
    changes: &[ConstantChange],
    algorithm: Algorithm,
    board: impl Into<Option<Board>>,
    console: &Console,
) -> Result<()> {
    let before = player.constants.clone();
    let values = values(changes, &player.weights.game, board.into(), console)?;
    note_unused(&values, algorithm, console);
    for (name, value) in values {
        player.constants.set(name, value);
    }
    if player.constants != before {
        // The provenance describes the unchanged player.
        player.weights.provenance = None;
    }
    Ok(())
}

/// Notes that constants change nothing, if the search reads none of them. Files may have constants
/// of several searches.
fn note_unused(values: &[(&'static str, i32)], algorithm: Algorithm, console: &Console) {
    let own = algorithm.constants();
    let is_read = |name: &str| own.iter().any(|info| info.name == name);
    let unread: Vec<&str> =
        values.iter().map(|&(name, _)| name).filter(|name| !is_read(name)).collect();
    if own.is_empty() && !values.is_empty() {
        console.note(format!("the {algorithm} search has no constants: these change nothing"));
    } else if unread.len() == values.len() && !values.is_empty() {
        console.note(format!("the {algorithm} search does not read {}", unread.join(", ")));
    }
}

/// The values that the changes give constants, in order.
///
/// # Errors
/// When a file cannot be read, holds no search constants, or is for another game.
fn values(
    changes: &[ConstantChange],
    game: &str,
    board: Option<Board>,
    console: &Console,
) -> Result<Vec<(&'static str, i32)>> {
    let mut values = Vec::new();
    for change in changes {
        match change {
            ConstantChange::File(path) => {
                let constants = load(path, game, board, console)?;
                let own = |name: &'static str| Some((name, constants.get(name)?));
                values.extend(SearchConstants::every().filter_map(|info| own(info.name)));
            }
            ConstantChange::One(name, value) => values.push((*name, *value)),
        }
    }
    Ok(values)
}

/// A change of the constants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ConstantChange {
    /// All of them, by a file.
    File(PathBuf),
    /// A single constant and its value.
    One(&'static str, i32),
}

/// Reads a change: `NAME=VALUE`, or the path of a file.
///
/// # Errors
/// When there is no such constant, or the value is not a number or out of the constant's range.
pub fn parse_change(text: &str) -> Result<ConstantChange> {
    let is_name = |name: &str| name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    let Some((name, value)) = text.split_once('=').filter(|(name, _)| is_name(name.trim())) else {
        return Ok(ConstantChange::File(text.into()));
    };
    let info = SearchConstants::info(name.trim())?;
    let value: i64 = value.trim().parse().map_err(|_| {
        Error::input(format!("constant `{text}`"), "not NAME=VALUE")
            .remedy("write for example razor_margin=150")
    })?;
    Ok(ConstantChange::One(info.name, info.check(value)?))
}

fn load(
    path: &Path,
    game: &str,
    board: Option<Board>,
    console: &Console,
) -> Result<SearchConstants> {
    let (place, file) = find_constants(path, game, console)?;
    file.check_game(&place, game)?;
    let Some(values) = &file.search else {
        return Err(Error::input(place, "the file has no search constants")
            .remedy("name a file that `spar tune --target search` wrote"));
    };
    if let Some(board) = board.filter(|&board| !file.fits_board(board)) {
        let own = file.board.as_deref().unwrap_or_default();
        console.note(format!("{place} was tuned on {own}, and is used on {board}"));
    }
    SearchConstants::from_map(values, &place)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::GameId;
    use crate::player::DefaultWeights;

    #[test]
    fn values_and_files_are_told_apart() {
        assert_eq!(
            parse_change("razor_margin = 150").unwrap(),
            ConstantChange::One("razor_margin", 150)
        );
        assert_eq!(
            parse_change("reduction_base=-5").unwrap(),
            ConstantChange::One("reduction_base", -5)
        );
        assert_eq!(parse_change("tree_scale=90").unwrap(), ConstantChange::One("tree_scale", 90));
        for path in ["search.json", "runs/seed=3/search.json", "./a=1"] {
            assert_eq!(parse_change(path).unwrap(), ConstantChange::File(path.into()));
        }
        for bad in [
            "razor_margn=150",
            "razor_margin=",
            "razor_margin=1.5",
            "razor_margin=9",
            "tree_scale=9",
            "=3",
        ] {
            assert!(parse_change(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn the_last_change_counts() {
        let console = Console::default();
        let default = DefaultWeights::HandMade;
        let mut player = Player::find(GameId::default(), Some("spsa"), default).unwrap();
        let mut change = |changes: &[&str]| {
            let changes: Vec<_> = changes.iter().map(|text| parse_change(text).unwrap()).collect();
            super::change(&mut player, &changes, Algorithm::Full, Board::new(8, 8), &console)
                .unwrap();
            (player.constants.razor_depth, player.weights.provenance.is_some())
        };
        assert_eq!(change(&["null_depth=2"]), (2, true));
        assert_eq!(change(&["razor_depth=1", "razor_depth=3"]), (3, false));
    }
}
