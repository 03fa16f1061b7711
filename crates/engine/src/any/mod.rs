//! Games and engines whose game is known only at run time: what a frontend holds.
//!
//! The rest of the library is generic over the game. A page, a notebook or a graphical program
//! holds an [`AnyGame`] and an [`AnyEngine`] instead, and speaks to them in texts: positions as FEN,
//! moves in the game's notation. Each frontend in `frontends/` is a thin layer over these two.
//!
//! ```
//! use sparring_engine::any::{self, AnyEngine, AnyGame};
//! use sparring_engine::games::GameId;
//! use sparring_engine::search::{Limits, Stop};
//!
//! let mut game = any::new_game(GameId::Breakthrough, None)?;
//! game.push("d2d3")?;
//! assert_eq!(game.fen(), "pppppppp/pppppppp/8/8/8/3P4/PPP1PPPP/PPPPPPPP b - - 0 1");
//!
//! let weights = sparring_engine::weights::find("breakthrough/spsa", "breakthrough")?;
//! let mut engine = any::engine(&weights, game.board(), any::TABLE_BYTES)?;
//! let found = engine.search(&*game, &Limits::depth(3), &Stop::default(), &mut |_| {})?;
//! game.push(&found.best.unwrap())?;
//! assert_eq!(game.history().len(), 2);
//! # Ok::<(), sparring_engine::error::Error>(())
//! ```

mod engine;
mod game;

pub use engine::{AnyEngine, AnyReport, TABLE_BYTES, engine};
pub use game::{AnyGame, MAX_PERFT_DEPTH, game_from_fen, new_game};
