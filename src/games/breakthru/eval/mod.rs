//! Evaluation of Breakthru: ships, their distances from the flagship, its ways out, what is
//! attacked, and where ships stand. The sides have different aims, so most features belong to one
//! of them, with a weight of their own.

mod count;
mod evaluator;
mod guide;
mod list;

pub use evaluator::BreakthruEvaluator;
pub use list::FEATURES;

use crate::error::Result;
use crate::eval::document::Guide;
use crate::eval::{Feature, Game};
use crate::games::Breakthru;
use crate::weights::WeightSet;

impl Game for Breakthru {
    type Evaluator = BreakthruEvaluator;

    fn feature_list() -> &'static [Feature] {
        FEATURES
    }

    fn features(&self) -> Vec<i32> {
        count::features(self, |_| true).to_vec()
    }

    fn guide() -> &'static Guide {
        &guide::GUIDE
    }

    fn evaluator(weights: &WeightSet) -> Result<BreakthruEvaluator> {
        BreakthruEvaluator::new(weights)
    }
}
