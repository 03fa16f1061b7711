//! Positions in twelve bytes, for data of millions of them.

use super::Breakthrough;
use crate::error::{Error, Result};
use crate::game::{Board, Position, Side};

/// Bytes of a packed position: the occupied squares (64 bits, little-endian), then for each of
/// them, from a1 on, a bit that says whether the piece belongs to the other side (32 bits,
/// little-endian). The board is turned so that the side to move moves up.
pub(super) const BYTES: usize = 12;

/// Packs a position; false when it has more than 32 pieces, which no game has.
pub(super) fn pack(position: &Breakthrough, bytes: &mut [u8]) -> bool {
    let view = position.view();
    let occupied = view.own | view.other;
    if occupied.count_ones() > u32::BITS || bytes.len() < BYTES {
        return false;
    }
    let (mut left, mut owners, mut place) = (occupied, 0_u32, 0);
    while left != 0 {
        let square = left & left.wrapping_neg();
        owners |= u32::from(view.other & square != 0) << place;
        left ^= square;
        place += 1;
    }
    bytes[..8].copy_from_slice(&occupied.to_le_bytes());
    bytes[8..BYTES].copy_from_slice(&owners.to_le_bytes());
    true
}

/// Unpacks a position, the first side to move.
pub(super) fn unpack(board: Board, bytes: &[u8]) -> Result<Breakthrough> {
    let Some((occupied, owners)) = bytes.get(..BYTES).map(|bytes| bytes.split_at(8)) else {
        return Err(Error::input("packed position", "cut off"));
    };
    let occupied = u64::from_le_bytes(occupied.try_into().unwrap_or_default());
    let mut owners = u32::from_le_bytes(owners.try_into().unwrap_or_default());
    let (mut left, mut other) = (occupied, 0);
    while left != 0 {
        let square = left & left.wrapping_neg();
        other |= if owners & 1 == 1 { square } else { 0 };
        owners >>= 1;
        left ^= square;
    }
    let position = Breakthrough::from_pieces(board, occupied & !other, other, Side::First)?;
    match position.outcome() {
        None => Ok(position),
        Some(_) => Err(Error::input("packed position", "the game is over")),
    }
}
