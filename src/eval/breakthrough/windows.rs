//! Pattern tables over small windows: every rectangle of so many rows and columns, wherever it lies, is read as a number
//! in base three, and each number has a weight of its own.
//!
//! Windows of the same rows that mirror each other share their weights, the right one being read from right to left.
//! So windows of two rows and four columns come on 8x8 in seven rows and three classes of columns, with 6,561 patterns
//! each: 137,781 weights, looked up 35 times a position.

use crate::eval::PatternTable;
use crate::eval::features::table_weights;
use crate::game::Board;
use crate::game::breakthrough::View;
use crate::weights::WeightSet;
use std::sync::Arc;

/// The most columns of a window.
const MAX_COLS: usize = 4;

/// The tables of the game, as its weight files name them.
pub(super) static TABLES: [PatternTable; 3] = [
    table::<2, 4>(
        "windows_2x4",
        "Each window of 2 rows x 4 columns shows one pattern of own and enemy pieces, which counts once.",
    ),
    table::<3, 3>(
        "windows_3x3",
        "Each window of 3 rows x 3 columns shows one pattern of own and enemy pieces, which counts once.",
    ),
    table::<4, 2>(
        "windows_4x2",
        "Each window of 4 rows x 2 columns shows one pattern of own and enemy pieces, which counts once.",
    ),
];

const fn table<const H: usize, const W: usize>(name: &'static str, words: &'static str) -> PatternTable {
    PatternTable {
        name,
        family: "patterns",
        words,
        formula: "the cells of all windows, see *windows*",
        cells: cells::<H, W>,
        mirror: mirror::<H, W>,
        opposite: opposite::<H, W>,
        draw: draw::<H, W>,
    }
}

/// The patterns of a row of so many squares, or of so many rows of one: each is empty, own or enemy.
const fn patterns(squares: usize) -> usize {
    3_usize.pow(squares as u32)
}

/// How many positions a window takes along the columns.
const fn offsets<const W: usize>(cols: usize) -> usize {
    (cols + 1).saturating_sub(W)
}

/// The number of classes of columns: an offset and its mirror image are one.
const fn classes<const W: usize>(cols: usize) -> usize {
    offsets::<W>(cols).div_ceil(2)
}

fn cells<const H: usize, const W: usize>(board: Board) -> usize {
    (usize::from(board.rows()) + 1 - H) * classes::<W>(board.cols().into()) * patterns(H * W)
}

/// The pattern with each of its rows changed; `upside_down` puts the last row first.
fn change_rows<const H: usize, const W: usize>(
    pattern: usize,
    upside_down: bool,
    change: fn(usize) -> usize,
) -> usize {
    let rows: [usize; H] = std::array::from_fn(|row| change(pattern / patterns(row * W) % patterns(W)));
    let place = |row: usize| if upside_down { H - 1 - row } else { row };
    rows.iter().enumerate().map(|(row, changed)| changed * patterns(place(row) * W)).sum()
}

/// The cell of the mirror image, for windows in the middle, which are their own mirror image; else the cell itself.
fn mirror<const H: usize, const W: usize>(board: Board, cell: usize) -> usize {
    fn turned<const W: usize>(row: usize) -> usize {
        (0..W).fold((0, row), |(out, left), _| (out * 3 + left % 3, left / 3)).0
    }
    let cols = usize::from(board.cols());
    let (group, pattern) = (cell / patterns(H * W), cell % patterns(H * W));
    let middle = offsets::<W>(cols) % 2 == 1 && group % classes::<W>(cols) == classes::<W>(cols) - 1;
    if !middle {
        return cell;
    }
    group * patterns(H * W) + change_rows::<H, W>(pattern, false, turned::<W>)
}

/// The cell that the other side sees: the rows the other way round, own pieces and enemy pieces exchanged.
fn opposite<const H: usize, const W: usize>(board: Board, cell: usize) -> usize {
    fn exchanged(row: usize) -> usize {
        let exchange = |(out, left, place): (usize, usize, usize), _| {
            (out + [0, 2, 1][left % 3] * place, left / 3, place * 3)
        };
        (0..MAX_COLS).fold((0, row, 1), exchange).0
    }
    let classes = classes::<W>(board.cols().into());
    let (group, pattern) = (cell / patterns(H * W), cell % patterns(H * W));
    let row = usize::from(board.rows()) - H - group / classes;
    (row * classes + group % classes) * patterns(H * W) + change_rows::<H, W>(pattern, true, exchanged)
}

