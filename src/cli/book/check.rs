use crate::cli::console::Console;
use crate::cli::documents::ErrorDetails;
use crate::cli::ended::Ended;
use crate::error::Result;
use crate::opening_tree::{OpeningBook, OpeningTree};
use crate::report::units;
use clap::Args;
use serde::Serialize;
use std::path::{Path, PathBuf};

/// Checks books: the checksum, every move, every value
///
/// Every position must have all its legal moves or none (in a repertoire some), each move must lead
/// to the right position, and every value must be the best of its moves. Of a compact book only the
/// checksum is checked, of a packed one also the moves. The other commands check the same before
/// they use a book.
#[derive(Args, Debug)]
pub(super) struct BookCheckArgs {
    /// Books; a name of `book list` is one that comes with the program
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

/// The positions of a book, once all of it is checked.
fn check(path: &Path) -> Result<u64> {
    match OpeningBook::load_small(path)? {
        Some(book) => Ok(book.len() as u64),
        None => Ok(OpeningTree::load(path)?.nodes().len() as u64),
    }
}

/// Runs the command.
///
/// # Errors
/// When the output cannot be written. A bad book is an answer.
pub(super) fn run(args: &BookCheckArgs, console: &Console) -> Result<Ended> {
    let (mut rows, mut ended) = (Vec::new(), Ended::Done);
    for path in &args.files {
        let file = path.display().to_string();
        match check(path) {
            Ok(positions) => {
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
