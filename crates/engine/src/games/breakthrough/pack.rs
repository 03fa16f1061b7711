//! Packed positions: the occupied squares (64 bits, little-endian), then one bit for each of them,
//! from a1, that is set for pieces of the other side (32 bits, little-endian). The board is turned
//! so that the side to move moves up.

use super::Breakthrough;
use crate::error::Result;
use crate::game::bitboard::each;
use crate::game::{Board, Packing, Side};

impl Packing for Breakthrough {
    const PACKED: usize = 12;

    /// Positions with more than 32 pieces do not fit. No game reaches one.
    fn write_packed(&self, bytes: &mut [u8]) -> Option<()> {
        let view = self.view();
        let occupied = view.own | view.other;
        if occupied.count_ones() > u32::BITS {
            return None;
        }
        let owner = |(place, square): (u32, u8)| ((view.other >> square & 1) as u32) << place;
        let owners = (0..).zip(each(occupied)).map(owner).fold(0_u32, |all, owner| all | owner);
        bytes[..8].copy_from_slice(&occupied.to_le_bytes());
        bytes[8..].copy_from_slice(&owners.to_le_bytes());
        Some(())
    }

    fn read_packed(board: Board, bytes: &[u8]) -> Result<Self> {
        let (occupied, owners) = bytes.split_at(8);
        let occupied = u64::from_le_bytes(occupied.try_into().unwrap_or_default());
        let owners = u64::from(u32::from_le_bytes(owners.try_into().unwrap_or_default()));
        let owned = (0..32).zip(each(occupied)).filter(|(place, _)| owners >> place & 1 == 1);
        let other = owned.fold(0, |set, (_, square)| set | 1 << square);
        Self::from_pieces(board, occupied & !other, other, Side::First)
    }
}
