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

    /// Shares about 0.95 made the strongest sets, of 0.4 and of 2.0 million positions of 7x7
    /// (docs/measurements/2026-11-22-design-choices.md).
    const LEAST_BLEND: f64 = 0.95;

    /// Reach and turning take in more than a window. A set of all other features as well was no
    /// stronger (docs/measurements/2026-11-22-design-choices.md).
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
