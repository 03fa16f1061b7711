//! Numbers turned into players: weights into evaluators, constants into ways of searching.

use super::objective::Duel;
use super::space::Space;
use crate::arena::{AgainstOpponent, GameRecord, PairJob, PairResult};
use crate::error::Result;
use crate::eval::Game;
use crate::game::Board;
use crate::game::openings::Opening;
use std::sync::Arc;

/// Makes players from the numbers of a space. Clones share what is large.
pub(super) struct PairBuilder<G: Game> {
    space: Arc<Space>,
    /// Made from the weights that a tune of constants is played with: tables of patterns are made
    /// ready once.
    evaluator: G::Evaluator,
}

impl<G: Game> Clone for PairBuilder<G> {
    fn clone(&self) -> Self {
        Self { space: self.space.clone(), evaluator: self.evaluator.clone() }
    }
}

impl<G: Game> PairBuilder<G> {
    /// Players for the numbers of a space; the evaluator is that of the weights the tune starts
    /// from.
    pub(super) fn new(space: Space, evaluator: G::Evaluator) -> Self {
        Self { space: Arc::new(space), evaluator }
    }

    /// The pair in which the two sides of a trial meet.
    pub(super) fn job(
        &self,
        trial: &Duel,
        opening: Arc<Opening<G>>,
        opponent: Option<AgainstOpponent>,
    ) -> Result<PairJob<G>> {
        let [a, b] = &trial.values;
        if let (Some(a), Some(b)) = (self.space.constants(a), self.space.constants(b)) {
            let evaluators = [self.evaluator.clone(), self.evaluator.clone()];
            return Ok(PairJob { opening, evaluators, constants: Some([a, b]), opponent });
        }
        let evaluators = [G::evaluator(&self.space.set(a)?)?, G::evaluator(&self.space.set(b)?)?];
        Ok(PairJob { opening, evaluators, constants: None, opponent })
    }

    /// The games of a trial, with what both sides played with.
    pub(super) fn games(
        &self,
        trial: &Duel,
        number: u64,
        board: Board,
        opening: &Opening<G>,
        result: &PairResult<G>,
    ) -> [GameRecord; 2] {
        let names = if trial.probe { ["answer", "start"] } else { ["plus", "minus"] };
        let [a, b] = &trial.values;
        let games = |weights| GameRecord::of_pair(number, board, names, opening, result, weights);
        match (self.space.constants(a), self.space.constants(b)) {
            (Some(a), Some(b)) => GameRecord::with_constants(games(None), [&a, &b]),
            _ => games(Some([a, b])),
        }
    }
}
