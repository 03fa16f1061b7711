//! What FEATURES.md and the conformance file say of Ataxx.

use crate::eval::document::Guide;
use crate::game::Board;

pub(super) const GUIDE: Guide = Guide {
    notation: NOTATION,
    example: "xx1-o/1xoo1/2x2/1-1o1/oo2x o 0 1",
    example_set: "hand",
    default_set: "general",
    hand_made_set: "hand",
    worth: "",
    positions: POSITIONS,
    boards: BOARDS,
    bench_depth: 13,
};

const NOTATION: &str = "\
Positions are written as FEN: the rows from the top, `x` a piece of the side that begins and `o` one of the other side,
`-` a blocked square, a digit for as many empty squares; then `x` or `o`, the side to move; the plies since the last
clone; and the number of the move. Of these numbers no feature depends. A board has `C` columns and `R` rows. A blocked
square is no square: it is neither empty nor a neighbour of anything.

| symbol | meaning |
| --- | --- |
| `Own`, `Other` | the pieces of the side to move, and those of the other side |
| `Empty` | the squares that hold no piece and are not blocked |
| `S`, `E` | the pieces of one side, which is either of them, and those of its enemy |
| `D(X)` | `X` with `Own` for `S` and `Other` for `E`, less `X` with `Other` for `S` and `Own` for `E` |
| `#S`, `#{...}` | how many there are in the set |
| distance | of two squares: the greater one of the differences of their rows and of their columns |
| `near(q, A)` | the squares of the set `A` at distance 1 from `q`: 0 to 8 |
| `clones(S)` | the squares `e` in `Empty` with `near(e, S) > 0` |
| `jumps(S)` | the pairs of a piece in `S` and a square in `Empty` at distance 2 from it; what lies between does not matter |
| `reach(S)` | the squares in `Empty` at distance 1 or 2 from a piece in `S`: those that a move of its side can enter |
| `class(p)` | of the square in column `c` and row `r`, both counted from 0: `min(c, C-1-c)` and `min(r, R-1-r)`, the smaller one first. Squares that the symmetries of a square board carry into one another have the same class |
| *windows* | the patterns of all rectangles of so many rows and columns, as the next paragraphs say |

There is no feature for empty squares without own neighbours, since `D` of all numbers of neighbours together is 0, and
none for the squares that `S` can clone to, which are those with any number of own neighbours but 0.

A *window* of `windows_3x3` is a rectangle of `H = 3` neighbouring rows and `W = 3` neighbouring columns, wherever it fits
on the board: there are `(R-H+1) * (C-W+1)` of them. `r` is its lowest row, counted from the bottom of the diagram
whoever is to move (0 to `R-H`), and `c` its leftmost column, counted from `a` (0 to `C-W`). Windows that mirror each other
left to right share their cells, and so do those that mirror each other top to bottom: with `m = min(c, C-W-c)`, a window
with `c > C-W-c` is read from its right column to its left one, any other from left to right; with `n = min(r, R-H-r)`, a
window with `r > R-H-r` is read from its highest row down, any other from its lowest row up.

Each square is a digit: 0 empty or blocked, 1 a piece of `Own`, 2 a piece of `Other`. The *pattern* is the sum of
`digit * 3^k`, where `k` counts the squares of the row read first from 0 to `W-1`, those of the next row from `W` to `2*W-1`
and so on; it is less than `N = 3^(H*W) = 19683`. There are `K = (C-W+2) / 2` classes of columns and `(R-H+2) / 2` classes of
rows, rounded down, and

    cell = (n * K + m) * N + pattern

Each window adds 1 to the value of its cell; the table has as many cells as classes of rows times `K * N`.

For instance, on the 5x5 board of the example below, o to move, take the window of the rows 3 to 5 of the diagram and the
columns c to e: `r = 2`, `R-H-r = 0`, so `n = 0` and it is read from row 5 down; `c = 2`, `C-W-c = 0`, so `m = 0` and it is read
from e to c. Row 5 reads own, blocked, empty (e5, d5, c5), row 4 empty, own, own (e4, d4, c4), row 3 empty, empty, enemy
(e3, d3, c3). The pattern is `1*1 + 1*81 + 1*243 + 2*6561 = 13447`; with `K = 2` the cell is `(0*2 + 0) * 19683 + 13447 = 13447`.

The game is over, and its score a result, when a side has no pieces, when neither side can enter a square, and after 100
plies without a clone.
";

/// Openings, middlegames and endgames; blocked squares, corners, and sides that cannot move.
const POSITIONS: &[&str] = &[
    "x5o/7/7/7/7/7/o5x x 0 1",
    "x5o/7/7/7/7/7/o5x o 0 1",
    "x6o/8/8/8/8/8/8/o6x x 0 1",
    "x5o/7/2-1-2/7/2-1-2/7/o5x x 0 1",
    "x5o/7/3-3/2-1-2/3-3/7/o5x o 0 1",
    "7/7/7/2x1o2/7/7/7 x 0 1",
    // A side that cannot move, and one that cannot be attacked.
    "7/7/7/7/ooooooo/ooooooo/xxxxxxx x 0 1",
    "7/7/7/7/ooooooo/ooooooo/xxxxxxx o 0 1",
    "xxxx3/xxxx3/xxxx3/7/7/5oo/5oo x 0 1",
    "xxxx3/xxxx3/xxxx3/7/7/5oo/5oo o 0 1",
    "7/7/7/7/-------/-------/x5o x 0 1",
    // Holes with many neighbours, of one side and of both.
    "xxx4/x1x4/xxx4/7/4ooo/4o1o/4ooo x 0 1",
    "xxx4/x1x4/xxx4/7/4ooo/4oo1/4oo1 x 3 9",
    "xxx4/x1x4/xx5/7/7/3o3/7 x 0 1",
    "xxx4/x1x4/xx5/7/7/3o3/7 o 0 1",
    "xxx4/x1x4/xxx4/xxx4/x1x4/xxx3o/6o o 0 1",
    "ooooooo/o1ooo1o/ooooooo/7/xx5/x6/7 x 0 1",
    "xxxxxxx/x1xxxox/xxxxxxx/xxx4/7/4oo1/4oo1 o 0 1",
    "xxxxooo/x1xxo1o/xxxxooo/7/ooo1xxx/o1o1x1x/ooo1xxx x 0 1",
    "xxxxooo/x1xxo1o/xxxxooo/7/ooo1xxx/o1o1xox/oooxxxx o 0 1",
    // Corners and edges, blocked squares between neighbours.
    "x-5/-6/7/7/7/5-1/4o1x o 0 1",
    "x6/7/7/7/7/7/6o x 0 1",
    "4/1xo1/1ox1/4 x 0 1",
    "xo2/ox2/4/2xo o 0 1",
    "x3o/5/5/o3x x 0 1",
    "xx1-o/1xoo1/2x2/1-1o1/oo2x x 0 1",
    "xx1-o/1xoo1/2x2/1-1o1/oo2x o 0 1",
    "8/2xxoo2/2x--o2/2x--o2/2xxoo2/8 x 7 20",
    "xxxxxxxx/oooooooo/xxxxxxxx/oooooooo/xxx2xxx/ooo2ooo/xxxxxxxx/oooooooo x 0 1",
];

const BOARDS: &[Board] = &[
    Board::new(7, 7),
    Board::new(8, 8),
    Board::new(6, 6),
    Board::new(5, 5),
    Board::new(4, 4),
    Board::new(8, 5),
    Board::new(4, 7),
    Board::new(7, 6),
];
