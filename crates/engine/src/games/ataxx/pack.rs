//! Packed positions: the squares of the side to move and of the other side (64 bits each,
//! little-endian), with blocked squares in both sets; then the plies since the last clone.

use super::Ataxx;
use crate::error::Result;
use crate::game::{Board, Packing, Side};

impl Packing for Ataxx {
    const PACKED: usize = 17;

    fn write_packed(&self, bytes: &mut [u8]) -> Option<()> {
        let blocked = self.blocked();
        bytes[..8].copy_from_slice(&(self.own() | blocked).to_le_bytes());
        bytes[8..16].copy_from_slice(&(self.other() | blocked).to_le_bytes());
        bytes[16] = self.clock;
        Some(())
    }

    fn read_packed(board: Board, bytes: &[u8]) -> Result<Self> {
        let set =
            |begin| u64::from_le_bytes(bytes[begin..begin + 8].try_into().unwrap_or_default());
        let (own, other) = (set(0), set(8));
        Self::from_squares(board, [own & !other, other & !own], own & other, Side::First, bytes[16])
    }
}
