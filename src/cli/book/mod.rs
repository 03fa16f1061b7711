//! `spar book`: opening books.

pub(in crate::cli) mod build;
pub(in crate::cli) mod check;
pub(in crate::cli) mod export;
mod facts;
pub(in crate::cli) mod list;
pub(in crate::cli) mod merge;
mod player_args;
pub(in crate::cli) mod show;
pub(in crate::cli) mod show_moves;

use super::console::Console;
use crate::cli::ended::Ended;
use crate::error::Result;
use clap::{Args, Subcommand};
pub(in crate::cli) use player_args::{PlayerBook, PlayerBookArgs};

/// Builds, lists, shows, checks, exports and merges opening books
#[derive(Args, Debug)]
pub struct BookArgs {
    #[command(subcommand)]
    command: BookCommand,
}

#[derive(Subcommand, Debug)]
enum BookCommand {
    Build(build::BookBuildArgs),
    List(list::BookListArgs),
    Show(show::BookShowArgs),
    Check(check::BookCheckArgs),
    Export(export::BookExportArgs),
    Merge(merge::BookMergeArgs),
}

/// Runs the command.
///
/// # Errors
/// When a book cannot be read or written, or an argument is wrong.
pub fn run(args: &BookArgs, console: &Console) -> Result<Ended> {
    match &args.command {
        BookCommand::Build(args) => build::run(args, console),
        BookCommand::List(args) => list::run(args, console),
        BookCommand::Show(args) => show::run(args, console),
        BookCommand::Check(args) => check::run(args, console),
        BookCommand::Export(args) => export::run(args, console),
        BookCommand::Merge(args) => merge::run(args, console),
    }
}
