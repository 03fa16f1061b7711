//! The parts of patterns: smaller patterns that the cells of all tables share.
//!
//! Patterns that share a part have similar values, and a fit can use this: most patterns are rare,
//! but their parts are not. A part is a smaller rectangle at its position on the board or anywhere
//! on its rows, or it is the whole pattern anywhere on its rows or on the board. Mirror images are
//! the same part. The opponent's view of a part is the same part with the opposite sign.
//!
//! This choice of parts made the strongest sets. Sets without the parts anywhere on their rows are
//! weaker. Adding smaller rectangles anywhere on the board makes sets no stronger
//! (docs/measurements/archive/2026-11-22-design-choices.md).

use super::Windows;
use super::cells::patterns;
use crate::eval::SubPattern;
use crate::game::Board;

/// The sizes of the smaller parts, in rows and columns.
const SIZES: [(usize, usize); 5] = [(1, 1), (2, 2), (2, 3), (3, 2), (4, 2)];

/// A rectangle of squares: empty 0, own 1, enemy 2.
#[derive(Clone, Copy)]
struct Rectangle<'a> {
    rows: usize,
    cols: usize,
    /// Its first row and column on the board; `None` for a part that may be anywhere.
    place: (Option<usize>, Option<usize>),
    /// The contents of the squares, row by row.
    squares: &'a [u8],
}

impl<const H: usize, const W: usize, const FOLDED: bool> Windows<H, W, FOLDED> {
    /// The parts of a cell, see [`PatternTable::parts`](crate::eval::PatternTable::parts).
    pub(super) fn parts(board: Board, cell: usize) -> Vec<SubPattern> {
        let (top, left, pattern) = Self::split(board, cell);
        let whole: Vec<u8> =
            (0..H * W).map(|square| (pattern / patterns(square) % 3) as u8).collect();
        let mut parts = Vec::new();
        for place in [(None, None), (Some(top), None)] {
            let rectangle = Rectangle { rows: H, cols: W, place, squares: &whole };
            parts.extend(rectangle.part::<FOLDED>(board, 0));
        }
        for (rows, cols) in SIZES.into_iter().filter(|&(rows, cols)| rows <= H && cols <= W) {
            let within = (0..=H - rows).flat_map(|row| (0..=W - cols).map(move |col| (row, col)));
            for (row, col) in within {
                let square = |at: usize| whole[(row + at / cols) * W + col + at % cols];
                let squares: Vec<u8> = (0..rows * cols).map(square).collect();
                // A single square counts only at its position on the board.
                let columns = [Some(left + col), None].into_iter();
                for column in columns.filter(|column| column.is_some() || rows * cols > 1) {
                    let place = (Some(top + row), column);
                    let rectangle = Rectangle { rows, cols, place, squares: &squares };
                    parts.extend(rectangle.part::<FOLDED>(board, (H * W - rows * cols) as u8));
                }
            }
        }
        parts
    }
}

