//! The opening books that come with the program, as the page reads them: in the compact form,
//! packed by gzip.

use crate::error::{Error, Result};
use crate::opening_tree::{OpeningBook, ShippedBook};
use flate2::Compression;
use flate2::write::GzEncoder;
use serde::Serialize;
use std::io::Write;

/// The folder of the books below `assets/`, and of `index.json`, their list.
pub const BOOKS: &str = "books";

/// A line of the list of books.
#[derive(Clone, Debug, Serialize)]
pub struct BookEntry {
    /// Its name: `game/board`, or `own/NAME` for a book added to the page.
    pub name: String,
    /// What the page calls it, if not by its board.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The game that it is for.
    pub game: String,
    /// The board that it is for.
    pub board: String,
    /// Its file, in the same folder as the list.
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
        Ok(BookEntry {
            name: book.name.into(),
            title: None,
            game: head.game,
            board: head.board,
            file,
        })
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
    pack_book(&book.read()?).map(Some)
}

/// A book in the form in which pages read it.
///
/// # Errors
/// When it has too many positions.
pub fn pack_book(book: &OpeningBook) -> Result<Vec<u8>> {
    let mut packer = GzEncoder::new(Vec::new(), Compression::best());
    let packed = packer.write_all(&book.to_compact()?).and_then(|()| packer.finish());
    packed.map_err(|error| Error::failed("opening book", error))
}
