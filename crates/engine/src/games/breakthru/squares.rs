//! Sets of squares of the 11 x 11 board as 128-bit numbers: square = 11 * row + column, a1 is 0 and
//! k11 is 120.

pub use crate::game::bitboard::each;

/// The number of columns and of rows.
pub const SIDE: u8 = 11;
/// The number of squares.
pub const SQUARES: usize = 121;
/// Every square.
pub const BOARD: u128 = (1 << SQUARES) - 1;

const FIRST_COLUMN: u128 = column(0);
const LAST_COLUMN: u128 = column(SIDE - 1);
const FIRST_ROW: u128 = (1 << SIDE) - 1;
const LAST_ROW: u128 = FIRST_ROW << (SQUARES - SIDE as usize);
/// The squares at each distance from the edge of the board, 0 to 5.
pub const RINGS: [u128; 6] = rings();
/// The squares on the edge.
pub const EDGE: u128 = RINGS[0];

/// The four directions along rows and columns.
pub const STRAIGHT: [Direction; 4] = [
    Direction::new(11, LAST_ROW),
    Direction::new(1, LAST_COLUMN),
    Direction::new(-1, FIRST_COLUMN),
    Direction::new(-11, FIRST_ROW),
];
/// The four directions of captures.
pub const DIAGONAL: [Direction; 4] = [
    Direction::new(12, LAST_ROW | LAST_COLUMN),
    Direction::new(10, LAST_ROW | FIRST_COLUMN),
    Direction::new(-10, FIRST_ROW | LAST_COLUMN),
    Direction::new(-12, FIRST_ROW | FIRST_COLUMN),
];

/// A direction of single steps on the board.
#[derive(Clone, Copy, Debug)]
pub struct Direction {
    /// The difference of the square numbers of a step.
    shift: i32,
    /// The squares from which a step leaves the board.
    end: u128,
}

impl Direction {
    const fn new(shift: i32, end: u128) -> Self {
        Self { shift, end }
    }

    /// The squares from which a step leaves the board.
    #[inline]
    pub fn end(self) -> u128 {
        self.end
    }

    /// The squares one step from a set; steps off the board are dropped.
    #[inline]
    #[must_use]
    pub fn step(self, set: u128) -> u128 {
        let set = set & !self.end;
        if self.shift > 0 { set << self.shift } else { set >> -self.shift }
    }

    /// The square from which `steps` steps led to `square`. The way must have stayed on the board.
    #[inline]
    pub(super) fn origin(self, square: u8, steps: i32) -> u8 {
        (i32::from(square) - self.shift * steps) as u8
    }

    /// The empty squares on the lines from a set of pieces up to the first obstacle.
    #[inline]
    #[must_use]
    pub fn line(self, set: u128, empty: u128) -> u128 {
        let (mut line, mut reached) = (0, self.step(set) & empty);
        while reached != 0 {
            line |= reached;
            reached = self.step(reached) & empty;
        }
        line
    }
}

/// The squares one straight step from a set.
#[inline]
pub fn beside(set: u128) -> u128 {
    STRAIGHT.into_iter().fold(0, |all, direction| all | direction.step(set))
}

/// The squares one diagonal step from a set, which it attacks.
#[inline]
pub fn attacked(set: u128) -> u128 {
    DIAGONAL.into_iter().fold(0, |all, direction| all | direction.step(set))
}

/// The squares that some piece of a set can move to.
#[inline]
pub fn reached(set: u128, empty: u128) -> u128 {
    STRAIGHT.into_iter().fold(0, |all, direction| all | direction.line(set, empty))
}

/// The total number of moves of the pieces of a set, captures excluded.
#[inline]
pub fn count_moves(set: u128, empty: u128) -> u32 {
    let mut count = 0;
    for direction in STRAIGHT {
        let mut reached = direction.step(set) & empty;
        while reached != 0 {
            count += reached.count_ones();
            reached = direction.step(reached) & empty;
        }
    }
    count
}

/// The empty squares from which a straight line over empty squares leads to the edge.
#[inline]
pub fn open_to_edge(empty: u128) -> u128 {
    let mut open = 0;
    for direction in STRAIGHT {
        // From the edge inward: `rim` has the squares that no step in this direction reaches.
        let rim = BOARD & !direction.step(BOARD) & empty;
        open |= rim | direction.line(rim, empty);
    }
    open
}

/// The column and row of a square, from 0.
#[inline]
pub(super) const fn place(square: u8) -> (u8, u8) {
    (square % SIDE, square / SIDE)
}

