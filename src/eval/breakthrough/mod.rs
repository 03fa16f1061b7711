//! Evaluation of Breakthrough: the features of the 2009 article (Simple AI for the Game of Breakthrough) and of
//! the 2022 one (a 6x6 program and its sparring partners), on bitboards.
//!
//! Departures from the published program of 2009, whose slips are not repeated: horizontal neighbours are looked
//! for on the row; pieces on the edge can be taken from one side only, and count as almost won accordingly; rows
//! count from the owner's home for both sides; a piece on the far row is a finished game and not a feature.

mod count;
mod evaluator;
mod guide;
mod list;
mod windows;

pub use evaluator::BreakthroughEvaluator;
pub use list::FEATURES;

use super::document::Guide;
use super::{Evaluated, Feature, PatternTable};
use crate::error::Result;
use crate::game::Breakthrough;
use crate::weights::WeightSet;

impl Evaluated for Breakthrough {
    type Evaluator = BreakthroughEvaluator;

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

    fn guide() -> &'static Guide {
        &guide::GUIDE
    }

    fn evaluator(weights: &WeightSet) -> Result<BreakthroughEvaluator> {
        BreakthroughEvaluator::new(weights)
    }
}
