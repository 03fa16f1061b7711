//! The players of a game: the engine of this program, or an external engine.

use crate::any::{AnyEngine, AnyMove, AnyOpening, AnyPosition};
use crate::error::Error;
use crate::eval::Score;
use crate::game::Repetitions;
use crate::search::{Limits, Stop};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A request for a move: the position, the game so far, and the limits of the search.
#[derive(Debug)]
pub struct Turn<'a> {
    /// The opening of the game.
    pub opening: &'a AnyOpening,
    /// The moves after the opening.
    pub moves: &'a [AnyMove],
    /// The position after them, which is not over.
    pub position: &'a AnyPosition,
    /// How often each position of the game has been met, where that counts.
    pub met: &'a Repetitions,
    /// The limits of this move.
    pub limits: &'a Limits,
    /// Ends the search at once when it is set; its move is then to be ignored.
    pub stop: &'a Stop,
    /// Set when the user wants to end: the game is finished, but not for an engine that hangs.
    pub interrupt: &'a Stop,
}

/// A player's move and the search behind it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoveChoice {
    /// A legal move; `None` when the search was stopped before it had one.
    pub best: Option<AnyMove>,
    /// The score from the side to move, where it can be trusted; a proven one may end the game.
    pub score: Option<Score>,
    /// The last depth finished, in plies; 0 when unknown.
    pub depth: u32,
    /// Nodes visited; 0 when unknown.
    pub nodes: u64,
}

/// A failure that lost a player the game: a crash, an illegal move, no move in time.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Forfeit {
    /// The error.
    pub reason: String,
    /// The last lines that the player wrote.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub last_words: Vec<String>,
}

impl Forfeit {
    /// The error, with the last lines.
    pub fn text(&self) -> String {
        match &self.last_words[..] {
            [] => self.reason.clone(),
            lines => format!("{}; its last words: {}", self.reason, lines.join(" | ")),
        }
    }
}

/// A player of games, one after the other.
pub trait GamePlayer: Send {
    /// Takes the options that it plays the next games with, by name. An engine without any ignores
    /// them.
    fn configure(&mut self, _options: &BTreeMap<String, String>) {}

    /// Gets ready for a game: nothing of an earlier one may be remembered. False when it was given
    /// up since `interrupt` is set.
    ///
    /// # Errors
    /// When that fails: the player loses this game, and is asked again before the next one.
    fn new_game(&mut self, interrupt: &Stop) -> Result<bool, Forfeit>;

    /// Chooses a move.
    ///
    /// # Errors
    /// When the player has no legal move to offer: it loses this game.
    fn choose(&mut self, turn: &Turn) -> Result<MoveChoice, Forfeit>;
}

impl GamePlayer for AnyEngine {
    fn new_game(&mut self, _: &Stop) -> Result<bool, Forfeit> {
        self.clear();
        Ok(true)
    }

    fn choose(&mut self, turn: &Turn) -> Result<MoveChoice, Forfeit> {
        let report = self.search(turn.met, turn.position, turn.limits, turn.stop, None);
        Ok(MoveChoice {
            best: report.best.filter(|_| !turn.stop.is_set()),
            score: Some(report.score),
            depth: report.depth,
            nodes: report.counters.nodes,
        })
    }
}

/// Makes players of one external engine: each thread that plays has a player of its own.
pub trait PlayerFactory: Send + Sync {
    /// Another player, which may put off starting its process until its first game.
    fn new_player(&self) -> Box<dyn GamePlayer>;

    /// The reason why no player of the engine plays on, where they gave up a game without being
    /// asked to.
    fn fault(&self) -> Option<Error> {
        None
    }
}
