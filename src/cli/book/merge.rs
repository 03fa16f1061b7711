use crate::cli::console::Console;
use crate::cli::ended::Ended;
use crate::cli::force::{check_output, write_free};
use crate::error::{Error, Result};
use crate::opening_tree::OpeningTree;
use crate::report::units;
use clap::Args;
use serde::Serialize;
use std::path::PathBuf;

/// Merges two books of one game, board and weight set
///
/// The new book has all positions of both. If both have searched a position, the search with more
/// nodes counts, with equal nodes that of the first book. A repertoire is merged only with another
/// one of the same `--drop`. Of more than two books, merge the two with the fewest nodes first.
/// `book build` does not extend a merged book.
#[derive(Args, Debug)]
pub(super) struct BookMergeArgs {
    /// The books
    #[arg(value_name = "FILE", num_args = 2, required = true)]
    files: Vec<PathBuf>,
    /// The file to write
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,
    /// Overwrite that file if it exists
    #[arg(long)]
    force: bool,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::cli) struct BookMergeJson {
    /// The file that was written.
    file: String,
    /// Positions in each book.
    from: Vec<u64>,
    /// Positions in the new one.
    positions: u64,
}

/// Runs the command.
///
/// # Errors
/// When a book cannot be read, they do not go together, or the file cannot be written.
pub(super) fn run(args: &BookMergeArgs, console: &Console) -> Result<Ended> {
    check_output(&args.output, args.force, &args.files)?;
    let trees = args.files.iter().map(|file| OpeningTree::load(file));
    let trees = trees.collect::<Result<Vec<OpeningTree>>>()?;
    let [first, second] = &trees[..] else { return Ok(Ended::Refused) };
    if first.to_json()? == second.to_json()? {
        return Err(Error::input(args.files[1].display(), "the same book as the first one")
            .remedy("merge two different books"));
    }
    let merged = first.merge(second).map_err(|error| error.within(args.files[1].display()))?;
    write_free(&args.output, merged.to_json()?.as_bytes(), args.force)?;
    let document = BookMergeJson {
        file: args.output.display().to_string(),
        from: trees.iter().map(|tree| tree.nodes().len() as u64).collect(),
        positions: merged.nodes().len() as u64,
    };
    match console.json {
        true => console.document(&document)?,
        false => {
            let count = units::counted(document.positions, "position");
            console.say(format!("{count} in {}", document.file))?;
        }
    }
    Ok(Ended::Done)
}
