//! Pattern tables over small windows: every rectangle of two rows and four columns, wherever it lies, is read as a
//! number in base three, and each number has a weight of its own.
//!
//! Windows of the same rows that mirror each other share their weights, the right one being read from right to left.
//! So on 8x8 there are seven rows of windows, three classes of columns and 6,561 patterns: 137,781 weights, looked up
//! 35 times a position.

use crate::eval::PatternTable;
use crate::game::Board;
use crate::game::breakthrough::View;
use std::sync::Arc;

/// Columns of a window.
const COLS: usize = 4;
/// Patterns of a row of a window: each square is empty, own or enemy.
const ROW_PATTERNS: usize = 81;
/// Patterns of a window.
pub(super) const PATTERNS: usize = ROW_PATTERNS * ROW_PATTERNS;
/// The lower half of each byte.
const LOW: u64 = 0x0f0f_0f0f_0f0f_0f0f;

/// The tables of the game, as its weight files name them.
pub(super) const TABLES: &[PatternTable] = &[PatternTable {
    name: "windows_2x4",
    family: "patterns",
    words: "Each window of 2 rows x 4 columns shows one pattern of own and enemy pieces, which counts once.",
    formula: "the cells of all windows, see *windows*",
    cells,
    mirror,
    opposite,
    draw,
}];

/// How many positions a window takes along the columns, mirrored ones apart.
const fn offsets(cols: usize) -> usize {
    (cols + 1).saturating_sub(COLS)
}

/// The number of classes of columns: an offset and its mirror image are one.
const fn classes(cols: usize) -> usize {
    offsets(cols).div_ceil(2)
}

fn cells(board: Board) -> usize {
    (usize::from(board.rows()) - 1) * classes(board.cols().into()) * PATTERNS
}

/// The cell of the mirror image, for windows in the middle, which are their own mirror image; else the cell itself.
fn mirror(board: Board, cell: usize) -> usize {
    let cols = usize::from(board.cols());
    let (group, pattern) = (cell / PATTERNS, cell % PATTERNS);
    let middle = offsets(cols) % 2 == 1 && group % classes(cols) == classes(cols) - 1;
    if !middle {
        return cell;
    }
    let turned = |row: usize| (0..COLS).fold((0, row), |(out, left), _| (out * 3 + left % 3, left / 3)).0;
    group * PATTERNS + turned(pattern % ROW_PATTERNS) + ROW_PATTERNS * turned(pattern / ROW_PATTERNS)
}

/// The cell that the other side sees: the rows the other way round, own pieces and enemy pieces exchanged.
fn opposite(board: Board, cell: usize) -> usize {
    let classes = classes(board.cols().into());
    let (group, pattern) = (cell / PATTERNS, cell % PATTERNS);
    let row = usize::from(board.rows()) - 2 - group / classes;
    let exchanged = |row: usize| {
        let exchange = |(out, left, place): (usize, usize, usize), _| {
            (out + [0, 2, 1][left % 3] * place, left / 3, place * 3)
        };
        (0..COLS).fold((0_usize, row, 1_usize), exchange).0
    };
    let pattern = exchanged(pattern / ROW_PATTERNS) + ROW_PATTERNS * exchanged(pattern % ROW_PATTERNS);
    (row * classes + group % classes) * PATTERNS + pattern
}

/// A cell for people: `rows 3-4 a-d: .o.. / oox.`, the row nearer to home first and counted from 1, own pieces as `o`
/// and enemy ones as `x`. Windows that share the cell are both named, `a-d or h-e`, in the order they are read.
fn draw(board: Board, cell: usize) -> String {
    let cols = usize::from(board.cols());
    let (group, pattern) = (cell / PATTERNS, cell % PATTERNS);
    let (row, class) = (group / classes(cols).max(1), group % classes(cols).max(1));
    let column = |index: usize| (b'a' + index.min(25) as u8) as char;
    let (first, last) = (class, class + COLS - 1);
    let span = format!("{}-{}", column(first), column(last));
    let mirrored = cols.saturating_sub(1 + first);
    let span = match mirrored == last {
        true => span,
        false => format!("{span} or {}-{}", column(mirrored), column(mirrored.saturating_sub(COLS - 1))),
    };
    let squares = |row: usize| {
        let sign = |place: &usize| ['.', 'o', 'x'][row / place % 3];
        [1, 3, 9, 27].iter().map(sign).collect::<String>()
    };
    let (low, high) = (squares(pattern % ROW_PATTERNS), squares(pattern / ROW_PATTERNS));
    format!("rows {}-{} {span}: {low} / {high}", row + 1, row + 2)
}

/// The pattern of a row of four squares by its own pieces (bits 0 to 3) and enemy pieces (bits 4 to 7), the first
/// column being the lowest digit; and the same read from right to left.
static ROWS: [[u8; 256]; 2] = {
    let mut rows = [[0; 256]; 2];
    let mut key = 0;
    while key < 256 {
        let mut col = 0;
        let mut place = 1;
        while col < COLS {
            let digit = (key >> col & 1) + 2 * (key >> (col + COLS) & 1);
            let mirrored = (key >> (COLS - 1 - col) & 1) + 2 * (key >> (2 * COLS - 1 - col) & 1);
            // Both bits set cannot be: the place would overflow, and no position has it.
            if digit < 3 && mirrored < 3 {
                rows[0][key] += (digit * place) as u8;
                rows[1][key] += (mirrored * place) as u8;
            }
            place *= 3;
            col += 1;
        }
        key += 1;
    }
    rows
};