/// Whether a square is on the straight way from `start` (exclusive) to `end` (inclusive).
#[inline]
pub(super) fn is_on_way(square: u8, start: u8, end: u8) -> bool {
    let ((col, row), (col_a, row_a), (col_b, row_b)) = (place(square), place(start), place(end));
    let within = |value: u8, a: u8, b: u8| a.min(b) <= value && value <= a.max(b);
    let aligned = (col_a == col_b && col == col_a) || (row_a == row_b && row == row_a);
    square != start && aligned && within(col, col_a, col_b) && within(row, row_a, row_b)
}

/// The distance between two squares in king's moves.
#[inline]
pub(super) fn distance(a: u8, b: u8) -> u8 {
    let ((col_a, row_a), (col_b, row_b)) = (place(a), place(b));
    col_a.abs_diff(col_b).max(row_a.abs_diff(row_b))
}

/// The image of a square under a symmetry of the board: bit 0 of `symmetry` turns it upside down,
/// bit 1 left to right, bit 2 exchanges columns and rows, in this order.
#[inline]
pub fn image(square: u8, symmetry: u8) -> u8 {
    let (mut col, mut row) = place(square);
    if symmetry & 1 != 0 {
        row = SIDE - 1 - row;
    }
    if symmetry & 2 != 0 {
        col = SIDE - 1 - col;
    }
    if symmetry & 4 != 0 { col * SIDE + row } else { row * SIDE + col }
}

const fn column(column: u8) -> u128 {
    let (mut set, mut square) = (0, column);
    while (square as usize) < SQUARES {
        set |= 1 << square;
        square += SIDE;
    }
    set
}

const fn rings() -> [u128; 6] {
    let mut rings = [0; 6];
    let mut square = 0;
    while (square as usize) < SQUARES {
        let (col, row) = place(square);
        let from_side = if col < SIDE / 2 { col } else { SIDE - 1 - col };
        let from_end = if row < SIDE / 2 { row } else { SIDE - 1 - row };
        rings[if from_side < from_end { from_side } else { from_end } as usize] |= 1 << square;
        square += 1;
    }
    rings
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_stay_on_the_board() {
        let counts = |directions: [Direction; 4]| directions.map(|d| d.step(BOARD).count_ones());
        assert_eq!(counts(STRAIGHT), [110; 4]);
        assert_eq!(counts(DIAGONAL), [100; 4]);
        for square in 0..SQUARES as u8 {
            let near = each(beside(1 << square) | attacked(1 << square));
            assert!(near.into_iter().all(|other| distance(square, other) == 1));
        }
    }

    #[test]
    fn rings_hold_every_square_once() {
        assert_eq!(RINGS.map(u128::count_ones), [40, 32, 24, 16, 8, 1]);
        assert_eq!(RINGS.iter().fold(0, |all, ring| all | ring), BOARD);
    }

    #[test]
    fn ways_are_straight_and_end_where_they_should() {
        // a3 to f3.
        let on: Vec<u8> = (0..121).filter(|&square| is_on_way(square, 22, 27)).collect();
        assert_eq!(on, [23, 24, 25, 26, 27]);
        // b7 to b4.
        let on: Vec<u8> = (0..121).filter(|&square| is_on_way(square, 67, 34)).collect();
        assert_eq!(on, [34, 45, 56]);
    }

    #[test]
    fn open_squares_see_the_edge() {
        assert_eq!(open_to_edge(BOARD), BOARD);
        assert_eq!(open_to_edge(BOARD & !EDGE), 0);
        // A ship on f6 takes one open line from each neighbour on its row and column; each keeps
        // another.
        assert_eq!(open_to_edge(BOARD & !(1 << 60)), BOARD & !(1 << 60));
    }

    #[test]
    fn symmetries_are_different_and_keep_rings() {
        for square in 0..SQUARES as u8 {
            for symmetry in 0..8 {
                let image = image(square, symmetry);
                assert!(RINGS.iter().all(|ring| ring >> square & 1 == ring >> image & 1));
            }
        }
        let mut images: Vec<u8> = (0..8).map(|symmetry| image(12, symmetry)).collect();
        images.sort_unstable();
        images.dedup();
        assert_eq!(images.len(), 4);
        assert_eq!(
            (0..8)
                .map(|symmetry| image(1, symmetry))
                .collect::<std::collections::BTreeSet<_>>()
                .len(),
            8
        );
    }
}
