//! Every feature counted on bitboards, one number each.

use super::list::CLASSES;
use crate::game::{Board, Position};
use crate::games::Ataxx;
use crate::games::ataxx::View;
use crate::games::ataxx::squares::{grown, jumps, neighbour_counts};

/// Boards have at least and at most so many columns and rows.
const SIDES: std::ops::RangeInclusive<u8> = 4..=8;

/// The pieces of one side and what they can do.
#[derive(Clone, Copy)]
pub(super) struct Army {
    pub(super) own: u64,
    /// The empty squares beside own pieces: it can clone to them.
    clones: u64,
    /// The empty squares that it can enter at all.
    pub(super) reach: u64,
}

impl Army {
    #[inline]
    pub(super) fn new(own: u64, empty: u64) -> Self {
        let near = grown(own);
        Self { own, clones: near & empty, reach: grown(near) & empty }
    }

    /// Its moves, as if it were its turn.
    #[inline]
    pub(super) fn moves(&self, empty: u64) -> i32 {
        ones(self.clones) + jumps(self.own, empty) as i32
    }

    /// Its pieces that no move of the enemy would turn.
    #[inline]
    pub(super) fn safe(&self, enemy: &Self) -> u64 {
        self.own & !grown(enemy.reach)
    }

    /// The most pieces of the enemy, whose neighbours are counted here, that one of its moves would
    /// turn.
    #[inline]
    pub(super) fn best_gain(&self, enemy_neighbours: [u64; 4]) -> i32 {
        let (mut squares, mut most) = (self.reach, 0);
        for bit in (0..4).rev() {
            let more = squares & enemy_neighbours[bit];
            if more != 0 {
                squares = more;
                most += 1 << bit;
            }
        }
        most
    }
}

#[inline]
pub(super) fn ones(squares: u64) -> i32 {
    squares.count_ones() as i32
}

/// The squares of a set that have exactly so many neighbours, by the counts of
/// [`neighbour_counts`].
#[inline]
pub(super) fn exactly(squares: u64, counts: [u64; 4], neighbours: usize) -> u64 {
    (0..4).fold(squares, |left, bit| {
        left & if neighbours >> bit & 1 == 1 { counts[bit] } else { !counts[bit] }
    })
}

/// The squares of each class of a board, in the order of the list.
#[inline]
pub(super) fn class_squares(board: Board) -> &'static [u64; CLASSES] {
    let place = |side: u8| usize::from(side - SIDES.start()).min(4);
    &CLASS_SQUARES[place(board.rows())][place(board.cols())]
}

static CLASS_SQUARES: [[[u64; CLASSES]; 5]; 5] = {
    let mut all = [[[0; CLASSES]; 5]; 5];
    let mut row = 0;
    while row < 5 {
        let mut col = 0;
        while col < 5 {
            all[row][col] = classes(col as u8 + *SIDES.start(), row as u8 + *SIDES.start());
            col += 1;
        }
        row += 1;
    }
    all
};

/// Square by square: the class of a square is its two distances from the edges, the shorter one
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
            let (least, most) = if a < b { (a, b) } else { (b, a) };
            // Before it stand the classes of the rows 0 to `least` - 1, of 4, 3, 2 and 1 classes.
            squares[least * 4 - least * (least + 1) / 2 + most] |= 1 << square;
        }
        square += 1;
    }
    squares
}

/// The value of every feature, in the order of the feature list.
pub(super) fn features(position: &Ataxx) -> Vec<i32> {
    let View { own, other, empty } = position.view();
    let (us, them) = (Army::new(own, empty), Army::new(other, empty));
    let (near_us, near_them) = (neighbour_counts(own), neighbour_counts(other));
    let holes =
        (1..=8).map(|k| ones(exactly(empty, near_us, k)) - ones(exactly(empty, near_them, k)));
    let classes = class_squares(position.board()).iter();
    let classes = classes.map(|squares| ones(own & squares) - ones(other & squares));
    let general = [
        ones(own) - ones(other),
        us.moves(empty) - them.moves(empty),
        ones(us.reach & !them.reach) - ones(them.reach & !us.reach),
        ones(own & grown(empty)) - ones(other & grown(empty)),
        ones(us.safe(&them)) - ones(them.safe(&us)),
    ];
    let tactics = [us.best_gain(near_them), them.best_gain(near_us), 1];
    general.into_iter().chain(holes).chain(classes).chain(tactics).collect()
}
