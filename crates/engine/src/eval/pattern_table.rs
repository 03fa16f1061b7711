//! Tables of patterns, and the windows that they read.

use crate::game::Board;
use arrayvec::ArrayVec;

/// A feature with a weight for each pattern: its value counts, for each cell of the table, how
/// often the position shows the cell's pattern. It is defined on every board, but its weights
/// belong to one.
#[derive(Clone, Copy, Debug)]
pub struct PatternTable {
    /// Its name in weight files.
    pub name: &'static str,
    /// The part of the list it belongs to.
    pub family: &'static str,
    /// Its definition in words.
    pub words: &'static str,
    /// The same as a formula, in the notation that FEATURES.md explains.
    pub formula: &'static str,
    /// The number of cells on a board; 0 where the board is too small for any pattern.
    pub cells: fn(Board) -> usize,
    /// The cell whose pattern is the mirror image, where it counts for the same windows; else the
    /// cell itself. A fit gives both the same weight.
    pub mirror: fn(Board, usize) -> usize,
    /// The cell whose pattern the other side sees where this side sees this one's. A fit gives it
    /// the opposite weight.
    pub opposite: fn(Board, usize) -> usize,
    /// The parts of a cell's pattern that other cells, of other tables too, have in common with it.
    pub parts: fn(Board, usize) -> Vec<SubPattern>,
    /// A cell for people: where its pattern lies, and the pattern drawn in one line.
    pub draw: fn(Board, usize) -> String,
    /// The cells of the patterns that a position shows; one that is shown twice comes twice.
    pub read: fn(BoardView) -> Cells,
    /// The sum of the weights of these cells.
    pub sum: fn(&[i16], BoardView) -> i32,
}

/// What windows show: the pieces of both sides on the squares of an 8x8 board, square = 8 * row +
/// column, as the side to move sees them, and the part of it that is played on.
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

/// The cells that a position shows of a table, one for each window.
pub type Cells = ArrayVec<u32, 64>;

/// A part of a cell's pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SubPattern {
    /// Its key: parts with equal keys are the same.
    pub key: u64,
    /// Whether it is the other side's: then it counts with the opposite sign.
    pub opposite: bool,
    /// In how many squares less than the cell's it lies; 0 for the whole pattern.
    pub rest: u8,
}
