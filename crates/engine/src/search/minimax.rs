//! The reference value of a search, without any pruning. Every exact search is tested against it.

use super::score::{DRAWN, terminal};
use crate::eval::{Evaluator, Game, Score};
use crate::game::{MoveList, Repetitions};

/// The minimax value of a position at a fixed depth, from the side to move. Wins count from `ply`.
/// In a game with draws by repetition, a repetition within the line is a draw.
pub fn minimax<P: Game, E: Evaluator<P>>(
    position: &P,
    evaluator: &E,
    depth: u32,
    ply: usize,
) -> Score {
    minimax_after(&Repetitions::default(), position, evaluator, depth, ply)
}

/// The same, given the earlier positions of the game. A position whose next occurrence is a draw
/// counts as a draw too.
pub fn minimax_after<P: Game, E: Evaluator<P>>(
    met: &Repetitions,
    position: &P,
    evaluator: &E,
    depth: u32,
    ply: usize,
) -> Score {
    Minimax { evaluator, drawn: met.at_the_last().collect(), line: Vec::new() }
        .value(position, depth, ply)
}

struct Minimax<'a, E> {
    evaluator: &'a E,
    /// The keys of the game's positions whose next occurrence is a draw.
    drawn: Vec<u64>,
    /// The keys of the positions from the root to the current one, exclusive.
    line: Vec<u64>,
}

impl<E> Minimax<'_, E> {
    fn value<P: Game>(&mut self, position: &P, depth: u32, ply: usize) -> Score
    where
        E: Evaluator<P>,
    {
        if let Some(outcome) = position.outcome() {
            return terminal(outcome, position.side_to_move(), ply);
        }
        let key = position.repetition_key();
        let is_met = self.line.contains(&key) || !self.line.is_empty() && self.drawn.contains(&key);
        if P::REPEATS && is_met {
            return DRAWN;
        }
        if depth == 0 {
            return self.evaluator.evaluate(position);
        }
        let mut moves = MoveList::new();
        position.moves(&mut moves);
        self.line.push(key);
        let value = |mv: &P::Move| {
            let child = position.play_unchecked(*mv);
            let value = self.value(&child, depth - 1, ply + 1);
            if child.side_to_move() == position.side_to_move() { value } else { -value }
        };
        let best = moves.iter().map(value).max();
        self.line.pop();
        best.unwrap_or(DRAWN)
    }
}
