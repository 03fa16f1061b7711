//! Packed positions. For each square, row by row, they hold the index of its sign from 1, or 0, in
//! as few bits as all signs need; then one bit for the side to move, and eight bits for the clock
//! if there is one.

use super::squares::{numbers, sign_count};
use super::{Rules, Simple, Squares};
use crate::error::{Error, Result};
use crate::game::{Board, Packing, Position, Side};

impl<R: Rules> Simple<R> {
    /// The number of bits for each square.
    const BITS: usize = (usize::BITS - sign_count::<R>().leading_zeros()) as usize;
    /// The number of bits for all squares.
    const BOARD_BITS: usize = R::BOARD.cols() as usize * R::BOARD.rows() as usize * Self::BITS;
    /// The number of bits for the clock.
    const CLOCK_BITS: usize = if R::HAS_CLOCK { 8 } else { 0 };
}

/// Writes a value into bits that are still 0.
fn put(bytes: &mut [u8], begin: usize, bits: usize, value: usize) {
    for bit in 0..bits {
        bytes[(begin + bit) / 8] |= ((value >> bit & 1) << ((begin + bit) % 8)) as u8;
    }
}

fn get(bytes: &[u8], begin: usize, bits: usize) -> usize {
    let bit = |bit: usize| usize::from(bytes[bit / 8] >> (bit % 8) & 1);
    (0..bits).fold(0, |value, n| value | bit(begin + n) << n)
}

impl<R: Rules> Packing for Simple<R> {
    const PACKED: usize = (Self::BOARD_BITS + 1 + Self::CLOCK_BITS).div_ceil(8);

    fn write_packed(&self, bytes: &mut [u8]) -> Option<()> {
        bytes.fill(0);
        let squares = self.rules().squares();
        for (n, square) in numbers(R::BOARD).enumerate() {
            let sign = squares.sets().iter().position(|set| set >> square & 1 == 1);
            put(bytes, n * Self::BITS, Self::BITS, sign.map_or(0, |sign| sign + 1));
        }
        put(bytes, Self::BOARD_BITS, 1, self.side_to_move().index());
        put(bytes, Self::BOARD_BITS + 1, Self::CLOCK_BITS, self.rules().clock().into());
        Some(())
    }

    fn read_packed(board: Board, bytes: &[u8]) -> Result<Self> {
        let refuse = |reason| Err(Error::input("packed position", reason));
        if board != R::BOARD {
            return refuse("of another board");
        }
        let mut sets = vec![0_u128; sign_count::<R>()];
        for (n, square) in numbers(R::BOARD).enumerate() {
            match get(bytes, n * Self::BITS, Self::BITS).checked_sub(1) {
                None => {}
                Some(sign) if sign < sets.len() => sets[sign] |= 1 << square,
                Some(_) => return refuse("a sign that the game does not have"),
            }
        }
        let side = Side::BOTH[get(bytes, Self::BOARD_BITS, 1)];
        let clock = get(bytes, Self::BOARD_BITS + 1, Self::CLOCK_BITS) as u8;
        Self::set_up(&Squares::of_sets(&sets), side, clock)
    }
}
