//! What FEATURES.md and the conformance file say of Breakthrough.

use crate::eval::document::Guide;
use crate::game::Board;

pub(super) const GUIDE: Guide = Guide {
    notation: NOTATION,
    example: "2p2p/1P4/1pp3/2PP2/1P3p/P2P2 w - - 0 1",
    example_set: "atachiants",
    default_set: "spsa",
    hand_made_set: "atachiants",
    worth: WORTH,
    positions: POSITIONS,
    boards: BOARDS,
    bench_depth: 13,
};

const NOTATION: &str = "\
Positions are written as FEN: the rows from the top, `P` a piece of White and `p` of Black, a digit for as many empty
squares; then `w` or `b`, the side to move. White starts at the bottom and moves up, Black the other way. A board has
`C` columns and `R` rows; the value of a square outside the board is that no piece stands there.

| symbol | meaning |
| --- | --- |
| `Own`, `Other` | the pieces of the side to move, and those of the other side |
| `S` | the pieces of one side, which is either of them; that side is the *owner* of its pieces, the other one its *enemy* |
| `D(X)` | `X` with `Own` for `S`, less `X` with `Other` for `S`. A leading minus sign belongs to `X` |
| `#S`, `#{...}` | how many there are in the set |
| `row(p)` | the row of the piece `p`, counted from its owner's home row, 0, to its goal, `R-1`: for White from the bottom up, for Black from the top down. The row before the goal is `R-2`, the one before that `R-3` |
| column | the column of a square, counted from 0 (`a`) to `C-1`, the same for both sides |
| before `p` | the square of `p`'s column in the row `row(p)+1`, as `p`'s owner counts rows |
| right of `p` | the square of `p`'s row in the next higher column, for both sides alike |
| `att(p)` | the attackers of `p`: enemy pieces on the two squares diagonally before `p` (row `row(p)+1`, one column to either side). Each could capture `p` on its next ply, whoever is to move now. 0, 1 or 2 |
| `prot(p)` | the protectors of `p`: pieces of its owner on the two squares diagonally behind `p` (row `row(p)-1`, one column to either side). Each could recapture on the square of `p`. 0, 1 or 2 |
| `moves(S)` | the moves of all `p` in `S` as if their side were to move: to the square before `p` if it is empty, and to either square diagonally before `p` if it is on the board and no piece of `S` stands there (it is empty, or the move captures) |
| `bits(S)` | a set as a number of 64 bits: the sum of `2^(8*r + c)` over the squares of `S`, `c` being the column and `r` the row counted from the home row of the *side to move*, for the pieces of either side and on boards of every size |
| `mix(z)` | the finalizer of SplitMix64, on 64-bit numbers without sign: sums and products, also those that `z` comes from, are taken modulo 2^64, `^` is the exclusive or, `>>` shifts zeros in. `z ^= z >> 30; z *= 0xBF58476D1CE4E5B9; z ^= z >> 27; z *= 0x94D049BB133111EB; z ^= z >> 31`; the result is the last `z` |
| *windows* | the patterns of all rectangles of so many rows and columns, as the next paragraphs say |

A *window* is a rectangle of `H` neighbouring rows and `W` neighbouring columns (3 and 3 for `windows_3x3`, 5 and 2 for
`windows_5x2`), wherever it fits on the board: with fewer than `W` columns there is none, else there are `(R-H+1) *
(C-W+1)` of them. `r` is the one of its rows that is nearest to the home row of the *side to move*, counted from there (0
to `R-H`), and `c` its leftmost column, counted from `a` whoever is to move (0 to `C-W`). Windows of the same rows that
mirror each other left to right share their cells: with `m = min(c, C-W-c)`, a window with `c > C-W-c` is read from its
right column to its left one, any other from left to right.

Each square is a digit: 0 empty, 1 a piece of `Own`, 2 a piece of `Other`. The *pattern* is the sum of `digit * 3^k`,
where `k` counts the squares of row `r` in the order of reading from 0 to `W-1`, those of row `r+1` from `W` to `2*W-1`
and so on; it is less than `N = 3^(H*W)`, which is 19683 for 3x3 and 59049 for 5x2. There are `K = (C-W+2) / 2` classes of
columns, rounded down, and

    cell = (r * K + m) * N + pattern

Each window adds 1 to the value of its cell; the table has `(R-H+1) * K * N` cells. With Black to move the rows are
counted from the top of the diagram, so that row `r+1` stands below row `r` there.

For instance, on the 6x6 board of the example below, White to move, take the 3x3 window of the rows 2 to 4 of the diagram
and the columns c to e: `r = 1`, `c = 2`, `C-W-c = 1`, so `m = 1` and it is read from e to c. Row `r` reads empty, empty,
empty (e2, d2, c2), row `r+1` empty, own, own (e3, d3, c3), row `r+2` empty, empty, enemy (e4, d4, c4). The pattern is
`1*81 + 1*243 + 2*6561 = 13446`; with `K = 2` the cell is `(1*2 + 1) * 19683 + 13446 = 72495`.

A side that has a piece on its goal row, or has captured all pieces of the other side, has won.
";

const WORTH: &str = "\
Sets of other features, each fitted to the same 4.2 million positions of 8x8 (those of the last two rounds of a tune from
`atachiants`; `spar fit --start atachiants --clear-rest --penalties 100 --iterations 25 --only ...`), against one and the
same set: `tempo` and windows of 2x4, 3x3 and 4x2, which an earlier version had. Matches of 150 pairs at 10 ms a move
(`--seed 21`) and of 400 pairs at 1,200 nodes a move (`--seed 33`), Elo with 95 % errors; speed is that of `spar bench`, in
million nodes a second in one thread of an AMD EPYC.

