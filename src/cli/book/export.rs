use crate::cli::analyze::score_text;
use crate::cli::console::Console;
use crate::cli::ended::Ended;
use crate::cli::force::{check_output, write_free};
use crate::error::{Error, Result};
use crate::opening_tree::{BookLine, OpeningBook, OpeningTree};
use crate::report::units;
use clap::{Args, ValueEnum};
use serde::Serialize;
use std::path::PathBuf;

/// Writes a book as text, as a list of positions, or in compact form
#[derive(Args, Debug)]
pub(super) struct BookExportArgs {
    /// The book; with --to bin also a packed one, or a name of `book list`
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The form
    #[arg(long, value_enum, default_value_t)]
    to: BookForm,
    /// The file to write [default: standard output; needed for bin, packed and with --json]
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Overwrite that file if it exists
    #[arg(long)]
    force: bool,
    /// Only positions up to this ply
    #[arg(long, value_name = "N", default_value_t = u16::MAX, hide_default_value = true)]
    plies: u16,
    /// Only positions whose value is within this many hundredths of a piece of even
    #[arg(long, value_name = "CP")]
    within: Option<u32>,
}

/// A form of a book.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(test, derive(schemars::JsonSchema))]
enum BookForm {
    /// Lines of moves from the start with value and cost, cheapest first
    #[default]
    Text,
    /// Positions, one a line: --book of matches reads them
    Fen,
    /// Compact form with a checksum, for frontends
    Bin,
    /// Smallest form, as the books that come with the program
    Packed,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::cli) struct BookExportJson {
    /// The file that was written.
    file: String,
    to: BookForm,
    /// Positions in the book.
    positions: u64,
    /// The size of the file.
    bytes: u64,
}

/// Runs the command.
///
/// # Errors
/// When the book cannot be read or the file cannot be written.
pub(super) fn run(args: &BookExportArgs, console: &Console) -> Result<Ended> {
    let is_binary = matches!(args.to, BookForm::Bin | BookForm::Packed);
    if args.output.is_none() && (is_binary || console.json) {
        return Err(Error::input("--output", "no file is named for the book")
            .remedy("name one, for example -o book.bin"));
    }
    if is_binary && (args.within.is_some() || args.plies < u16::MAX) {
        return Err(Error::input("--to", "a binary form has the whole book")
            .remedy("leave out --plies and --within"));
    }
    if let Some(output) = &args.output {
        check_output(output, args.force, std::slice::from_ref(&args.file))?;
    }
    // A small form has no tree, only positions with their values.
    let small = match args.to {
        BookForm::Bin => OpeningBook::load_small(&args.file)?,
        BookForm::Text | BookForm::Fen | BookForm::Packed => None,
    };
    let (bytes, positions) = match small {
        Some(book) => compact(&book)?,
        None => content(args, &OpeningTree::load(&args.file)?)?,
    };
    let Some(output) = &args.output else {
        console.raw(&String::from_utf8_lossy(&bytes))?;
        return Ok(Ended::Done);
    };
    write_free(output, &bytes, args.force)?;
    let (file, size) = (output.display().to_string(), bytes.len() as u64);
    if console.json {
        let to = args.to;
        console.document(&BookExportJson { file, to, positions, bytes: size })?;
    } else {
        let count = units::counted(positions, "position");
        console.say(format!("{count} in {file} ({})", units::bytes(size)))?;
    }
    Ok(Ended::Done)
}

/// A book in the compact form, and the number of its positions.
fn compact(book: &OpeningBook) -> Result<(Vec<u8>, u64)> {
    Ok((book.to_compact()?, book.len() as u64))
}

/// The content of the file, and the number of positions in it.
fn content(args: &BookExportArgs, tree: &OpeningTree) -> Result<(Vec<u8>, u64)> {
    match args.to {
        BookForm::Bin => return compact(&OpeningBook::of(tree)),
        BookForm::Packed => return Ok((tree.to_packed()?, OpeningBook::of(tree).len() as u64)),
        BookForm::Text | BookForm::Fen => {}
    }
    let lines = tree.lines(args.plies, args.within, true);
    let line = |line: &BookLine| {
        let place = match args.to {
            BookForm::Fen => line.opening.position.fen(),
            _ if line.opening.moves.is_empty() => "startpos".into(),
            _ => format!("startpos moves {}", line.opening.text()),
        };
        format!("{place}; value {}; cost {}\n", score_text(line.value), line.cost)
    };
    let text: String = lines.iter().map(line).collect();
    Ok((text.into_bytes(), lines.len() as u64))
}
