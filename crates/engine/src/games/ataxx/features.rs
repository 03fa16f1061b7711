//! The features of Ataxx: pieces, mobility, attacks, the placement of pieces, the holes between
//! them, and patterns of 3 x 3 squares, the area that a move can change. In patterns blocked
//! squares look empty.

use super::Ataxx;
use super::inputs::{AtaxxInputs, exactly};
use super::squares::grown;
use crate::eval::{
    BoardView, Feature, Game, GamePhase, Guide, LinearEvaluator, PatternTable, Symmetry, Windows,
};
use crate::game::bitboard::{MAX_SIDE, ones, pick};
use crate::game::{Board, Position, Side};

const SPACE: &str = "pieces and space, side to move less the other side";
const HOLES: &str = "holes, side to move less the other side";
const SQUARES: &str = "squares, side to move less the other side";
const NEXT: &str = "the next ply";

/// The greatest number of pieces or squares of a board.
const BOARD: u32 = 64;
/// The greatest number of moves of a side: fewer clones than squares, and 336 pairs of squares at
/// distance two on 8x8.
const MOVES: u32 = 63 + 336;
/// The greatest number of neighbours of a piece.
const NEIGHBOURS: u32 = 8;

impl Game for Ataxx {
    type Evaluator = LinearEvaluator<Self>;
    type NetworkView = BoardView;
    type Inputs = AtaxxInputs;

    const FEATURES: &'static [Feature<AtaxxInputs>] = FEATURES;
    const TABLES: &'static [PatternTable] = &[Windows::<3, 3, true>::table(
        "windows_3x3",
        "Each window of 3 rows x 3 columns shows one pattern of own and enemy pieces, which counts once.",
    )];
    const SYMMETRY: Option<Symmetry> = Some(Symmetry::Dihedral);
    const PHASE: Option<GamePhase<AtaxxInputs>> = Some(GamePhase {
        words: "The share of the squares that hold a piece; blocked squares do not count.",
        formula: "16 * (#Own + #Other) / (#Own + #Other + #Empty)",
        count: |i| {
            let pieces = ones(i.us.pieces) + ones(i.them.pieces);
            16 * pieces / (pieces + ones(i.empty)).max(1)
        },
    });
    const IS_TESTED: bool = true;
    const GUIDE: Guide = Guide {
        text: include_str!("guide.md"),
        example: "xx1-o/1xoo1/2x2/1-1o1/oo2x o 0 1",
        example_set: "hand",
        default_set: "general",
        hand_made_set: "hand",
        tunes_all: false,
        positions: include_str!("conformance.fen"),
        boards: &[
            Board::new(7, 7),
            Board::new(8, 8),
            Board::new(6, 6),
            Board::new(5, 5),
            Board::new(4, 4),
            Board::new(8, 5),
            Board::new(4, 7),
            Board::new(7, 6),
        ],
        bench_depth: 13,
        piece_logit: 0.16,
    };

    /// Values of about 0.95 made the strongest sets, for 0.4 and for 2.0 million positions of 7x7
    /// (docs/measurements/archive/2026-11-22-design-choices.md).
    const LEAST_BLEND: f64 = 0.95;

    /// Reach and captures depend on more squares than a window has. A set with all other features
    /// too was no stronger (docs/measurements/archive/2026-11-22-design-choices.md).
    const BESIDE_TABLES: &'static [&'static str] =
        &["territory", "safe", "best_gain", "best_threat", "tempo"];

    #[inline]
    fn inputs(&self) -> AtaxxInputs {
        AtaxxInputs::new(self.view(), self.board())
    }

    #[inline]
    fn board_view(&self) -> BoardView {
        let (view, board) = (self.view(), self.board());
        BoardView { own: view.own, other: view.other, cols: board.cols(), rows: board.rows() }
    }

    #[inline]
    fn network_view(&self) -> BoardView {
        self.board_view()
    }

    #[inline]
    fn turned_view(view: BoardView) -> Option<BoardView> {
        Some(BoardView { own: view.other, other: view.own, ..view })
    }

    fn without_a_piece(&self) -> Option<Self> {
        let square = pick(self.pieces(self.side_to_move()), self.key())?;
        self.without_piece(square % MAX_SIDE, square / MAX_SIDE).map(|(without, _)| without)
    }

    fn without_piece(&self, col: u8, row: u8) -> Option<(Self, Side)> {
        let (side, gone) = (self.side_to_move(), 1 << (MAX_SIDE * row + col));
        let owner = Side::BOTH.into_iter().find(|&side| self.pieces(side) & gone != 0)?;
        let pieces = Side::BOTH.map(|side| self.pieces(side) & !gone);
        let (blocked, clock) = (self.blocked(), self.plies_since_clone());
        let without = Self::from_squares(self.board(), pieces, blocked, side, clock).ok()?;
        without.outcome().is_none().then_some((without, owner))
    }
}

