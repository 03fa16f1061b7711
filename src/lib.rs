//! Sparring tunes the evaluation of a board-game engine by letting the engine play itself.

#[cfg(not(target_arch = "wasm32"))]
pub mod arena;
pub mod error;
pub mod eval;
pub mod game;
pub mod search;
pub mod stats;
pub mod weights;

#[cfg(not(target_arch = "wasm32"))]
pub mod cli;
