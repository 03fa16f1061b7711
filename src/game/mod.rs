//! Rules: positions, moves, outcomes, notation, perft and openings. No search, no evaluation, no
//! I/O.
//!
//! A *ply* is one move by one side; a *turn* may take several plies, so the side to move may stay
//! the same after a ply. Everything that is above one game talks to it through [`Position`].

pub mod board;
pub(crate) mod notation;
pub mod openings;
pub mod perft;
pub mod position;
pub mod repetition;

pub use board::Board;
pub use perft::perft;
pub use position::{
    Foresight, MAX_MOVES, MoveCode, MoveList, Outcome, Position, Side, line_text_by,
};
pub use repetition::Repetitions;
