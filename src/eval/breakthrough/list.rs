//! The features' names and definitions: FEATURES.md and the checks of weight files are made from this list.

use crate::eval::Feature;

const ARTICLE_2009: &str = "2009 article, side to move less the other side";
const ARTICLE_2022: &str = "2022 article and its sparring partners";

const fn feature(
    name: &'static str,
    family: &'static str,
    limit: u32,
    words: &'static str,
    formula: &'static str,
) -> Feature {
    Feature { name, family, words, formula, limit }
}

/// Every feature of Breakthrough, in the order of weight files. The places of the constants in [`super::count`]
/// and of the evaluator's weights follow this order.
pub const FEATURES: &[Feature] = &[
    feature("piece", ARTICLE_2009, 64, "Pieces.", "D(|S|)"),
    feature(
        "danger",
        ARTICLE_2009,
        512,
        "Rows advanced, summed over the pieces, plus 1 for each protected and unattacked piece two rows before \
         the goal.",
        "D(sum of row(p) over p in S, plus |{p in S : row(p) = R-3, prot(p) > 0, att(p) = 0}|)",
    ),
    feature(
        "high_danger",
        ARTICLE_2009,
        64,
        "Protected and unattacked pieces one row before the goal.",
        "D(|{p in S : row(p) = R-2, prot(p) > 0, att(p) = 0}|)",
    ),
    feature(
        "attack",
        ARTICLE_2009,
        256,
        "Minus the attackers on each piece, counted twice where nothing protects the piece.",
        "D(- sum over p in S of att(p) * (2 if prot(p) = 0 else 1))",
    ),
    feature(
        "protection",
        ARTICLE_2009,
        128,
        "Protectors of each piece, summed.",
        "D(sum of prot(p) over p in S)",
    ),
    feature(
        "connection_horizontal",
        ARTICLE_2009,
        64,
        "Pairs of own pieces side by side on a row.",
        "D(|{p in S : the square to the right of p is in S}|)",
    ),
    feature(
        "connection_vertical",
        ARTICLE_2009,
        64,
        "Pairs of own pieces one before the other on a column.",
        "D(|{p in S : the square before p is in S}|)",
    ),
    feature(
        "mobility",
        ARTICLE_2009,
        192,
        "Legal moves of the pieces, as if their side were to move.",
        "D(moves(S))",
    ),
    feature(
        "column_hole",
        ARTICLE_2009,
        8,
        "Minus the columns without an own piece.",
        "D(- |{columns c : no p in S stands on c}|)",
    ),
    feature("home_ground", ARTICLE_2009, 8, "Pieces on the own home row.", "D(|{p in S : row(p) = 0}|)"),
    feature(
        "almost_win",
        ARTICLE_2009,
        8,
        "Pieces one row before the goal that no enemy piece can capture on its next ply.",
        "D(|{p in S : row(p) = R-2, att(p) = 0}|)",
    ),
    feature(
        "advance",
        ARTICLE_2022,
        512,
        "Rows advanced, summed over the pieces, the side to move less the other side.",
        "D(sum of row(p) over p in S)",
    ),
    feature(
        "most_advanced",
        ARTICLE_2022,
        8,
        "The most advanced row of an own piece; 0 without pieces. The side to move only.",
        "max of row(p) over p in Own, or 0",
    ),
    feature(
        "nearest_enemy",
        ARTICLE_2022,
        8,
        "The distance in rows from the own home row to the nearest enemy piece; R without enemy pieces. The side \
         to move only.",
        "min of R-1-row(q) over q in Other, or R",
    ),
    feature(
        "attacked",
        ARTICLE_2022,
        64,
        "Own pieces that the enemy can take on its next ply. The side to move only.",
        "|{p in Own : att(p) > 0}|",
    ),
    feature(
        "attacked_protected",
        ARTICLE_2022,
        64,
        "Own pieces that the enemy can take and that are protected. The side to move only.",
        "|{p in Own : att(p) > 0, prot(p) > 0}|",
    ),
    feature(
        "empty_column",
        ARTICLE_2022,
        8,
        "Columns without any piece. The side to move only, the same for both.",
        "|{columns c : neither Own nor Other stands on c}|",
    ),
    feature(
        "empty_column_enemy",
        ARTICLE_2022,
        8,
        "Columns without an own piece on which the enemy has one. The side to move only.",
        "|{columns c : Other stands on c and Own does not}|",
    ),
    feature(
        "enemy_second_row",
        ARTICLE_2022,
        8,
        "Enemy pieces on the own second row, one step from their goal. The side to move only.",
        "|{q in Other : row(q) = R-2}|",
    ),
    feature("own_mobility", ARTICLE_2022, 192, "Legal moves of the side to move.", "moves(Own)"),
    feature(
        "farthest_any",
        ARTICLE_2022,
        8,
        "The most advanced row of any piece, own or enemy, each counted from its own home.",
        "max of row(p) over p in Own and Other",
    ),
    feature(
        "noise",
        ARTICLE_2022,
        10,
        "A number from -10 to 10 that looks random but depends on the position alone: the random player's \
         evaluation.",
        "(mix(own + 0x9E3779B97F4A7C15 * other) mod 21) - 10, all modulo 2^64, where own and other are the sets as \
         64-bit numbers (bit 8 * row + column, rows counted from the home row of the side to move), and mix is \
         SplitMix64's finalizer: z ^= z >> 30; z *= 0xBF58476D1CE4E5B9; z ^= z >> 27; z *= 0x94D049BB133111EB; \
         z ^= z >> 31",
    ),
];
