//! Positions in 51 bytes, for data of millions of them.

use super::{Breakthru, Move};
use crate::error::{Error, Result};
use crate::game::{MoveCode, Position, Side};

/// The bytes of a set of squares.
const SET: usize = 16;

/// Bytes of a packed position: the three sets of squares (128 bits each, little-endian), the
/// highest bit of the first one set where Silver is to move; the code of the first ship's move, 0
/// for none; the number of the turn.
pub(super) const BYTES: usize = 3 * SET + 3;

/// The place of the side to move: squares take 121 bits.
const SILVER: u128 = 1 << 127;

/// Packs a position; false when there is no room.
pub(super) fn pack(position: &Breakthru, bytes: &mut [u8]) -> bool {
    let Some(bytes) = bytes.get_mut(..BYTES) else { return false };
    let mut sets = position.pieces;
    if position.side == Side::Second {
        sets[0] |= SILVER;
    }
    for (part, set) in bytes.chunks_exact_mut(SET).zip(sets) {
        part.copy_from_slice(&set.to_le_bytes());
    }
    let code = position.first.map_or(0, Move::code).to_le_bytes();
    bytes[3 * SET..].copy_from_slice(&[code[0], code[1], position.turn]);
    true
}

/// Unpacks a position.
pub(super) fn unpack(bytes: &[u8]) -> Result<Breakthru> {
    let Some(&[ref sets @ .., low, high, turn]) = bytes.get(..BYTES) else {
        return Err(Error::input("packed position", "cut off"));
    };
    let set = |index: usize| {
        let part = sets.get(index * SET..(index + 1) * SET).and_then(|part| part.try_into().ok());
        u128::from_le_bytes(part.unwrap_or_default())
    };
    let side = if set(0) & SILVER == 0 { Side::First } else { Side::Second };
    let first = match u16::from_le_bytes([low, high]) {
        0 => None,
        code => Some(Move::from_code(code)),
    };
    let position = Breakthru::from_squares([set(0) & !SILVER, set(1), set(2)], side, first, turn)?;
    match position.outcome() {
        None => Ok(position),
        Some(_) => Err(Error::input("packed position", "the game is over")),
    }
}
