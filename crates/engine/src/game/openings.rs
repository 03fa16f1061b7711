//! Random openings: lines of random plies from the starting position.

use super::{Board, MoveList, Notation, Position};
use crate::error::Result;
use rand_mt::Mt64;

/// The greatest number of random plies that an opening may have. No game here lasts as long.
pub const MOST_OPENING_PLIES: u32 = 1000;

/// An opening: its moves and the position they lead to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opening<P: Position> {
    /// The moves from the starting position.
    pub moves: Vec<P::Move>,
    /// The position after the moves, never a finished one.
    pub position: P,
}

impl<P: Position> Opening<P> {
    /// An opening without any moves.
    ///
    /// # Errors
    /// When the game does not support the board.
    pub fn start(board: Board) -> Result<Self> {
        Ok(Self { moves: Vec::new(), position: P::start(board)? })
    }

    /// The moves as text, separated by spaces.
    pub fn text(&self, board: Board) -> String
    where
        P: Notation,
    {
        P::start(board).map_or_else(|_| String::new(), |start| start.line_text(&self.moves))
    }

    /// Plays `plies` uniformly random moves from `start`, and more to the end of a turn begun;
    /// `None` when the game ends on the way.
    pub fn random(start: &P, plies: u32, generator: &mut Mt64) -> Option<Self> {
        let mut position = start.clone();
        let mut played = Vec::new();
        let mut moves = MoveList::new();
        while played.len() < plies as usize || position.plies_made() > 0 {
            moves.clear();
            position.moves(&mut moves);
            let mv = *moves.get(below(generator, moves.len() as u64) as usize)?;
            position = position.play_unchecked(mv);
            played.push(mv);
        }
        position.outcome().is_none().then_some(Self { moves: played, position })
    }
}

/// A random number below `bound` (0 if `bound` is 0), by Lemire's multiplication with rejection:
/// exactly uniform, and the same on every platform.
pub fn below(generator: &mut Mt64, bound: u64) -> u64 {
    if bound == 0 {
        return 0;
    }
    let threshold = bound.wrapping_neg() % bound;
    loop {
        let product = u128::from(generator.next_u64()) * u128::from(bound);
        if product as u64 >= threshold {
            return (product >> 64) as u64;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::Breakthrough;

    #[test]
    fn the_generator_is_the_reference_one() {
        assert_eq!(Mt64::new(5489).next_u64(), 14_514_284_786_278_117_030);
    }

    #[test]
    fn random_openings_are_a_function_of_the_seed() {
        let start = Breakthrough::start(Board::new(8, 8)).unwrap();
        let draw = |seed| Opening::random(&start, 8, &mut Mt64::new(seed)).unwrap();
        assert_eq!(draw(7), draw(7));
        assert_ne!(draw(7), draw(8));
        assert_eq!(draw(7).moves.len(), 8);
    }

    #[test]
    fn numbers_below_a_bound_are_uniform() {
        let mut generator = Mt64::new(1);
        let mut counts = [0u32; 5];
        for _ in 0..50_000 {
            counts[below(&mut generator, 5) as usize] += 1;
        }
        assert!(counts.iter().all(|&count| (9_600..10_400).contains(&count)), "{counts:?}");
    }
}
