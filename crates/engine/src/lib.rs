//! Board games and the engine that plays them: what a frontend needs.
//!
//! Data flows one way, and a module uses only what stands above it:
//!
//! ```text
//! files     opening and replacing files: no links in run directories, no pipes, bounded
//! game      what every game offers: rules, text, packing, hints for the search; perft, openings
//! weights   a named weight set: JSON in, JSON out, schema, provenance
//! eval      features of a position; score = sum of weight x feature
//! games     the games, a folder each: rules, text, hints for the search, features, evaluator
//! simple    a game of one's own in a page: all of the above from rules and features
//! search    the engine: position + evaluator + limits -> move, score, statistics; the solver:
//!           position -> who wins
//! endgame   databases of all positions with few pieces (feature `endgames`)
//! player    weights and search constants under one name: what commands find and engines play
//! any       games and engines whose game is known only at run time: what frontends hold
//! ```
//!
//! It compiles for WebAssembly. The feature `sets` embeds the shipped sets that have tables or
//! networks; `save` writes weight files.

pub use sparring_error as error;
// Links the check of the processor into every program.
#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
use sparring_processor as _;

pub mod files;
pub mod game;
pub mod weights;
pub mod eval;
pub mod games;
pub mod simple;
pub mod search;
#[cfg(feature = "endgames")]
pub mod endgame;
pub mod player;
pub mod any;