/// Calls `each` with the cell of every window. With constants for the board the loops are unrolled.
#[inline(always)]
fn each_cell(own: u64, other: u64, (cols, rows): (usize, usize), mut each: impl FnMut(usize)) {
    let (offsets, classes) = (offsets(cols), classes(cols));
    for offset in 0..offsets {
        let mirror = offsets - 1 - offset;
        let (class, reading) = if offset <= mirror { (offset, 0) } else { (mirror, 1) };
        // The four columns of all rows at once.
        let keys = (own >> offset & LOW | (other >> offset & LOW) << COLS).to_le_bytes();
        let patterns = keys.map(|key| usize::from(ROWS[reading][usize::from(key)]));
        for row in 0..rows - 1 {
            let pattern = patterns[row] + ROW_PATTERNS * patterns[row + 1];
            each((row * classes + class) * PATTERNS + pattern);
        }
    }
}

/// Calls `each` with the cell of every window of a view.
#[inline]
pub(super) fn each_window(view: View, each: impl FnMut(usize)) {
    match (view.geometry.cols, view.geometry.rows) {
        (8, 8) => each_cell(view.own, view.other, (8, 8), each),
        (6, 6) => each_cell(view.own, view.other, (6, 6), each),
        (cols, rows) => each_cell(view.own, view.other, (cols.into(), rows.into()), each),
    }
}

/// The weights of a table, ready for the search.
#[derive(Clone, Debug)]
pub(super) struct Windows {
    board: Board,
    weights: Arc<[i16]>,
}

impl Windows {
    /// The weights of a table of a board, which have 16 bits; `None` when they are all zero.
    pub(super) fn new(board: Board, weights: &[i32]) -> Option<Self> {
        let used = weights.iter().any(|&weight| weight != 0);
        used.then(|| Self { board, weights: weights.iter().map(|&weight| weight as i16).collect() })
    }

    /// The sum of the weights of all windows; nothing on another board.
    #[inline]
    pub(super) fn sum(&self, view: View) -> i32 {
        let g = view.geometry;
        if (g.cols, g.rows) != (self.board.cols(), self.board.rows()) {
            return 0;
        }
        let mut sum = 0;
        each_window(view, |cell| sum += i32::from(self.weights.get(cell).copied().unwrap_or(0)));
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::features::sample_positions;
    use crate::game::{Breakthrough, Position};

    fn digits(mut pattern: usize) -> [usize; 8] {
        std::array::from_fn(|_| {
            let digit = pattern % 3;
            pattern /= 3;
            digit
        })
    }

    #[test]
    fn every_window_shows_its_squares() {
        for board in Breakthrough::boards() {
            let (cols, rows) = (usize::from(board.cols()), usize::from(board.rows()));
            for position in sample_positions(&Breakthrough::start(board).unwrap(), 5, 3) {
                let view = position.view();
                let mut seen = Vec::new();
                each_window(view, |cell| seen.push(cell));
                let mut expected = Vec::new();
                for row in 0..rows - 1 {
                    for offset in 0..offsets(cols) {
                        let mirror = offsets(cols) - 1 - offset;
                        let class = offset.min(mirror);
                        let mut pattern = 0;
                        for place in (0..8).rev() {
                            let col = if offset > mirror { 3 - place % 4 } else { place % 4 };
                            let square = 8 * (row + place / 4) + offset + col;
                            let digit = view.own >> square & 1 | (view.other >> square & 1) << 1;
                            pattern = pattern * 3 + digit as usize;
                        }
                        expected.push((row * classes(cols) + class) * PATTERNS + pattern);
                    }
                }
                seen.sort_unstable();
                expected.sort_unstable();
                assert_eq!(seen, expected, "{board}");
                assert!(seen.iter().all(|&cell| cell < cells(board)));
            }
        }
    }

    #[test]
    fn each_side_sees_the_opposite_of_what_the_other_sees() {
        for board in Breakthrough::boards() {
            for position in sample_positions(&Breakthrough::start(board).unwrap(), 5, 4) {
                let (mut own, mut other) = (Vec::new(), Vec::new());
                each_window(position.view(), |cell| own.push(opposite(board, cell)));
                each_window(position.view().turned(), |cell| other.push(cell));
                own.sort_unstable();
                other.sort_unstable();
                assert_eq!(own, other, "{board}");
            }
            assert!((0..cells(board)).all(|cell| opposite(board, opposite(board, cell)) == cell));
        }
    }

    #[test]
    fn mirror_images_are_told_in_the_middle_only() {
        for board in Breakthrough::boards() {
            for cell in (0..cells(board)).step_by(7) {
                let other = mirror(board, cell);
                assert_eq!(mirror(board, other), cell);
                assert_eq!(other / PATTERNS, cell / PATTERNS);
                if other != cell {
                    let (a, b) = (digits(cell % PATTERNS), digits(other % PATTERNS));
                    assert!((0..8).all(|i| a[i] == b[i / 4 * 4 + 3 - i % 4]));
                }
            }
        }
        assert_eq!(draw(Board::new(6, 6), 30_654), "rows 3-4 a-d or f-c: ..oo / ...x");
        assert_eq!(draw(Board::new(7, 7), 6561 + 1), "rows 1-2 b-e or f-c: o... / ....");
        assert_eq!(draw(Board::new(5, 5), 1), "rows 1-2 a-d or e-b: o... / ....");
        assert_eq!(draw(Board::new(4, 5), 2), "rows 1-2 a-d: x... / ....");
        assert_eq!(cells(Board::new(8, 8)), 137_781);
        assert_eq!(cells(Board::new(3, 8)), 0);
    }
}
