//! The cells of a table: the windows that share one, the symmetric images, and the description for
//! people.

use super::Windows;
use crate::game::Board;

/// The most columns of a window.
pub(super) const MAX_COLS: usize = 4;

/// The number of patterns of this many squares: each is empty, own or enemy.
#[inline]
pub(super) const fn patterns(squares: usize) -> usize {
    3_usize.pow(squares as u32)
}

/// The number of positions of a window of `length` squares along a side of the board.
#[inline]
const fn offsets(length: usize, side: usize) -> usize {
    (side + 1).saturating_sub(length)
}

impl<const H: usize, const W: usize, const FOLDED: bool> Windows<H, W, FOLDED> {
    /// The number of patterns.
    pub(super) const PATTERNS: usize = patterns(H * W);

    /// The number of row positions of a window.
    #[inline]
    pub(super) const fn row_offsets(rows: usize) -> usize {
        offsets(H, rows)
    }

    /// The number of column positions of a window.
    #[inline]
    pub(super) const fn col_offsets(cols: usize) -> usize {
        offsets(W, cols)
    }

    /// The number of column classes: an offset and its mirror image form one class.
    #[inline]
    pub(super) const fn classes(cols: usize) -> usize {
        Self::col_offsets(cols).div_ceil(2)
    }

    /// The number of cells on a board.
    pub(super) fn count(board: Board) -> usize {
        let offsets = Self::row_offsets(board.rows().into());
        let row_classes = if FOLDED { offsets.div_ceil(2) } else { offsets };
        row_classes * Self::classes(board.cols().into()) * Self::PATTERNS
    }

    /// Splits a cell into its row, its column class and its pattern.
    pub(super) fn split(board: Board, cell: usize) -> (usize, usize, usize) {
        let classes = Self::classes(board.cols().into()).max(1);
        let group = cell / Self::PATTERNS;
        (group / classes, group % classes, cell % Self::PATTERNS)
    }

    /// The cell of these parts: the inverse of [`split`](Self::split).
    fn join(board: Board, row: usize, class: usize, pattern: usize) -> usize {
        (row * Self::classes(board.cols().into()) + class) * Self::PATTERNS + pattern
    }

    /// Applies a change to each row of a pattern; `upside_down` also reverses the rows.
    fn change_rows(pattern: usize, upside_down: bool, change: fn(usize) -> usize) -> usize {
        let rows: [usize; H] =
            std::array::from_fn(|row| change(pattern / patterns(row * W) % patterns(W)));
        let place = |row: usize| if upside_down { H - 1 - row } else { row };
        rows.iter().enumerate().map(|(row, changed)| changed * patterns(place(row) * W)).sum()
    }

    /// The cell of the mirror image for a centred window, which is its own mirror image; else the
    /// cell itself. A window centred in both directions is mirrored left to right.
    pub(super) fn mirror(board: Board, cell: usize) -> usize {
        fn turned<const W: usize>(row: usize) -> usize {
            (0..W).fold((0, row), |(out, left), _| (out * 3 + left % 3, left / 3)).0
        }
        let is_middle = |offsets: usize, class: usize| offsets % 2 == 1 && class == offsets / 2;
        let (row, class, pattern) = Self::split(board, cell);
        let image = if is_middle(Self::col_offsets(board.cols().into()), class) {
            Self::change_rows(pattern, false, turned::<W>)
        } else if FOLDED && is_middle(Self::row_offsets(board.rows().into()), row) {
            Self::change_rows(pattern, true, |row| row)
        } else {
            pattern
        };
        Self::join(board, row, class, image)
    }

    /// The cell that the opponent sees: own and enemy pieces exchanged. The rows are reversed too,
    /// unless the windows are `FOLDED`: then both sides see the board alike.
    pub(super) fn opposite(board: Board, cell: usize) -> usize {
        fn exchanged(row: usize) -> usize {
            let exchange = |(out, left, place): (usize, usize, usize), _| {
                (out + [0, 2, 1][left % 3] * place, left / 3, place * 3)
            };
            (0..MAX_COLS).fold((0, row, 1), exchange).0
        }
        let (row, class, pattern) = Self::split(board, cell);
        let row = if FOLDED { row } else { usize::from(board.rows()) - H - row };
        Self::join(board, row, class, Self::change_rows(pattern, !FOLDED, exchanged))
    }

    /// The description of a cell for people: `rows 3-4 a-d or h-e: .o.. / oox.`. Rows start with
    /// the first and count from 1; own pieces are `o`, enemy pieces `x`. All windows that share the
    /// cell are named, in the order of reading.
    pub(super) fn draw(board: Board, cell: usize) -> String {
        let (row, class, pattern) = Self::split(board, cell);
        let column = |index: usize| ((b'a' + index.min(25) as u8) as char).to_string();
        let columns = span(class, W, board.cols().into(), true, column);
        let lines = span(row, H, board.rows().into(), FOLDED, |index| (index + 1).to_string());
        let sign = |square: usize| ['.', 'o', 'x'][pattern / patterns(square) % 3];
        let shown = (0..H).map(|h| (0..W).map(|w| sign(h * W + w)).collect::<String>());
        format!("rows {lines} {columns}: {}", shown.collect::<Vec<_>>().join(" / "))
    }
}

/// The squares of a window along a side of the board, and their mirror image if it differs.
fn span(
    first: usize,
    length: usize,
    side: usize,
    mirrored: bool,
    name: impl Fn(usize) -> String,
) -> String {
    let (last, image) = (first + length - 1, side.saturating_sub(1 + first));
    let text = format!("{}-{}", name(first), name(last));
    if !mirrored || image == last {
        return text;
    }
    format!("{text} or {}-{}", name(image), name(image.saturating_sub(length - 1)))
}
