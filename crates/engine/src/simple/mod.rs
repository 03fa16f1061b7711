//! A game in a page of code. The game implements the small traits [`Rules`] and [`Features`], and
//! [`Simple`] derives the traits of [`game`](crate::game) and [`eval`](crate::eval) from them:
//! text, diagrams, keys, packing, search hints and the evaluator.
//!
//! Squares are numbered row x 8 + column, a1 = 0; on boards of more than eight columns row x
//! columns + column. The helpers for sets of squares, [`bitboard`](crate::game::bitboard),
//! therefore work on boards of up to 8x8.
//!
//! The layer is for games of two sides that take turns of one move on one board of at most
//! [`MAX_SQUARES`] squares. A move drops a piece on a square or moves a piece from a square to
//! another, and is named by these squares. A position consists of the squares, the side to move and
//! a [clock](Rules::clock). A game that needs more, or networks, implements the full traits.
//!
//! ```
//! use sparring_engine::simple::*;
//!
//! #[derive(Clone, PartialEq, Eq, Hash, Debug)]
//! struct TicTacToe { taken: [u64; 2], side: Side }
//!
//! const BOARD: u64 = board_squares(3, 3);
//! const LINES: [u64; 8] = [0x7, 0x700, 0x70000, 0x10101, 0x20202, 0x40404, 0x40201, 0x10204];
//!
//! impl TicTacToe {
//!     fn lines(&self, side: Side, count: i32) -> i32 {
//!         let [own, other] = side.ordered(self.taken[0], self.taken[1]);
//!         LINES.iter().filter(|&line| line & other == 0 && ones(line & own) == count).count() as i32
//!     }
//! }
//!
//! impl Rules for TicTacToe {
//!     const NAME: &'static str = "tictactoe";
//!     const BOARD: Board = Board::new(3, 3);
//!     const SIGNS: [&'static str; 2] = ["x", "o"];
//!     const START: &'static str = "3/3/3 x";
//!
//!     fn from_squares(squares: &Squares, side: Side) -> Result<Self, &'static str> {
//!         Ok(Self { taken: squares.narrow(), side })
//!     }
//!     fn squares(&self) -> Squares {
//!         Squares::of_sets(&self.taken)
//!     }
//!     fn side_to_move(&self) -> Side {
//!         self.side
//!     }
//!     fn outcome(&self) -> Option<Outcome> {
//!         let winner = Side::BOTH.into_iter().find(|&side| self.lines(side, 3) > 0);
//!         let is_full = self.taken[0] | self.taken[1] == BOARD;
//!         winner.map(Outcome::Win).or(is_full.then_some(Outcome::Draw))
//!     }
//!     fn moves(&self, list: &mut Moves) {
//!         for square in each(BOARD & !(self.taken[0] | self.taken[1])) {
//!             list.drop(square);
//!         }
//!     }
//!     fn play(&mut self, mv: Move) {
//!         self.taken[self.side.index()] |= 1 << mv.to();
//!         self.side = self.side.other();
//!     }
//! }
//!
//! impl Features for TicTacToe {
//!     const FEATURES: &'static [SideFeature<Self>] = &[
//!         side("open_one", "Lines with one own square and none of the other side.", |p, s| p.lines(s, 1)),
//!         side("open_two", "Lines with two own squares and none of the other side.", |p, s| p.lines(s, 2)),
//!         tempo(),
//!     ];
//! }
//!
//! check_rules::<TicTacToe>()?;
//!
//! use sparring_engine::game::{Position, perft};
//! let start = Simple::<TicTacToe>::start(TicTacToe::BOARD)?;
//! assert_eq!(perft(&start, 6), 54_720);
//! # Ok::<(), sparring_engine::error::Error>(())
//! ```

mod check;
pub(crate) mod constants;
mod feature_check;
mod features;
mod hints;
mod moves;
mod pack;
mod position;
mod rules;
mod squares;
#[cfg(test)]
mod tests;
mod text;

pub use crate::game::bitboard::{board_squares, each, ones};
pub use crate::game::{Board, Foresight, Outcome, Side};
pub use check::check_rules;
pub use features::{Features, SideFeature, mover, side, tempo};
pub use moves::{Move, Moves};
pub use position::Simple;
pub use rules::Rules;
pub use squares::{MAX_SQUARES, Squares};
