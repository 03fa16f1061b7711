//! Pattern tables over small windows: every rectangle of so many rows and columns, wherever it
//! lies, is read as a number in base three, and each number has a weight of its own.
//!
//! Windows of the same rows that mirror each other left to right share their weights, the right one
//! being read from right to left. Where the board looks the same from both sides, windows that
//! mirror each other top to bottom share them too (`FOLDED`). So windows of three rows and three
//! columns come on 8x8 in six rows and three classes of columns, with 19,683 patterns each: 354,294
//! weights, looked up 36 times a position.

mod cells;
mod parts;
mod scan;

pub use parts::SubPattern;
pub(crate) use scan::{ShownCells, each_window, sum};

use super::PatternTable;
use super::features::table_weights;
use crate::game::Board;
use crate::weights::WeightSet;
use std::sync::Arc;

/// A table of windows of `H` rows and `W` columns.
pub(crate) const fn table<const H: usize, const W: usize, const FOLDED: bool>(
    name: &'static str,
    words: &'static str,
) -> PatternTable {
    PatternTable {
        name,
        family: "patterns",
        words,
        formula: "the cells of all windows, see *windows*",
        cells: cells::count::<H, W, FOLDED>,
        mirror: cells::mirror::<H, W, FOLDED>,
        opposite: cells::opposite::<H, W, FOLDED>,
        parts: parts::parts::<H, W, FOLDED>,
        draw: cells::draw::<H, W, FOLDED>,
    }
}

/// The weights of a game's tables, ready for the search.
#[derive(Clone, Debug)]
pub(crate) struct Windows<const TABLES: usize> {
    board: Board,
    tables: [Option<Arc<[i16]>>; TABLES],
}

impl<const TABLES: usize> Windows<TABLES> {
    /// The tables of a set that is known to fit, whose weights have 16 bits; `None` when they are
    /// all zero.
    pub(crate) fn new(set: &WeightSet, tables: &[PatternTable; TABLES]) -> Option<Self> {
        let found = tables.each_ref().map(|table| table_weights(set, table));
        let (board, _) = found.iter().flatten().next()?;
        let used = |weights: &[i32]| weights.iter().any(|&weight| weight != 0);
        let pack = |weights: &[i32]| weights.iter().map(|&weight| weight as i16).collect();
        let tables = found.map(|found| {
            found.filter(|(_, weights)| used(weights)).map(|(_, weights)| pack(weights))
        });
        tables.iter().any(Option::is_some).then_some(Self { board: *board, tables })
    }

    /// The weights of a table, given by its place; `None` on another board than theirs, or when
    /// they are all zero.
    #[inline]
    pub(crate) fn table(&self, table: usize, cols: u8, rows: u8) -> Option<&[i16]> {
        let own = (cols, rows) == (self.board.cols(), self.board.rows());
        self.tables[table].as_deref().filter(|_| own)
    }
}

#[cfg(test)]
mod tests {
    use super::cells::{classes, count, draw, mirror, offsets, opposite, patterns};
    use super::*;
    use crate::eval::features::sample_positions;
    use crate::game::{Notation, Position};
    use crate::games::breakthrough::View;
    use crate::games::{Ataxx, Breakthrough};

    /// The sides' sets as a board shows them to the side to move.
    fn shown_by(view: View) -> ShownCells {
        let g = view.geometry;
        ShownCells { own: view.own, other: view.other, cols: g.cols, rows: g.rows }
    }

    /// The cells as the definition has them, square by square.
    fn defined<const H: usize, const W: usize, const FOLDED: bool>(
        shown: ShownCells,
    ) -> Vec<usize> {
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
                cells.push(
                    (line * classes::<W>(cols) + offset.min(mirror)) * patterns(H * W) + pattern,
                );
            }
        }
        cells.sort_unstable();
        cells
    }

    fn found<const H: usize, const W: usize, const FOLDED: bool>(shown: ShownCells) -> Vec<usize> {
        let mut cells = Vec::new();
        each_window::<H, W, FOLDED>(shown, |cell| cells.push(cell));
        cells.sort_unstable();
        cells
    }

    /// Checks the cells of two views of one position, each as one of the sides has it.
    fn check_position<const H: usize, const W: usize, const FOLDED: bool>(
        view: ShownCells,
        turned: ShownCells,
    ) {
        let board = Board::new(view.cols, view.rows);
        let cells = found::<H, W, FOLDED>(view);
        assert_eq!(cells, defined::<H, W, FOLDED>(view), "{board}");
        assert!(cells.iter().all(|&cell| cell < count::<H, W, FOLDED>(board)));
        let mut other: Vec<_> =
            cells.iter().map(|&cell| opposite::<H, W, FOLDED>(board, cell)).collect();
        other.sort_unstable();
        assert_eq!(other, found::<H, W, FOLDED>(turned), "{board}");
    }

    fn check_cells<const H: usize, const W: usize, const FOLDED: bool>(board: Board) {
        for cell in (0..count::<H, W, FOLDED>(board)).step_by(7) {
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
                let shown = ShownCells { own: view.own, other: view.other, cols, rows };
                let turned = ShownCells { own: view.other, other: view.own, ..shown };
                check_position::<3, 3, true>(shown, turned);
                check_position::<2, 4, true>(shown, turned);
                let flip = |set: u64| set.swap_bytes() >> (8 * (8 - rows));
                let flipped =
                    ShownCells { own: flip(shown.own), other: flip(shown.other), ..shown };
                let canonical = |shown: ShownCells| {
                    let image = |cell| mirror::<3, 3, true>(board, cell).min(cell);
                    let mut cells: Vec<_> =
                        found::<3, 3, true>(shown).into_iter().map(image).collect();
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
        assert_eq!(
            draw_3x3(Board::new(5, 5), 19_683 + 2 * 729 + 27),
            "rows 1-3 b-d: ... / o.. / x.."
        );
        let folded = draw::<3, 3, true>;
        assert_eq!(
            folded(Board::new(7, 7), 4 * 19_683 + 1),
            "rows 2-4 or 6-4 b-d or f-d: o.. / ... / ..."
        );
        assert_eq!(count::<2, 4, false>(Board::new(8, 8)), 137_781);
        assert_eq!(count::<3, 3, false>(Board::new(8, 8)), 354_294);
        assert_eq!(count::<4, 2, false>(Board::new(8, 8)), 131_220);
        assert_eq!(count::<2, 4, false>(Board::new(3, 8)), 0);
        assert_eq!(count::<3, 3, true>(Board::new(7, 7)), 177_147);
    }
}
