//! Board games and the engine that plays them: everything that a frontend needs.
//!
//! Data flows one way. A module uses only modules listed above it:
//!
//! ```text
//! files     safe opening and atomic replacing of files: size limits, no pipes, no links in runs
//! game      the interface of a game: rules, text, packing, search hints; perft, openings
//! weights   a named weight set: JSON in, JSON out, schema, provenance
//! eval      features of a position; score = sum of weight x feature
//! games     the games, a folder each: rules, text, search hints, features, evaluator
//! simple    a game defined in a page of code: its rules and features give all of the above
//! search    the engine: position + evaluator + limits -> move, score, statistics; the solver:
//!           position -> winner
//! endgame   databases of all positions with few pieces (feature `endgames`)
//! player    weights and search constants under one name, as commands and engines use them
//! any       games and engines of a type chosen at run time, for frontends
//! ```
//!
//! The crate compiles to WebAssembly. The feature `sets` embeds the shipped sets that have tables
//! or networks; `save` writes weight files.

pub use sparring_error as error;
// Links the processor check into every program.
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
