//! The features' names and definitions: FEATURES.md and the checks of weight files are made from
//! this list.

use crate::eval::Feature;

const ARTICLE_2009: &str = "2009 article, side to move less the other side";
const LATER: &str = "later ones";
const ARTICLE_2022: &str = "2022 article and its sparring partners";

/// Every feature of Breakthrough, in the order of weight files; `count.rs` counts them in this
/// order.
pub const FEATURES: &[Feature] = &[
    Feature::new("piece", ARTICLE_2009, 64, "Pieces.", "D(#S)"),
    Feature::new(
        "danger",
        ARTICLE_2009,
        232,
        "Rows advanced, summed over the pieces, plus 1 for each protected and unattacked piece two rows before \
         the goal.",
        "D((sum of row(p) over p in S) + #{p in S : row(p) = R-3, prot(p) > 0, att(p) = 0})",
    ),
    Feature::new(
        "high_danger",
        ARTICLE_2009,
        8,
        "Protected and unattacked pieces one row before the goal.",
        "D(#{p in S : row(p) = R-2, prot(p) > 0, att(p) = 0})",
    ),
    Feature::new(
        "attack",
        ARTICLE_2009,
        196,
        "Minus the attackers on each piece, counted twice where nothing protects the piece.",
        "D(- sum of att(p) * (2 if prot(p) = 0 else 1) over p in S)",
    ),
    Feature::new(
        "protection",
        ARTICLE_2009,
        98,
        "Protectors of each piece, summed.",
        "D(sum of prot(p) over p in S)",
    ),
    Feature::new(
        "connection_horizontal",
        ARTICLE_2009,
        56,
        "Pairs of own pieces side by side on a row.",
        "D(#{p in S : a piece of S stands right of p})",
    ),
    Feature::new(
        "connection_vertical",
        ARTICLE_2009,
        56,
        "Pairs of own pieces one before the other on a column.",
        "D(#{p in S : a piece of S stands before p})",
    ),
    Feature::new(
        "mobility",
        ARTICLE_2009,
        154,
        "Legal moves of the pieces, as if their side were to move.",
        "D(moves(S))",
    ),
    Feature::new(
        "column_hole",
        ARTICLE_2009,
        8,
        "Minus the columns without an own piece.",
        "D(- #{columns c : no p in S stands on c})",
    ),
    Feature::new(
        "home_ground",
        ARTICLE_2009,
        8,
        "Pieces on the own home row.",
        "D(#{p in S : row(p) = 0})",
    ),
    Feature::new(
        "almost_win",
        ARTICLE_2009,
        8,
        "Pieces one row before the goal that no enemy piece can capture on its next ply.",
        "D(#{p in S : row(p) = R-2, att(p) = 0})",
    ),
    Feature::new(
        "advance",
        ARTICLE_2022,
        224,
        "Rows advanced, summed over the pieces, the side to move less the other side.",
        "D(sum of row(p) over p in S)",
    ),
    Feature::new(
        "most_advanced",
        ARTICLE_2022,
        7,
        "The most advanced row of an own piece; 0 without pieces. The side to move only.",
        "max of row(p) over p in Own, or 0",
    ),
    Feature::new(
        "nearest_enemy",
        ARTICLE_2022,
        8,
        "The distance in rows from the own home row to the nearest enemy piece; R without enemy pieces. The side \
         to move only.",
        "min of R-1-row(q) over q in Other, or R",
    ),
    Feature::new(
        "attacked",
        ARTICLE_2022,
        56,
        "Own pieces that the enemy can take on its next ply. The side to move only.",
        "#{p in Own : att(p) > 0}",
    ),
    Feature::new(
        "attacked_protected",
        ARTICLE_2022,
        56,
        "Own pieces that the enemy can take and that are protected. The side to move only.",
        "#{p in Own : att(p) > 0, prot(p) > 0}",
    ),
    Feature::new(
        "empty_column",
        ARTICLE_2022,
        8,
        "Columns without any piece: the same number whoever is to move.",
        "#{columns c : neither Own nor Other stands on c}",
    ),
    Feature::new(
        "empty_column_enemy",
        ARTICLE_2022,
        8,
        "Columns without an own piece on which the enemy has one. The side to move only.",
        "#{columns c : Other stands on c and Own does not}",
    ),
    Feature::new(
        "enemy_second_row",
        ARTICLE_2022,
        8,
        "Enemy pieces on the own second row, one step from their goal. The side to move only.",
        "#{q in Other : row(q) = R-2}",
    ),
    Feature::new(
        "own_mobility",
        ARTICLE_2022,
        154,
        "Legal moves of the side to move.",
        "moves(Own)",
    ),
    Feature::new(
        "farthest_any",
        ARTICLE_2022,
        7,
        "The most advanced row of any piece, own or enemy, each counted from its own home: the same number whoever \
         is to move.",
        "max of row(p) over p in Own and p in Other",
    ),
    Feature::new(
        "noise",
        ARTICLE_2022,
        10,
        "A number from -10 to 10 that looks random but depends on the position alone: the random player's \
         evaluation.",
        "(mix(bits(Own) + 0x9E3779B97F4A7C15 * bits(Other)) mod 21) - 10",
    ),
    Feature {
        since: 2,
        ..Feature::new(
            "tempo",
            LATER,
            1,
            "1 in every position: what it is worth to be the side to move.",
            "1",
        )
    },
];
