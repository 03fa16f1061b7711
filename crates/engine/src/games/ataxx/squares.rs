//! Sets of squares. Every board uses the squares of 8x8: square = 8 * row + column, a1 = 0.

pub use crate::game::bitboard::each;
use crate::game::bitboard::{FILE_A, FILE_H};

/// The squares next to each square: its clones' targets, and the pieces that change colour when it
/// is entered.
pub(super) static NEAR: [u64; 64] = ring(1);
/// The squares at distance two from each square: its jumps' targets.
pub(super) static FAR: [u64; 64] = ring(2);

/// For each square of the 8x8 board the squares at this distance, in king's moves.
const fn ring(distance: i32) -> [u64; 64] {
    let mut rings = [0; 64];
    let mut square = 0;
    while square < 64 {
        let mut other = 0;
        while other < 64 {
            let rows = (square / 8 - other / 8_i32).abs();
            let cols = (square % 8 - other % 8_i32).abs();
            if (if rows > cols { rows } else { cols }) == distance {
                rings[square as usize] |= 1 << other;
            }
            other += 1;
        }
        square += 1;
    }
    rings
}

/// A set and all squares next to it, on the 8x8 board.
#[inline]
pub const fn grown(squares: u64) -> u64 {
    let wide = squares | (squares & !FILE_H) << 1 | (squares & !FILE_A) >> 1;
    wide | wide << 8 | wide >> 8
}

/// For each square the number of its neighbours in a set, in binary. The result has one set of
/// squares for each of the bits 1, 2, 4 and 8.
#[inline]
pub const fn neighbour_counts(squares: u64) -> [u64; 4] {
    let (left, right) = ((squares & !FILE_H) << 1, (squares & !FILE_A) >> 1);
    // Add two and three squares of a row, then add the rows above and below and the own row.
    let two = (left ^ right, left & right);
    let three = (two.0 ^ squares, two.1 | two.0 & squares);
    let ones = sum(three.0 << 8, three.0 >> 8, two.0);
    let twos = sum(three.1 << 8, three.1 >> 8, two.1);
    let carry = twos.0 & ones.1;
    [ones.0, twos.0 ^ ones.1, twos.1 ^ carry, twos.1 & carry]
}

/// The sum of three bits on each square, as its low bit and its high bit.
const fn sum(a: u64, b: u64, c: u64) -> (u64, u64) {
    (a ^ b ^ c, a & b | (a ^ b) & c)
}

/// The number of pairs of a square of `from` and a square of `to` at distance two: the jumps of
/// pieces on `from` to empty squares `to`.
#[inline]
pub fn jumps(from: u64, to: u64) -> u32 {
    /// If both sets have more squares than this, shifting whole sets in 16 directions is faster.
    const FEW: u32 = 12;
    let (count, other) = (from.count_ones(), to.count_ones());
    let (least, most) = if count <= other { (from, to) } else { (to, from) };
    if count.min(other) <= FEW {
        let mut jumps = 0;
        for square in each(least) {
            jumps += (FAR[usize::from(square)] & most).count_ones();
        }
        return jumps;
    }
    shifted_pairs(from, to)
}

/// The same by shifts, in eight directions and their opposites.
#[inline]
fn shifted_pairs(from: u64, to: u64) -> u32 {
    /// The squares with at least `columns` columns to their right.
    const fn leaving_right(columns: u32) -> u64 {
        FILE_A * (0xff >> columns)
    }
    /// The squares with at least `columns` columns to their left.
    const fn leaving_left(columns: u32) -> u64 {
        FILE_A * (0xff << columns & 0xff)
    }
    /// The length of each shift, and the squares that stay on the board when shifted.
    const STEPS: [(u32, u64); 8] = [
        (16, !0),
        (17, leaving_right(1)),
        (18, leaving_right(2)),
        (10, leaving_right(2)),
        (2, leaving_right(2)),
        (15, leaving_left(1)),
        (14, leaving_left(2)),
        (6, leaving_left(2)),
    ];
    let mut pairs = 0;
    for (shift, stays) in STEPS {
        pairs += ((from & stays) << shift & to).count_ones();
        pairs += ((to & stays) << shift & from).count_ones();
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A pseudorandom set of squares.
    fn noise(seed: u64) -> u64 {
        rand_mt::Mt64::new(seed).next_u64()
    }

    #[test]
    fn rings_are_the_squares_at_a_distance() {
        for square in 0..64_u8 {
            let (row, col) = (square / 8, square % 8);
            for other in 0..64_u8 {
                let apart = row.abs_diff(other / 8).max(col.abs_diff(other % 8));
                assert_eq!(NEAR[usize::from(square)] >> other & 1 == 1, apart == 1);
                assert_eq!(FAR[usize::from(square)] >> other & 1 == 1, apart == 2);
                assert_eq!(grown(1 << square) >> other & 1 == 1, apart <= 1);
            }
        }
    }

    #[test]
    fn neighbours_are_counted_in_binary() {
        for squares in (0..200).map(noise).chain([0, !0, FILE_A, FILE_H]) {
            let counts = neighbour_counts(squares);
            for (square, near) in NEAR.iter().enumerate() {
                let count: u64 = (0..4).map(|bit| (counts[bit] >> square & 1) << bit).sum();
                assert_eq!(count, u64::from((near & squares).count_ones()));
            }
        }
    }

    #[test]
    fn jumps_are_the_pairs_two_away() {
        for seed in 0..2000 {
            let (a, b, thin) =
                (noise(seed), noise(seed + 9000), noise(seed + 5000) & noise(seed + 6000));
            let (from, to) = if seed % 2 == 0 { (a & !b, b) } else { (a & thin, !a & b & thin) };
            let pairs: u32 =
                each(from).map(|square| (FAR[usize::from(square)] & to).count_ones()).sum();
            assert_eq!((jumps(from, to), shifted_pairs(from, to)), (pairs, pairs));
        }
    }
}
