//! The features of Breakthru: ships, their distances from the flagship, its ways out, attacks, and
//! the placement of ships. The sides have different aims, so most features belong to one side and
//! have their own weight.

use super::inputs::BreakthruInputs;
use super::squares::{RINGS, SIDE, attacked, count_moves, open_to_edge};
use super::view::ShipsView;
use super::{Breakthru, Piece};
use crate::eval::{Feature, Game, GamePhase, Guide, LinearEvaluator, Symmetry};
use crate::game::bitboard::{ones, pick};
use crate::game::{Board, Position, Side};

const SHIPS: &str = "ships";
const FLAGSHIP: &str = "flagship";
const ATTACKS: &str = "moves and attacks";
const BY_RING: &str = "rings of squares";
const TURN: &str = "the sides and the turn";

/// The greatest numbers of escorts and of silver ships.
const ESCORTS: u32 = 12;
const SILVER: u32 = 20;
/// The greatest number of moves of a ship, captures excluded.
const MOVES: u32 = 20;
/// The number of squares of the board.
const SQUARES: u32 = 121;
/// The greatest distance between two squares.
const FARTHEST: u32 = 10;

impl Game for Breakthru {
    type Evaluator = LinearEvaluator<Self>;
    type NetworkView = ShipsView;
    type Inputs = BreakthruInputs;

    const FEATURES: &'static [Feature<BreakthruInputs>] = FEATURES;
    const PHASE: Option<GamePhase<BreakthruInputs>> = Some(GamePhase {
        words: "Ships captured so far; the last phase begins when half of all ships are.",
        formula: "32 - #Gold - #Silver",
        count: |i| 32 - ones(i.escorts) - ones(i.ships),
    });
    const IS_TESTED: bool = true;
    const GUIDE: Guide = Guide {
        text: include_str!("guide.md"),
        example: "11/3s1sss3/3s7/1s2gg3s1/1s1g2gg1s1/1s1g1F3s1/1s1g3g1s1/1s2ggg2s1/11/3sssss3/11 silver - 4",
        example_set: "hand",
        default_set: "11x11",
        hand_made_set: "hand",
        tunes_all: true,
        positions: include_str!("conformance.fen"),
        boards: &[Board::new(11, 11); 14],
        bench_depth: 7,
        piece_logit: 0.36,
    };

    const SYMMETRY: Option<Symmetry> = Some(Symmetry::Dihedral);

    #[inline]
    fn inputs(&self) -> BreakthruInputs {
        BreakthruInputs::new(self)
    }

    #[inline]
    fn network_view(&self) -> ShipsView {
        ShipsView::new(self)
    }

    fn without_a_piece(&self) -> Option<Self> {
        let square = pick(self.small_ships(self.side_to_move()), self.key());
        self.without(square.map_or(0, |square| 1 << square))
    }

    fn without_piece(&self, col: u8, row: u8) -> Option<(Self, Side)> {
        let gone = 1 << (SIDE * row + col);
        let owner = Side::BOTH.into_iter().find(|&side| self.pieces(side) & gone != 0)?;
        Some((self.without(gone)?, owner))
    }
}

impl Breakthru {
    /// The same position without some ships, unless that ends the game. A turn in progress starts
    /// over if the ship that has moved is removed.
    fn without(&self, gone: u128) -> Option<Self> {
        let pieces = Piece::ALL.map(|piece| self.squares(piece) & !gone);
        let first = self.first_move().filter(|first| gone >> first.to() & 1 == 0);
        let without = Self::from_squares(pieces, self.side_to_move(), first, self.turn()).ok()?;
        without.outcome().is_none().then_some(without)
    }
}

/// The number of ships of one side at a distance from the edge.
macro_rules! ring {
    (gold $k:literal) => {
        Feature::new(
            concat!("gold_ring_", $k),
            BY_RING,
            ESCORTS,
            concat!("Escorts at distance ", $k, " from the edge."),
            concat!("G(#{p in Gold : edge(p) = ", $k, "})"),
            |i| i.gold(ones(i.escorts & RINGS[$k])),
        )
    };
    (silver $k:literal) => {
        Feature::new(
            concat!("silver_ring_", $k),
            BY_RING,
            SILVER,
            concat!("Silver ships at distance ", $k, " from the edge."),
            concat!("S(#{p in Silver : edge(p) = ", $k, "})"),
            |i| i.silver(ones(i.ships & RINGS[$k])),
        )
    };
}

