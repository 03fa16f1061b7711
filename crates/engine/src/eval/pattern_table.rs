//! Tables of patterns, and the windows that they read.

use crate::game::Board;
use arrayvec::ArrayVec;

/// A feature with a weight for each pattern. For each cell of the table it counts the occurrences
/// of the cell's pattern in the position. It is defined on every board, but its weights belong to
/// one board.
#[derive(Clone, Copy, Debug)]
pub struct PatternTable {
    /// Its name in weight files.
    pub name: &'static str,
    /// The section of the list that it belongs to.
    pub family: &'static str,
    /// Its definition in words.
    pub words: &'static str,
    /// The definition as a formula, in the notation that FEATURES.md explains.
    pub formula: &'static str,
    /// The number of cells on a board; 0 if the board is too small for any pattern.
    pub cells: fn(Board) -> usize,
    /// The cell of the mirror image if it counts for the same windows, else the cell itself. A fit
    /// gives both the same weight.
    pub mirror: fn(Board, usize) -> usize,
    /// The cell that the opponent sees in place of this one. A fit gives it the negated weight.
    pub opposite: fn(Board, usize) -> usize,
    /// The parts of a cell's pattern that it shares with other cells, also of other tables.
    pub parts: fn(Board, usize) -> Vec<SubPattern>,
    /// A description of a cell for people: its location, and its pattern drawn in one line.
    pub draw: fn(Board, usize) -> String,
    /// The cells that match a position. A cell that matches twice appears twice.
    pub read: fn(BoardView) -> Cells,
    /// The sum of the weights of the matching cells.
    pub sum: fn(&[i16], BoardView) -> i32,
}

/// The input of windows: the pieces of both sides on the squares of an 8x8 board from the side to
/// move, square = 8 * row + column, and the size of the playing area.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BoardView {
    /// The pieces of the side to move.
    pub own: u64,
    /// The pieces of the other side.
    pub other: u64,
    /// The number of columns.
    pub cols: u8,
    /// The number of rows.
    pub rows: u8,
}

/// The matching cells of a table in a position, one for each window.
pub type Cells = ArrayVec<u32, 64>;

/// A part of a cell's pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SubPattern {
    /// The key of the part. Parts with equal keys are the same.
    pub key: u64,
    /// Whether it is the opponent's view of the part, which counts with the opposite sign.
    pub opposite: bool,
    /// The number of squares by which it is smaller than the cell's pattern; 0 for the whole
    /// pattern.
    pub rest: u8,
}
