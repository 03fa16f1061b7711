//! The pattern tables of Breakthrough: windows of 3 x 3 and 5 x 2 squares, rows counted from the
//! home of the side to move.

use crate::eval::PatternTable;
use crate::eval::windows::{self, ShownCells, each_window, table};
use crate::games::breakthrough::View;

/// The tables of the game, as its weight files name them.
pub(super) static TABLES: [PatternTable; 2] = [
    table::<3, 3, false>(
        "windows_3x3",
        "Each window of 3 rows x 3 columns shows one pattern of own and enemy pieces, which counts once.",
    ),
    table::<5, 2, false>(
        "windows_5x2",
        "Each window of 5 rows x 2 columns shows one pattern of own and enemy pieces, which counts once.",
    ),
];

/// The tables' weights, ready for the search.
pub(super) type Windows = windows::Windows<2>;

#[inline]
fn shown_cells(view: View) -> ShownCells {
    ShownCells {
        own: view.own,
        other: view.other,
        cols: view.geometry.cols,
        rows: view.geometry.rows,
    }
}

/// Calls `each` with the cells that a view shows of a table, given by its place in [`TABLES`].
#[inline]
pub(super) fn each_cell_of(table: usize, view: View, each: impl FnMut(usize)) {
    match table {
        0 => each_window::<3, 3, false>(shown_cells(view), each),
        1 => each_window::<5, 2, false>(shown_cells(view), each),
        _ => {}
    }
}

/// The sum of the weights of all windows; nothing on another board than the weights'.
#[inline]
pub(super) fn sum(windows: &Windows, view: View) -> i32 {
    let shown_cells = shown_cells(view);
    let weights = |table| windows.table(table, shown_cells.cols, shown_cells.rows);
    weights(0).map_or(0, |weights| windows::sum::<3, 3, false>(weights, shown_cells))
        + weights(1).map_or(0, |weights| windows::sum::<5, 2, false>(weights, shown_cells))
}
