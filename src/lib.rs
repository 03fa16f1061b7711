//! Sparring tunes the evaluation of a board-game engine by letting the engine play itself.

pub mod error;
pub mod eval;
pub mod game;
pub mod search;
pub mod weights;