impl Rectangle<'_> {
    /// The part, unless it is its own opposite or is empty.
    fn part<const FOLDED: bool>(&self, board: Board, rest: u8) -> Option<SubPattern> {
        if self.squares.iter().all(|&square| square == 0) {
            return None;
        }
        // If both sides see the board alike, it may be turned upside down. Otherwise the opponent
        // sees it upside down.
        let least = |exchanged: bool| {
            let ways = if FOLDED { &[false, true][..] } else { &[exchanged][..] };
            let key = |&upside_down: &bool| {
                [false, true].map(|mirrored| self.key(board, exchanged, upside_down, mirrored))
            };
            ways.iter().flat_map(key).min().unwrap_or(0)
        };
        let (own, other) = (least(false), least(true));
        (own != other).then(|| SubPattern { key: own.min(other), opposite: other < own, rest })
    }

    /// The key of the rectangle with the sides exchanged, upside down, or mirrored left to right.
    fn key(&self, board: Board, exchanged: bool, upside_down: bool, mirrored: bool) -> u64 {
        let digit = |&shown: &u8| u64::from(if exchanged { (3 - shown) % 3 } else { shown });
        let append = |pattern: u64, digit: u64| pattern * 3 + digit;
        let append_row = |pattern: u64, row: &[u8]| match mirrored {
            true => row.iter().rev().map(digit).fold(pattern, append),
            false => row.iter().map(digit).fold(pattern, append),
        };
        let rows = self.squares.chunks_exact(self.cols);
        let pattern = match upside_down {
            true => rows.rev().fold(0, append_row),
            false => rows.fold(0, append_row),
        };
        let turn = |at: usize, length: usize, turned: bool| match turned {
            true => length - 1 - at,
            false => at,
        };
        // Positions count from 1, so 0 means anywhere.
        let rows = usize::from(board.rows()) + 1 - self.rows;
        let cols = usize::from(board.cols()) + 1 - self.cols;
        let row = self.place.0.map_or(0, |row| turn(row, rows, upside_down) + 1);
        let col = self.place.1.map_or(0, |col| turn(col, cols, mirrored) + 1);
        [self.rows, self.cols, row, col]
            .into_iter()
            .fold(pattern, |key, more| key << 4 | more as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::Game;
    use crate::game::Position;
    use crate::games::{Ataxx, Breakthrough};

    /// The step from one checked cell to the next: a prime, so that all kinds of patterns occur.
    const STEP: usize = 211;

    fn sorted(mut parts: Vec<SubPattern>) -> Vec<SubPattern> {
        parts.sort_unstable();
        parts
    }

    fn check<const H: usize, const W: usize, const FOLDED: bool>(board: Board) {
        let of = |cell| sorted(Windows::<H, W, FOLDED>::parts(board, cell));
        for cell in (0..Windows::<H, W, FOLDED>::count(board)).step_by(STEP) {
            let found = of(cell);
            let mirror = Windows::<H, W, FOLDED>::mirror(board, cell);
            assert_eq!(found, of(mirror), "{board} {cell}");
            let turned =
                found.iter().map(|part| SubPattern { opposite: !part.opposite, ..*part }).collect();
            let opposite = Windows::<H, W, FOLDED>::opposite(board, cell);
            assert_eq!(sorted(turned), of(opposite), "{board} {cell}");
        }
    }

    #[test]
    fn mirror_images_have_the_same_parts_and_opposites_the_opposite_ones() {
        for board in Breakthrough::boards() {
            check::<2, 4, false>(board);
            check::<3, 3, false>(board);
            check::<5, 2, false>(board);
        }
        Ataxx::boards().into_iter().for_each(check::<3, 3, true>);
    }

    #[test]
    fn cells_share_the_squares_and_rectangles_they_have_in_common() {
        let board = Board::new(8, 8);
        let [square, tall] = Breakthrough::TABLES else { panic!("two tables") };
        let keys =
            |parts: Vec<SubPattern>| parts.into_iter().map(|part| part.key).collect::<Vec<_>>();
        // One cell has rows 1 to 5 of columns a and b with pieces on a1 and b2. The other has rows
        // 1 to 3 of columns a to c with the same pieces and c3. They share the two squares, the
        // rectangles a1-b2, a2-b3 and a1-b3, and these three anywhere on their rows.
        let one = keys((tall.parts)(board, 1 + 3_usize.pow(3)));
        let other = keys((square.parts)(board, 1 + 3_usize.pow(4) + 3_usize.pow(8)));
        assert_eq!(one.iter().filter(|key| other.contains(key)).count(), 8);
        // The same pattern elsewhere shares the whole pattern and nothing else.
        let group = 3_usize.pow(10);
        let elsewhere = keys((tall.parts)(board, 1 + 3_usize.pow(3) + 3 * 4 * group));
        assert_eq!(one.iter().filter(|key| elsewhere.contains(key)).count(), 1);
        // An empty window has no parts.
        assert!((tall.parts)(board, 0).is_empty());
    }
}
