//! Sparring tunes the evaluation of a board-game engine by letting the engine play itself.

pub mod error;
pub mod game;
pub mod weights;