/// The number of ships of one side at a distance from the flagship.
macro_rules! near {
    (gold $k:literal) => {
        Feature::new(
            concat!("gold_at_", $k),
            FLAGSHIP,
            ESCORTS,
            concat!("Escorts at distance ", $k, " from the flagship."),
            concat!("G(#{p in Gold : dist(p, F) = ", $k, "})"),
            |i| i.gold(ones(i.escorts & i.at_distance($k))),
        )
    };
    (silver $k:literal) => {
        Feature::new(
            concat!("silver_at_", $k),
            FLAGSHIP,
            SILVER,
            concat!("Silver ships at distance ", $k, " from the flagship."),
            concat!("S(#{p in Silver : dist(p, F) = ", $k, "})"),
            |i| i.silver(ones(i.ships & i.at_distance($k))),
        )
    };
}

/// `i` are the inputs; `gold` and `silver` are the formulas' `G` and `S`.
const FEATURES: &[Feature<BreakthruInputs>] = &[
    Feature::new("gold_ship", SHIPS, ESCORTS, "Escorts.", "G(#Gold)", |i| i.gold(ones(i.escorts))),
    Feature::new("silver_ship", SHIPS, SILVER, "Silver ships.", "S(#Silver)", |i| {
        i.silver(ones(i.ships))
    }),
    Feature::new(
        "gold_distance",
        SHIPS,
        ESCORTS * FARTHEST,
        "Distances of the escorts from the flagship, added up.",
        "G(sum of dist(p, F) over p in Gold)",
        |i| i.gold(i.distances(i.escorts)),
    ),
    Feature::new(
        "silver_distance",
        SHIPS,
        SILVER * FARTHEST,
        "Distances of the silver ships from the flagship, added up.",
        "S(sum of dist(p, F) over p in Silver)",
        |i| i.silver(i.distances(i.ships)),
    ),
    Feature::new(
        "flagship_moves",
        FLAGSHIP,
        MOVES,
        "Moves of the flagship, without captures.",
        "G(#moves({F}))",
        |i| i.gold(ones(i.targets())),
    ),
    Feature::new(
        "flagship_edge",
        FLAGSHIP,
        5,
        "The flagship's distance from the edge.",
        "G(edge(F))",
        |i| i.gold(i.edge_distance()),
    ),
    Feature::new(
        "open_lines",
        FLAGSHIP,
        4,
        "Lines from the flagship to the edge on which nothing stands.",
        "G(#{l in lines(F) : l is in Empty})",
        |i| i.gold(i.lines().open),
    ),
    Feature::new(
        "escort_lines",
        FLAGSHIP,
        4,
        "Lines from the flagship to the edge on which escorts stand and no silver ship.",
        "G(#{l in lines(F) : l is not in Empty, no square of l is in Silver})",
        |i| i.gold(i.lines().escorted),
    ),
    Feature::new(
        "blocked_lines",
        FLAGSHIP,
        4,
        "Lines from the flagship to the edge on which one silver ship stands and nothing else.",
        "G(#{l in lines(F) : #(l in Silver) = 1, no square of l is in Gold})",
        |i| i.gold(i.lines().blocked),
    ),
    Feature::new(
        "exits",
        FLAGSHIP,
        MOVES,
        "Squares that the flagship can move to and from which a further move along a line leads to the edge, or that are \
         on the edge themselves.",
        "G(#{q in targets({F}) : edge(q) = 0, or some l in lines(q) is in Empty})",
        |i| i.gold(ones(i.targets() & open_to_edge(i.empty))),
    ),
    Feature::new(
        "way_out",
        FLAGSHIP,
        SQUARES,
        "Steps of the flagship's shortest way out, 0 if there is none.",
        "S(steps(F))",
        |i| i.silver(i.way_out().unwrap_or(0)),
    ),
    Feature::new(
        "enclosed",
        FLAGSHIP,
        1,
        "1 if the flagship has no way out, else 0.",
        "S(1 if F has no way out, else 0)",
        |i| i.silver((i.flagship != 0 && i.way_out().is_none()).into()),
    ),
    Feature::new(
        "guards",
        FLAGSHIP,
        8,
        "Escorts beside the flagship.",
        "G(#{p in Gold : dist(p, F) = 1})",
        |i| i.gold(ones(i.escorts & i.at_distance(1))),
    ),
    Feature::new(
        "besiegers",
        FLAGSHIP,
        8,
        "Silver ships beside the flagship.",
        "S(#{p in Silver : dist(p, F) = 1})",
        |i| i.silver(ones(i.ships & i.at_distance(1))),
    ),
    Feature::new(
        "flagship_attacked",
        FLAGSHIP,
        4,
        "Silver ships that attack the flagship.",
        "S(#{p in Silver : p attacks F})",
        |i| i.silver(ones(i.ships & attacked(i.flagship))),
    ),
    near!(gold 2),
    near!(gold 3),
    near!(silver 2),
    near!(silver 3),
    Feature::new(
        "gold_moves",
        ATTACKS,
        ESCORTS * MOVES,
        "Moves of the escorts, without captures.",
        "G(#moves(Gold))",
        |i| i.gold(count_moves(i.escorts, i.empty) as i32),
    ),
    Feature::new(
        "silver_moves",
        ATTACKS,
        SILVER * MOVES,
        "Moves of the silver ships, without captures.",
        "S(#moves(Silver))",
        |i| i.silver(count_moves(i.ships, i.empty) as i32),
    ),
    Feature::new(
        "gold_attacked",
        ATTACKS,
        ESCORTS,
        "Escorts that a silver ship attacks.",
        "S(#{p in Gold : some q in Silver attacks p})",
        |i| i.silver(ones(i.escorts & i.by_silver())),
    ),
    Feature::new(
        "silver_attacked",
        ATTACKS,
        SILVER,
        "Silver ships that an escort or the flagship attacks.",
        "G(#{p in Silver : some q in Gold or F attacks p})",
        |i| i.gold(ones(i.ships & i.by_gold())),
    ),
    Feature::new(
        "gold_hanging",
        ATTACKS,
        ESCORTS,
        "Escorts that a silver ship attacks and on whose square no gold ship could take back.",
        "S(#{p in Gold : some q in Silver attacks p, no q in Gold or F attacks p})",
        |i| i.silver(ones(i.escorts & i.by_silver() & !i.by_gold())),
    ),
    Feature::new(
        "silver_hanging",
        ATTACKS,
        SILVER,
        "Silver ships that a gold ship attacks and on whose square no silver ship could take back.",
        "G(#{p in Silver : some q in Gold or F attacks p, no q in Silver attacks p})",
        |i| i.gold(ones(i.ships & i.by_gold() & !i.by_silver())),
    ),
    Feature::new(
        "gold_backed",
        ATTACKS,
        ESCORTS,
        "Escorts on whose square another gold ship could take back.",
        "G(#{p in Gold : some q in Gold or F attacks p})",
        |i| i.gold(ones(i.escorts & i.by_gold())),
    ),
    Feature::new(
        "silver_backed",
        ATTACKS,
        SILVER,
        "Silver ships on whose square another one could take back.",
        "S(#{p in Silver : some q in Silver attacks p})",
        |i| i.silver(ones(i.ships & i.by_silver())),
    ),
    ring!(gold 0),
    ring!(gold 1),
    ring!(gold 2),
    ring!(gold 3),
    ring!(gold 4),
    ring!(silver 0),
    ring!(silver 1),
    ring!(silver 2),
    ring!(silver 3),
    ring!(silver 4),
    Feature::new(
        "gold",
        TURN,
        1,
        "1 in every position: the worth of playing Gold beyond what the other features count.",
        "G(1)",
        |i| i.gold(1),
    ),
    Feature::new(
        "half_turn",
        TURN,
        1,
        "1 if the first ship of the turn has moved and a second one is still to move, else 0.",
        "1 if a first ship has moved, else 0",
        |i| i.half_turn.into(),
    ),
    Feature::new(
        "tempo",
        TURN,
        1,
        "1 in every position: the worth of being the side to move.",
        "1",
        |_| 1,
    ),
];
