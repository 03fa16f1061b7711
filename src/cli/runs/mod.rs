//! `spar runs`: lists, shows, compares and removes runs.

mod list;

use super::console::Console;
use super::ended::Ended;
use crate::error::Result;
use clap::{Args, Subcommand};

/// Lists the runs, or shows, compares or removes some of them.
///
/// A run is named by its directory, by the directory's name in the folder of runs, by its id or the
/// name of its set, by a part of these that fits it alone, or as `last`, the one begun last.
#[derive(Args, Debug)]
pub struct RunsArgs {
    #[command(subcommand)]
    command: Option<RunsCommand>,
}

#[derive(Subcommand, Debug)]
enum RunsCommand {
    List(list::ListArgs),
}

/// Runs the command.
///
/// # Errors
/// When a run is not found, or its files cannot be read or removed.
pub fn run(args: &RunsArgs, console: &Console) -> Result<Ended> {
    match &args.command {
        None => list::run(console),
        Some(RunsCommand::List(list::ListArgs {})) => list::run(console),
    }
}
