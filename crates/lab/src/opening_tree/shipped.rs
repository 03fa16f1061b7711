//! The opening books that come with the program.

use super::packed::{self, BookHead};
use super::probe::OpeningBook;
use crate::error::{Error, Result};
use crate::game::Board;
use crate::games::GameId;
use std::path::Path;

/// A book that comes with the program, in the packed form.
#[derive(Debug)]
pub struct ShippedBook {
    /// Its name, `game/board`.
    pub name: &'static str,
    /// The packed form, as in the folder `books`.
    pub bytes: &'static [u8],
}

/// A book of the folder `books`.
macro_rules! book {
    ($game:literal, $board:literal) => {
        ShippedBook {
            name: concat!($game, "/", $board),
            bytes: include_bytes!(concat!("../../books/", $game, "-", $board, ".book")),
        }
    };
}

static BOOKS: &[ShippedBook] = &[
    book!("breakthrough", "8x8"),
    book!("breakthrough", "7x7"),
    book!("breakthrough", "6x6"),
    book!("ataxx", "7x7"),
    book!("breakthru", "11x11"),
];

impl ShippedBook {
    /// The name that stands for the book of the board.
    pub const ANY: &'static str = "shipped";

    /// The books that this build can use: it may lack some games.
    pub fn all() -> impl Iterator<Item = &'static Self> {
        let has = |book: &&Self| {
            book.name.split('/').next().is_some_and(|game| game.parse::<GameId>().is_ok())
        };
        BOOKS.iter().filter(has)
    }

    /// The book with a name, as in [`all`](Self::all).
    pub fn find(name: &str) -> Option<&'static Self> {
        Self::all().find(|book| book.name == name)
    }

    /// Whether a path is the name of one, or stands for that of the board.
    pub fn is_name(path: &Path) -> bool {
        path.to_str().is_some_and(|name| name == Self::ANY || Self::find(name).is_some())
    }

    /// The book for a board, where there is one.
    pub fn of(game: GameId, board: Board) -> Option<&'static Self> {
        Self::find(&format!("{}/{board}", game.name))
    }

    /// What the book is for, and the search behind it.
    ///
    /// # Errors
    /// When it is damaged.
    pub fn head(&self) -> Result<BookHead> {
        packed::head(self.bytes).map(|(head, _)| head).map_err(|e| e.within(self.name))
    }

    /// Unpacks it, and checks its checksum and that every move is legal.
    ///
    /// # Errors
    /// When it is damaged.
    pub fn read(&self) -> Result<OpeningBook> {
        packed::read(self.bytes).map_err(|error| error.within(self.name))
    }

    /// Unpacks the book of a board.
    ///
    /// # Errors
    /// When there is none.
    pub fn read_for(game: GameId, board: Board) -> Result<OpeningBook> {
        let Some(book) = Self::of(game, board) else {
            let names: Vec<&str> = Self::all().map(|book| book.name).collect();
            let reason =
                format!("no opening book for {} on {board} comes with the program", game.name);
            return Err(Error::input(Self::ANY, reason)
                .remedy(format!("name a file; books come for {}", names.join(", "))));
        };
        book.read()
    }
}
