//! Fast reading of a position's windows. The loops are plain: loops over array and iterator
//! adaptors are inlined only if the compiler optimizes across its codegen units.

use super::Windows;
use super::cells::{MAX_COLS, patterns};
use crate::eval::{BoardView, Cells};

/// The pattern of a row by its own pieces (bits 0 to 3) and enemy pieces (bits 4 to 7), with the
/// first column as the lowest digit, and the same pattern read from right to left.
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
            // No square has pieces of both sides; the sum for such a key might not fit.
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

impl<const H: usize, const W: usize, const FOLDED: bool> Windows<H, W, FOLDED> {
    /// Reads the cell of every window.
    pub(super) fn read(view: BoardView) -> Cells {
        let mut cells = Cells::new();
        Self::each_cell(view, |cell| cells.push(cell as u32));
        cells
    }

    /// The sum of the weights of all windows.
    pub(super) fn sum(weights: &[i16], view: BoardView) -> i32 {
        let mut sum = 0;
        let weight = |cell| i32::from(weights.get(cell).copied().unwrap_or(0));
        Self::each_cell(view, |cell| sum += weight(cell));
        sum
    }

    /// Calls `each` with the cell of every window. Common board sizes are compile-time constants
    /// here, which is faster.
    #[inline(always)]
    fn each_cell(view: BoardView, each: impl FnMut(usize)) {
        match (view.cols, view.rows) {
            (8, 8) => Self::each_cell_on(8, 8, view, each),
            (7, 7) => Self::each_cell_on(7, 7, view, each),
            (6, 6) => Self::each_cell_on(6, 6, view, each),
            (cols, rows) => Self::each_cell_on(cols.into(), rows.into(), view, each),
        }
    }

    /// The same for a board of this size. With constants the loops are unrolled.
    #[inline(always)]
    fn each_cell_on(cols: usize, rows: usize, view: BoardView, mut each: impl FnMut(usize)) {
        let low = (u64::MAX / 255) * ((1 << W) - 1);
        let (offsets, classes) = (Self::col_offsets(cols), Self::classes(cols));
        for offset in 0..offsets {
            let mirror = offsets - 1 - offset;
            let (class, reading) = if offset <= mirror { (offset, 0) } else { (mirror, 1) };
            // Processes the columns of all rows at once.
            let own = view.own >> offset & low;
            let keys = (own | (view.other >> offset & low) << MAX_COLS).to_le_bytes();
            let mut shown = [0; 8];
            for (shown, key) in shown.iter_mut().zip(keys) {
                *shown = usize::from(ROWS[W][reading][usize::from(key)]);
            }
            let mut found = |row: usize, pattern: usize| {
                each((row * classes + class) * Self::PATTERNS + pattern);
            };
            if FOLDED {
                Self::each_folded_pattern(&shown[..rows], &mut found);
            } else {
                Self::each_pattern(&shown[..rows], &mut found);
            }
        }
    }

    /// Calls `each` with the row and the pattern of every window of a column, from the last row
    /// down. The pattern of each window follows from the window above: one row is added and one is
    /// dropped.
    #[inline(always)]
    fn each_pattern(shown: &[usize], each: &mut impl FnMut(usize, usize)) {
        let mut pattern = 0;
        for row in (0..shown.len()).rev() {
            pattern = pattern * patterns(W) + shown[row];
            if let Some(above) = shown.get(row + H) {
                pattern -= above * Self::PATTERNS;
            }
            if row + H <= shown.len() {
                each(row, pattern);
            }
        }
    }

    /// The same for folded windows: windows of the upper rows are read upside down and count as
    /// windows of the lower rows.
    #[inline(always)]
    fn each_folded_pattern(shown: &[usize], each: &mut impl FnMut(usize, usize)) {
        let offsets = Self::row_offsets(shown.len());
        for row in 0..offsets {
            let image = offsets - 1 - row;
            let upside_down = row > image;
            let mut pattern = 0;
            for h in 0..H {
                let place = if upside_down { H - 1 - h } else { h };
                pattern += patterns(place * W) * shown[row + h];
            }
            each(row.min(image), pattern);
        }
    }
}
