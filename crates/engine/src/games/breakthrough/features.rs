//! The features of Breakthrough: from the 2009 article (Simple AI for the Game of Breakthrough) and
//! the 2022 article (a 6x6 program and its sparring partners), and patterns of 3 x 3 and 5 x 2
//! squares. Rows count from the home of the side to move.
//!
//! Differences from the program published in 2009, whose mistakes are not repeated: horizontal
//! neighbours are on the same row; pieces on the edge can be captured from one side only, and count
//! as almost won accordingly; rows count from the owner's home for both sides; a piece on the far
//! row is a finished game and not a feature.

use super::Breakthrough;
use super::inputs::BreakthroughInputs;
use crate::eval::{
    BoardView, Feature, Game, GamePhase, Guide, LinearEvaluator, PatternTable, Symmetry, Windows,
};
use crate::game::bitboard::{FILE_H, MAX_SIDE, flip, ones, pick};
use crate::game::{Board, Position, Side};

const ARTICLE_2009: &str = "2009 article, side to move less the other side";
const LATER: &str = "later ones";
const ARTICLE_2022: &str = "2022 article and its sparring partners";

impl Game for Breakthrough {
    type Evaluator = LinearEvaluator<Self>;
    type NetworkView = BoardView;
    type Inputs = BreakthroughInputs;

    const FEATURES: &'static [Feature<BreakthroughInputs>] = FEATURES;
    const TABLES: &'static [PatternTable] = &[
        Windows::<3, 3, false>::table(
            "windows_3x3",
            "Each window of 3 rows x 3 columns shows one pattern of own and enemy pieces, which counts once.",
        ),
        Windows::<5, 2, false>::table(
            "windows_5x2",
            "Each window of 5 rows x 2 columns shows one pattern of own and enemy pieces, which counts once.",
        ),
    ];
    const SYMMETRY: Option<Symmetry> = Some(Symmetry::Mirror);
    const PHASE: Option<GamePhase<BreakthroughInputs>> = Some(GamePhase {
        words: "The pieces that are gone: the last phase begins when half of all are.",
        formula: "8 * (4*C - #Own - #Other) / C",
        count: |i| {
            let cols = i.columns();
            8 * (4 * cols - ones(i.us.pieces) - ones(i.them.pieces)) / cols
        },
    });
    const IS_TESTED: bool = true;
    const GUIDE: Guide = Guide {
        text: include_str!("guide.md"),
        example: "2p2p/1P4/1pp3/2PP2/1P3p/P2P2 w - - 0 1",
        example_set: "atachiants",
        default_set: "spsa",
        hand_made_set: "hand",
        tunes_all: false,
        positions: include_str!("conformance.fen"),
        boards: &[
            Board::new(8, 8),
            Board::new(7, 7),
            Board::new(6, 6),
            Board::new(5, 5),
            Board::new(2, 8),
            Board::new(5, 6),
            Board::new(3, 7),
            Board::new(8, 5),
        ],
        bench_depth: 13,
        piece_logit: 0.9,
    };

    /// Values of 0.6 to 0.8 made the strongest sets, for 0.9 to 5.1 million positions of 8x8. On
    /// 6x6 all values from 0.65 to 0.85 are alike
    /// (docs/measurements/archive/2026-11-22-design-choices.md).
    const LEAST_BLEND: f64 = 0.65;

    #[inline]
    fn inputs(&self) -> BreakthroughInputs {
        BreakthroughInputs::new(self.view())
    }

    #[inline]
    fn board_view(&self) -> BoardView {
        let view = self.view();
        let (cols, rows) = (view.geometry.cols, view.geometry.rows);
        BoardView { own: view.own, other: view.other, cols, rows }
    }

    #[inline]
    fn network_view(&self) -> BoardView {
        self.board_view()
    }

    #[inline]
    fn turned_view(view: BoardView) -> Option<BoardView> {
        let [own, other] = [view.other, view.own].map(|squares| flip(squares, view.rows));
        Some(BoardView { own, other, ..view })
    }

    fn without_a_piece(&self) -> Option<Self> {
        let square = pick(self.pieces(self.side_to_move()), self.key())?;
        self.without_piece(square % MAX_SIDE, square / MAX_SIDE).map(|(without, _)| without)
    }

    fn without_piece(&self, col: u8, row: u8) -> Option<(Self, Side)> {
        let (side, gone) = (self.side_to_move(), 1 << (MAX_SIDE * row + col));
        let owner = Side::BOTH.into_iter().find(|&side| self.pieces(side) & gone != 0)?;
        let [white, black] = Side::BOTH.map(|side| self.pieces(side) & !gone);
        let without = Self::from_pieces(self.board(), white, black, side).ok()?;
        without.outcome().is_none().then_some((without, owner))
    }
}

