//! The compact form of a book, for frontends: sorted keys with values, and a checksum.
//!
//! All numbers are little-endian: `SPARBOOK`, then one byte each for the version (1), the columns,
//! the rows and the length of the game's name, the name, the score of a piece (`i32`), the number of
//! records (`u32`), the records in the order of their keys (canonical key `u128`, value `i32`), and
//! the CRC-32 of all before it.

use super::probe::OpeningBook;
use crate::error::{Error, Result};
use crate::eval::Score;
use crate::game::Board;
use crate::games::GameId;
use std::collections::HashMap;

pub(super) const MAGIC: &[u8] = b"SPARBOOK";
const VERSION: u8 = 1;

/// Refuses a book in its compact or packed form, where lines are needed.
///
/// # Errors
/// When the bytes are such a book.
pub(crate) fn check_has_lines(bytes: &[u8]) -> Result<()> {
    if bytes.starts_with(MAGIC) { Err(without_lines()) } else { Ok(()) }
}

/// The error for a book in its compact or packed form, where lines are needed.
pub(crate) fn without_lines() -> Error {
    Error::input("opening book", "in its compact or packed form, which has no lines")
        .remedy("name the file that `book build` or `book merge` wrote")
}

impl OpeningBook {
    /// The book in its compact form.
    ///
    /// # Errors
    /// When it has too many positions.
    pub fn to_compact(&self) -> Result<Vec<u8>> {
        let too_large = |_| Error::input("opening book", "too large for its compact form");
        let mut sorted: Vec<(u128, Score)> = self.values.iter().map(|(&k, &v)| (k, v)).collect();
        sorted.sort_unstable();
        let name = self.game.name.as_bytes();
        let mut bytes = MAGIC.to_vec();
        let length = u8::try_from(name.len()).map_err(too_large)?;
        bytes.extend([VERSION, self.board.cols(), self.board.rows(), length]);
        bytes.extend(name);
        bytes.extend(self.unit.to_le_bytes());
        bytes.extend(u32::try_from(sorted.len()).map_err(too_large)?.to_le_bytes());
        for (key, value) in sorted {
            bytes.extend(key.to_le_bytes());
            bytes.extend(value.to_le_bytes());
        }
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        Ok(bytes)
    }
}

/// Reads the compact form.
pub(super) fn read(bytes: &[u8]) -> Result<OpeningBook> {
    let damaged = || {
        Error::input("opening book", "damaged: its checksum or its length is wrong")
            .remedy("export it again with `book export --to bin`")
    };
    let (body, checksum) = bytes.split_last_chunk::<4>().ok_or_else(damaged)?;
    if crc32fast::hash(body) != u32::from_le_bytes(*checksum) {
        return Err(damaged());
    }
    let mut rest = body.strip_prefix(MAGIC).ok_or_else(damaged)?;
    let [version, cols, rows, length] = take(&mut rest).ok_or_else(damaged)?;
    if version != VERSION {
        let reason = format!("version {version} of the compact form");
        return Err(Error::input("opening book", reason)
            .remedy(format!("this program reads version {VERSION}")));
    }
    let (name, after) = rest.split_at_checked(length.into()).ok_or_else(damaged)?;
    rest = after;
    let game: GameId = String::from_utf8_lossy(name).parse()?;
    let board = Board::new(cols, rows);
    game.start(board)?;
    let unit = Score::from_le_bytes(take(&mut rest).ok_or_else(damaged)?);
    let count = u32::from_le_bytes(take(&mut rest).ok_or_else(damaged)?);
    if unit < 1 || rest.len() as u64 != 20 * u64::from(count) {
        return Err(damaged());
    }
    let mut values = HashMap::with_capacity(count as usize);
    while let (Some(key), Some(value)) = (take(&mut rest), take(&mut rest)) {
        values.insert(u128::from_le_bytes(key), Score::from_le_bytes(value));
    }
    Ok(OpeningBook { game, board, unit, values })
}

fn take<const N: usize>(rest: &mut &[u8]) -> Option<[u8; N]> {
    let (taken, after) = rest.split_first_chunk::<N>()?;
    *rest = after;
    Some(*taken)
}
