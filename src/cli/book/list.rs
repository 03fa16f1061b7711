use crate::cli::analyze::score_text;
use crate::cli::console::Console;
use crate::cli::ended::Ended;
use crate::error::Result;
use crate::opening_tree::{BookHead, ShippedBook};
use crate::report::table::TextTable;
use crate::report::units;
use clap::Args;
use serde::Serialize;

/// Lists the opening books that come with the program
///
/// `spar play --book shipped` and the UCI option `OwnBook` take the one for the board. The value is
/// for the first side.
#[derive(Args, Debug)]
pub(super) struct BookListArgs {}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::cli) struct BookListJson {
    books: Vec<BookListRow>,
}

/// A book that comes with the program.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct BookListRow {
    /// The name, which `book check` takes.
    name: &'static str,
    /// The size of its packed form.
    bytes: u64,
    #[serde(flatten)]
    head: BookHead,
}

/// Runs the command.
///
/// # Errors
/// When a book is damaged.
pub(super) fn run(_: &BookListArgs, console: &Console) -> Result<Ended> {
    let row = |book: &'static ShippedBook| {
        Ok(BookListRow { name: book.name, bytes: book.bytes.len() as u64, head: book.head()? })
    };
    let books = ShippedBook::all().map(row).collect::<Result<Vec<_>>>()?;
    if console.json {
        console.document(&BookListJson { books })?;
        return Ok(Ended::Done);
    }
    if books.is_empty() {
        console.say("no books come with this program")?;
        return Ok(Ended::Done);
    }
    let mut table = TextTable::new()
        .left("book")
        .right("positions")
        .right("size")
        .right("value")
        .left("weights")
        .right("nodes")
        .right("program");
    for BookListRow { name, bytes, head } in books {
        table.row([
            name.to_owned(),
            units::count(head.positions),
            units::bytes(bytes),
            score_text(head.value),
            head.weights,
            units::count(head.nodes),
            head.program,
        ]);
    }
    console.say(table.fit(console.width()))?;
    Ok(Ended::Done)
}
