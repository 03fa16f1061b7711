//! A second implementation of a game's rules, on an array of squares: slow, plain, and independent
//! of the program's own.

use sparring::game::{Outcome, Position};
use std::fmt::Debug;

/// A board as an array.
pub trait ArrayBoard: Clone + Debug + PartialEq {
    type Game: Position;
    /// A move as this board names it.
    type Step: Copy + Debug + Ord;

    /// The board of a position.
    fn of(position: &Self::Game) -> Self;

    /// A move of the game as this board names it.
    fn step(mv: <Self::Game as Position>::Move) -> Self::Step;

    /// How the game has ended.
    fn outcome(&self) -> Option<Outcome>;

    /// The legal moves: none when the game is over.
    fn moves(&self) -> Vec<Self::Step>;

    /// The board after a legal move.
    fn after(&self, step: Self::Step) -> Self;

    /// The number of lines of this many plies.
    fn count(&self, depth: u32) -> u64 {
        let moves = if depth == 0 { return 1 } else { self.moves() };
        if depth == 1 {
            return moves.len() as u64;
        }
        moves.into_iter().map(|step| self.after(step).count(depth - 1)).sum()
    }
}
