//! Searches without any pruning, written as plainly as possible: the references for the program's
//! searches.

use super::{children, moves};
use foldhash::{HashMap, HashMapExt};
use sparring::eval::Game;
use sparring::eval::{Evaluator, Score};
use sparring::game::{Foresight, MoveList, Outcome, Position, Side};
use sparring::search::score::{INFINITE, win_at};

/// Whether `side` can force a win within this many plies.
pub fn forces<P: Game>(position: &P, side: Side, plies: u32) -> bool {
    if let Some(outcome) = position.outcome() {
        return outcome == Outcome::Win(side);
    }
    if plies == 0 {
        return false;
    }
    let mut moves = moves(position).into_iter();
    let wins = |mv| forces(&position.play_unchecked(mv), side, plies - 1);
    if position.side_to_move() == side { moves.any(wins) } else { moves.all(wins) }
}

/// Who wins with best play, and in how many plies; for games without draws whose positions never
/// repeat.
pub struct Solver<P: Game>(HashMap<P, (Side, u32)>);

impl<P: Game> Solver<P> {
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
        let results: Vec<(Side, u32)> =
            children(position).iter().map(|child| self.solve(child)).collect();
        let wins =
            results.iter().filter(|(winner, _)| *winner == side).map(|&(_, plies)| plies).min();
        let result = match wins {
            Some(plies) => (side, plies + 1),
            None => (side.other(), 1 + results.iter().map(|&(_, plies)| plies).max().unwrap_or(0)),
        };
        self.0.insert(position.clone(), result);
        result
    }
}

/// Who wins with best play, found faster because it stops at the first winning move; for the same
/// games.
pub struct Winners<P: Game>(HashMap<P, Side>);

impl<P: Game> Winners<P> {
    /// A solver that knows no winner yet.
    pub fn new() -> Self {
        Self(HashMap::new())
    }

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

/// The value of a game with draws to the first side: 1, 0 or -1.
pub fn value<P: Game>(position: &P, known: &mut HashMap<P, i32>) -> i32 {
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
fn from_parent<P: Game>(parent: &P, child: &P, value: Score) -> Score {
    if child.side_to_move() == parent.side_to_move() { value } else { -value }
}

/// A search without pruning where foresight ends lines, all moves counted.
pub struct Foreseeing<'a, E> {
    evaluator: &'a E,
    /// If set, lines end in a search of captures and answers to threats, which may spend this many
    /// more plies on threats that are not immediate; if not, lines end in the static value.
    threat_plies: Option<u32>,
    /// The positions on the way from the root.
    line: Vec<u64>,
}

impl<'a, E> Foreseeing<'a, E> {
    pub fn new(evaluator: &'a E, threat_plies: Option<u32>) -> Self {
        Self { evaluator, threat_plies, line: Vec::new() }
    }

    /// The value of a root at a depth.
    pub fn value<P: Game>(&mut self, position: &P, depth: u32) -> Score
    where
        E: Evaluator<P>,
    {
        if let Some(score) = self.settled(position) {
            return score;
        }
        match (depth, self.threat_plies) {
            (0, None) => self.evaluator.evaluate(position),
            (0, Some(threat_plies)) => self.quiet(position, threat_plies),
            _ => {
                self.best(position, moves(position), |search, child| search.value(child, depth - 1))
            }
        }
    }

    /// The value of the best of these moves.
    fn best<P: Game>(
        &mut self,
        position: &P,
        moves: Vec<P::Move>,
        value: impl Fn(&mut Self, &P) -> Score,
    ) -> Score {
        self.line.push(position.repetition_key());
        let children = moves.into_iter().map(|mv| position.play(mv));
        let best = children.map(|child| from_parent(position, &child, value(self, &child))).max();
        self.line.pop();
        best.unwrap_or(-INFINITE)
    }

    /// The value of a position that is finished, has been met before, or is proven by the rules
    /// alone.
    fn settled<P: Game>(&self, position: &P) -> Option<Score> {
        let ply = self.line.len();
        match (position.outcome(), position.side_to_move()) {
            (Some(Outcome::Draw), _) => return Some(0),
            (Some(Outcome::Win(winner)), side) if winner == side => return Some(win_at(ply)),
            (Some(_), _) => return Some(-win_at(ply)),
            (None, _) if ply == 0 => return None,
            (None, _) if P::REPEATS && self.line.contains(&position.repetition_key()) => {
                return Some(0);
            }
            (None, _) => {}
        }
        match position.foresight() {
            Foresight::Win(plies) => Some(win_at(ply + usize::from(plies))),
            Foresight::Loss(plies) => Some(-win_at(ply + usize::from(plies))),
            Foresight::Unknown => None,
        }
    }

    /// The value once captures are resolved and threats are answered.
    fn quiet<P: Game>(&mut self, position: &P, threat_plies: u32) -> Score
    where
        E: Evaluator<P>,
    {
        if let Some(score) = self.settled(position) {
            return score;
        }
        let passed = position.pass();
        let threatened =
            passed.is_some_and(|passed| matches!(passed.foresight(), Foresight::Win(..=3)));
        let answered = P::TURN_PLIES == 1 && threat_plies > 0 && threatened;
        let (least, considered) = if position.must_answer() || answered {
            (-INFINITE, moves(position))
        } else {
            let mut noisy = MoveList::new();
            position.noisy_moves(&mut noisy);
            (self.evaluator.evaluate(position), noisy.to_vec())
        };
        let left = threat_plies.saturating_sub(1);
        self.best(position, considered, |search, child| search.quiet(child, left)).max(least)
    }
}
