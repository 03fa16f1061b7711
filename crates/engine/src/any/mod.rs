//! Games whose type is chosen at run time. The program above the engine works with these alone.
//!
//! Rules, evaluation and search are generic over the game and compiled for each one. Everything
//! above them passes a [`GameId`], which describes its game as data ([`Variant`]), and holds
//! positions, evaluators and engines of any game. The dynamic calls happen per move or position,
//! never per search node, so their cost is negligible.
//!
//! ```text
//! Variants --install--> GameId --start, from_fen--> AnyPosition --moves, advance--> AnyMove
//!                         |--evaluator(set)--> AnyEvaluator --engine--> AnyEngine
//!                         `--views(window)--> AnyViews, the network inputs of many positions
//! AnyGame: positions and moves of a game in progress
//! ```
//!
//! A game may have rules only ([`Variants::with_rules`]). External engines then play it, and
//! requests for the built-in evaluation or search return an error ([`Variant::needs_engine`]).
//! Another program may supply the rules: it is the game's [`Referee`] ([`GameId::refereed`]).
//!
//! ```
//! use sparring_engine::any;
//! use sparring_engine::games::GameId;
//! use sparring_engine::search::{Limits, Stop};
//!
//! let mut game = any::new_game("breakthrough".parse()?, None)?;
//! game.push("d2d3")?;
//! assert_eq!(game.fen(), "pppppppp/pppppppp/8/8/8/3P4/PPP1PPPP/PPPPPPPP b - - 0 1");
//!
//! let weights = sparring_engine::weights::find("breakthrough/spsa", "breakthrough")?;
//! let mut engine = any::engine(&weights, game.board(), any::TABLE_BYTES)?;
//! let found = engine.search(&game, &Limits::depth(3), &Stop::default(), &mut |_| {})?;
//! game.push(&found.best.unwrap())?;
//! assert_eq!(game.history().len(), 2);
//! # Ok::<(), sparring_engine::error::Error>(())
//! ```

#[cfg(feature = "endgames")]
mod endgames;
mod engine;
mod evaluated;
mod game;
mod position;
mod refereed;
mod refereed_position;
mod registry;
mod text_engine;
mod typed_position;
mod variant;
mod variant_functions;
mod variant_weights;
mod views;

#[cfg(feature = "endgames")]
pub use crate::endgame::{ClassSummary, WrongValue};
#[cfg(feature = "endgames")]
pub use endgames::{AnyEndgamePlan, AnyEndgames};
pub use engine::{AnyEngine, AnyEvaluator, AnyLine, AnyReport, lines_among};
pub use game::{AnyGame, MAX_PERFT_DEPTH, game_from_fen, new_game};
pub use position::{AnyMove, AnyOpening, AnyPosition};
pub use refereed::{Referee, Ruling, board_of_fen, is_same_board};
pub(crate) use registry::known_sets;
pub use registry::{GameId, Variants};
pub use text_engine::{TABLE_BYTES, TextEngine, TextLine, TextReport, engine};
pub use variant::{AnySolved, FeatureInfo, Variant};
pub use variant_weights::SingleWeight;
pub use views::AnyViews;