/// Features of one kind that differ in one or two numbers.
macro_rules! numbered {
    (hole $k:literal $neighbours:literal) => {
        Feature::new(
            concat!("hole_", $k),
            HOLES,
            BOARD,
            concat!("Empty squares with exactly ", $k, " own ", $neighbours, "."),
            concat!("D(#{e in Empty : near(e, S) = ", $k, "})"),
            |i| i.difference(|side, _| ones(exactly(i.empty, side.neighbours(), $k))),
        )
    };
    (square $a:literal $b:literal) => {
        Feature::new(
            concat!("square_", $a, $b),
            SQUARES,
            32,
            concat!("Pieces on squares of the class ", $a, $b, "."),
            concat!("D(#{p in S : class(p) = (", $a, ", ", $b, ")})"),
            |i| i.difference(|side, _| ones(side.pieces & i.class($a, $b))),
        )
    };
}

/// `i` are the inputs, `side` and `enemy` the formula's sides `S` and `E`.
const FEATURES: &[Feature<AtaxxInputs>] = &[
    Feature::new("piece", SPACE, BOARD, "Pieces.", "D(#S)", |i| {
        i.difference(|side, _| ones(side.pieces))
    }),
    Feature::new(
        "mobility",
        SPACE,
        MOVES,
        "Clones and jumps of the pieces, as if their side were to move; a pass is none.",
        "D(#clones(S) + #jumps(S))",
        |i| i.difference(|side, _| i.moves(side)),
    ),
    Feature::new(
        "territory",
        SPACE,
        BOARD,
        "Empty squares that the pieces can enter and the enemy cannot.",
        "D(#{e in Empty : e in reach(S), e not in reach(E)})",
        |i| i.difference(|side, enemy| ones(side.reach & !enemy.reach)),
    ),
    Feature::new(
        "frontier",
        SPACE,
        BOARD,
        "Pieces beside an empty square.",
        "D(#{p in S : near(p, Empty) > 0})",
        |i| i.difference(|side, _| ones(side.pieces & grown(i.empty))),
    ),
    Feature::new(
        "safe",
        SPACE,
        BOARD,
        "Pieces that the enemy could not turn if it were to move: none of the empty squares beside such a piece can be \
         entered by the enemy.",
        "D(#{p in S : near(p, reach(E)) = 0})",
        |i| i.difference(|side, enemy| ones(side.pieces & !grown(enemy.reach))),
    ),
    numbered!(hole 1 "neighbour"),
    numbered!(hole 2 "neighbours"),
    numbered!(hole 3 "neighbours"),
    numbered!(hole 4 "neighbours"),
    numbered!(hole 5 "neighbours"),
    numbered!(hole 6 "neighbours"),
    numbered!(hole 7 "neighbours"),
    numbered!(hole 8 "neighbours"),
    Feature::new(
        "corner",
        SQUARES,
        4,
        "Pieces on corners, the squares of the class 00.",
        "D(#{p in S : class(p) = (0, 0)})",
        |i| i.difference(|side, _| ones(side.pieces & i.class(0, 0))),
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
        |i| i.us.best_gain(&i.them),
    ),
    Feature::new(
        "best_threat",
        NEXT,
        NEIGHBOURS,
        "The most pieces of the side to move that one move of the other side would turn if it were to move.",
        "max of near(e, Own) over e in reach(Other), or 0",
        |i| i.them.best_gain(&i.us),
    ),
    Feature::new(
        "tempo",
        NEXT,
        1,
        "1 in every position: the worth of being the side to move.",
        "1",
        |_| 1,
    ),
];
