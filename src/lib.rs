//! Sparring tunes the evaluation of a board-game engine by letting the engine play itself: a driver
//! plays the full engine against itself with changed feature weights, scores the games, feeds the
//! scores to an optimizer, and writes the best weights as JSON, which the same engine loads.
//!
//! How to use the program is told by the book in `docs/src`; what it was measured to do, by
//! `docs/measurements`.
//!
//! Data flows one way, and a module uses only what stands above it ([`error`] aside):
//!
//! ```text
//! terminal  styles of what is printed, and escapes for what others wrote
//! shell     quotes for commands that are printed
//! count     counts as people write them: 5k, 2M
//! files     opening and replacing files: no links in run directories, no pipes, bounded
//! game      what every game offers: rules, text, packing, hints for the search; perft, openings
//! weights   a named weight set: JSON in, JSON out, schema, provenance
//! eval      features of a position; score = sum of weight x feature
//! games     the games, a folder each: rules, text, hints for the search, features, evaluator
//! search    the engine: position + evaluator + limits -> move, score, statistics; the solver:
//!           position -> who wins
//! player    weights and search constants under one name: what commands find and engines play
//! any       games and engines whose game is known only at run time: what frontends hold
//! stats     pair counts -> Elo, nElo, LOS, SPRT, ratings          (pure)
//! arena     a game pair: one opening, two games, colours swapped
//! protocol  UCI and UAI: engines of others as players
//! tune      optimizers over weights; the objective is the arena
//! tournament  matches of players, kept pair by pair
//! run       a run directory: manifest, journal, resume     (the one place that writes under runs/)
//! report    a run's record -> HTML with plots, CSV, plain words      (pure)
//! web       the page to play on, with the engine in WebAssembly: its files, and its list of sets
//! runs      many runs: found by name, listed, followed, compared, removed
//! serve     pages about the runs of a folder, live, in a browser
//! uci       our engine as others see it: commands in, answers out
//! cluster   the arena's pairs played by workers on other machines (feature `cluster`)
//! cli       one file for each command: raw arguments -> checked configuration -> run
//! ```
//!
//! Only `cli` prints. Files are touched, through `files`, in `weights`, `protocol`, `run`, `runs`,
//! `serve` and `cli` only; the clock in `search::limits`, `run`, `runs`, `serve`, `protocol`, `uci` and `cli`
//! only; processes in `protocol`, `serve` and `cli::on_done` only; the system's random numbers in
//! `serve` only, for its tokens. All other randomness comes from generators made from a seed.
//!
//! Without the feature `full` the library ends with `any`: the core, which compiles for
//! WebAssembly too. The feature `sets` embeds the shipped sets that have tables or networks.
//!
//! # Words
//!
//! - *ply*: one move by one side; *turn*: the plies of a side until the other is to move.
//! - *game pair*: two games from one opening with colours swapped, the unit of all statistics; its
//!   result is one of five (*pentanomial*): both lost, a loss and a draw, even, a win and a draw,
//!   both won.
//! - *weight set*: named integers, one for each feature. *Baseline*: the set to beat. *Candidate*:
//!   the set that a tune proposes.
//! - *batch*: the pairs of one step of the optimizer. *Run*: a tune with its directory.
//!
//! # Adding a game
//!
//! A folder in [`games`] with a type that implements [`eval::Game`], and its name in the list in
//! `games/mod.rs`. Every command and every generic test then knows the game;
//! `docs/src/adding-a-game.md` has the recipe.

pub mod error;
#[cfg(feature = "full")]
pub mod terminal;
#[cfg(feature = "full")]
pub mod shell;
#[cfg(feature = "full")]
pub mod count;
pub mod files;
pub mod game;
pub mod weights;
pub mod eval;
pub mod games;
pub mod search;
pub mod player;
pub mod any;
#[cfg(feature = "full")]
pub mod stats;
#[cfg(feature = "full")]
pub mod arena;
#[cfg(feature = "full")]
pub mod protocol;
#[cfg(feature = "full")]
pub mod tune;
#[cfg(feature = "full")]
pub mod tournament;
#[cfg(feature = "full")]
pub mod run;
#[cfg(feature = "full")]
pub mod report;
#[cfg(feature = "full")]
pub mod web;
#[cfg(feature = "full")]
pub mod runs;
#[cfg(feature = "full")]
pub mod serve;
#[cfg(feature = "full")]
pub mod uci;
#[cfg(feature = "cluster")]
pub mod cluster;
#[cfg(feature = "full")]
pub mod cli;

#[cfg(all(doctest, feature = "full"))]
#[doc = include_str!("../README.md")]
struct Readme;
