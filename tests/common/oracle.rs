//! Searches without any pruning, written as plainly as possible: what the program's searches must agree with.

use super::{children, moves};
use sparring::eval::{Evaluator, Score};
use sparring::game::{Foresight, MoveList, Outcome, Position, Side};
use sparring::search::score::{INFINITE, win_at};
use std::collections::HashMap;

/// Whether `side` can force a win within so many plies.
pub fn forces<P: Position>(position: &P, side: Side, plies: u32) -> bool {
    if let Some(outcome) = position.outcome() {
        return outcome == Outcome::Win(side);
    }
    if plies == 0 {
        return false;
    }
    let wins = |child: &P| forces(child, side, plies - 1);
    let children = children(position);
    if position.side_to_move() == side { children.iter().any(wins) } else { children.iter().all(wins) }
}

/// Who wins with best play, and in how many plies; for games without draws whose positions never come back.
pub struct Solver<P: Position>(HashMap<P, (Side, u32)>);

impl<P: Position> Solver<P> {
    /// A solver that knows nothing yet.
    pub fn new() -> Self {
        Self(HashMap::new())
    }

    /// The winner and the plies to the end: as few as the winner, as many as the loser can force.
    pub fn solve(&mut self, position: &P) -> (Side, u32) {
        if let Some(outcome) = position.outcome() {
            let Outcome::Win(winner) = outcome else { panic!("a draw: {}", position.fen()) };
            return (winner, 0);
        }
        if let Some(&known) = self.0.get(position) {
            return known;
        }
        let side = position.side_to_move();
        let results: Vec<(Side, u32)> = children(position).iter().map(|child| self.solve(child)).collect();
        let wins = results.iter().filter(|(winner, _)| *winner == side).map(|&(_, plies)| plies).min();
        let result = match wins {
            Some(plies) => (side, plies + 1),
            None => (side.other(), 1 + results.iter().map(|&(_, plies)| plies).max().unwrap_or(0)),
        };
        self.0.insert(position.clone(), result);
        result
    }
}

/// Who wins with best play, found faster because it stops at the first winning move; for the same games.
pub struct Winners<P: Position>(HashMap<P, Side>);

impl<P: Position> Winners<P> {
    /// Nothing is known yet.
    pub fn new() -> Self {
        Self(HashMap::new())
    }

    /// The winner.
    pub fn winner(&mut self, position: &P) -> Side {
        if let Some(outcome) = position.outcome() {
            let Outcome::Win(winner) = outcome else { panic!("a draw: {}", position.fen()) };
            return winner;
        }
        if let Some(&known) = self.0.get(position) {
            return known;
        }
        let side = position.side_to_move();
        let mut moves = moves(position);
        moves.sort_by_key(|&mv| std::cmp::Reverse(position.move_rank(mv)));
        let wins = moves.into_iter().any(|mv| self.winner(&position.play_unchecked(mv)) == side);
        let winner = if wins { side } else { side.other() };
        self.0.insert(position.clone(), winner);
        winner
    }
}

/// What a game with draws is worth to the first side: 1, 0 or -1.
pub fn value<P: Position>(position: &P, known: &mut HashMap<P, i32>) -> i32 {
    if let Some(outcome) = position.outcome() {
        return i32::from(outcome.half_points(Side::First)) - 1;
    }
    if let Some(&value) = known.get(position) {
        return value;
    }
    let values: Vec<i32> = children(position).iter().map(|child| value(child, known)).collect();
    let best = match position.side_to_move() {
        Side::First => values.into_iter().max(),
        Side::Second => values.into_iter().min(),
    };
    let best = best.unwrap();
    known.insert(position.clone(), best);
    best
}

/// The value of a child seen from the side that moved.
fn from_parent<P: Position>(parent: &P, child: &P, value: Score) -> Score {
    if child.side_to_move() == parent.side_to_move() { value } else { -value }
}

/// The value of a position that is finished or proven by the rules alone.
fn settled<P: Position>(position: &P, ply: usize) -> Option<Score> {
    match (position.outcome(), position.side_to_move()) {
        (Some(Outcome::Draw), _) => return Some(0),
        (Some(Outcome::Win(winner)), side) if winner == side => return Some(win_at(ply)),
        (Some(_), _) => return Some(-win_at(ply)),
        (None, _) if ply == 0 => return None,
        (None, _) => {}
    }
    match position.foresight() {
        Foresight::Win(plies) => Some(win_at(ply + usize::from(plies))),
        Foresight::Loss(plies) => Some(-win_at(ply + usize::from(plies))),
        Foresight::Unknown => None,
    }
}

/// The value at a fixed depth where foresight ends lines, all moves counted. With `threat_plies`, lines end in
/// captures and answers to threats; without, in the static value.
pub fn foreseeing<P: Position, E: Evaluator<P>>(
    position: &P,
    evaluator: &E,
    depth: u32,
    ply: usize,
    threat_plies: Option<u32>,
) -> Score {
    if let Some(score) = settled(position, ply) {
        return score;
    }
    if depth == 0 {
        return match threat_plies {
            Some(threat_plies) => quiet(position, evaluator, ply, threat_plies),
            None => evaluator.evaluate(position),
        };
    }
    let value = |child: &P| {
        from_parent(position, child, foreseeing(child, evaluator, depth - 1, ply + 1, threat_plies))
    };
    children(position).iter().map(value).max().unwrap()
}

/// The value once captures are resolved and threats are answered; `threat_plies` more plies may answer a threat
/// that is not yet at the door.
fn quiet<P: Position, E: Evaluator<P>>(position: &P, evaluator: &E, ply: usize, threat_plies: u32) -> Score {
    if let Some(score) = settled(position, ply) {
        return score;
    }
    let passed = position.pass();
    let threatened = passed.is_some_and(|passed| matches!(passed.foresight(), Foresight::Win(..=3)));
    let (mut best, considered) = if position.must_answer() || (threat_plies > 0 && threatened) {
        (-INFINITE, moves(position))
    } else {
        let mut noisy = MoveList::new();
        position.noisy_moves(&mut noisy);
        (evaluator.evaluate(position), noisy.to_vec())
    };
    for mv in considered {
        let child = position.play(mv);
        let value = quiet(&child, evaluator, ply + 1, threat_plies.saturating_sub(1));
        best = best.max(from_parent(position, &child, value));
    }
    best
}
