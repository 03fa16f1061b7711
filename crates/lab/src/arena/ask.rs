//! Asks a player for single moves outside of matches, in positions after random lines.

use super::player::{Forfeit, GamePlayer, MoveChoice, Turn};
use crate::any::AnyOpening;
use crate::error::Result;
use crate::game::Board;
use crate::games::GameId;
use crate::search::{Limits, Stop};
use rand_mt::Mt64;

/// Random plies before each position.
const PLIES: u32 = 8;
/// Random lines tried for one position, since a game may end too early.
const TRIES: u64 = 50;

/// Up to `count` positions after random lines: fewer where these end games. `random` makes the
/// generator of a line from its number and the number of the try.
///
/// # Errors
/// When the game has no such board.
pub(crate) fn random_openings(
    (game, board): (GameId, Board),
    count: u64,
    random: impl Fn(u64, u64) -> Mt64,
) -> Result<Vec<AnyOpening>> {
    let start = game.start(board)?;
    let line =
        |number| (0..TRIES).find_map(|again| start.random_line(PLIES, &mut random(number, again)));
    Ok((0..count).filter_map(line).collect())
}

/// Asks for a move in a new game from an opening. The choice has no move if the player gave up
/// because `interrupt` is set.
///
/// # Errors
/// When the player forfeits.
pub(crate) fn ask(
    player: &mut dyn GamePlayer,
    opening: &AnyOpening,
    limits: &Limits,
    interrupt: &Stop,
) -> std::result::Result<MoveChoice, Forfeit> {
    if !player.new_game(interrupt)? {
        return Ok(MoveChoice::of_move(None));
    }
    player.choose(&Turn {
        opening,
        moves: &[],
        position: &opening.position,
        met: &opening.met(),
        limits,
        clocks: [limits.clock; 2],
        stop: &Stop::default(),
        interrupt,
    })
}
