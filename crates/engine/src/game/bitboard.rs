//! Sets of squares as bits, with operations for boards within 8x8 squares: square = 8 * row +
//! column, a1 = 0.

/// The most columns and rows of a board that fits into 64 bits.
pub const MAX_SIDE: u8 = 8;
/// The squares of the first file.
pub const FILE_A: u64 = 0x0101_0101_0101_0101;
/// The squares of the eighth file.
pub const FILE_H: u64 = FILE_A << 7;

/// A set of squares.
pub trait Bitboard: Copy {
    /// Removes and returns the lowest square of the set.
    fn pop(&mut self) -> Option<u8>;
}

impl Bitboard for u64 {
    #[inline]
    fn pop(&mut self) -> Option<u8> {
        let square = self.trailing_zeros() as u8;
        *self &= self.wrapping_sub(1);
        (square < 64).then_some(square)
    }
}

impl Bitboard for u128 {
    #[inline]
    fn pop(&mut self) -> Option<u8> {
        let square = (*self != 0).then(|| self.trailing_zeros() as u8);
        *self &= self.wrapping_sub(1);
        square
    }
}

/// Iterates over the squares of a set, lowest first.
#[inline]
pub fn each<B: Bitboard>(mut set: B) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || set.pop())
}

/// The number of squares of a set.
#[inline]
pub fn ones(set: impl Into<u128>) -> i32 {
    set.into().count_ones() as i32
}

/// Picks a square of a set by a position's key. Any choice will do, provided that it is the same in
/// every release.
pub fn pick<B: Bitboard>(set: B, key: u64) -> Option<u8> {
    let count = each(set).count().max(1) as u64;
    each(set).nth((key % count) as usize)
}

/// The squares of a board of this size.
pub const fn board_squares(cols: u8, rows: u8) -> u64 {
    let row = 0xff >> (MAX_SIDE - cols);
    row * (FILE_A >> (8 * (MAX_SIDE - rows)))
}

/// Turns a board upside down: row r becomes row R - 1 - r.
#[inline]
pub const fn flip(squares: u64, rows: u8) -> u64 {
    squares.swap_bytes() >> (8 * (MAX_SIDE - rows))
}

/// Exchanges left and right: column c becomes column C - 1 - c.
#[inline]
pub const fn mirror(squares: u64, cols: u8) -> u64 {
    squares.reverse_bits().swap_bytes() >> (MAX_SIDE - cols)
}

/// The squares that are in more sets of the first pair than of the second.
#[inline]
pub const fn more_often([a, b]: [u64; 2], [c, d]: [u64; 2]) -> u64 {
    (a | b) & !(c | d) | a & b & !(c & d)
}

/// Exchanges rows and columns by three swaps of ever smaller blocks.
#[inline]
pub const fn transpose(squares: u64) -> u64 {
    const fn swap(squares: u64, mask: u64, shift: u32) -> u64 {
        let changed = (squares ^ squares >> shift) & mask;
        squares ^ changed ^ changed << shift
    }
    let squares = swap(squares, 0x0000_0000_f0f0_f0f0, 28);
    let squares = swap(squares, 0x0000_cccc_0000_cccc, 14);
    swap(squares, 0x00aa_00aa_00aa_00aa, 7)
}

/// Packs the squares with C bits for each row, without the gaps of boards of fewer than eight
/// columns.
#[inline]
pub const fn without_gaps(squares: u64, cols: u8, rows: u8) -> u64 {
    let row_squares = 0xff >> (MAX_SIDE - cols);
    let (mut packed, mut row) = (0, 0);
    while row < rows {
        packed |= (squares >> (8 * row) & row_squares) << (cols * row);
        row += 1;
    }
    packed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boards_are_turned_square_by_square() {
        for (cols, rows) in [(8, 8), (7, 7), (4, 8), (6, 5), (2, 5)] {
            let board = board_squares(cols, rows);
            assert_eq!(board.count_ones(), u32::from(cols) * u32::from(rows));
            for square in each(board) {
                let (row, col) = (square / 8, square % 8);
                assert_eq!(flip(1 << square, rows), 1 << (8 * (rows - 1 - row) + col));
                assert_eq!(mirror(1 << square, cols), 1 << (8 * row + cols - 1 - col));
                assert_eq!(transpose(1 << square), 1 << (8 * col + row));
                assert_eq!(without_gaps(1 << square, cols, rows), 1 << (cols * row + col));
            }
        }
    }

    #[test]
    fn squares_of_two_pairs_are_counted() {
        for bits in 0..16_u64 {
            let [a, b, c, d] = [0, 1, 2, 3].map(|place| bits >> place & 1);
            assert_eq!(more_often([a, b], [c, d]), u64::from(a + b > c + d), "{bits:04b}");
        }
    }

    #[test]
    fn squares_come_from_the_lowest_on() {
        assert_eq!(each(0b1001_u64 | 1 << 63).collect::<Vec<_>>(), [0, 3, 63]);
        assert_eq!(each(0b1001_u128 | 1 << 127).collect::<Vec<_>>(), [0, 3, 127]);
        assert_eq!(each(0_u64).chain(each(0_u128)).count(), 0);
    }
}