/// A cell for people: `rows 3-4 a-d or h-e: .o.. / oox.`, the row nearest to home first and counted from 1, own pieces as
/// `o` and enemy ones as `x`. Windows that share the cell are both named, in the order they are read.
fn draw<const H: usize, const W: usize>(board: Board, cell: usize) -> String {
    let cols = usize::from(board.cols());
    let (group, pattern) = (cell / patterns(H * W), cell % patterns(H * W));
    let classes = classes::<W>(cols).max(1);
    let (row, first) = (group / classes, group % classes);
    let column = |index: usize| (b'a' + index.min(25) as u8) as char;
    let (last, mirrored) = (first + W - 1, cols.saturating_sub(1 + first));
    let mut span = format!("{}-{}", column(first), column(last));
    if mirrored != last {
        span += &format!(" or {}-{}", column(mirrored), column(mirrored.saturating_sub(W - 1)));
    }
    let sign = |square: usize| ['.', 'o', 'x'][pattern / patterns(square) % 3];
    let rows = (0..H).map(|h| (0..W).map(|w| sign(h * W + w)).collect::<String>());
    format!("rows {}-{} {span}: {}", row + 1, row + H, rows.collect::<Vec<_>>().join(" / "))
}

/// The pattern of a row by its own pieces (bits 0 to 3) and enemy pieces (bits 4 to 7), the first column being the
/// lowest digit; and the same read from right to left.
const fn row_patterns(cols: usize) -> [[u8; 256]; 2] {
    let mut rows = [[0; 256]; 2];
    let mut key = 0;
    while key < 256 {
        let mut col = 0;
        let mut place = 1;
        while col < cols {
            let (from, to) = (col, cols - 1 - col);
            let digit = (key >> from & 1) + 2 * (key >> (from + MAX_COLS) & 1);
            let mirrored = (key >> to & 1) + 2 * (key >> (to + MAX_COLS) & 1);
            // No square has a piece of both sides, and for such a key the sum might not fit.
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
}

/// [`row_patterns`] by the number of columns.
static ROWS: [[[u8; 256]; 2]; MAX_COLS + 1] =
    [row_patterns(0), row_patterns(1), row_patterns(2), row_patterns(3), row_patterns(4)];

/// Calls `each` with the cell of every window. With constants for the board the loops are unrolled.
#[inline(always)]
fn each_cell<const H: usize, const W: usize>(
    own: u64,
    other: u64,
    (cols, rows): (usize, usize),
    mut each: impl FnMut(usize),
) {
    let low = (u64::MAX / 255) * ((1 << W) - 1);
    let (offsets, classes) = (offsets::<W>(cols), classes::<W>(cols));
    for offset in 0..offsets {
        let mirror = offsets - 1 - offset;
        let (class, reading) = if offset <= mirror { (offset, 0) } else { (mirror, 1) };
        // The columns of all rows at once.
        let keys = (own >> offset & low | (other >> offset & low) << MAX_COLS).to_le_bytes();
        let rows_shown = keys.map(|key| usize::from(ROWS[W][reading][usize::from(key)]));
        for row in 0..(rows + 1).saturating_sub(H) {
            let pattern: usize = (0..H).map(|h| patterns(h * W) * rows_shown[row + h]).sum();
            each((row * classes + class) * patterns(H * W) + pattern);
        }
    }
}

/// Calls `each` with the cell of every window of a view.
#[inline(always)]
fn each_window<const H: usize, const W: usize>(view: View, each: impl FnMut(usize)) {
    match (view.geometry.cols, view.geometry.rows) {
        (8, 8) => each_cell::<H, W>(view.own, view.other, (8, 8), each),
        (6, 6) => each_cell::<H, W>(view.own, view.other, (6, 6), each),
        (cols, rows) => each_cell::<H, W>(view.own, view.other, (cols.into(), rows.into()), each),
    }
}

/// Calls `each` with the cells that a view shows of a table, given by its place in [`TABLES`].
#[inline]
pub(super) fn each_cell_of(table: usize, view: View, each: impl FnMut(usize)) {
    match table {
        0 => each_window::<2, 4>(view, each),
        1 => each_window::<3, 3>(view, each),
        2 => each_window::<4, 2>(view, each),
        _ => {}
    }
}

/// The weights of the tables, ready for the search.
#[derive(Clone, Debug)]
pub(super) struct Windows {
    board: Board,
    tables: [Option<Arc<[i16]>>; TABLES.len()],
}

impl Windows {
    /// The tables of a set that is known to fit, whose weights have 16 bits; `None` when they are all zero.
    pub(super) fn new(set: &WeightSet) -> Option<Self> {
        let found = TABLES.each_ref().map(|table| table_weights(set, table));
        let (board, _) = found.iter().flatten().next()?;
        let used = |weights: &[i32]| weights.iter().any(|&weight| weight != 0);
        let pack = |weights: &[i32]| weights.iter().map(|&weight| weight as i16).collect();
        let tables =
            found.map(|found| found.filter(|(_, weights)| used(weights)).map(|(_, weights)| pack(weights)));
        tables.iter().any(Option::is_some).then_some(Self { board: *board, tables })
    }

    /// The sum of the weights of all windows; nothing on another board.
    #[inline]
    pub(super) fn sum(&self, view: View) -> i32 {
        let g = view.geometry;
        if (g.cols, g.rows) != (self.board.cols(), self.board.rows()) {
            return 0;
        }
        let [wide, square, high] = &self.tables;
        sum_of::<2, 4>(wide, view) + sum_of::<3, 3>(square, view) + sum_of::<4, 2>(high, view)
    }
}

/// The sum of the weights of all windows of a table, 0 without it.
#[inline(always)]
fn sum_of<const H: usize, const W: usize>(weights: &Option<Arc<[i16]>>, view: View) -> i32 {
    let Some(weights) = weights else { return 0 };
    let mut sum = 0;
    each_window::<H, W>(view, |cell| sum += weights.get(cell).map_or(0, |&weight| i32::from(weight)));
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::features::sample_positions;
    use crate::game::{Breakthrough, Position};

    /// The cells as the definition has them, square by square.
    fn defined<const H: usize, const W: usize>(board: Board, view: View) -> Vec<usize> {
        let (cols, rows) = (usize::from(board.cols()), usize::from(board.rows()));
        let mut cells = Vec::new();
        for row in 0..(rows + 1).saturating_sub(H) {
            for offset in 0..offsets::<W>(cols) {
                let mirror = offsets::<W>(cols) - 1 - offset;
                let mut pattern = 0;
                for place in (0..H * W).rev() {
                    let col = if offset > mirror { W - 1 - place % W } else { place % W };
                    let square = 8 * (row + place / W) + offset + col;
                    let digit = view.own >> square & 1 | (view.other >> square & 1) << 1;
                    pattern = pattern * 3 + digit as usize;
                }
                cells.push((row * classes::<W>(cols) + offset.min(mirror)) * patterns(H * W) + pattern);
            }
        }
        cells.sort_unstable();
        cells
    }

    fn shown<const H: usize, const W: usize>(view: View) -> Vec<usize> {
        let mut cells = Vec::new();
        each_window::<H, W>(view, |cell| cells.push(cell));
        cells.sort_unstable();
        cells
    }

    fn check<const H: usize, const W: usize>(board: Board) {
        for position in sample_positions(&Breakthrough::start(board).unwrap(), 5, 3) {
            let cells = shown::<H, W>(position.view());
            assert_eq!(cells, defined::<H, W>(board, position.view()), "{board}");
            assert!(cells.iter().all(|&cell| cell < super::cells::<H, W>(board)));
            let mut turned: Vec<_> = cells.iter().map(|&cell| opposite::<H, W>(board, cell)).collect();
            turned.sort_unstable();
            assert_eq!(turned, shown::<H, W>(position.view().turned()), "{board}");
        }
        for cell in (0..super::cells::<H, W>(board)).step_by(7) {
            assert_eq!(opposite::<H, W>(board, opposite::<H, W>(board, cell)), cell);
            let other = mirror::<H, W>(board, cell);
            assert_eq!(mirror::<H, W>(board, other), cell);
            assert_eq!(other / patterns(H * W), cell / patterns(H * W));
            if other != cell {
                let digit = |cell: usize, square: usize| cell % patterns(H * W) / patterns(square) % 3;
                assert!((0..H * W).all(|i| digit(cell, i) == digit(other, i / W * W + W - 1 - i % W)));
            }
        }
    }

    #[test]
    fn cells_are_as_defined_and_know_their_mirror_images_and_opposites() {
        for board in Breakthrough::boards() {
            check::<2, 4>(board);
            check::<3, 3>(board);
            check::<4, 2>(board);
        }
    }

    #[test]
    fn cells_are_counted_and_drawn() {
        assert_eq!(draw::<2, 4>(Board::new(6, 6), 30_654), "rows 3-4 a-d or f-c: ..oo / ...x");
        assert_eq!(draw::<2, 4>(Board::new(7, 7), 6561 + 1), "rows 1-2 b-e or f-c: o... / ....");
        assert_eq!(draw::<2, 4>(Board::new(5, 5), 1), "rows 1-2 a-d or e-b: o... / ....");
        assert_eq!(draw::<2, 4>(Board::new(4, 5), 2), "rows 1-2 a-d: x... / ....");
        assert_eq!(draw::<3, 3>(Board::new(5, 5), 19_683 + 2 * 729 + 27), "rows 1-3 b-d: ... / o.. / x..");
        assert_eq!(cells::<2, 4>(Board::new(8, 8)), 137_781);
        assert_eq!(cells::<3, 3>(Board::new(8, 8)), 354_294);
        assert_eq!(cells::<4, 2>(Board::new(8, 8)), 131_220);
        assert_eq!(cells::<2, 4>(Board::new(3, 8)), 0);
    }
}
