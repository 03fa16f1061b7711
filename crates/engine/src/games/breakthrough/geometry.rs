//! The masks of a board. Every board uses the squares of 8x8: square = 8 * row + column, a1 = 0.

use crate::game::bitboard::{self, FILE_A, FILE_H, MAX_SIDE};

/// The fewest columns of a board.
pub(super) const MIN_COLS: u8 = 2;
/// The fewest rows of a board. With fewer, the two armies start in contact or nearly so.
pub(super) const MIN_ROWS: u8 = 5;

/// Board data for move generation and evaluation.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct Geometry {
    /// The number of columns.
    pub cols: u8,
    /// The number of rows.
    pub rows: u8,
    /// All squares of the board.
    pub mask: u64,
    /// White's home row and Black's goal.
    pub bottom: u64,
    /// Black's home row and White's goal.
    pub top: u64,
    /// The rows above the middle; an odd number of rows has a middle row in neither half.
    pub upper_half: u64,
    /// The rows below the middle; an odd number of rows has a middle row in neither half.
    pub lower_half: u64,
    /// For each of the three bits of a row's number, the rows with this bit set.
    pub row_bits: [u64; 3],
    /// The same with rows numbered from the top.
    pub row_bits_from_top: [u64; 3],
}

impl Geometry {
    const fn new(cols: u8, rows: u8) -> Self {
        let bottom = (1 << cols) - 1;
        let top = bottom << (8 * (rows - 1));
        let mut row_bits = [0; 3];
        let mut row_bits_from_top = [0; 3];
        let mut row = 0;
        while row < rows {
            let squares = bottom << (8 * row);
            let mut bit = 0;
            while bit < 3 {
                row_bits[bit] |= if row >> bit & 1 == 1 { squares } else { 0 };
                row_bits_from_top[bit] |=
                    if (rows - 1 - row) >> bit & 1 == 1 { squares } else { 0 };
                bit += 1;
            }
            row += 1;
        }
        let mask = bitboard::board_squares(cols, rows);
        let lower_half = bitboard::board_squares(cols, rows / 2);
        let upper_half = bitboard::flip(lower_half, rows);
        Self { cols, rows, mask, bottom, top, upper_half, lower_half, row_bits, row_bits_from_top }
    }

    /// The masks of a board, if the game supports it.
    pub fn get(cols: u8, rows: u8) -> Option<&'static Self> {
        let row = rows.checked_sub(MIN_ROWS)? as usize;
        let col = cols.checked_sub(MIN_COLS)? as usize;
        GEOMETRIES.get(row)?.get(col)
    }

    /// The squares of a row; row 0 is the bottom.
    #[inline]
    pub const fn row(&self, row: u8) -> u64 {
        self.bottom << (8 * row)
    }

    /// Turns the board upside down: row r becomes row R - 1 - r.
    #[inline]
    pub const fn flip(&self, squares: u64) -> u64 {
        bitboard::flip(squares, self.rows)
    }

    /// Exchanges left and right: column c becomes column C - 1 - c.
    #[inline]
    pub const fn mirror(&self, squares: u64) -> u64 {
        bitboard::mirror(squares, self.cols)
    }

    /// Packs the squares with C bits for each row, without the gaps of boards of fewer than eight
    /// columns.
    #[inline]
    pub const fn pack(&self, squares: u64) -> u64 {
        bitboard::without_gaps(squares, self.cols, self.rows)
    }

    /// The squares one row up and one file to the left.
    #[inline]
    pub const fn up_left(&self, squares: u64) -> u64 {
        ((squares & !FILE_A) << 7) & self.mask
    }

    /// The squares one row up and one file to the right.
    #[inline]
    pub const fn up_right(&self, squares: u64) -> u64 {
        ((squares & !FILE_H) << 9) & self.mask
    }

    /// The squares one row up.
    #[inline]
    pub const fn up(&self, squares: u64) -> u64 {
        (squares << 8) & self.mask
    }

    /// The squares one row down and one file to the left.
    #[inline]
    pub const fn down_left(&self, squares: u64) -> u64 {
        (squares & !FILE_A) >> 9
    }

    /// The squares one row down and one file to the right.
    #[inline]
    pub const fn down_right(&self, squares: u64) -> u64 {
        ((squares & !FILE_H) >> 7) & self.mask
    }

    /// The squares one row down.
    #[inline]
    pub const fn down(&self, squares: u64) -> u64 {
        squares >> 8
    }
}

const ROWS: usize = (MAX_SIDE - MIN_ROWS + 1) as usize;
const COLS: usize = (MAX_SIDE - MIN_COLS + 1) as usize;

static GEOMETRIES: [[Geometry; COLS]; ROWS] = {
    const ANY: Geometry = Geometry::new(MAX_SIDE, MAX_SIDE);
    let mut all = [const { [ANY; COLS] }; ROWS];
    let mut row = 0;
    while row < ROWS {
        let mut col = 0;
        while col < COLS {
            all[row][col] = Geometry::new(col as u8 + MIN_COLS, row as u8 + MIN_ROWS);
            col += 1;
        }
        row += 1;
    }
    all
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boards_outside_the_limits_have_no_masks() {
        assert!(Geometry::get(1, 8).is_none() && Geometry::get(9, 8).is_none());
        assert!(Geometry::get(8, 4).is_none() && Geometry::get(8, 9).is_none());
    }

    #[test]
    fn flipping_twice_changes_nothing_and_steps_stay_on_the_board() {
        for rows in MIN_ROWS..=MAX_SIDE {
            for cols in MIN_COLS..=MAX_SIDE {
                let g = Geometry::get(cols, rows).unwrap();
                assert_eq!(g.mask.count_ones(), u32::from(cols) * u32::from(rows));
                assert_eq!(g.flip(g.bottom), g.top);
                for square in (0..64).filter(|&s| g.mask >> s & 1 == 1) {
                    let bit = 1u64 << square;
                    assert_eq!(g.flip(g.flip(bit)), bit);
                    assert_eq!(g.mirror(g.mirror(bit)), bit);
                    assert_eq!(g.mirror(g.up_left(bit)), g.up_right(g.mirror(bit)));
                    let index = u32::from(cols) * (square >> 3) + (square & 7);
                    assert_eq!(g.pack(bit), 1 << index);
                    for there in
                        [g.up_left(bit), g.up_right(bit), g.down_left(bit), g.down_right(bit)]
                    {
                        assert!(there & !g.mask == 0);
                        let apart = (there.trailing_zeros() & 7).abs_diff(square & 7);
                        assert!(there == 0 || apart == 1, "{cols}x{rows} {square}");
                    }
                    assert_eq!(g.down_right(g.flip(bit)), g.flip(g.up_right(bit)));
                    assert_eq!(g.down_left(g.flip(bit)), g.flip(g.up_left(bit)));
                }
            }
        }
    }
}
