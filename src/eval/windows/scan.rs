//! Reading the windows of a position, as fast as it goes.

use super::cells::{MAX_COLS, classes, offsets, patterns};

/// The pattern of a row by its own pieces (bits 0 to 3) and enemy pieces (bits 4 to 7), the first
/// column being the lowest digit; and the same read from right to left.
const fn row_patterns(cols: usize) -> [[u8; 256]; 2] {
    let mut rows = [[0; 256]; 2];
    let mut key = 0;
    while key < 256 {
        let mut col = 0;
        let mut place = 1;
        while col < cols {
            let (from, to) = (col, cols - 1 - col);
            let digit = (key >> from & 1) + 2 * (key >> (from + MAX_COLS) & 1);
            let mirrored = (key >> to & 1) + 2 * (key >> (to + MAX_COLS) & 1);
            // No square has a piece of both sides, and for such a key the sum might not fit.
            if digit < 3 && mirrored < 3 {
                rows[0][key] += (digit * place) as u8;
                rows[1][key] += (mirrored * place) as u8;
            }
            place *= 3;
            col += 1;
        }
        key += 1;
    }
    rows
}

/// [`row_patterns`] by the number of columns.
static ROWS: [[[u8; 256]; 2]; MAX_COLS + 1] =
    [row_patterns(0), row_patterns(1), row_patterns(2), row_patterns(3), row_patterns(4)];

/// Calls `each` with the cell of every window. With constants for the board the loops are unrolled.
#[inline(always)]
fn each_cell<const H: usize, const W: usize, const FOLDED: bool>(
    own: u64,
    other: u64,
    (cols, rows): (usize, usize),
    mut each: impl FnMut(usize),
) {
    let low = (u64::MAX / 255) * ((1 << W) - 1);
    let (offsets, classes) = (offsets::<W>(cols), classes::<W>(cols));
    for offset in 0..offsets {
        let mirror = offsets - 1 - offset;
        let (class, reading) = if offset <= mirror { (offset, 0) } else { (mirror, 1) };
        // The columns of all rows at once.
        let keys = (own >> offset & low | (other >> offset & low) << MAX_COLS).to_le_bytes();
        let rows_shown = keys.map(|key| usize::from(ROWS[W][reading][usize::from(key)]));
        let mut found =
            |row: usize, pattern: usize| each((row * classes + class) * patterns(H * W) + pattern);
        if FOLDED {
            each_folded_pattern::<H, W>(&rows_shown[..rows], &mut found);
        } else {
            each_pattern::<H, W>(&rows_shown[..rows], &mut found);
        }
    }
}

/// Calls `each` with the row and the pattern of every window of a column, from the last one down: a
/// window's pattern comes of the one above it, by a row more and a row less.
#[inline(always)]
fn each_pattern<const H: usize, const W: usize>(
    shown: &[usize],
    each: &mut impl FnMut(usize, usize),
) {
    let mut pattern = 0;
    for row in (0..shown.len()).rev() {
        pattern = pattern * patterns(W) + shown[row];
        if let Some(above) = shown.get(row + H) {
            pattern -= above * patterns(H * W);
        }
        if row + H <= shown.len() {
            each(row, pattern);
        }
    }
}

/// The same where the windows of the upper rows are read upside down, and count as those of the
/// lower rows.
#[inline(always)]
fn each_folded_pattern<const H: usize, const W: usize>(
    shown: &[usize],
    each: &mut impl FnMut(usize, usize),
) {
    let offsets = offsets::<H>(shown.len());
    for row in 0..offsets {
        let image = offsets - 1 - row;
        let upside_down = row > image;
        let place = |h: usize| if upside_down { H - 1 - h } else { h };
        let pattern = (0..H).map(|h| patterns(place(h) * W) * shown[row + h]).sum();
        each(row.min(image), pattern);
    }
}

/// The two sets that windows show, and the board they stand on.
#[derive(Clone, Copy)]
pub(crate) struct ShownCells {
    pub(crate) own: u64,
    pub(crate) other: u64,
    pub(crate) cols: u8,
    pub(crate) rows: u8,
}

/// Calls `each` with the cell of every window; quickest on the boards that are played most.
#[inline(always)]
pub(crate) fn each_window<const H: usize, const W: usize, const FOLDED: bool>(
    shown: ShownCells,
    each: impl FnMut(usize),
) {
    let ShownCells { own, other, cols, rows } = shown;
    match (cols, rows) {
        (8, 8) => each_cell::<H, W, FOLDED>(own, other, (8, 8), each),
        (7, 7) => each_cell::<H, W, FOLDED>(own, other, (7, 7), each),
        (6, 6) => each_cell::<H, W, FOLDED>(own, other, (6, 6), each),
        _ => each_cell::<H, W, FOLDED>(own, other, (cols.into(), rows.into()), each),
    }
}

/// The sum of the weights of all windows.
#[inline(always)]
pub(crate) fn sum<const H: usize, const W: usize, const FOLDED: bool>(
    weights: &[i16],
    shown: ShownCells,
) -> i32 {
    let mut sum = 0;
    let weight = |cell| i32::from(weights.get(cell).copied().unwrap_or(0));
    each_window::<H, W, FOLDED>(shown, |cell| sum += weight(cell));
    sum
}
