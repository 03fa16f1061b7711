//! The pattern table of Ataxx: windows of 3 x 3 squares, the squares that one move can change.
//! Blocked squares count as empty ones.

use crate::eval::PatternTable;
use crate::eval::windows::{self, ShownCells, each_window, table};
use crate::game::Position;
use crate::games::Ataxx;

/// The tables of the game, as its weight files name them.
pub(super) static TABLES: [PatternTable; 1] = [table::<3, 3, true>(
    "windows_3x3",
    "Each window of 3 rows x 3 columns shows one pattern of own and enemy pieces, which counts once.",
)];

/// The table's weights, ready for the search.
pub(super) type Windows = windows::Windows<1>;

#[inline]
fn shown_cells(position: &Ataxx) -> ShownCells {
    let (view, board) = (position.view(), position.board());
    ShownCells { own: view.own, other: view.other, cols: board.cols(), rows: board.rows() }
}

/// Calls `each` with the cells that a position shows of a table, given by its place in [`TABLES`].
#[inline]
pub(super) fn each_cell_of(table: usize, position: &Ataxx, each: impl FnMut(usize)) {
    if table == 0 {
        each_window::<3, 3, true>(shown_cells(position), each);
    }
}

/// The sum of the weights of all windows; nothing on another board than the weights'.
#[inline]
pub(super) fn sum(windows: &Windows, position: &Ataxx) -> i32 {
    let shown_cells = shown_cells(position);
    let weights = windows.table(0, shown_cells.cols, shown_cells.rows);
    weights.map_or(0, |weights| windows::sum::<3, 3, true>(weights, shown_cells))
}
