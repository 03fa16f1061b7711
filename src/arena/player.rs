//! Who plays a game: the engine of this program, or a guest that only the trait knows.

use crate::eval::{Game, Score};
use crate::game::openings::Opening;
use crate::game::{Position, Repetitions};
use crate::search::{Engine, Limits, SearchConstants, Stop};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// What a player is asked: the position, how it came about, and how long to think.
#[derive(Debug)]
pub struct Turn<'a, P: Position> {
    /// The opening of the game.
    pub opening: &'a Opening<P>,
    /// The moves after the opening.
    pub moves: &'a [P::Move],
    /// The position after them, which is not over.
    pub position: &'a P,
    /// How often each position of the game has been met, where that counts.
    pub met: &'a Repetitions,
    /// The limits of this move.
    pub limits: &'a Limits,
    /// Ends the search at once when it is set; its move is then of no use.
    pub stop: &'a Stop,
}

/// What a player answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoveChoice<P: Position> {
    /// A legal move; `None` when the search was stopped before it had one.
    pub best: Option<P::Move>,
    /// The score from the side to move, where it can be trusted; a proven one may end the game.
    pub score: Option<Score>,
    /// The last depth finished, in plies; 0 when unknown.
    pub depth: u32,
    /// Nodes visited; 0 when unknown.
    pub nodes: u64,
}

/// Why a player has lost a game without a move on the board.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Forfeit {
    /// What went wrong.
    pub reason: String,
    /// The last lines that the player wrote.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub last_words: Vec<String>,
}

/// Somebody who plays games, one after the other.
pub trait Player<P: Position>: Send {
    /// Gets ready for a game: nothing of an earlier one may be remembered.
    ///
    /// # Errors
    /// When that fails: the player loses this game, and is asked again before the next one.
    fn new_game(&mut self) -> Result<(), Forfeit>;

    /// Chooses a move.
    ///
    /// # Errors
    /// When there is none that counts: the player loses this game.
    fn choose(&mut self, turn: &Turn<P>) -> Result<MoveChoice<P>, Forfeit>;
}

impl<G: Game> Player<G> for Engine<G> {
    fn new_game(&mut self) -> Result<(), Forfeit> {
        self.clear();
        Ok(())
    }

    fn choose(&mut self, turn: &Turn<G>) -> Result<MoveChoice<G>, Forfeit> {
        let report =
            self.search_after(turn.met, turn.position, turn.limits, turn.stop, &mut |_| {});
        Ok(MoveChoice {
            best: report.best.filter(|_| !turn.stop.is_set()),
            score: Some(report.score),
            depth: report.depth,
            nodes: report.counters.nodes,
        })
    }
}

/// Where guests come from: each thread that plays asks for one of its own.
pub trait PlayerFactory<P: Position>: Send + Sync {
    /// Another guest. It may put off all work to its first game.
    fn invite(&self) -> Box<dyn Player<P>>;
}

/// The places of a match that guests take: player A's and player B's.
pub type PlayerFactories<P> = [Option<Arc<dyn PlayerFactory<P>>>; 2];

/// Engines that visit pairs: see [`AgainstOpponent`](super::Visit).
pub struct Opponents<P: Position> {
    /// Where they come from.
    pub engines: Vec<Arc<dyn PlayerFactory<P>>>,
    /// The limits of each of their moves.
    pub limits: Limits,
}

impl<P: Position> Opponents<P> {
    /// Nobody.
    pub fn none(limits: Limits) -> Self {
        Self { engines: Vec::new(), limits }
    }
}

/// One place at the board. The built-in engine is called directly.
pub(super) enum PlayerSlot<G: Game> {
    Engine(Box<Engine<G>>),
    Guest(Box<dyn Player<G>>),
}

impl<G: Game> PlayerSlot<G> {
    /// Gives the engine another evaluator; a guest has no use for one.
    pub(super) fn set_evaluator(&mut self, evaluator: G::Evaluator) {
        if let PlayerSlot::Engine(engine) = self {
            engine.set_evaluator(evaluator);
        }
    }

    /// Gives the engine other constants; a guest has no use for them.
    pub(super) fn set_params(&mut self, params: &SearchConstants) {
        if let PlayerSlot::Engine(engine) = self {
            engine.set_params(params);
        }
    }
}

impl<G: Game> Player<G> for PlayerSlot<G> {
    fn new_game(&mut self) -> Result<(), Forfeit> {
        match self {
            PlayerSlot::Engine(engine) => Player::new_game(&mut **engine),
            PlayerSlot::Guest(guest) => guest.new_game(),
        }
    }

    fn choose(&mut self, turn: &Turn<G>) -> Result<MoveChoice<G>, Forfeit> {
        match self {
            PlayerSlot::Engine(engine) => engine.choose(turn),
            PlayerSlot::Guest(guest) => guest.choose(turn),
        }
    }
}