| features | 10 ms a move | 1,200 nodes | speed |
| --- | ---: | ---: | ---: |
| `tempo`, 3x3, 5x2: what is kept | +44.2 +- 38.4 | +20.0 +- 25.0 | 4.0 |
| `tempo`, 3x3, 5x2, 2x4 | +49.0 +- 40.6 | +31.4 +- 24.1 | |
| `tempo`, 3x3, 5x2, 2x4, 4x2 | +41.9 +- 38.7 | +54.3 +- 24.0 | 3.0 |
| `tempo`, 3x3, 5x2, 4x2 | +18.5 +- 37.0 | +30.5 +- 23.2 | 3.3 |
| `tempo`, 3x3, 4x2 | +11.6 +- 38.4 | -50.7 +- 24.6 | 4.0 |
| `tempo`, 5x2, 2x4 | +6.9 +- 38.9 | -6.9 +- 25.2 | |
| `tempo`, 3x3, 4x2, 2x4 | 0 | 0 | 3.6 |
| the same and the features of the 2009 article | -16.2 +- 39.5 | | 3.3 |
| the same without `tempo` | -34.9 +- 37.3 | -70.4 +- 24.5 | |
| `tempo`, 4x2, 2x4 | -56.1 +- 39.2 | | |
| `tempo`, 3x3, 2x4 | -133.6 +- 44.5 | | |
| `tempo`, 3x3 | -164.1 +- 44.3 | | |
| `tempo`, 2x4 | -363.2 +- 60.5 | | |
| `tempo` and the features of the 2009 article, no patterns | -468.0 +- 82.8 | | 6.1 |

So two tables are enough: further ones cost as much speed as they know. They are also why the engine visits fewer nodes a
second than it could: the features of the article alone reach 6.1 million, and lose by 468 Elo and more. Single features
beside the tables gain nothing, as these are sums of patterns: pieces by row, attacked or protected; the values of
squares; pairs, phalanxes and home guards. They stay for the sets of the articles, and for boards without tables of their
own. Races to the goal are no features: the search proves them.
";

/// Openings, middlegames and endgames; edges, corners and both sides to move.
const POSITIONS: &[&str] = &[
    // The start, the first move of the 2009 article, and the start with Black to move.
    "pppppppp/pppppppp/8/8/8/8/PPPPPPPP/PPPPPPPP w - - 0 1",
    "pppppppp/pppppppp/8/8/8/P7/1PPPPPPP/PPPPPPPP b - - 0 1",
    "pppppppp/pppppppp/8/8/8/8/PPPPPPPP/PPPPPPPP b - - 0 1",
    // Pieces one row before the goal: free, attacked, protected.
    "8/P7/8/8/8/8/7p/8 w - - 0 1",
    "8/P7/8/8/8/8/7p/8 b - - 0 1",
    "1p6/P7/8/8/8/8/7p/6P1 w - - 0 1",
    "8/3P4/2P2p2/8/2p5/1p6/4P3/8 w - - 0 1",
    "8/3P4/2P2p2/8/2p5/1p6/4P3/8 b - - 0 1",
    "3p1p2/4P3/3P4/2p5/2P5/1p6/P1p5/1P6 b - - 0 1",
    // A row's last square is no neighbour of the next row's first one.
    "8/8/8/p6P/P6p/8/8/8 b - - 0 1",
    "7p/P7/7P/p7/7p/P7/7P/P7 w - - 0 1",
    "8/8/6pp/p6P/P6P/PP5p/8/8 b - - 0 1",
    // One and two attackers, one and two protectors.
    "8/8/8/2p1p3/3P4/8/8/8 w - - 0 1",
    "8/8/8/2p1p3/3P4/2P1P3/8/8 b - - 0 1",
    "8/2pp1p2/2P1p3/8/3pP3/2P2P2/1P2P3/8 b - - 0 1",
    // Columns, filled and empty.
    "p1p1p1p1/8/8/8/8/8/8/P1P1P1P1 w - - 0 1",
    "pppp4/8/8/8/8/8/8/4PPPP b - - 0 1",
    "8/p7/p7/p7/P7/P7/P7/8 w - - 0 1",
    // Other boards.
    "7/P5p/P5p/7/p5P/p5P/7 w - - 0 1",
    "pppppp/pppppp/6/6/PPPPPP/PPPPPP w - - 0 1",
    "2p2p/1P4/1pp3/2PP2/1P3p/P2P2 w - - 0 1",
    "2p2p/1P4/1pp3/2PP2/1P3p/P2P2 b - - 0 1",
    "5/1P3/3p1/p3P/5 w - - 0 1",
    "2/Pp/2/pP/2 b - - 0 1",
    "2/P1/1p/2/2/1P/p1/2 b - - 0 1",
    "1p1p1/p3P/2p2/1PP2/P4/3P1 w - - 0 1",
];

const BOARDS: &[Board] = &[
    Board::new(8, 8),
    Board::new(7, 7),
    Board::new(6, 6),
    Board::new(5, 5),
    Board::new(2, 8),
    Board::new(5, 6),
    Board::new(3, 7),
    Board::new(8, 5),
];
