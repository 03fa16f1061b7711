//! Evaluation of Ataxx: pieces, room to move, what can be attacked, where pieces stand, the holes between them, and
//! patterns of 3 x 3 squares.

mod count;
mod evaluator;
mod guide;
mod list;
mod windows;

pub use evaluator::AtaxxEvaluator;
pub use list::FEATURES;

use super::document::Guide;
use super::{Evaluated, Feature, PatternTable};
use crate::error::Result;
use crate::game::Ataxx;
use crate::weights::WeightSet;

impl Evaluated for Ataxx {
    type Evaluator = AtaxxEvaluator;

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

    fn guide() -> &'static Guide {
        &guide::GUIDE
    }

    fn evaluator(weights: &WeightSet) -> Result<AtaxxEvaluator> {
        AtaxxEvaluator::new(weights)
    }
}
