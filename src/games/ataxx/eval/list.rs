//! The features' names and definitions: FEATURES.md and the checks of weight files are made from
//! this list.

use crate::eval::Feature;

const SPACE: &str = "pieces and space, side to move less the other side";
const HOLES: &str = "holes, side to move less the other side";
const SQUARES: &str = "squares, side to move less the other side";
const NEXT: &str = "the next ply";

/// The most pieces or squares of a board.
const BOARD: u32 = 64;
/// No side has more moves: fewer clones than squares, and 336 pairs of squares are two away from
/// each other on 8x8.
const MOVES: u32 = 63 + 336;
/// No piece has more neighbours.
const NEIGHBOURS: u32 = 8;

/// The classes of squares.
pub(super) const CLASSES: usize = 10;

/// The features of one kind that differ in a number or two.
macro_rules! numbered {
    (hole $k:literal) => {
        Feature::new(
            concat!("hole_", $k),
            HOLES,
            BOARD,
            concat!("Empty squares with exactly ", $k, " own neighbours."),
            concat!("D(#{e in Empty : near(e, S) = ", $k, "})"),
        )
    };
    (square $a:literal $b:literal) => {
        Feature::new(
            concat!("square_", $a, $b),
            SQUARES,
            32,
            concat!("Pieces on squares of the class ", $a, $b, "."),
            concat!("D(#{p in S : class(p) = (", $a, ", ", $b, ")})"),
        )
    };
}

/// Every feature of Ataxx, in the order of weight files; `count.rs` counts them in this order.
pub const FEATURES: &[Feature] = &[
    Feature::new("piece", SPACE, BOARD, "Pieces.", "D(#S)"),
    Feature::new(
        "mobility",
        SPACE,
        MOVES,
        "Clones and jumps of the pieces, as if their side were to move; a pass is none.",
        "D(#clones(S) + #jumps(S))",
    ),
    Feature::new(
        "territory",
        SPACE,
        BOARD,
        "Empty squares that the pieces can enter and the enemy cannot.",
        "D(#{e in Empty : e in reach(S), e not in reach(E)})",
    ),
    Feature::new(
        "frontier",
        SPACE,
        BOARD,
        "Pieces beside an empty square.",
        "D(#{p in S : near(p, Empty) > 0})",
    ),
    Feature::new(
        "safe",
        SPACE,
        BOARD,
        "Pieces that the enemy could not turn if it were to move: none of the empty squares beside such a piece can be \
         entered by the enemy.",
        "D(#{p in S : near(p, reach(E)) = 0})",
    ),
    numbered!(hole 1),
    numbered!(hole 2),
    numbered!(hole 3),
    numbered!(hole 4),
    numbered!(hole 5),
    numbered!(hole 6),
    numbered!(hole 7),
    numbered!(hole 8),
    Feature::new(
        "corner",
        SQUARES,
        4,
        "Pieces on corners, the squares of the class 00.",
        "D(#{p in S : class(p) = (0, 0)})",
    ),
    numbered!(square 0 1),
    numbered!(square 0 2),
    numbered!(square 0 3),
    numbered!(square 1 1),
    numbered!(square 1 2),
    numbered!(square 1 3),
    numbered!(square 2 2),
    numbered!(square 2 3),
    numbered!(square 3 3),
    Feature::new(
        "best_gain",
        NEXT,
        NEIGHBOURS,
        "The most enemy pieces that one move of the side to move turns.",
        "max of near(e, Other) over e in reach(Own), or 0",
    ),
    Feature::new(
        "best_threat",
        NEXT,
        NEIGHBOURS,
        "The most pieces of the side to move that one move of the other side would turn if it were to move.",
        "max of near(e, Own) over e in reach(Other), or 0",
    ),
    Feature::new(
        "tempo",
        NEXT,
        1,
        "1 in every position: what it is worth to be the side to move.",
        "1",
    ),
];
