//! Evaluation of Breakthrough: the features of the 2009 article (Simple AI for the Game of
//! Breakthrough) and of the 2022 one (a 6x6 program and its sparring partners), on bitboards.
//!
//! Departures from the published program of 2009, whose slips are not repeated: horizontal
//! neighbours are looked for on the row; pieces on the edge can be taken from one side only, and
//! count as almost won accordingly; rows count from the owner's home for both sides; a piece on the
//! far row is a finished game and not a feature.

mod count;
mod evaluator;
mod list;
mod windows;

pub use evaluator::BreakthroughEvaluator;
pub use list::FEATURES;

use crate::error::Result;
use crate::eval::document::Guide;
use crate::eval::{Feature, Game, PatternTable};
use crate::game::Board;
use crate::games::Breakthrough;
use crate::weights::WeightSet;

impl Game for Breakthrough {
    type Evaluator = BreakthroughEvaluator;

    const GUIDE: Guide = Guide {
        text: include_str!("../guide.md"),
        example: "2p2p/1P4/1pp3/2PP2/1P3p/P2P2 w - - 0 1",
        example_set: "atachiants",
        default_set: "spsa",
        hand_made_set: "atachiants",
        positions: include_str!("../conformance.fen"),
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
    };

    /// Shares of 0.6 to 0.8 made the strongest sets, of 0.9 to 5.1 million positions of 8x8; on 6x6
    /// all of 0.65 to 0.85 are alike (docs/measurements/2026-11-22-design-choices.md).
    const LEAST_BLEND: f64 = 0.65;

    fn feature_list() -> &'static [Feature] {
        FEATURES
    }

    fn features(&self) -> Vec<i32> {
        count::features(self.view())
    }

    fn tables() -> &'static [PatternTable] {
        &windows::TABLES
    }

    #[inline]
    fn each_cell(&self, table: usize, each: impl FnMut(usize)) {
        windows::each_cell_of(table, self.view(), each);
    }

    fn evaluator(weights: &WeightSet) -> Result<BreakthroughEvaluator> {
        BreakthroughEvaluator::new(weights)
    }
}
