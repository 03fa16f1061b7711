//! The cells of a table: which windows share one, which of them are images of each other, and how
//! one is shown.

use crate::game::Board;

/// The most columns of a window.
pub(super) const MAX_COLS: usize = 4;

/// The patterns of so many squares: each is empty, own or enemy.
pub(super) const fn patterns(squares: usize) -> usize {
    3_usize.pow(squares as u32)
}

/// How many places a window of so many squares takes along a side of the board.
pub(super) const fn offsets<const LENGTH: usize>(side: usize) -> usize {
    (side + 1).saturating_sub(LENGTH)
}

/// The number of classes of columns: an offset and its mirror image are one.
pub(super) const fn classes<const W: usize>(cols: usize) -> usize {
    offsets::<W>(cols).div_ceil(2)
}

/// The number of classes of rows: the same where the windows are `FOLDED`, else each row is a class
/// of its own.
const fn row_classes<const H: usize, const FOLDED: bool>(rows: usize) -> usize {
    let offsets = offsets::<H>(rows);
    if FOLDED { offsets.div_ceil(2) } else { offsets }
}

/// The number of cells on a board.
pub(super) fn count<const H: usize, const W: usize, const FOLDED: bool>(board: Board) -> usize {
    let (cols, rows) = (board.cols().into(), board.rows().into());
    row_classes::<H, FOLDED>(rows) * classes::<W>(cols) * patterns(H * W)
}

/// The pattern with each of its rows changed; `upside_down` puts the last row first.
fn change_rows<const H: usize, const W: usize>(
    pattern: usize,
    upside_down: bool,
    change: fn(usize) -> usize,
) -> usize {
    let rows: [usize; H] =
        std::array::from_fn(|row| change(pattern / patterns(row * W) % patterns(W)));
    let place = |row: usize| if upside_down { H - 1 - row } else { row };
    rows.iter().enumerate().map(|(row, changed)| changed * patterns(place(row) * W)).sum()
}

/// The cell of the mirror image, for windows in the middle, which are their own mirror image; else
/// the cell itself. In the middle both ways it is the image left to right.
pub(super) fn mirror<const H: usize, const W: usize, const FOLDED: bool>(
    board: Board,
    cell: usize,
) -> usize {
    fn turned<const W: usize>(row: usize) -> usize {
        (0..W).fold((0, row), |(out, left), _| (out * 3 + left % 3, left / 3)).0
    }
    let (cols, rows) = (usize::from(board.cols()), usize::from(board.rows()));
    let (group, pattern) = (cell / patterns(H * W), cell % patterns(H * W));
    let classes = classes::<W>(cols);
    let is_middle = |offsets: usize, class: usize| offsets % 2 == 1 && class == offsets / 2;
    let image = if is_middle(offsets::<W>(cols), group % classes) {
        change_rows::<H, W>(pattern, false, turned::<W>)
    } else if FOLDED && is_middle(offsets::<H>(rows), group / classes) {
        change_rows::<H, W>(pattern, true, |row| row)
    } else {
        pattern
    };
    group * patterns(H * W) + image
}

/// The cell that the other side sees: own pieces and enemy pieces exchanged, and the rows the other
/// way round unless the windows are `FOLDED`, when both sides see the board alike.
pub(super) fn opposite<const H: usize, const W: usize, const FOLDED: bool>(
    board: Board,
    cell: usize,
) -> usize {
    fn exchanged(row: usize) -> usize {
        let exchange = |(out, left, place): (usize, usize, usize), _| {
            (out + [0, 2, 1][left % 3] * place, left / 3, place * 3)
        };
        (0..MAX_COLS).fold((0, row, 1), exchange).0
    }
    let classes = classes::<W>(board.cols().into());
    let (group, pattern) = (cell / patterns(H * W), cell % patterns(H * W));
    let (row, class) = (group / classes, group % classes);
    let row = if FOLDED { row } else { usize::from(board.rows()) - H - row };
    (row * classes + class) * patterns(H * W) + change_rows::<H, W>(pattern, !FOLDED, exchanged)
}

/// A cell for people: `rows 3-4 a-d or h-e: .o.. / oox.`, the first row first and counted from 1,
/// own pieces as `o` and enemy ones as `x`. Windows that share the cell are all named, in the order
/// they are read.
pub(super) fn draw<const H: usize, const W: usize, const FOLDED: bool>(
    board: Board,
    cell: usize,
) -> String {
    let (cols, rows) = (usize::from(board.cols()), usize::from(board.rows()));
    let (group, pattern) = (cell / patterns(H * W), cell % patterns(H * W));
    let classes = classes::<W>(cols).max(1);
    let column = |index: usize| ((b'a' + index.min(25) as u8) as char).to_string();
    let columns = span(group % classes, W, cols, true, column);
    let lines = span(group / classes, H, rows, FOLDED, |index| (index + 1).to_string());
    let sign = |square: usize| ['.', 'o', 'x'][pattern / patterns(square) % 3];
    let shown = (0..H).map(|h| (0..W).map(|w| sign(h * W + w)).collect::<String>());
    format!("rows {lines} {columns}: {}", shown.collect::<Vec<_>>().join(" / "))
}

/// The squares of a window along a side of the board, and their mirror image if that is another.
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
