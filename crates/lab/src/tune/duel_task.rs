//! A duel to be played, by a thread or by a worker.

use super::space::Space;
use crate::arena::r#match::read_games;
use crate::arena::{
    AgainstOpponent, DuelData, PairJob, PairResult, PairRunner, RemoteJob, SentGames, Task,
};
use crate::error::Result;
use crate::eval::Game;
use crate::game::openings::Opening;
use crate::search::{Limits, SearchConstants, Stop};
use serde_json::Value;
use std::sync::Arc;

/// A duel with all that its games need. Evaluators are made where it is played.
pub(super) struct DuelTask<G: Game> {
    pub(super) runner: PairRunner<G>,
    pub(super) space: Arc<Space>,
    /// The evaluator of the weights that the tune starts from.
    pub(super) start: G::Evaluator,
    /// The values of both sides, see [`Duel`](super::batches::Duel).
    pub(super) values: [Vec<i32>; 2],
    pub(super) opening: Arc<Opening<G>>,
    /// The limits where they are not those of the match.
    pub(super) limits: Option<Limits>,
    pub(super) opponent: Option<AgainstOpponent<G>>,
    pub(super) interrupt: Stop,
}

impl<G: Game> DuelTask<G> {
    fn constants(&self) -> [SearchConstants; 2] {
        self.values.each_ref().map(|side| self.space.constants(side))
    }
}

impl<G: Game> Task for DuelTask<G> {
    type Outcome = Result<PairResult<G>>;

    fn run(&self) -> Self::Outcome {
        if self.interrupt.is_set() {
            return Ok(PairResult::stopped());
        }
        let evaluator = |side| self.space.evaluator::<G>(side, &self.start);
        let [a, b] = self.values.each_ref().map(|side| evaluator(side));
        Ok(self.runner.play(&PairJob {
            opening: self.opening.clone(),
            evaluators: [a?, b?],
            constants: Some(self.constants()),
            limits: self.limits,
            opponent: self.opponent.clone(),
        }))
    }

    fn remote_job(&self) -> Option<RemoteJob> {
        let [a, b] = self.values.each_ref().map(|side| self.space.weights(side));
        let weights = a.zip(b).map(|(a, b)| [a, b]);
        self.runner.remote_job(DuelData {
            opening: &self.opening,
            weights,
            constants: Some(&self.constants()),
            limits: self.limits,
            opponent: self.opponent.as_ref(),
        })
    }

    fn read(&self, result: &Value) -> Result<Self::Outcome> {
        read_games(result, &self.opening, &self.runner).map(Ok)
    }

    fn write(&self, outcome: &Self::Outcome) -> Option<Value> {
        let sent = SentGames::new(&self.opening, outcome.as_ref().ok()?)?;
        serde_json::to_value(sent).ok()
    }

    fn given_up(&self) -> Self::Outcome {
        Ok(PairResult::stopped())
    }

    fn is_interrupted(&self) -> bool {
        self.interrupt.is_set()
    }
}
