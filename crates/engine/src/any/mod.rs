//! Games whose type is known only at run time: all that the program above the engine works with.
//!
//! Rules, evaluation and search are generic over the game and compiled for each one. Everything
//! above them passes a [`GameId`], which knows its game as data ([`Variant`]), and holds positions,
//! evaluators and engines of any game. A call for a move or a position costs nothing beside a
//! search; nothing is called so for a node.
//!
//! ```text
//! Variants --install--> GameId --start, from_fen--> AnyPosition --moves, advance--> AnyMove
//!                         |--evaluator(set)--> AnyEvaluator --engine--> AnyEngine
//!                         `--views(window)--> AnyViews, what networks see of many positions
//! AnyGame: positions and moves of a game under way
//! ```
//!
//! A game may be rules alone ([`Variants::with_rules`]): then external engines play it, and what
//! asks for our evaluation or search gets an error ([`Variant::needs_engine`]). Another program may
//! know the rules: then it is the game's [`Referee`] ([`GameId::refereed`]).
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
pub use refereed::{Referee, Ruling, board_of_fen};
pub(crate) use registry::known_sets;
pub use registry::{GameId, Variants};
pub use text_engine::{TABLE_BYTES, TextEngine, TextLine, TextReport, engine};
pub use variant::{AnySolved, FeatureInfo, Variant};
pub use variant_weights::SingleWeight;
pub use views::AnyViews;
