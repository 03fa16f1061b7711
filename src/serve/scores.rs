//! The score of every move of a game, by a short search: games are stored without scores.

use super::limits::{SCORE_NODES, SCORE_TIME};
use crate::any::{AnyEngine, AnyMove, AnyPosition};
use crate::error::Result;
use crate::eval::Score;
use crate::game::{Board, Outcome, Repetitions, Side};
use crate::games::GameId;
use crate::player::{DefaultWeights, Player};
use crate::search::score::WIN;
use crate::search::{Limits, Options, Stop};
use std::time::Instant;

/// The transposition table of the search, in bytes.
const TABLE_BYTES: usize = 1 << 20;

/// The scores of a game, from the first side.
pub(super) struct GameScores {
    /// The set that searched, and the nodes of each search.
    pub(super) by: String,
    /// The worth of a piece in these units.
    pub(super) unit: Score,
    /// One for each position; `None` once the time has run out.
    pub(super) of_plies: Vec<Option<Score>>,
}

/// Searches positions with the strongest set of a board.
pub(super) struct Scorer {
    engine: AnyEngine,
    name: String,
}

impl Scorer {
    /// # Errors
    /// When no set is shipped for the game.
    pub(super) fn new(game: GameId, board: Board) -> Result<Self> {
        let player = Player::find(game, None, DefaultWeights::Strongest(board))?;
        let evaluator = game.evaluator(&player.weights)?;
        let options = Options { table_bytes: TABLE_BYTES, ..Options::default() };
        Ok(Self { engine: evaluator.engine(options), name: player.name })
    }

    /// The scores of the positions of a game.
    pub(super) fn scores(&mut self, positions: &[(Option<AnyMove>, AnyPosition)]) -> GameScores {
        let begun = Instant::now();
        let of_plies = positions.iter().map(|(_, position)| {
            (begun.elapsed() < SCORE_TIME).then(|| self.score(position)).flatten()
        });
        let of_plies = of_plies.collect();
        let by = format!("{} at {SCORE_NODES} nodes a move", self.name);
        GameScores { by, unit: self.engine.unit(), of_plies }
    }

    fn score(&mut self, position: &AnyPosition) -> Option<Score> {
        match position.outcome() {
            Some(Outcome::Win(Side::First)) => return Some(WIN),
            Some(Outcome::Win(Side::Second)) => return Some(-WIN),
            Some(Outcome::Draw) => return Some(0),
            None => {}
        }
        let (met, limits) = (Repetitions::default(), Limits::nodes(SCORE_NODES));
        let score = self.engine.search(&met, position, &limits, &Stop::default(), None).score;
        Some(match position.side_to_move() {
            Side::First => score,
            Side::Second => -score,
        })
    }
}
