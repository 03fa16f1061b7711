//! The page to play and analyse on, whose engine runs in the browser as WebAssembly. The program
//! embeds the files of `frontends/web` and `frontends/npm` for `spar serve` and `spar export web`.
//!
//! ```text
//! assets/                 what all pages share: look, elements, texts
//! assets/web/             the page
//! assets/engine/js/       the npm package with the board of all pages; its module in assets/engine/js/wasm/
//! assets/engine/sets/     weight sets, and index.json, their list
//! assets/books/           opening books, and index.json, their list
//! ```
//!
//! Scripts name each other by relative addresses, so the folder works at any address. Weight sets
//! are not among the files: `spar serve` and `spar export web` make them from the sets of the
//! program and of runs.

use crate::games::GameId;

/// The games that the engine of the page plays.
pub const GAMES: [&str; 3] = ["breakthrough", "ataxx", "breakthru"];

/// Whether the page can play a game of this program.
pub fn has_games() -> bool {
    GameId::all().iter().any(|game| GAMES.contains(&game.name))
}

/// The licence of the page's contents.
pub const LICENSE: &str = include_str!("../../LICENSE");

mod books;
mod files;
mod page;
mod sets;

pub use books::{BOOKS, BookEntry, book_entries, book_file, pack_book};
pub use files::{FILES, PageFile, find_file};
pub use page::{PageHost, page};
pub use sets::{INDEX, PARTS, SETS, SetEntry, ShippedFiles, digest, shipped_files};