/// The limit of `advance_squared`, so that no weight makes it look like a proven win.
const SQUARES_LIMIT: i32 = 250;

/// `i` are the inputs, `side` the formula's side `S`.
const FEATURES: &[Feature<BreakthroughInputs>] = &[
    Feature::new("piece", ARTICLE_2009, 64, "Pieces.", "D(#S)", |i| {
        i.difference(|side| ones(side.pieces))
    }),
    Feature::new(
        "danger",
        ARTICLE_2009,
        232,
        "Rows advanced, summed over the pieces, plus 1 for each protected and unattacked piece two rows before \
         the goal.",
        "D((sum of row(p) over p in S) + #{p in S : row(p) = R-3, prot(p) > 0, att(p) = 0})",
        |i| i.difference(|side| side.rows_advanced() + ones(side.firm() & side.before_goal(2))),
    ),
    Feature::new(
        "high_danger",
        ARTICLE_2009,
        8,
        "Protected and unattacked pieces one row before the goal.",
        "D(#{p in S : row(p) = R-2, prot(p) > 0, att(p) = 0})",
        |i| i.difference(|side| ones(side.firm() & side.before_goal(1))),
    ),
    Feature::new(
        "attack",
        ARTICLE_2009,
        196,
        "Minus the attackers on each piece, counted twice where nothing protects the piece.",
        "D(- sum of att(p) * (2 if prot(p) = 0 else 1) over p in S)",
        |i| {
            i.difference(|side| {
                -side.attackers(side.pieces) - side.attackers(side.pieces & !side.protected())
            })
        },
    ),
    Feature::new(
        "protection",
        ARTICLE_2009,
        98,
        "Protectors of each piece, summed.",
        "D(sum of prot(p) over p in S)",
        |i| i.difference(|side| side.protectors()),
    ),
    Feature::new(
        "connection_horizontal",
        ARTICLE_2009,
        56,
        "Pairs of own pieces side by side on a row.",
        "D(#{p in S : a piece of S stands right of p})",
        |i| i.difference(|side| ones(side.pieces & (side.pieces & !FILE_H) << 1)),
    ),
    Feature::new(
        "connection_vertical",
        ARTICLE_2009,
        56,
        "Pairs of own pieces one before the other on a column.",
        "D(#{p in S : a piece of S stands before p})",
        |i| i.difference(|side| ones(side.pieces & side.pieces << 8)),
    ),
    Feature::new(
        "mobility",
        ARTICLE_2009,
        154,
        "Legal moves of the pieces, as if their side were to move.",
        "D(moves(S))",
        |i| i.difference(|side| side.moves()),
    ),
    Feature::new(
        "column_hole",
        ARTICLE_2009,
        8,
        "Minus the columns without an own piece.",
        "D(- #{columns c : no p in S stands on c})",
        |i| i.difference(|side| ones(side.columns())),
    ),
    Feature::new(
        "home_ground",
        ARTICLE_2009,
        8,
        "Pieces on the own home row.",
        "D(#{p in S : row(p) = 0})",
        |i| i.difference(|side| ones(side.pieces & side.home())),
    ),
    Feature::new(
        "almost_win",
        ARTICLE_2009,
        8,
        "Pieces one row before the goal that no enemy piece can capture on its next ply.",
        "D(#{p in S : row(p) = R-2, att(p) = 0})",
        |i| i.difference(|side| ones(side.pieces & !side.attacked() & side.before_goal(1))),
    ),
    Feature::new(
        "advance",
        ARTICLE_2022,
        224,
        "Rows advanced, summed over the pieces, the side to move less the other side.",
        "D(sum of row(p) over p in S)",
        |i| i.difference(|side| side.rows_advanced()),
    ),
    Feature::new(
        "most_advanced",
        ARTICLE_2022,
        7,
        "The most advanced row of an own piece; 0 without pieces. The side to move only.",
        "max of row(p) over p in Own, or 0",
        |i| i.us.most_advanced(),
    ),
    Feature::new(
        "nearest_enemy",
        ARTICLE_2022,
        8,
        "The distance in rows from the own home row to the nearest enemy piece; R without enemy pieces. The side \
         to move only.",
        "min of R-1-row(q) over q in Other, or R",
        |i| i.rows() - if i.them.pieces == 0 { 0 } else { 1 + i.them.most_advanced() },
    ),
    Feature::new(
        "attacked",
        ARTICLE_2022,
        56,
        "Own pieces that the enemy can take on its next ply. The side to move only.",
        "#{p in Own : att(p) > 0}",
        |i| ones(i.us.attacked()),
    ),
    Feature::new(
        "attacked_protected",
        ARTICLE_2022,
        56,
        "Own pieces that the enemy can take and that are protected. The side to move only.",
        "#{p in Own : att(p) > 0, prot(p) > 0}",
        |i| ones(i.us.attacked() & i.us.protected()),
    ),
    Feature::new(
        "empty_column",
        ARTICLE_2022,
        8,
        "Columns without any piece: the same number whoever is to move.",
        "#{columns c : neither Own nor Other stands on c}",
        |i| ones(i.all_columns() & !i.us.columns() & !i.them.columns()),
    ),
    Feature::new(
        "empty_column_enemy",
        ARTICLE_2022,
        8,
        "Columns without an own piece on which the enemy has one. The side to move only.",
        "#{columns c : Other stands on c and Own does not}",
        |i| ones(i.them.columns() & !i.us.columns()),
    ),
    Feature::new(
        "enemy_second_row",
        ARTICLE_2022,
        8,
        "Enemy pieces on the own second row, one step from their goal. The side to move only.",
        "#{q in Other : row(q) = R-2}",
        |i| ones(i.them.pieces & i.them.before_goal(1)),
    ),
    Feature::new(
        "own_mobility",
        ARTICLE_2022,
        154,
        "Legal moves of the side to move.",
        "moves(Own)",
        |i| i.us.moves(),
    ),
    Feature::new(
        "farthest_any",
        ARTICLE_2022,
        7,
        "The most advanced row of any piece, own or enemy, each counted from its own home: the same number whoever \
         is to move.",
        "max of row(p) over p in Own and p in Other",
        |i| i.us.most_advanced().max(i.them.most_advanced()),
    ),
    Feature::new(
        "noise",
        ARTICLE_2022,
        10,
        "A number from -10 to 10 that looks random but depends on the position alone: the random player's \
         evaluation.",
        "(mix(bits(Own) + 0x9E3779B97F4A7C15 * bits(Other)) mod 21) - 10",
        |i| i.noise(),
    ),
    Feature {
        since: 2,
        ..Feature::new(
            "tempo",
            LATER,
            1,
            "1 in every position: the worth of being the side to move.",
            "1",
            |_| 1,
        )
    },
    Feature {
        since: 4,
        ..Feature::new(
            "advance_squared",
            LATER,
            SQUARES_LIMIT.unsigned_abs(),
            "The squares of the rows advanced, summed over the pieces: the farther a piece has come, the more a step \
             counts. Cut off at 250 either way, which games do not reach.",
            "max(-250, min(250, D(sum of row(p)^2 over p in S)))",
            |i| i.difference(|side| side.rows_squared()).clamp(-SQUARES_LIMIT, SQUARES_LIMIT),
        )
    },
    Feature {
        since: 4,
        ..Feature::new(
            "edge",
            LATER,
            32,
            "Pieces on the edge columns, which attack one square instead of two.",
            "D(#{p in S : col(p) = 0 or col(p) = C-1})",
            |i| i.difference(|side| ones(side.pieces & side.edges())),
        )
    },
    Feature {
        since: 4,
        ..Feature::new(
            "goalkeepers",
            LATER,
            4,
            "Pieces on the own home row one or two columns from the edge, from where they guard the most goal squares.",
            "D(#{p in S : row(p) = 0, min(col(p), C-1-col(p)) is 1 or 2})",
            |i| i.difference(|side| ones(side.pieces & side.home() & side.near_edges())),
        )
    },
    Feature {
        since: 4,
        ..Feature::new(
            "forward_control",
            LATER,
            32,
            "Empty squares in the enemy half that more own pieces attack than enemy pieces.",
            "D(#{empty q : 2*row(q) >= R, prot(q) > att(q)})",
            |i| i.difference(|side| ones(side.controlled() & side.far_half())),
        )
    },
    Feature {
        since: 4,
        ..Feature::new(
            "safe_steps",
            LATER,
            32,
            "Pieces that can step straight ahead onto an empty square that no enemy piece attacks.",
            "D(#{p in S : the square before p is empty and not attacked})",
            |i| i.difference(|side| ones(side.safe_steps())),
        )
    },
    Feature {
        since: 4,
        ..Feature::new(
            "blocks",
            LATER,
            56,
            "Squares of two by two own pieces.",
            "D(#{p in S : pieces of S stand right of p, before p, and right of that})",
            |i| i.difference(|side| ones(side.blocks())),
        )
    },
];
