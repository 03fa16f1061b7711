//! The inputs of a network: every window wherever it lies has an input for each pattern that it can
//! show, and shows one.
//!
//! Windows come row by row from the first square on, those of a row from the left to the right, as
//! the side to move sees the board. A pattern is a number in base three with a digit for each
//! square, the first square being the lowest digit: 0 empty, 1 own, 2 enemy. Unlike the windows of
//! [pattern tables](crate::eval::Windows), mirror images do not share their weights: the units tell
//! left from right.

use crate::eval::BoardView;
use crate::weights::WindowShape;
use arrayvec::ArrayVec;

/// The inputs that a position shows, one for each window.
pub type NetworkInputs = ArrayVec<u32, 64>;

/// What reads the inputs for windows of this shape.
pub fn network_inputs(shape: WindowShape) -> fn(BoardView) -> NetworkInputs {
    match (shape.rows, shape.cols) {
        (2, 2) => read::<2, 2>,
        (2, 3) => read::<2, 3>,
        _ => read::<3, 2>,
    }
}

/// The number that a row of a window is in base three, by its own pieces (the low `W` bits) and the
/// enemy's (the `W` bits above them).
const fn row_patterns<const W: usize>() -> [u16; 64] {
    let mut patterns = [0; 64];
    let mut key = 0;
    while key < 1 << (2 * W) {
        let (mut col, mut place) = (0, 1);
        while col < W {
            patterns[key] += place * ((key >> col & 1) + 2 * (key >> (col + W) & 1)) as u16;
            place *= 3;
            col += 1;
        }
        key += 1;
    }
    patterns
}

static ROWS: [[u16; 64]; 4] =
    [[0; 64], row_patterns::<1>(), row_patterns::<2>(), row_patterns::<3>()];

/// The inputs of windows of `H` rows and `W` columns; quickest on the boards that are played most,
/// whose sizes the compiler knows here.
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
    let (across, patterns) = ((cols + 1).saturating_sub(W), 3_u32.pow((H * W) as u32));
    let mask = (1_u64 << W) - 1;
    let row_pattern = |row: usize, col: usize| {
        let at = 8 * row + col;
        let key = view.own >> at & mask | (view.other >> at & mask) << W;
        u32::from(ROWS[W][key as usize & 63])
    };
    for row in 0..(rows + 1).saturating_sub(H) {
        for col in 0..across {
            let pattern = (0..H)
                .rev()
                .fold(0, |pattern, h| pattern * 3_u32.pow(W as u32) + row_pattern(row + h, col));
            let window = (row * across + col) as u32;
            if inputs.try_push(window * patterns + pattern).is_err() {
                return inputs;
            }
        }
    }
    inputs
}
