//! Evaluation of Breakthru: ships, their distances from the flagship, its ways out, what is
//! attacked, and where ships stand. The sides have different aims, so most features belong to one
//! of them, with a weight of their own.

mod count;
mod evaluator;
mod list;

pub use evaluator::BreakthruEvaluator;
pub use list::FEATURES;

use crate::error::Result;
use crate::eval::document::Guide;
use crate::eval::{Feature, Game};
use crate::game::Board;
use crate::games::Breakthru;
use crate::weights::WeightSet;

impl Game for Breakthru {
    type Evaluator = BreakthruEvaluator;

    const GUIDE: Guide = Guide {
        text: include_str!("../guide.md"),
        example: "11/3s1sss3/3s7/1s2gg3s1/1s1g2gg1s1/1s1g1F3s1/1s1g3g1s1/1s2ggg2s1/11/3sssss3/11 silver - 4",
        example_set: "hand",
        default_set: "11x11",
        hand_made_set: "hand",
        positions: include_str!("../conformance.fen"),
        boards: &[Board::new(11, 11); 14],
        bench_depth: 7,
    };

    fn feature_list() -> &'static [Feature] {
        FEATURES
    }

    fn features(&self) -> Vec<i32> {
        count::features(self, |_| true).to_vec()
    }

    fn evaluator(weights: &WeightSet) -> Result<BreakthruEvaluator> {
        BreakthruEvaluator::new(weights)
    }
}
