//! The shapes of tables, for build.rs and for readers of packed sets.

/// The shape of a window table in which each cell has the negated weight of the cell that the
/// opponent sees. Cells come in blocks, one for each class of windows. The index within a block is
/// the pattern as a number in base three, one digit for each square: empty, own, enemy.
#[derive(Clone, Copy, Debug)]
pub struct TableShape {
    /// The number of rows of a window.
    pub height: u32,
    /// The number of columns of a window.
    pub width: u32,
    /// The number of blocks of windows on the same rows.
    pub classes: usize,
    /// The number of rows of blocks.
    pub lines: usize,
    /// Whether the opponent sees the board upside down.
    pub turned: bool,
}

impl TableShape {
    /// The number of patterns of a block.
    pub(crate) fn patterns(&self) -> usize {
        3_usize.pow(self.height * self.width)
    }

    /// Returns a function from each cell to the cell that the opponent sees.
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

    /// A pattern with own and enemy pieces exchanged, and with its rows reversed if turned.
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
