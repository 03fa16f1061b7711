//! Packed positions: the three sets of squares (128 bits each, little-endian), with the highest bit
//! of the first set for Silver to move; the code of the first ship's move, 0 for none; the number
//! of the turn.

use super::{Breakthru, Move};
use crate::error::{Error, Result};
use crate::game::{Board, MoveCode, Packing, Position, Side};

/// The size of a set of squares in bytes.
const SET: usize = 16;
/// The bit of the side to move: squares take only 121 bits.
const SILVER: u128 = 1 << 127;

impl Packing for Breakthru {
    const PACKED: usize = 3 * SET + 3;

    fn write_packed(&self, bytes: &mut [u8]) -> Option<()> {
        let mut sets = self.pieces;
        if self.side == Side::Second {
            sets[0] |= SILVER;
        }
        for (part, set) in bytes.chunks_exact_mut(SET).zip(sets) {
            part.copy_from_slice(&set.to_le_bytes());
        }
        let code = self.first.map_or(0, Move::code).to_le_bytes();
        bytes[3 * SET..].copy_from_slice(&[code[0], code[1], self.turn]);
        Some(())
    }

    fn read_packed(board: Board, bytes: &[u8]) -> Result<Self> {
        if board != Self::default_board() {
            return Err(Error::input("packed position", "no such board"));
        }
        let set = |index: usize| {
            let part = &bytes[index * SET..(index + 1) * SET];
            u128::from_le_bytes(part.try_into().unwrap_or_default())
        };
        let side = if set(0) & SILVER == 0 { Side::First } else { Side::Second };
        let first = match u16::from_le_bytes([bytes[3 * SET], bytes[3 * SET + 1]]) {
            0 => None,
            code => Some(Move::from_code(code)),
        };
        let pieces = [set(0) & !SILVER, set(1), set(2)];
        Self::from_squares(pieces, side, first, bytes[3 * SET + 2])
    }
}
