//! One game between two engines.

use crate::eval::Evaluated;
use crate::game::openings::Opening;
use crate::game::{Outcome, Position, Side};
use crate::search::score::is_proven;
use crate::search::{Engine, Limits, Stop};
use serde::{Deserialize, Serialize};

/// A game longer than this is a draw. No game here gets near it by its own rules.
const MOST_PLIES: usize = 2000;

/// When a game is ended before the rules end it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Adjudication {
    /// Never: games are short.
    #[default]
    Never,
    /// When one side has proven a win and the other, on its next move, its loss.
    Proven,
}

/// Why a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Ending {
    /// By the rules.
    Rules,
    /// Both sides had proven the result.
    Adjudicated,
    /// It became too long, and is a draw.
    Length,
    /// The search was told to stop; the game does not count.
    Stopped,
}

/// What a side's searches came to in a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SideTotals {
    /// Moves chosen.
    pub moves: u64,
    /// Nodes visited for them.
    pub nodes: u64,
    /// The depths finished, summed over the moves, in plies.
    pub depth_sum: u64,
}

impl SideTotals {
    /// Adds another side's totals.
    pub fn add(&mut self, other: Self) {
        self.moves += other.moves;
        self.nodes += other.nodes;
        self.depth_sum += other.depth_sum;
    }

    /// The depth finished on average, in plies; `None` without moves.
    pub fn mean_depth(&self) -> Option<f64> {
        (self.moves > 0).then(|| self.depth_sum as f64 / self.moves as f64)
    }
}

/// A game that has been played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameResult<P: Position> {
    /// The moves after the opening.
    pub moves: Vec<P::Move>,
    /// How it ended.
    pub outcome: Outcome,
    /// Why it ended.
    pub ending: Ending,
    /// The totals of the side that moves first in the game's starting position, and of the other.
    pub totals: [SideTotals; 2],
}

/// Plays a game from an opening; `players` are the engines of the first and the second side with the limits of
/// their moves. Tables are cleared first.
pub fn play_game<P: Evaluated>(
    opening: &Opening<P>,
    players: [(&mut Engine<P>, &Limits); 2],
    adjudication: Adjudication,
    stop: &Stop,
) -> GameResult<P> {
    let mut position = opening.position.clone();
    let mut game = GameResult {
        moves: Vec::new(),
        outcome: Outcome::Draw,
        ending: Ending::Rules,
        totals: [SideTotals::default(); 2],
    };
    let mut players = players.map(|(engine, limits)| {
        engine.clear();
        (engine, limits)
    });
    let mut winner_by_proof: Option<Side> = None;
    loop {
        if let Some(outcome) = position.outcome() {
            game.outcome = outcome;
            return game;
        }
        if game.moves.len() >= MOST_PLIES {
            game.ending = Ending::Length;
            return game;
        }
        let side = position.side_to_move();
        let (engine, limits) = &mut players[side.index()];
        let report = engine.search(&position, limits, stop, &mut |_| {});
        let (Some(best), false) = (report.best, stop.is_set()) else {
            game.ending = Ending::Stopped;
            return game;
        };
        let totals = &mut game.totals[side.index()];
        totals.moves += 1;
        totals.nodes += report.counters.nodes;
        totals.depth_sum += u64::from(report.depth);
        if adjudication == Adjudication::Proven {
            let winner = is_proven(report.score).then(|| if report.score > 0 { side } else { side.other() });
            if let Some(winner) = winner.filter(|_| winner == winner_by_proof && !game.moves.is_empty()) {
                game.outcome = Outcome::Win(winner);
                game.ending = Ending::Adjudicated;
                return game;
            }
            winner_by_proof = winner;
        }
        game.moves.push(best);
        position = position.play_unchecked(best);
    }
}
