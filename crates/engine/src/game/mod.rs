//! The interface of every game, one trait for each part: the rules ([`Position`]), text
//! ([`Notation`]), packed bytes ([`Packing`]), search hints ([`SearchHints`]) and endgames by
//! material (`Endgames`). The games also share openings, perft, repetitions, bitboards, Zobrist
//! keys and the text of boards.
//!
//! A *ply* is one move by one side; a *turn* may take several plies, so the side to move may stay
//! the same after a ply. This module has no search, evaluation or I/O.

pub mod bitboard;
pub mod board;
pub mod counters;
#[cfg(feature = "endgames")]
pub mod endgames;
pub mod fen;
mod hints;
mod known;
mod notation;
pub mod openings;
mod packing;
pub mod perft;
pub mod position;
pub mod repetition;
mod zobrist;

pub use board::Board;
pub use counters::FenCounters;
pub use fen::{FenFault, FenFormat, STARTPOS};
pub use hints::{Foresight, SearchHints, THREAT_PLIES};
pub use known::{KnownValue, KnownValues};
pub use notation::{Notation, line_text_by};
pub use packing::Packing;
pub use perft::perft;
pub use position::{MAX_MOVES, MoveCode, MoveList, Outcome, Position, Side};
pub use repetition::Repetitions;
pub use zobrist::Zobrist;

/// The rules of a game without evaluation or search: enough for external engines to play it.
pub trait Rules: Position + Notation + Packing {}

impl<G: Position + Notation + Packing> Rules for G {}
