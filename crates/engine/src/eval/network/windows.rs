//! The inputs of most games' networks: each window position has an input for each pattern, and
//! exactly one of them is active.
//!
//! Windows are ordered row by row from the first square, left to right, as the side to move sees
//! the board. A pattern is a number in base three with a digit for each square, lowest digit first:
//! 0 empty, 1 own, 2 enemy. Unlike the windows of [pattern tables](crate::eval::Windows), mirror
//! images do not share weights: the units distinguish left from right.

use super::{NetworkInputs, NetworkView, Replaced, WindowReader};
use crate::eval::{BoardView, Score};
use crate::game::bitboard::{flip, mirror, transpose};
use crate::weights::{InputScheme, WindowShape};

impl NetworkView for BoardView {
    const SCHEME: InputScheme = InputScheme::SIDES;

    /// A window's bit is the bit of its first square.
    type Changed = u64;

    fn reader(shape: WindowShape) -> WindowReader<Self> {
        match (shape.rows, shape.cols) {
            (2, 2) => reader::<2, 2>(),
            (2, 3) => reader::<2, 3>(),
            _ => reader::<3, 2>(),
        }
    }

    #[inline]
    fn sign(self) -> Score {
        1
    }

    fn image(self, image: u64) -> Self {
        let [own, other] = [self.own, self.other].map(|squares| {
            let squares = if image & 1 == 0 { squares } else { mirror(squares, self.cols) };
            let squares = if image & 2 == 0 { squares } else { flip(squares, self.rows) };
            if image & 4 == 0 { squares } else { transpose(squares) }
        });
        Self { own, other, ..self }
    }

    fn words(self) -> [u128; 3] {
        [self.own, self.other, (u64::from(self.cols) << 8) | u64::from(self.rows)].map(u128::from)
    }
}

fn reader<const H: usize, const W: usize>() -> WindowReader<BoardView> {
    WindowReader {
        read: read::<H, W>,
        changed: changed::<H, W>,
        replaced: replaced::<H, W>,
        shown: windows::<H, W>,
    }
}

/// For each number, the number in base three that has its bits as digits.
static TERNARY: [u16; 64] = {
    let mut numbers = [0; 64];
    let mut bits = 0;
    while bits < 64 {
        numbers[bits] = numbers[bits >> 1] * 3 + (bits & 1) as u16;
        bits += 1;
    }
    numbers
};

/// The squares of the 2x2 window that begins on the first square.
const SQUARES_2X2: usize = 0x303;

/// The patterns of 2x2 windows. The index has one side's squares at their places on the board, and
/// the other side's squares two bits further up.
static PATTERNS_2X2: [u8; 0x1000] = {
    let mut patterns = [0; 0x1000];
    let mut key = 0;
    while key < 0x1000 {
        let [own, other] = [key & SQUARES_2X2, key >> 2 & SQUARES_2X2];
        let [own, other] = [own >> 6 | own & 3, other >> 6 | other & 3];
        patterns[key] = (TERNARY[own] + 2 * TERNARY[other]) as u8;
        key += 1;
    }
    patterns
};

/// The inputs of windows of `H` rows and `W` columns. Common board sizes are compile-time constants
/// here, which is faster.
fn read<const H: usize, const W: usize>(view: BoardView) -> NetworkInputs {
    match (view.cols, view.rows) {
        (8, 8) => read_on::<H, W>(8, 8, view),
        (7, 7) => read_on::<H, W>(7, 7, view),
        (6, 6) => read_on::<H, W>(6, 6, view),
        (cols, rows) => read_on::<H, W>(cols.into(), rows.into(), view),
    }
}

#[inline(always)]
fn read_on<const H: usize, const W: usize>(
    cols: usize,
    rows: usize,
    view: BoardView,
) -> NetworkInputs {
    let mut inputs = NetworkInputs::new();
    let across = across::<W>(cols);
    for row in 0..(rows + 1).saturating_sub(H) {
        for col in 0..across {
            let input = (row * across + col) as u32 * patterns::<H, W>()
                + pattern::<H, W>(view, 8 * row + col);
            // No board has more windows than the list can hold.
            let _ = inputs.try_push(input);
        }
    }
    inputs
}

/// The number of window positions in a row.
const fn across<const W: usize>(cols: usize) -> usize {
    (cols + 1).saturating_sub(W)
}

/// The number of patterns that a window can show.
const fn patterns<const H: usize, const W: usize>() -> u32 {
    3_u32.pow((H * W) as u32)
}

/// The pattern of the window that begins on a square.
#[inline(always)]
fn pattern<const H: usize, const W: usize>(view: BoardView, square: usize) -> u32 {
    if (H, W) == (2, 2) {
        // The shipped networks use this window: one lookup instead of two.
        let in_window = |squares: u64| (squares >> square) as usize & SQUARES_2X2;
        return PATTERNS_2X2[in_window(view.own) | in_window(view.other) << 2].into();
    }
    let digits = |squares: u64| {
        let mut key = 0;
        for h in 0..H {
            let row = (1_u64 << W) - 1;
            key |= squares >> (square + 8 * h - W * h) & row << (W * h);
        }
        TERNARY[key as usize & 63]
    };
    u32::from(digits(view.own) + 2 * digits(view.other))
}

/// The squares at which windows begin.
#[inline]
fn first_squares<const H: usize, const W: usize>(view: BoardView) -> u64 {
    let row = (1_u64 << across::<W>(view.cols.into())) - 1;
    let rows = (usize::from(view.rows) + 1).saturating_sub(H);
    let all = if rows < 8 { (1_u64 << (8 * rows)) - 1 } else { u64::MAX };
    all & (row * 0x0101_0101_0101_0101)
}

fn windows<const H: usize, const W: usize>(view: BoardView) -> u32 {
    first_squares::<H, W>(view).count_ones()
}

fn changed<const H: usize, const W: usize>(old: BoardView, new: BoardView) -> u64 {
    let squares = (old.own ^ new.own) | (old.other ^ new.other);
    let (mut across, mut first) = (0, 0);
    for w in 0..W {
        across |= squares >> w;
    }
    // Bits shifted over the edge of a row land where no window begins.
    for h in 0..H {
        first |= across >> (8 * h);
    }
    first & first_squares::<H, W>(new)
}

fn replaced<const H: usize, const W: usize>(
    old: BoardView,
    new: BoardView,
    mut changed: u64,
    row_length: u32,
    replaced: &mut Replaced,
) {
    let across = across::<W>(new.cols.into());
    while changed != 0 {
        let square = changed.trailing_zeros() as usize;
        changed &= changed - 1;
        let window = ((square >> 3) * across + (square & 7)) as u32 * patterns::<H, W>();
        let [old, new] =
            [old, new].map(|view| (window + pattern::<H, W>(view, square)) * row_length);
        let _ = replaced.try_push((old, new));
    }
}
