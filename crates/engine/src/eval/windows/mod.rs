//! Pattern tables over small windows. Every rectangle of a given number of rows and columns, at
//! every position on the board, is read as a number in base three, and each number has its own
//! weight.
//!
//! Windows on the same rows that mirror each other left to right share their weights; the right one
//! is read from right to left. Where the board looks the same from both sides, windows that mirror
//! each other top to bottom also share weights (`FOLDED`). Windows of three rows and three columns
//! on 8x8, for example, have six rows and three column classes with 19,683 patterns each: 354,294
//! weights, looked up 36 times a position.
//!
//! Windows suit two kinds of boards. On the first kind the second side sees the board upside down,
//! as in games where both sides advance. The second kind looks the same from above and from below
//! (`FOLDED`). Windows are wrong for games in which up and down differ for both sides alike, such
//! as games with gravity, and for games that change when left and right are exchanged.

mod cells;
mod parts;
mod scan;

use super::PatternTable;

/// Windows of `H` rows and `W` columns, at most four.
pub struct Windows<const H: usize, const W: usize, const FOLDED: bool>;

impl<const H: usize, const W: usize, const FOLDED: bool> Windows<H, W, FOLDED> {
    /// The pattern table of these windows.
    pub const fn table(name: &'static str, words: &'static str) -> PatternTable {
        PatternTable {
            name,
            family: "patterns",
            words,
            formula: "the cells of all windows, see *windows*",
            cells: Self::count,
            mirror: Self::mirror,
            opposite: Self::opposite,
            parts: Self::parts,
            draw: Self::draw,
            read: Self::read,
            sum: Self::sum,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::cells::patterns;
    use super::*;
    use crate::eval::features::sample_positions;
    use crate::eval::{BoardView, Game};
    use crate::game::{Board, Notation, Position, SearchHints};
    use crate::games::{Ataxx, Breakthrough};

    /// The cells by definition, read square by square.
    fn defined<const H: usize, const W: usize, const FOLDED: bool>(view: BoardView) -> Vec<u32> {
        let (cols, rows) = (usize::from(view.cols), usize::from(view.rows));
        let offsets = |length: usize, side: usize| (side + 1).saturating_sub(length);
        let mut cells = Vec::new();
        for row in 0..offsets(H, rows) {
            for col in 0..offsets(W, cols) {
                let (mirror, image) = (offsets(W, cols) - 1 - col, offsets(H, rows) - 1 - row);
                let upside_down = FOLDED && row > image;
                let mut pattern = 0;
                for place in (0..H * W).rev() {
                    let across = if col > mirror { W - 1 - place % W } else { place % W };
                    let along = if upside_down { H - 1 - place / W } else { place / W };
                    let square = 8 * (row + along) + col + across;
                    let digit = view.own >> square & 1 | (view.other >> square & 1) << 1;
                    pattern = pattern * 3 + digit as usize;
                }
                let line = if FOLDED { row.min(image) } else { row };
                let classes = offsets(W, cols).div_ceil(2);
                let cell = (line * classes + col.min(mirror)) * patterns(H * W) + pattern;
                cells.push(cell as u32);
            }
        }
        cells.sort_unstable();
        cells
    }

    impl<const H: usize, const W: usize, const FOLDED: bool> Windows<H, W, FOLDED> {
        fn sorted(view: BoardView, image: impl Fn(usize) -> usize) -> Vec<u32> {
            let cells = Self::read(view).into_iter();
            let mut cells: Vec<u32> = cells.map(|cell| image(cell as usize) as u32).collect();
            cells.sort_unstable();
            cells
        }

        /// Checks the cells of one position in the views of both sides.
        fn check_position(view: BoardView, turned: BoardView) {
            let board = Board::new(view.cols, view.rows);
            let cells = Self::sorted(view, |cell| cell);
            assert_eq!(cells, defined::<H, W, FOLDED>(view), "{board}");
            assert!(cells.iter().all(|&cell| (cell as usize) < Self::count(board)));
            let opposite = Self::sorted(view, |cell| Self::opposite(board, cell));
            assert_eq!(opposite, Self::sorted(turned, |cell| cell), "{board}");
        }

        fn check_cells(board: Board) {
            for cell in (0..Self::count(board)).step_by(7) {
                assert_eq!(Self::opposite(board, Self::opposite(board, cell)), cell);
                let other = Self::mirror(board, cell);
                assert_eq!(Self::mirror(board, other), cell);
                assert_eq!(other / Self::PATTERNS, cell / Self::PATTERNS);
                let digit = |cell: usize, square: usize| cell / patterns(square) % 3;
                let columns = |i: usize| i / W * W + W - 1 - i % W;
                let rows = |i: usize| (H - 1 - i / W) * W + i % W;
                let is_image = |map: &dyn Fn(usize) -> usize| {
                    let (cell, other) = (cell % Self::PATTERNS, other % Self::PATTERNS);
                    (0..H * W).all(|square| digit(cell, square) == digit(other, map(square)))
                };
                assert!(other == cell || is_image(&columns) || FOLDED && is_image(&rows));
            }
        }
    }

    #[test]
    fn cells_are_as_defined_and_know_their_mirror_images_and_opposites() {
        for board in Breakthrough::boards() {
            for position in sample_positions(&Breakthrough::start(board).unwrap(), 5, 3) {
                let (view, turned) = (position.board_view(), position.pass().unwrap().board_view());
                Windows::<2, 4, false>::check_position(view, turned);
                Windows::<3, 3, false>::check_position(view, turned);
                Windows::<5, 2, false>::check_position(view, turned);
            }
            Windows::<2, 4, false>::check_cells(board);
            Windows::<3, 3, false>::check_cells(board);
            Windows::<5, 2, false>::check_cells(board);
        }
    }

    #[test]
    fn folded_cells_are_the_same_upside_down() {
        for board in Ataxx::boards() {
            for position in sample_positions(&Ataxx::start(board).unwrap(), 5, 3) {
                let view = position.board_view();
                let turned = BoardView { own: view.other, other: view.own, ..view };
                Windows::<3, 3, true>::check_position(view, turned);
                Windows::<2, 4, true>::check_position(view, turned);
                let flip = |set: u64| set.swap_bytes() >> (8 * (8 - view.rows));
                let flipped = BoardView { own: flip(view.own), other: flip(view.other), ..view };
                let canonical = |view: BoardView| {
                    let least = |cell| Windows::<3, 3, true>::mirror(board, cell).min(cell);
                    Windows::<3, 3, true>::sorted(view, least)
                };
                // The window in the exact centre shares its weights left to right only.
                if board.cols() % 2 == 0 {
                    assert_eq!(canonical(view), canonical(flipped), "{}", position.fen());
                }
            }
            Windows::<3, 3, true>::check_cells(board);
        }
    }

    #[test]
    fn cells_are_counted_and_drawn() {
        let draw_2x4 = Windows::<2, 4, false>::draw;
        assert_eq!(draw_2x4(Board::new(6, 6), 30_654), "rows 3-4 a-d or f-c: ..oo / ...x");
        assert_eq!(draw_2x4(Board::new(7, 7), 6561 + 1), "rows 1-2 b-e or f-c: o... / ....");
        assert_eq!(draw_2x4(Board::new(5, 5), 1), "rows 1-2 a-d or e-b: o... / ....");
        assert_eq!(draw_2x4(Board::new(4, 5), 2), "rows 1-2 a-d: x... / ....");
        let draw_3x3 = Windows::<3, 3, false>::draw;
        assert_eq!(
            draw_3x3(Board::new(5, 5), 19_683 + 2 * 729 + 27),
            "rows 1-3 b-d: ... / o.. / x.."
        );
        let folded = Windows::<3, 3, true>::draw;
        assert_eq!(
            folded(Board::new(7, 7), 4 * 19_683 + 1),
            "rows 2-4 or 6-4 b-d or f-d: o.. / ... / ..."
        );
        assert_eq!(Windows::<2, 4, false>::count(Board::new(8, 8)), 137_781);
        assert_eq!(Windows::<3, 3, false>::count(Board::new(8, 8)), 354_294);
        assert_eq!(Windows::<4, 2, false>::count(Board::new(8, 8)), 131_220);
        assert_eq!(Windows::<2, 4, false>::count(Board::new(3, 8)), 0);
        assert_eq!(Windows::<3, 3, true>::count(Board::new(7, 7)), 177_147);
    }
}
