//! Players named on the command line.

use crate::any::AnyEvaluator;
use crate::cli::{Console, SearchArg, find_player};
use crate::error::{Error, Result};
use crate::eval::features::check_board;
use crate::game::Board;
use crate::games::GameId;
use crate::player::{DefaultWeights, Player};
use crate::protocol::external_engine::COMMAND_PREFIX;
use crate::search::Algorithm;
use crate::weights::WeightSet;

/// A player with the evaluator made from its weights, which takes a while where they have tables.
#[derive(Clone)]
pub struct LoadedPlayer {
    /// Its weights and constants.
    pub player: Player,
    /// The evaluator made from its weights.
    pub evaluator: AnyEvaluator,
}

impl LoadedPlayer {
    /// The player that a command's argument names, as [`find_player`].
    ///
    /// # Errors
    /// When there is no such player, or it does not fit the game.
    pub fn find(
        game: GameId,
        name: Option<&str>,
        default: DefaultWeights,
        console: &Console,
    ) -> Result<Self> {
        if let Some(name) = name.filter(|name| name.starts_with(COMMAND_PREFIX)) {
            return Err(Error::input(format!("player `{name}`"), "only a weight set works here")
                .remedy(
                    "name a weight file, a shipped set or a run; `spar weights list` lists them",
                ));
        }
        let player = find_player(game, name, default, console)?;
        let evaluator = game.evaluator(&player.weights)?;
        Ok(Self { player, evaluator })
    }

    /// The player for a board: the named one or the board's strongest set, with the constants given
    /// for its search.
    ///
    /// # Errors
    /// As [`find`](Self::find), and when its tables are for another board or the constants for
    /// another game.
    pub fn on_board(
        game: GameId,
        name: Option<&str>,
        board: Board,
        (search, algorithm): (&SearchArg, Algorithm),
        console: &Console,
    ) -> Result<Self> {
        let mut loaded = Self::find(game, name, DefaultWeights::Strongest(board), console)?;
        warn_board(&loaded.player, board, console)?;
        search.change(&mut loaded.player, algorithm, board, console)?;
        Ok(loaded)
    }
}

/// Warns on stderr when a player's weights were made for another board.
///
/// # Errors
/// When they have tables for another board, which cannot be used on this one.
pub fn warn_board(player: &Player, board: Board, console: &Console) -> Result<()> {
    let Player { name, weights, .. } = player;
    check_board(weights, name, board)?;
    if !weights.fits_board(board) {
        let own = weights.board.as_deref().unwrap_or_default();
        console.note(format!("{name} was made for {own}, and plays on {board}"));
    }
    Ok(())
}

/// The game that a weight set says it is for.
///
/// # Errors
/// When the program does not know it.
pub fn game_of(set: &WeightSet, place: &str) -> Result<GameId> {
    set.game.parse().map_err(|error: Error| error.within(format!("{place}, key `game`")))
}
