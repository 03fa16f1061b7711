//! `spar weights`: lists, shows, compares, checks, makes and converts weight sets.

pub(in crate::cli) mod check;
pub(in crate::cli) mod diff;
pub(in crate::cli) mod export;
pub(in crate::cli) mod list;
mod network;
pub(in crate::cli) mod new;
mod show;

use crate::cli::{Console, Ended};
use crate::error::Result;
use crate::search::SearchConstants;
use crate::weights::{SCHEMA, Weight, WeightSet};
use clap::Subcommand;

/// Lists, shows, compares, checks, makes and converts weight sets
#[derive(Subcommand, Debug)]
pub(super) enum WeightsCommand {
    List(list::WeightsListArgs),
    Show(show::WeightsShowArgs),
    Diff(diff::DiffArgs),
    Check(check::WeightsCheckArgs),
    /// Prints the JSON Schema of weight files
    Schema,
    New(new::NewArgs),
    Export(export::WeightsExportArgs),
    Import(export::WeightsImportArgs),
}

/// Runs the command.
///
/// # Errors
/// When a set cannot be read or written, or is wrong.
pub(super) fn run(command: &WeightsCommand, console: &Console) -> Result<Ended> {
    match command {
        WeightsCommand::List(args) => list::run(args, console),
        WeightsCommand::Show(args) => show::run(args, console),
        WeightsCommand::Diff(args) => diff::run(args, console),
        WeightsCommand::Check(args) => check::run(args, console),
        WeightsCommand::Schema => console.raw(SCHEMA).map(|()| Ended::Done),
        WeightsCommand::New(args) => new::run(args, console),
        WeightsCommand::Export(args) => export::run_export(args, console),
        WeightsCommand::Import(args) => export::run_import(args, console),
    }
}

/// The single numbers of a set: tables as `name[0]`, `name[1]` and so on.
fn cells(set: &WeightSet) -> Vec<(String, i32)> {
    let mut cells = Vec::new();
    for (name, weight) in set.weights.iter() {
        match weight {
            Weight::One(value) => cells.push((name.to_owned(), *value)),
            Weight::Table(values) => {
                cells.extend(
                    values
                        .iter()
                        .enumerate()
                        .map(|(index, &value)| (format!("{name}[{index}]"), value)),
                );
            }
        }
    }
    cells
}

/// The prefix of search constants among the names of weights.
const CONSTANT: &str = "search.";

/// The single numbers of a set, and after them the constants that it searches with.
fn numbers(set: &WeightSet) -> Vec<(String, i32)> {
    let constants = set.search.clone().unwrap_or_else(|| SearchConstants::default().to_map());
    let constants = constants.into_iter().map(|(name, value)| (format!("{CONSTANT}{name}"), value));
    cells(set).into_iter().chain(constants).collect()
}
