//! The features' names and definitions: FEATURES.md and the checks of weight files are made from
//! this list.

use crate::eval::Feature;

const SHIPS: &str = "ships";
const FLAGSHIP: &str = "flagship";
const ATTACKS: &str = "moves and attacks";
const RINGS: &str = "rings of squares";
const TURN: &str = "the sides and the turn";

/// The most escorts and silver ships.
const ESCORTS: u32 = 12;
const SILVER: u32 = 20;
/// No ship has more moves, captures aside.
const MOVES: u32 = 20;
/// The squares of the board.
const SQUARES: u32 = 121;
/// No two squares are further apart.
const FARTHEST: u32 = 10;

/// The ships of one side at one distance from the edge.
macro_rules! ring {
    (gold $k:literal) => {
        Feature::new(
            concat!("gold_ring_", $k),
            RINGS,
            ESCORTS,
            concat!("Escorts at distance ", $k, " from the edge."),
            concat!("G(#{p in Gold : edge(p) = ", $k, "})"),
        )
    };
    (silver $k:literal) => {
        Feature::new(
            concat!("silver_ring_", $k),
            RINGS,
            SILVER,
            concat!("Silver ships at distance ", $k, " from the edge."),
            concat!("S(#{p in Silver : edge(p) = ", $k, "})"),
        )
    };
}

/// The ships of one side at one distance from the flagship.
macro_rules! near {
    (gold $k:literal) => {
        Feature::new(
            concat!("gold_at_", $k),
            FLAGSHIP,
            ESCORTS,
            concat!("Escorts at distance ", $k, " from the flagship."),
            concat!("G(#{p in Gold : dist(p, F) = ", $k, "})"),
        )
    };
    (silver $k:literal) => {
        Feature::new(
            concat!("silver_at_", $k),
            FLAGSHIP,
            SILVER,
            concat!("Silver ships at distance ", $k, " from the flagship."),
            concat!("S(#{p in Silver : dist(p, F) = ", $k, "})"),
        )
    };
}

/// The number of features.
pub(super) const COUNT: usize = 40;

/// Every feature of Breakthru, in the order of weight files; `count.rs` counts them in this order.
pub const FEATURES: &[Feature] = &[
    Feature::new("gold_ship", SHIPS, ESCORTS, "Escorts.", "G(#Gold)"),
    Feature::new("silver_ship", SHIPS, SILVER, "Silver ships.", "S(#Silver)"),
    Feature::new(
        "gold_distance",
        SHIPS,
        ESCORTS * FARTHEST,
        "Distances of the escorts from the flagship, added up.",
        "G(sum of dist(p, F) over p in Gold)",
    ),
    Feature::new(
        "silver_distance",
        SHIPS,
        SILVER * FARTHEST,
        "Distances of the silver ships from the flagship, added up.",
        "S(sum of dist(p, F) over p in Silver)",
    ),
    Feature::new(
        "flagship_moves",
        FLAGSHIP,
        MOVES,
        "Moves of the flagship, captures aside.",
        "G(#moves({F}))",
    ),
    Feature::new(
        "flagship_edge",
        FLAGSHIP,
        5,
        "The flagship's distance from the edge.",
        "G(edge(F))",
    ),
    Feature::new(
        "open_lines",
        FLAGSHIP,
        4,
        "Lines from the flagship to the edge on which nothing stands.",
        "G(#{l in lines(F) : l is in Empty})",
    ),
    Feature::new(
        "escort_lines",
        FLAGSHIP,
        4,
        "Lines from the flagship to the edge on which escorts stand and no silver ship.",
        "G(#{l in lines(F) : l is not in Empty, no square of l is in Silver})",
    ),
    Feature::new(
        "blocked_lines",
        FLAGSHIP,
        4,
        "Lines from the flagship to the edge on which one silver ship stands and nothing else.",
        "G(#{l in lines(F) : #(l in Silver) = 1, no square of l is in Gold})",
    ),
    Feature::new(
        "exits",
        FLAGSHIP,
        MOVES,
        "Squares that the flagship can move to and from which a further move along a line leads to the edge, or that are \
         on the edge themselves.",
        "G(#{q in targets({F}) : edge(q) = 0, or some l in lines(q) is in Empty})",
    ),
    Feature::new(
        "way_out",
        FLAGSHIP,
        SQUARES,
        "Steps of the flagship's shortest way out, 0 if there is none.",
        "S(steps(F))",
    ),
    Feature::new(
        "enclosed",
        FLAGSHIP,
        1,
        "1 if the flagship has no way out, else 0.",
        "S(1 if F has no way out, else 0)",
    ),
    Feature::new(
        "guards",
        FLAGSHIP,
        8,
        "Escorts beside the flagship.",
        "G(#{p in Gold : dist(p, F) = 1})",
    ),
    Feature::new(
        "besiegers",
        FLAGSHIP,
        8,
        "Silver ships beside the flagship.",
        "S(#{p in Silver : dist(p, F) = 1})",
    ),
    Feature::new(
        "flagship_attacked",
        FLAGSHIP,
        4,
        "Silver ships that attack the flagship.",
        "S(#{p in Silver : p attacks F})",
    ),
    near!(gold 2),
    near!(gold 3),
    near!(silver 2),
    near!(silver 3),
    Feature::new(
        "gold_moves",
        ATTACKS,
        ESCORTS * MOVES,
        "Moves of the escorts, captures aside.",
        "G(#moves(Gold))",
    ),
    Feature::new(
        "silver_moves",
        ATTACKS,
        SILVER * MOVES,
        "Moves of the silver ships, captures aside.",
        "S(#moves(Silver))",
    ),
    Feature::new(
        "gold_attacked",
        ATTACKS,
        ESCORTS,
        "Escorts that a silver ship attacks.",
        "S(#{p in Gold : some q in Silver attacks p})",
    ),
    Feature::new(
        "silver_attacked",
        ATTACKS,
        SILVER,
        "Silver ships that an escort or the flagship attacks.",
        "G(#{p in Silver : some q in Gold or F attacks p})",
    ),
    Feature::new(
        "gold_hanging",
        ATTACKS,
        ESCORTS,
        "Of the escorts that a silver ship attacks, those on whose square no gold ship could take back.",
        "S(#{p in Gold : some q in Silver attacks p, no q in Gold or F attacks p})",
    ),
    Feature::new(
        "silver_hanging",
        ATTACKS,
        SILVER,
        "Of the silver ships that a gold ship attacks, those on whose square no silver ship could take back.",
        "G(#{p in Silver : some q in Gold or F attacks p, no q in Silver attacks p})",
    ),
    Feature::new(
        "gold_backed",
        ATTACKS,
        ESCORTS,
        "Escorts on whose square another gold ship could take back.",
        "G(#{p in Gold : some q in Gold or F attacks p})",
    ),
    Feature::new(
        "silver_backed",
        ATTACKS,
        SILVER,
        "Silver ships on whose square another one could take back.",
        "S(#{p in Silver : some q in Silver attacks p})",
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
        "1 in every position: what it is worth to be Gold, where the rest of a set does not count the same for both sides.",
        "G(1)",
    ),
    Feature::new(
        "half_turn",
        TURN,
        1,
        "1 where the first ship of the turn has moved and the second one's move is due, else 0.",
        "1 if a first ship has moved, else 0",
    ),
    Feature::new(
        "tempo",
        TURN,
        1,
        "1 in every position: what it is worth to be the side to move.",
        "1",
    ),
];

const _: () = assert!(FEATURES.len() == COUNT);
