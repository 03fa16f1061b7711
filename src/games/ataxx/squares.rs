//! Sets of squares. Every board uses the squares of the 8x8 one: square = 8 * row + column, a1 = 0.

use crate::game::notation::MAX_SIDE;

/// The squares of the first file.
const FILE_A: u64 = 0x0101_0101_0101_0101;
/// The squares of the eighth file.
const FILE_H: u64 = FILE_A << 7;

/// The squares next to each square: where it can clone to, and whose pieces change colour when it
/// is entered.
pub(super) static NEAR: [u64; 64] = ring(1);
/// The squares two away from each square: where it can jump to.
pub(super) static FAR: [u64; 64] = ring(2);

/// For each square of the 8x8 board the squares at that distance, in king's moves.
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

/// For each square how many of its neighbours are in a set, as a number in binary: the squares
/// whose number has the bit 1, those with the bit 2, 4 and 8.
#[inline]
pub const fn neighbour_counts(squares: u64) -> [u64; 4] {
    let (left, right) = ((squares & !FILE_H) << 1, (squares & !FILE_A) >> 1);
    // The sums of two and of three squares of a row, then the sum of the rows above, below, and of
    // the own one.
    let two = (left ^ right, left & right);
    let three = (two.0 ^ squares, two.1 | two.0 & squares);
    let ones = sum(three.0 << 8, three.0 >> 8, two.0);
    let twos = sum(three.1 << 8, three.1 >> 8, two.1);
    let carry = twos.0 & ones.1;
    [ones.0, twos.0 ^ ones.1, twos.1 ^ carry, twos.1 & carry]
}

/// The sum of three bits on each square: its low and its high bit.
const fn sum(a: u64, b: u64, c: u64) -> (u64, u64) {
    (a ^ b ^ c, a & b | (a ^ b) & c)
}

/// The squares of a set one after the other, from a1 on.
#[inline]
pub fn each(mut squares: u64) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        let square = squares.trailing_zeros() as u8;
        squares &= squares.wrapping_sub(1);
        (square < 64).then_some(square)
    })
}

/// The number of pairs of a square of `from` and one of `to` that are two away from each other: the
/// jumps of the pieces on `from` onto empty squares `to`.
#[inline]
pub fn jumps(from: u64, to: u64) -> u32 {
    /// With more squares in both sets, shifting the whole set in the 16 directions is faster.
    const FEW: u32 = 12;
    let (count, other) = (from.count_ones(), to.count_ones());
    let (least, most) = if count <= other { (from, to) } else { (to, from) };
    if count.min(other) <= FEW {
        return each(least).map(|square| (FAR[usize::from(square)] & most).count_ones()).sum();
    }
    shifted_pairs(from, to)
}

/// The same by shifts: each of eight directions and its opposite.
#[inline]
fn shifted_pairs(from: u64, to: u64) -> u32 {
    /// The squares that have so many columns to their right.
    const fn leaving_right(columns: u32) -> u64 {
        FILE_A * (0xff >> columns)
    }
    /// The squares that have so many columns to their left.
    const fn leaving_left(columns: u32) -> u64 {
        FILE_A * (0xff << columns & 0xff)
    }
    /// How far squares are shifted, and which of them stay on the board to the right and left.
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
    STEPS
        .iter()
        .map(|&(shift, stays)| {
            ((from & stays) << shift & to).count_ones()
                + ((to & stays) << shift & from).count_ones()
        })
        .sum()
}

/// The squares of a board without gaps.
pub(super) const fn board_squares(cols: u8, rows: u8) -> u64 {
    let row = 0xff >> (MAX_SIDE - cols);
    row * (FILE_A >> (8 * (MAX_SIDE - rows)))
}

/// Turns a board upside down: row r becomes row R - 1 - r.
#[inline]
pub(super) const fn flip(squares: u64, rows: u8) -> u64 {
    squares.swap_bytes() >> (8 * (MAX_SIDE - rows))
}

/// Exchanges left and right: column c becomes column C - 1 - c.
#[inline]
pub(super) const fn mirror(squares: u64, cols: u8) -> u64 {
    squares.reverse_bits().swap_bytes() >> (MAX_SIDE - cols)
}

/// The squares one after the other, C bits for each row, without the gaps of boards of fewer than
/// eight columns.
#[inline]
pub(super) const fn without_gaps(squares: u64, cols: u8) -> u64 {
    let row_squares = 0xff >> (MAX_SIDE - cols);
    let (mut packed, mut row) = (0, 0);
    while row < MAX_SIDE {
        packed |= (squares >> (8 * row) & row_squares) << (cols * row);
        row += 1;
    }
    packed
}

/// Exchanges rows and columns, by three swaps of ever smaller blocks.
#[inline]
pub(super) const fn transpose(squares: u64) -> u64 {
    const fn swap(squares: u64, mask: u64, shift: u32) -> u64 {
        let changed = (squares ^ squares >> shift) & mask;
        squares ^ changed ^ changed << shift
    }
    let squares = swap(squares, 0x0000_0000_f0f0_f0f0, 28);
    let squares = swap(squares, 0x0000_cccc_0000_cccc, 14);
    swap(squares, 0x00aa_00aa_00aa_00aa, 7)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Squares that look random.
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

    #[test]
    fn boards_are_turned_square_by_square() {
        for (cols, rows) in [(8, 8), (7, 7), (4, 8), (6, 5)] {
            let board = board_squares(cols, rows);
            assert_eq!(board.count_ones(), u32::from(cols) * u32::from(rows));
            for square in each(board) {
                let (row, col) = (square / 8, square % 8);
                assert_eq!(flip(1 << square, rows), 1 << (8 * (rows - 1 - row) + col));
                assert_eq!(mirror(1 << square, cols), 1 << (8 * row + cols - 1 - col));
                assert_eq!(transpose(1 << square), 1 << (8 * col + row));
                assert_eq!(without_gaps(1 << square, cols), 1 << (cols * row + col));
            }
        }
    }
}
