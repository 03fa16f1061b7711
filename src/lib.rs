//! Sparring tunes the evaluation of a board-game engine by letting the engine play itself.

pub mod error;
pub mod game;
pub mod weights;
pub mod eval;
pub mod search;
pub mod stats;
#[cfg(not(target_arch = "wasm32"))]
pub mod arena;
