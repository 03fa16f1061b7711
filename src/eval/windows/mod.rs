//! Pattern tables over small windows: every rectangle of so many rows and columns, wherever it lies, is read as a number
//! in base three, and each number has a weight of its own.
//!
//! Windows of the same rows that mirror each other left to right share their weights, the right one being read from
//! right to left. Where the board looks the same from both sides, windows that mirror each other top to bottom share
//! them too (`FOLDED`). So windows of three rows and three columns come on 8x8 in six rows and three classes of columns,
//! with 19,683 patterns each: 354,294 weights, looked up 36 times a position.

mod parts;

pub use parts::Part;

use super::PatternTable;
use super::features::table_weights;
use crate::game::Board;
use crate::weights::WeightSet;
use std::sync::Arc;

/// The most columns of a window.
const MAX_COLS: usize = 4;

/// A table of windows of `H` rows and `W` columns.
pub(super) const fn table<const H: usize, const W: usize, const FOLDED: bool>(
    name: &'static str,
    words: &'static str,
) -> PatternTable {
    PatternTable {
        name,
        family: "patterns",
        words,
        formula: "the cells of all windows, see *windows*",
        cells: cells::<H, W, FOLDED>,
        mirror: mirror::<H, W, FOLDED>,
        opposite: opposite::<H, W, FOLDED>,
        parts: parts::parts::<H, W, FOLDED>,
        draw: draw::<H, W, FOLDED>,
    }
}

/// The patterns of so many squares: each is empty, own or enemy.
const fn patterns(squares: usize) -> usize {
    3_usize.pow(squares as u32)
}

/// How many places a window of so many squares takes along a side of the board.
const fn offsets<const LENGTH: usize>(side: usize) -> usize {
    (side + 1).saturating_sub(LENGTH)
}

/// The number of classes of columns: an offset and its mirror image are one.
const fn classes<const W: usize>(cols: usize) -> usize {
    offsets::<W>(cols).div_ceil(2)
}

/// The number of classes of rows: the same where the windows are `FOLDED`, else each row is a class of its own.
const fn row_classes<const H: usize, const FOLDED: bool>(rows: usize) -> usize {
    let offsets = offsets::<H>(rows);
    if FOLDED { offsets.div_ceil(2) } else { offsets }
}

