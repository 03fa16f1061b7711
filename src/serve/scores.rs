//! The score of every move of a game: of a short search, since games are kept without scores.

use super::limits::{SCORE_NODES, SCORE_TIME};
use crate::error::Result;
use crate::eval::{Evaluator, Game, Score};
use crate::game::{Board, Outcome, Side};
use crate::player::{DefaultWeights, Player};
use crate::search::score::WIN;
use crate::search::{Engine, Limits, Options, Stop};
use std::time::Instant;

/// The transposition table of the search, in bytes.
const TABLE_BYTES: usize = 1 << 20;

/// The scores of a game, from the first side.
pub(super) struct GameScores {
    /// The set that they were searched with, and the nodes.
    pub(super) by: String,
    /// What a piece is worth in them.
    pub(super) unit: Score,
    /// One for each position, as far as the time sufficed.
    pub(super) of_plies: Vec<Option<Score>>,
}

/// Searches positions with the strongest set of a board.
pub(super) struct Scorer<G: Game> {
    engine: Engine<G>,
    name: String,
}

impl<G: Game> Scorer<G> {
    /// # Errors
    /// When no set is shipped for the game.
    pub(super) fn new(board: Board) -> Result<Self> {
        let player = Player::find::<G>(None, DefaultWeights::Strongest(board))?;
        let evaluator = G::evaluator(&player.weights)?;
        let options = Options { table_bytes: TABLE_BYTES, ..Options::default() };
        Ok(Self { engine: Engine::new(evaluator, options), name: player.name })
    }

    /// The scores of the positions of a game.
    pub(super) fn scores(&mut self, positions: &[(Option<G::Move>, G)]) -> GameScores {
        let begun = Instant::now();
        let of_plies = positions.iter().map(|(_, position)| {
            (begun.elapsed() < SCORE_TIME).then(|| self.score(position)).flatten()
        });
        let of_plies = of_plies.collect();
        let by = format!("{} at {SCORE_NODES} nodes a move", self.name);
        GameScores { by, unit: self.engine.evaluator().unit(), of_plies }
    }

    fn score(&mut self, position: &G) -> Option<Score> {
        match position.outcome() {
            Some(Outcome::Win(Side::First)) => return Some(WIN),
            Some(Outcome::Win(Side::Second)) => return Some(-WIN),
            Some(Outcome::Draw) => return Some(0),
            None => {}
        }
        let limits = Limits::nodes(SCORE_NODES);
        let score = self.engine.search(position, &limits, &Stop::default(), &mut |_| {}).score;
        Some(match position.side_to_move() {
            Side::First => score,
            Side::Second => -score,
        })
    }
}
