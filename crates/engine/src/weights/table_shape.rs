//! The shapes of tables, for build.rs and the reader of packed sets.

/// The shape of a table of windows in which each cell has the opposite weight of the cell that the
/// other side sees. Cells come in blocks, one for each class of windows; the place in a block is
/// the pattern as a number in base three, a digit a square: empty, own, enemy.
#[derive(Clone, Copy, Debug)]
pub struct TableShape {
    /// Rows of a window.
    pub height: u32,
    /// Columns of a window.
    pub width: u32,
    /// Blocks of windows that lie on the same rows.
    pub classes: usize,
    /// How many rows of blocks there are.
    pub lines: usize,
    /// Whether the other side sees the board upside down.
    pub turned: bool,
}

impl TableShape {
    /// The number of patterns of a block.
    pub(crate) fn patterns(&self) -> usize {
        3_usize.pow(self.height * self.width)
    }

    /// The cell that the other side sees, for any cell.
    pub(crate) fn opposite(self) -> impl Fn(usize) -> usize {
        let patterns = self.patterns();
        let images: Vec<usize> = (0..patterns).map(|pattern| self.image(pattern)).collect();
        move |cell| {
            let (block, pattern) = (cell / patterns, cell % patterns);
            let (line, class) = (block / self.classes, block % self.classes);
            let line = if self.turned { self.lines - 1 - line } else { line };
            (line * self.classes + class) * patterns + images[pattern]
        }
    }

    /// A pattern with own pieces and enemy pieces exchanged, and with its rows turned.
    fn image(&self, pattern: usize) -> usize {
        let square = |row: u32, col: u32| 3_usize.pow(row * self.width + col);
        let mut image = 0;
        for row in 0..self.height {
            let place = if self.turned { self.height - 1 - row } else { row };
            for col in 0..self.width {
                image += [0, 2, 1][pattern / square(row, col) % 3] * square(place, col);
            }
        }
        image
    }
}
