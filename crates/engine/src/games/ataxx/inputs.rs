//! The inputs of Ataxx's features.

use super::squares::{grown, jumps, neighbour_counts};
use super::{MIN_SIDE, View};
use crate::game::Board;
use crate::game::bitboard::ones;
use std::cell::OnceCell;

/// The number of classes of squares.
const CLASSES: usize = 10;

/// A position from the side to move.
pub struct AtaxxInputs {
    /// The side to move.
    pub(super) us: AtaxxSide,
    /// The other side.
    pub(super) them: AtaxxSide,
    /// The empty squares that are not blocked.
    pub(super) empty: u64,
    classes: &'static [u64; CLASSES],
}

impl AtaxxInputs {
    #[inline]
    pub(super) fn new(view: View, board: Board) -> Self {
        let us = AtaxxSide::new(view.own, view.empty);
        let them = AtaxxSide::new(view.other, view.empty);
        let place = |side: u8| usize::from(side - MIN_SIDE).min(4);
        let classes = &CLASS_SQUARES[place(board.rows())][place(board.cols())];
        Self { us, them, empty: view.empty, classes }
    }

    /// The count for the side to move minus the count for the other side: `D` in the formulas.
    /// `count` takes a side and its enemy.
    #[inline(always)]
    pub(super) fn difference(&self, count: impl Fn(&AtaxxSide, &AtaxxSide) -> i32) -> i32 {
        count(&self.us, &self.them) - count(&self.them, &self.us)
    }

    /// The number of clones and jumps of a side, as if it were to move.
    #[inline]
    pub(super) fn moves(&self, side: &AtaxxSide) -> i32 {
        ones(grown(side.pieces) & self.empty) + jumps(side.pieces, self.empty) as i32
    }

    /// The squares of a class, given by their distances from the edges, the shorter one first.
    #[inline]
    pub(super) fn class(&self, least: usize, most: usize) -> u64 {
        self.classes[class_index(least, most)]
    }
}

/// The pieces of one side and the squares that they can enter.
pub(super) struct AtaxxSide {
    pub(super) pieces: u64,
    /// The empty squares that a move can enter.
    pub(super) reach: u64,
    neighbours: OnceCell<[u64; 4]>,
}

impl AtaxxSide {
    #[inline]
    fn new(pieces: u64, empty: u64) -> Self {
        let reach = grown(grown(pieces)) & empty;
        Self { pieces, reach, neighbours: OnceCell::new() }
    }

    /// For each square the number of adjacent pieces, see [`neighbour_counts`].
    #[inline]
    pub(super) fn neighbours(&self) -> [u64; 4] {
        *self.neighbours.get_or_init(|| neighbour_counts(self.pieces))
    }

    /// The most enemy pieces that one move turns.
    #[inline]
    pub(super) fn best_gain(&self, enemy: &Self) -> i32 {
        let (mut squares, mut most) = (self.reach, 0);
        for (bit, near) in enemy.neighbours().into_iter().enumerate().rev() {
            let more = squares & near;
            if more != 0 {
                squares = more;
                most += 1 << bit;
            }
        }
        most
    }
}

/// The squares of a set with exactly this many neighbours, by the counts of [`neighbour_counts`].
#[inline]
pub(super) fn exactly(squares: u64, counts: [u64; 4], neighbours: usize) -> u64 {
    (0..4).fold(squares, |left, bit| {
        left & if neighbours >> bit & 1 == 1 { counts[bit] } else { !counts[bit] }
    })
}

/// The squares of each class, by the rows and columns of the board.
static CLASS_SQUARES: [[[u64; CLASSES]; 5]; 5] = {
    let mut all = [[[0; CLASSES]; 5]; 5];
    let mut row = 0;
    while row < 5 {
        let mut col = 0;
        while col < 5 {
            all[row][col] = classes(col as u8 + MIN_SIDE, row as u8 + MIN_SIDE);
            col += 1;
        }
        row += 1;
    }
    all
};

/// The squares of each class. A class consists of two distances from the edges, the shorter one
/// first.
const fn classes(cols: u8, rows: u8) -> [u64; CLASSES] {
    const fn from_edge(index: u8, side: u8) -> usize {
        (if index < side - 1 - index { index } else { side - 1 - index }) as usize
    }
    let mut squares = [0; CLASSES];
    let mut square = 0;
    while square < 64 {
        let (row, col) = (square / 8, square % 8);
        if row < rows && col < cols {
            let (a, b) = (from_edge(row, rows), from_edge(col, cols));
            squares[if a < b { class_index(a, b) } else { class_index(b, a) }] |= 1 << square;
        }
        square += 1;
    }
    squares
}

/// The index of a class. The classes of the rows 0 to `least` - 1 precede it: 4, 3, 2 and 1 of
/// them.
const fn class_index(least: usize, most: usize) -> usize {
    least * 4 - least * (least + 1) / 2 + most
}
