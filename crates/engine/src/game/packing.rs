//! Positions in few bytes, for data sets with millions of them.

use super::{Board, Position};
use crate::error::{Error, Result};

/// A game whose unfinished positions fit into a fixed number of bytes. A game without packed
/// positions has an empty implementation, and its weights cannot be fitted to positions.
pub trait Packing: Position {
    /// The size of a packed position in bytes; 0 for a game without packed positions.
    const PACKED: usize = 0;

    /// Writes the position into exactly [`PACKED`](Packing::PACKED) bytes; `None` if it does not
    /// fit. In a game that is the same for both sides, the position may be turned so that the first
    /// side is to move.
    fn write_packed(&self, bytes: &mut [u8]) -> Option<()> {
        let _ = bytes;
        None
    }

    /// Reads a position written by [`write_packed`](Packing::write_packed).
    ///
    /// # Errors
    /// When the bytes are not a position on this board.
    fn read_packed(board: Board, bytes: &[u8]) -> Result<Self> {
        let _ = (board, bytes);
        Err(Error::input("packed position", "this game has none"))
    }

    /// Packs an unfinished position into the first [`PACKED`](Packing::PACKED) bytes; false if that
    /// is impossible.
    fn pack(&self, bytes: &mut [u8]) -> bool {
        bytes.get_mut(..Self::PACKED).and_then(|bytes| self.write_packed(bytes)).is_some()
    }

    /// Reads a position written by [`pack`](Packing::pack).
    ///
    /// # Errors
    /// When the bytes are not an unfinished position on this board.
    fn unpack(board: Board, bytes: &[u8]) -> Result<Self> {
        let refuse = |reason| Err(Error::input("packed position", reason));
        let Some(bytes) = bytes.get(..Self::PACKED) else { return refuse("cut off") };
        let position = Self::read_packed(board, bytes)?;
        if position.outcome().is_some() { refuse("the game is over") } else { Ok(position) }
    }
}
