//! `spar runs`: lists, shows, compares, labels and removes runs.

pub(in crate::cli) mod compare;
pub(in crate::cli) mod label;
pub(in crate::cli) mod list;
pub(in crate::cli) mod remove;
mod show;

pub(super) use list::{span, time_text};

use crate::cli::{Console, Ended};
use crate::error::Result;
use clap::{Args, Subcommand};

/// Lists, shows, compares, labels or removes runs
///
/// Name a run by its directory, by the directory's name in the folder of runs, by its id or the
/// name of its set, by a part of these that matches no other run, or as `last`, the latest one.
#[derive(Args, Debug)]
pub struct RunsArgs {
    #[command(subcommand)]
    command: Option<RunsCommand>,
}

#[derive(Subcommand, Debug)]
enum RunsCommand {
    /// Lists the runs, the latest first
    List,
    Show(show::RunsShowArgs),
    Compare(compare::CompareArgs),
    Label(label::LabelArgs),
    Rm(remove::RemoveArgs),
    Prune(remove::PruneArgs),
}

/// Runs the command.
///
/// # Errors
/// When a run is not found, or its files cannot be read or removed.
pub fn run(args: &RunsArgs, console: &Console) -> Result<Ended> {
    match &args.command {
        None | Some(RunsCommand::List) => list::run(console),
        Some(RunsCommand::Show(args)) => show::run(args, console),
        Some(RunsCommand::Compare(args)) => compare::run(args, console),
        Some(RunsCommand::Label(args)) => label::run(args, console),
        Some(RunsCommand::Rm(args)) => remove::run(args, console),
        Some(RunsCommand::Prune(args)) => remove::prune(args, console),
    }
}
