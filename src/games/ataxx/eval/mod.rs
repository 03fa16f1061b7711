//! Evaluation of Ataxx: pieces, room to move, what can be attacked, where pieces stand, the holes
//! between them, and patterns of 3 x 3 squares.

mod count;
mod evaluator;
mod list;
mod windows;

pub use evaluator::AtaxxEvaluator;
pub use list::FEATURES;

use crate::error::Result;
use crate::eval::document::Guide;
use crate::eval::{Feature, Game, PatternTable};
use crate::game::Board;
use crate::games::Ataxx;
use crate::weights::WeightSet;

impl Game for Ataxx {
    type Evaluator = AtaxxEvaluator;

    const GUIDE: Guide = Guide {
        text: include_str!("../guide.md"),
        example: "xx1-o/1xoo1/2x2/1-1o1/oo2x o 0 1",
        example_set: "hand",
        default_set: "general",
        hand_made_set: "hand",
        positions: include_str!("../conformance.fen"),
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
    };

    /// On 7x7, 65,000 weights, 150 to 200 pairs at 1,000 nodes a move each against one and the same
    /// set: of 0.4 million positions, shares of 0.71, 0.85, 0.95 and 1 were -109, -49, +36 and -12
    /// Elo, each +- 40; of 2.0 million, 0.7, 0.8, 0.9, 0.95, 0.98 and 1 were -35, +36, +39, +41,
    /// +57 and +10, each +- 34.
    const LEAST_BLEND: f64 = 0.95;

    /// Reach and turning take in more than a window. With all other features as well, of 2.4
    /// million positions, a set was -22 +- 39 Elo at 1,000 nodes a move and +2 +- 49 at 10 ms (150
    /// and 100 pairs).
    const BESIDE_TABLES: &'static [&'static str] =
        &["territory", "safe", "best_gain", "best_threat", "tempo"];

    fn feature_list() -> &'static [Feature] {
        FEATURES
    }

    fn features(&self) -> Vec<i32> {
        count::features(self)
    }

    fn tables() -> &'static [PatternTable] {
        &windows::TABLES
    }

    #[inline]
    fn each_cell(&self, table: usize, each: impl FnMut(usize)) {
        windows::each_cell_of(table, self, each);
    }

    fn evaluator(weights: &WeightSet) -> Result<AtaxxEvaluator> {
        AtaxxEvaluator::new(weights)
    }
}
