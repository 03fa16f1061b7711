//! The games, one folder each: rules, text, packing, search hints, features and evaluator.
//!
//! Chess has rules only: external engines play it.
//!
//! Their common parts are in [`game`](crate::game) and [`eval`](crate::eval). The rest of the
//! program is generic over [`Game`](crate::eval::Game) and selects a game by its [`GameId`].
//!
//! `docs/src/adding-a-game.md` explains how to add a game.

pub mod ataxx;
pub mod breakthrough;
pub mod breakthru;
#[cfg(feature = "chess")]
pub mod chess;
#[cfg(feature = "documents")]
pub mod conformance;
#[cfg(feature = "documents")]
pub mod document;
pub mod source;

pub use crate::any::GameId;
pub use ataxx::Ataxx;
pub use breakthrough::Breakthrough;
pub use breakthru::Breakthru;
#[cfg(feature = "chess")]
pub use chess::{Chess, Chess960};
