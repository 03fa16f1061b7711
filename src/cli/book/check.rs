use crate::cli::console::Console;
use crate::cli::documents::ErrorDetails;
use crate::cli::ended::Ended;
use crate::error::Result;
use crate::opening_tree::OpeningTree;
use crate::report::units;
use clap::Args;
use serde::Serialize;
use std::path::PathBuf;

/// Checks books: the checksum, every move, every value
///
/// Every position must have all its legal moves or none, each leading to the right position, and the
/// best value of its moves. The other commands check the same before they use a book.
#[derive(Args, Debug)]
pub(super) struct BookCheckArgs {
    /// Books
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::cli) struct BookCheckJson {
    files: Vec<BookCheckRow>,
}

/// The verdict on one book.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct BookCheckRow {
    file: String,
    valid: bool,
    /// Positions in it; null where it is not valid.
    positions: Option<u64>,
    error: Option<ErrorDetails>,
}

/// Runs the command.
///
/// # Errors
/// When the output cannot be written. A bad book is an answer.
pub(super) fn run(args: &BookCheckArgs, console: &Console) -> Result<Ended> {
    let (mut rows, mut ended) = (Vec::new(), Ended::Done);
    for path in &args.files {
        let file = path.display().to_string();
        match OpeningTree::load(path) {
            Ok(tree) => {
                let positions = tree.nodes().len() as u64;
                if !console.json {
                    let count = units::counted(positions, "position");
                    console.say(format!("{file}: good, {count}"))?;
                }
                rows.push(BookCheckRow {
                    file,
                    valid: true,
                    positions: Some(positions),
                    error: None,
                });
            }
            Err(error) => {
                console.error(&error);
                ended = Ended::Refused;
                let error = Some(ErrorDetails::from(&error));
                rows.push(BookCheckRow { file, valid: false, positions: None, error });
            }
        }
    }
    if console.json {
        console.document(&BookCheckJson { files: rows })?;
    }
    Ok(ended)
}
