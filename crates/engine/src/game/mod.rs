//! The parts that every game offers, a trait for each: the rules ([`Position`]), text
//! ([`Notation`]), packed bytes ([`Packing`]), what a search asks of it ([`SearchHints`]) and endgames
//! by material (`Endgames`); and
//! what games share: openings, perft, repetitions, bitboards, Zobrist keys, the text of boards.
//!
//! A *ply* is one move by one side; a *turn* may take several plies, so the side to move may stay
//! the same after a ply. No search, no evaluation and no I/O here.

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

/// Rules apart from any evaluation or search: all that external engines need to play a game here.
pub trait Rules: Position + Notation + Packing {}

impl<G: Position + Notation + Packing> Rules for G {}
