//! What FEATURES.md and the conformance file say of Breakthru.

use crate::eval::document::Guide;
use crate::game::Board;

pub(super) const GUIDE: Guide = Guide {
    notation: NOTATION,
    example: "11/3s1sss3/3s7/1s2gg3s1/1s1g2gg1s1/1s1g1F3s1/1s1g3g1s1/1s2ggg2s1/11/3sssss3/11 silver - 4",
    example_set: "hand",
    default_set: "11x11",
    hand_made_set: "hand",
    worth: "",
    positions: POSITIONS,
    boards: &[Board::new(11, 11); 14],
    bench_depth: 7,
};

const NOTATION: &str = "\
Positions are written like the FEN of chess: the rows from the top, `F` the flagship, `g` another gold ship (an *escort*), `s`
a silver ship, a number for as many empty squares; then `gold` or `silver`, the side to move; the move that the first ship
of the turn has made, as `d6-e6`, if the move of a second one is due, else `-`; and the number of the turn, of which no
feature depends. Columns are `a` to `k`, rows 1 to 11 from the bottom.

The sides have different aims. Most features count something of the position that does not depend on the side to move, and
belong to the side that likes to have more of it: their value is what is counted when that side is to move, and its
negative when the other side is.

| symbol | meaning |
| --- | --- |
| `F` | the square of the flagship; where it has been captured, what is said of it is 0 |
| `Gold`, `Silver` | the escorts, and the silver ships |
| `Empty` | the squares on which nothing stands |
| `G(x)` | `x` if Gold is to move, `-x` if Silver is |
| `S(x)` | `x` if Silver is to move, `-x` if Gold is |
| `#A`, `#{...}` | how many there are in the set |
| `dist(p, q)` | the greater one of the differences of their rows and of their columns |
| `edge(p)` | of the square in column `c` and row `r`, both counted from 0: the least of `c`, `10-c`, `r`, `10-r` |
| `lines(p)` | up to four sets of squares: those above, below, left and right of `p` in its column or row, up to the edge; a line without squares is none |
| way out | from `p` to a square at the edge by steps, each to a square beside the one before in its column or row, on none of which after `p` is a silver ship; `steps(p)` is the fewest steps of any |
| `moves(A)` | the pairs of a ship in `A` and a square in its column or row such that this square and all between are in `Empty` |
| `targets(A)` | the squares of these pairs, each once |
| `p attacks q` | `q` is one square from `p` diagonally |

The game is over, and its score a result, when the flagship stands on the edge or has been captured, when Silver has no
ships, when the side to move has no action, and after 200 turns.
";

/// The start with either side to move; ways out open and closed; ships that attack and are
/// attacked; second moves.
const POSITIONS: &[&str] = &[
    "11/3sssss3/11/1s2ggg2s1/1s1g3g1s1/1s1g1F1g1s1/1s1g3g1s1/1s2ggg2s1/11/3sssss3/11 gold - 1",
    "11/3sssss3/11/1s2ggg2s1/1s1g3g1s1/1s1g1F1g1s1/1s1g3g1s1/1s2ggg2s1/11/3sssss3/11 silver - 1",
    "11/3sssss3/4g6/1s3gg2s1/1s1g3g1s1/1s1g1F1g1s1/1s1g3g1s1/1s2ggg2s1/11/3sssss3/11 gold e8-e9 1",
    "4s6/3s1sss3/11/1s2ggg2s1/1s1g3g1s1/1s1g1F1g1s1/1s1g3g1s1/1s2ggg2s1/11/3sssss3/11 silver e10-e11 2",
    "11/3s1sss3/3s7/1s2gg3s1/1s1g2gg1s1/1s1g1F3s1/1s1g3g1s1/1s2ggg2s1/11/3sssss3/11 silver - 4",
    "11/11/11/4s6/11/5F5/11/6s4/11/11/11 silver - 50",
    "11/11/11/4s6/11/5F5/11/6s4/11/11/11 gold - 50",
    "11/11/3s7/11/4g1g4/5F5/4g1g4/11/7s3/11/11 silver - 60",
    "11/11/11/11/4s1s4/5F5/4s1s4/11/11/11/11 silver - 90",
    "11/11/11/11/4sss4/4sFs4/4sss4/11/11/11/11 silver - 90",
    "11/11/11/11/4ggg4/4gFg4/4ggg4/11/11/5s5/11 gold - 90",
    "11/1F9/11/11/5g5/4s6/11/11/11/8s2/11 silver - 120",
    "11/9F1/8s2/11/5g5/4s6/11/11/11/8s2/11 gold - 121",
    "s9s/11/2g5g2/11/11/5F5/11/11/2g5g2/11/s9s gold - 30",
    "s9s/11/2g5g2/11/11/5F5/11/11/2g5g2/11/s9s silver - 31",
    "ssssssssss1/11/11/11/11/gggggF1gggg/11/11/11/11/1ssssssssss gold - 11",
    "11/11/2sgsgsgs2/2gsgsgsg2/2sgsgsFs2/2gs1s5/11/11/11/5s5/11 silver - 77",
    "11/11/2sgsgsgs2/2gsgsgsg2/2sgsgsFs2/2gs1s5/11/11/11/5s5/11 gold - 78",
];