/// The number of cells on a board.
pub(super) fn cells<const H: usize, const W: usize, const FOLDED: bool>(board: Board) -> usize {
    let (cols, rows) = (board.cols().into(), board.rows().into());
    row_classes::<H, FOLDED>(rows) * classes::<W>(cols) * patterns(H * W)
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

/// The cell of the mirror image, for windows in the middle, which are their own mirror image; else the cell itself. In the
/// middle both ways it is the image left to right.
pub(super) fn mirror<const H: usize, const W: usize, const FOLDED: bool>(board: Board, cell: usize) -> usize {
    fn turned<const W: usize>(row: usize) -> usize {
        (0..W).fold((0, row), |(out, left), _| (out * 3 + left % 3, left / 3)).0
    }
    let (cols, rows) = (usize::from(board.cols()), usize::from(board.rows()));
    let (group, pattern) = (cell / patterns(H * W), cell % patterns(H * W));
    let classes = classes::<W>(cols);
    let is_middle = |offsets: usize, class: usize| offsets % 2 == 1 && class == offsets / 2;
    let image = if is_middle(offsets::<W>(cols), group % classes) {
        change_rows::<H, W>(pattern, false, turned::<W>)
    } else if FOLDED && is_middle(offsets::<H>(rows), group / classes) {
        change_rows::<H, W>(pattern, true, |row| row)
    } else {
        pattern
    };
    group * patterns(H * W) + image
}

/// The cell that the other side sees: own pieces and enemy pieces exchanged, and the rows the other way round unless the
/// windows are `FOLDED`, when both sides see the board alike.
pub(super) fn opposite<const H: usize, const W: usize, const FOLDED: bool>(
    board: Board,
    cell: usize,
) -> usize {
    fn exchanged(row: usize) -> usize {
        let exchange = |(out, left, place): (usize, usize, usize), _| {
            (out + [0, 2, 1][left % 3] * place, left / 3, place * 3)
        };
        (0..MAX_COLS).fold((0, row, 1), exchange).0
    }
    let classes = classes::<W>(board.cols().into());
    let (group, pattern) = (cell / patterns(H * W), cell % patterns(H * W));
    let (row, class) = (group / classes, group % classes);
    let row = if FOLDED { row } else { usize::from(board.rows()) - H - row };
    (row * classes + class) * patterns(H * W) + change_rows::<H, W>(pattern, !FOLDED, exchanged)
}

/// A cell for people: `rows 3-4 a-d or h-e: .o.. / oox.`, the first row first and counted from 1, own pieces as `o` and
/// enemy ones as `x`. Windows that share the cell are all named, in the order they are read.
pub(super) fn draw<const H: usize, const W: usize, const FOLDED: bool>(board: Board, cell: usize) -> String {
    let (cols, rows) = (usize::from(board.cols()), usize::from(board.rows()));
    let (group, pattern) = (cell / patterns(H * W), cell % patterns(H * W));
    let classes = classes::<W>(cols).max(1);
    let column = |index: usize| ((b'a' + index.min(25) as u8) as char).to_string();
    let columns = span(group % classes, W, cols, true, column);
    let lines = span(group / classes, H, rows, FOLDED, |index| (index + 1).to_string());
    let sign = |square: usize| ['.', 'o', 'x'][pattern / patterns(square) % 3];
    let shown = (0..H).map(|h| (0..W).map(|w| sign(h * W + w)).collect::<String>());
    format!("rows {lines} {columns}: {}", shown.collect::<Vec<_>>().join(" / "))
}

/// The squares of a window along a side of the board, and their mirror image if that is another.
fn span(first: usize, length: usize, side: usize, mirrored: bool, name: impl Fn(usize) -> String) -> String {
    let (last, image) = (first + length - 1, side.saturating_sub(1 + first));
    let text = format!("{}-{}", name(first), name(last));
    if !mirrored || image == last {
        return text;
    }
    format!("{text} or {}-{}", name(image), name(image.saturating_sub(length - 1)))
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
fn each_cell<const H: usize, const W: usize, const FOLDED: bool>(
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
        let mut found =
            |row: usize, pattern: usize| each((row * classes + class) * patterns(H * W) + pattern);
        if FOLDED {
            each_folded_pattern::<H, W>(&rows_shown[..rows], &mut found);
        } else {
            each_pattern::<H, W>(&rows_shown[..rows], &mut found);
        }
    }
}

/// Calls `each` with the row and the pattern of every window of a column, from the last one down: a window's pattern comes
/// of the one above it, by a row more and a row less.
#[inline(always)]
fn each_pattern<const H: usize, const W: usize>(shown: &[usize], each: &mut impl FnMut(usize, usize)) {
    let mut pattern = 0;
    for row in (0..shown.len()).rev() {
        pattern = pattern * patterns(W) + shown[row];
        if let Some(above) = shown.get(row + H) {
            pattern -= above * patterns(H * W);
        }
        if row + H <= shown.len() {
            each(row, pattern);
        }
    }
}

/// The same where the windows of the upper rows are read upside down, and count as those of the lower rows.
#[inline(always)]
fn each_folded_pattern<const H: usize, const W: usize>(shown: &[usize], each: &mut impl FnMut(usize, usize)) {
    let offsets = self::offsets::<H>(shown.len());
    for row in 0..offsets {
        let image = offsets - 1 - row;
        let upside_down = row > image;
        let place = |h: usize| if upside_down { H - 1 - h } else { h };
        let pattern = (0..H).map(|h| patterns(place(h) * W) * shown[row + h]).sum();
        each(row.min(image), pattern);
    }
}

/// The two sets that windows show, and the board they stand on.
#[derive(Clone, Copy)]
pub(super) struct Shown {
    pub(super) own: u64,
    pub(super) other: u64,
    pub(super) cols: u8,
    pub(super) rows: u8,
}

/// Calls `each` with the cell of every window; quickest on the boards that are played most.
#[inline(always)]
pub(super) fn each_window<const H: usize, const W: usize, const FOLDED: bool>(
    shown: Shown,
    each: impl FnMut(usize),
) {
    let Shown { own, other, cols, rows } = shown;
    match (cols, rows) {
        (8, 8) => each_cell::<H, W, FOLDED>(own, other, (8, 8), each),
        (7, 7) => each_cell::<H, W, FOLDED>(own, other, (7, 7), each),
        (6, 6) => each_cell::<H, W, FOLDED>(own, other, (6, 6), each),
        _ => each_cell::<H, W, FOLDED>(own, other, (cols.into(), rows.into()), each),
    }
}

/// The sum of the weights of all windows.
#[inline(always)]
pub(super) fn sum<const H: usize, const W: usize, const FOLDED: bool>(weights: &[i16], shown: Shown) -> i32 {
    let mut sum = 0;
    let weight = |cell| i32::from(weights.get(cell).copied().unwrap_or(0));
    each_window::<H, W, FOLDED>(shown, |cell| sum += weight(cell));
    sum
}

/// The weights of a game's tables, ready for the search.
#[derive(Clone, Debug)]
pub(super) struct Windows<const TABLES: usize> {
    board: Board,
    tables: [Option<Arc<[i16]>>; TABLES],
}

impl<const TABLES: usize> Windows<TABLES> {
    /// The tables of a set that is known to fit, whose weights have 16 bits; `None` when they are all zero.
    pub(super) fn new(set: &WeightSet, tables: &[PatternTable; TABLES]) -> Option<Self> {
        let found = tables.each_ref().map(|table| table_weights(set, table));
        let (board, _) = found.iter().flatten().next()?;
        let used = |weights: &[i32]| weights.iter().any(|&weight| weight != 0);
        let pack = |weights: &[i32]| weights.iter().map(|&weight| weight as i16).collect();
        let tables =
            found.map(|found| found.filter(|(_, weights)| used(weights)).map(|(_, weights)| pack(weights)));
        tables.iter().any(Option::is_some).then_some(Self { board: *board, tables })
    }

    /// The weights of a table, given by its place; `None` on another board than theirs, or when they are all zero.
    #[inline]
    pub(super) fn table(&self, table: usize, cols: u8, rows: u8) -> Option<&[i16]> {
        let own = (cols, rows) == (self.board.cols(), self.board.rows());
        self.tables[table].as_deref().filter(|_| own)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::features::sample_positions;
    use crate::game::breakthrough::View;
    use crate::game::{Ataxx, Breakthrough, Position};

    /// The sides' sets as a board shows them to the side to move.
    fn shown_by(view: View) -> Shown {
        let g = view.geometry;
        Shown { own: view.own, other: view.other, cols: g.cols, rows: g.rows }
    }

    /// The cells as the definition has them, square by square.
    fn defined<const H: usize, const W: usize, const FOLDED: bool>(shown: Shown) -> Vec<usize> {
        let (cols, rows) = (usize::from(shown.cols), usize::from(shown.rows));
        let mut cells = Vec::new();
        let row_offsets = offsets::<H>(rows);
        for row in 0..row_offsets {
            for offset in 0..offsets::<W>(cols) {
                let (mirror, image) = (offsets::<W>(cols) - 1 - offset, row_offsets - 1 - row);
                let upside_down = FOLDED && row > image;
                let mut pattern = 0;
                for place in (0..H * W).rev() {
                    let col = if offset > mirror { W - 1 - place % W } else { place % W };
                    let line = if upside_down { H - 1 - place / W } else { place / W };
                    let square = 8 * (row + line) + offset + col;
                    let digit = shown.own >> square & 1 | (shown.other >> square & 1) << 1;
                    pattern = pattern * 3 + digit as usize;
                }
                let line = if FOLDED { row.min(image) } else { row };
                cells.push((line * classes::<W>(cols) + offset.min(mirror)) * patterns(H * W) + pattern);
            }
        }
        cells.sort_unstable();
        cells
    }

    fn found<const H: usize, const W: usize, const FOLDED: bool>(shown: Shown) -> Vec<usize> {
        let mut cells = Vec::new();
        each_window::<H, W, FOLDED>(shown, |cell| cells.push(cell));
        cells.sort_unstable();
        cells
    }

    /// Checks the cells of two views of one position, each as one of the sides has it.
    fn check_position<const H: usize, const W: usize, const FOLDED: bool>(view: Shown, turned: Shown) {
        let board = Board::new(view.cols, view.rows);
        let cells = found::<H, W, FOLDED>(view);
        assert_eq!(cells, defined::<H, W, FOLDED>(view), "{board}");
        assert!(cells.iter().all(|&cell| cell < super::cells::<H, W, FOLDED>(board)));
        let mut other: Vec<_> = cells.iter().map(|&cell| opposite::<H, W, FOLDED>(board, cell)).collect();
        other.sort_unstable();
        assert_eq!(other, found::<H, W, FOLDED>(turned), "{board}");
    }

    fn check_cells<const H: usize, const W: usize, const FOLDED: bool>(board: Board) {
        for cell in (0..super::cells::<H, W, FOLDED>(board)).step_by(7) {
            let opposite = opposite::<H, W, FOLDED>;
            assert_eq!(opposite(board, opposite(board, cell)), cell);
            let other = mirror::<H, W, FOLDED>(board, cell);
            assert_eq!(mirror::<H, W, FOLDED>(board, other), cell);
            assert_eq!(other / patterns(H * W), cell / patterns(H * W));
            let digit = |cell: usize, square: usize| cell % patterns(H * W) / patterns(square) % 3;
            let columns = |i: usize| i / W * W + W - 1 - i % W;
            let rows = |i: usize| (H - 1 - i / W) * W + i % W;
            let is_image = |map: &dyn Fn(usize) -> usize| {
                (0..H * W).all(|square| digit(cell, square) == digit(other, map(square)))
            };
            assert!(other == cell || is_image(&columns) || FOLDED && is_image(&rows));
        }
    }

    #[test]
    fn cells_are_as_defined_and_know_their_mirror_images_and_opposites() {
        for board in Breakthrough::boards() {
            for position in sample_positions(&Breakthrough::start(board).unwrap(), 5, 3) {
                let view = position.view();
                check_position::<2, 4, false>(shown_by(view), shown_by(view.turned()));
                check_position::<3, 3, false>(shown_by(view), shown_by(view.turned()));
                check_position::<5, 2, false>(shown_by(view), shown_by(view.turned()));
            }
            check_cells::<2, 4, false>(board);
            check_cells::<3, 3, false>(board);
            check_cells::<5, 2, false>(board);
        }
    }

    #[test]
    fn folded_cells_are_the_same_upside_down() {
        for board in Ataxx::boards() {
            for position in sample_positions(&Ataxx::start(board).unwrap(), 5, 3) {
                let view = position.view();
                let (cols, rows) = (board.cols(), board.rows());
                let shown = Shown { own: view.own, other: view.other, cols, rows };
                let turned = Shown { own: view.other, other: view.own, ..shown };
                check_position::<3, 3, true>(shown, turned);
                check_position::<2, 4, true>(shown, turned);
                let flip = |set: u64| set.swap_bytes() >> (8 * (8 - rows));
                let flipped = Shown { own: flip(shown.own), other: flip(shown.other), ..shown };
                let canonical = |shown: Shown| {
                    let image = |cell| mirror::<3, 3, true>(board, cell).min(cell);
                    let mut cells: Vec<_> = found::<3, 3, true>(shown).into_iter().map(image).collect();
                    cells.sort_unstable();
                    cells
                };
                // The window in the very middle shares its weights left to right only.
                if board.cols() % 2 == 0 {
                    assert_eq!(canonical(shown), canonical(flipped), "{}", position.fen());
                }
            }
            check_cells::<3, 3, true>(board);
        }
    }

    #[test]
    fn cells_are_counted_and_drawn() {
        let draw_2x4 = draw::<2, 4, false>;
        assert_eq!(draw_2x4(Board::new(6, 6), 30_654), "rows 3-4 a-d or f-c: ..oo / ...x");
        assert_eq!(draw_2x4(Board::new(7, 7), 6561 + 1), "rows 1-2 b-e or f-c: o... / ....");
        assert_eq!(draw_2x4(Board::new(5, 5), 1), "rows 1-2 a-d or e-b: o... / ....");
        assert_eq!(draw_2x4(Board::new(4, 5), 2), "rows 1-2 a-d: x... / ....");
        let draw_3x3 = draw::<3, 3, false>;
        assert_eq!(draw_3x3(Board::new(5, 5), 19_683 + 2 * 729 + 27), "rows 1-3 b-d: ... / o.. / x..");
        let folded = draw::<3, 3, true>;
        assert_eq!(folded(Board::new(7, 7), 4 * 19_683 + 1), "rows 2-4 or 6-4 b-d or f-d: o.. / ... / ...");
        assert_eq!(cells::<2, 4, false>(Board::new(8, 8)), 137_781);
        assert_eq!(cells::<3, 3, false>(Board::new(8, 8)), 354_294);
        assert_eq!(cells::<4, 2, false>(Board::new(8, 8)), 131_220);
        assert_eq!(cells::<2, 4, false>(Board::new(3, 8)), 0);
        assert_eq!(cells::<3, 3, true>(Board::new(7, 7)), 177_147);
    }
}
