//! `spar book show` of a book without its searches: the compact and the packed form, and the books
//! that come with the program.

use crate::any::AnyPosition;
use crate::cli::analyze::score_text;
use crate::cli::console::Console;
use crate::error::{Error, Result};
use crate::eval::Score;
use crate::opening_tree::{BookMove, OpeningBook};
use crate::report::table::TextTable;
use crate::report::units;
use serde::Serialize;
use std::path::Path;

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::cli) struct BookMovesJson {
    /// The book's file, or its name where it comes with the program.
    file: String,
    game: String,
    board: String,
    /// Positions that have a value.
    positions: u64,
    /// The score of a piece under the weights that searched.
    unit: Score,
    /// The shown position, as FEN.
    fen: String,
    /// Its moves in the book, best first.
    moves: Vec<BookMoveRow>,
}

/// A move of a book that has no searches.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct BookMoveRow {
    #[serde(rename = "move")]
    mv: String,
    /// Its value for its mover, in units of the weight set.
    value: Score,
}

/// Shows the moves of a position.
///
/// # Errors
/// When the book has no move for it, or the output cannot be written.
pub(super) fn show(
    path: &Path,
    book: &OpeningBook,
    position: &AnyPosition,
    console: &Console,
) -> Result<()> {
    let row = |BookMove { mv, value }| BookMoveRow { mv: position.move_text(mv), value };
    let moves: Vec<BookMoveRow> = book.moves(position).into_iter().map(row).collect();
    if moves.is_empty() {
        return Err(Error::input("--moves", "the book ends before this position")
            .remedy("name fewer moves"));
    }
    let document = BookMovesJson {
        file: path.display().to_string(),
        game: book.game().name.into(),
        board: book.board().to_string(),
        positions: book.len() as u64,
        unit: book.unit(),
        fen: position.fen(),
        moves,
    };
    match console.json {
        true => console.document(&document),
        false => print(&document, position, console),
    }
}

fn print(document: &BookMovesJson, position: &AnyPosition, console: &Console) -> Result<()> {
    let BookMovesJson { game, board, positions, unit, moves, .. } = document;
    console.say(format!(
        "{}\n{game} on {board}, {}; a piece is worth {unit}\n",
        position.diagram(),
        units::counted(*positions, "position"),
    ))?;
    let mut table = TextTable::new().left("move").right("value");
    for row in moves {
        table.row([row.mv.clone(), score_text(row.value)]);
    }
    console.say(table.fit(console.width()))
}
