//! Positions in 17 bytes, for data of millions of them.

use super::Ataxx;
use crate::error::{Error, Result};
use crate::game::{Board, Position, Side};

/// Bytes of a packed position: two sets of squares (64 bits each, little-endian), that of the side
/// to move and that of the other one, blocked squares being in both; then the plies since the last
/// clone.
pub(super) const BYTES: usize = 17;

/// Packs a position, as seen by the side to move; false when there is no room.
pub(super) fn pack(position: &Ataxx, bytes: &mut [u8]) -> bool {
    let Some(bytes) = bytes.get_mut(..BYTES) else { return false };
    let blocked = position.blocked();
    bytes[..8].copy_from_slice(&(position.own() | blocked).to_le_bytes());
    bytes[8..16].copy_from_slice(&(position.other() | blocked).to_le_bytes());
    bytes[16] = position.clock;
    true
}

/// Unpacks a position, the first side to move.
pub(super) fn unpack(board: Board, bytes: &[u8]) -> Result<Ataxx> {
    let Some(&[ref sets @ .., clock]) = bytes.get(..BYTES) else {
        return Err(Error::input("packed position", "cut off"));
    };
    let (own, other) = sets.split_at(8);
    let [own, other] =
        [own, other].map(|set| u64::from_le_bytes(set.try_into().unwrap_or_default()));
    let pieces = [own & !other, other & !own];
    let position = Ataxx::from_squares(board, pieces, own & other, Side::First, clock)?;
    match position.outcome() {
        None => Ok(position),
        Some(_) => Err(Error::input("packed position", "the game is over")),
    }
}
