//! The games, one folder each: rules, text, packing, hints for the search, features and evaluator.
//!
//! Chess is rules alone: external engines play it.
//!
//! What they share is in [`game`](crate::game) and [`eval`](crate::eval); the rest of the program
//! is generic over [`Game`](crate::eval::Game) and picks one by its [`GameId`].
//!
//! A new game: `docs/src/adding-a-game.md` has the recipe.

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
