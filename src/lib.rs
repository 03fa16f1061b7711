//! Sparring tunes the evaluation of a board-game engine by letting the engine play itself: a driver
//! plays the full engine against itself with changed feature weights, scores the games, feeds the
//! scores to an optimizer, and writes the best weights as JSON, which the same engine loads.
//!
//! The book in `docs/src` says how to use the program; measurements are in
//! `docs/measurements`.
//!
//! Each layer is a crate that re-exports the crates below it, so that this crate shows all of them
//! ([`error`] aside, which every crate uses):
//!
//! ```text
//! crates/stats    pair counts -> Elo, nElo, LOS, SPRT, ratings          (pure)
//! crates/engine   games, weight sets, evaluation, search: what a frontend needs
//! crates/lab      matches, tunes, runs and their reports: the API to tune from code
//! crates/cluster  the arena's pairs played by workers on other machines (feature `cluster`)
//! src/web         the page to play on, with the engine in WebAssembly: its files, its list of sets
//! src/serve       pages about the runs of a folder, live, in a browser
//! src/uci         our engine as others see it: commands in, answers out
//! src/cli         one file for each command: raw arguments -> checked configuration -> run
//! ```
//!
//! Only `cli` prints. Files are touched, through `files`, in `weights`, `arena::book::file`,
//! `opening_tree`, `opening_growth`, `endgames`, `protocol`, `run`, `runs`, `serve` and `cli` only;
//! the clock in `search::limits`, `run`, `runs`, `serve`, `protocol`, `uci` and `cli` only;
//! processes in `protocol`, `serve` and `cli::on_done` only; the system's random numbers in `serve`
//! only, for its tokens. All other randomness comes from generators made from a seed.
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

#[cfg(feature = "cluster")]
pub use sparring_cluster as cluster;
pub use sparring_lab::{
    any, arena, count, endgames, error, eval, files, game, games, opening_growth, opening_tree,
    page, player, protocol, report, run, runs, search, session, shell, simple, stats, terminal,
    tournament, tune, variants, weights,
};

mod program;
pub mod web;
pub mod serve;
pub mod uci;
pub mod cli;

pub use program::{Program, program};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
