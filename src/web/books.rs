//! The opening books that come with the program, as the page reads them: in the compact form, packed
//! by gzip.

use crate::error::{Error, Result};
use crate::opening_tree::ShippedBook;
use flate2::Compression;
use flate2::write::GzEncoder;
use serde::Serialize;
use std::io::Write;

/// The folder of the books below `assets/`, and of `index.json`, their list.
pub const BOOKS: &str = "books";

/// A line of the list of books.
#[derive(Clone, Debug, Serialize)]
pub struct BookEntry {
    /// Its name, `game/board`.
    pub name: &'static str,
    /// The game that it is for.
    pub game: String,
    /// The board that it is for.
    pub board: String,
    /// Its file, beside the list.
    pub file: String,
}

/// The list of books.
///
/// # Errors
/// When a book is damaged.
pub fn book_entries() -> Result<Vec<BookEntry>> {
    let entry = |book: &'static ShippedBook| {
        let head = book.head()?;
        let file = file_name(book);
        Ok(BookEntry { name: book.name, game: head.game, board: head.board, file })
    };
    ShippedBook::all().map(entry).collect()
}

fn file_name(book: &ShippedBook) -> String {
    format!("{}.bin.gz", book.name.replace('/', "-"))
}

/// The content of a file of the list; `None` where there is none.
///
/// # Errors
/// When the book is damaged.
pub fn book_file(file: &str) -> Result<Option<Vec<u8>>> {
    let Some(book) = ShippedBook::all().find(|book| file_name(book) == file) else {
        return Ok(None);
    };
    let mut packer = GzEncoder::new(Vec::new(), Compression::best());
    let packed = packer.write_all(&book.read()?.to_compact()?).and_then(|()| packer.finish());
    packed.map(Some).map_err(|error| Error::failed("opening book", error))
}
