//! The command line as its users meet it: the program is run, its output and exit codes are read.

#[cfg(unix)]
mod completions;
mod book;
mod config;
mod constants;
mod doctor;
mod endgame;
#[cfg(unix)]
mod escapes;
mod every_game;
mod figures;
mod fit;
mod games;
mod input;
mod json;
mod lost_sets;
mod notations;
#[cfg(unix)]
mod on_done;
mod phases;
mod play;
#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
mod positions;
mod processors;
#[cfg(unix)]
mod recipes;
mod refusals;
mod run_sets;
mod runs;
pub(crate) mod schemas;
pub(crate) mod support;
mod terminal;
mod train;
mod tune;
mod tutorials;
mod weights;
