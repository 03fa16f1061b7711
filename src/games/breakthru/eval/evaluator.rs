//! The same features multiplied by their weights, those without any left out.

use super::count::{
    self, ATTACKS, BLOCKADE, DISTANCES, GOLD_MOVES, GOLD_RINGS, LINES, NEAR, SIEGE, SILVER_MOVES,
    SILVER_RINGS,
};
use super::list::COUNT;
use crate::error::Result;
use crate::eval::features::weights_in_order;
use crate::eval::unit::UnitSamples;
use crate::eval::{Evaluator, Score};
use crate::game::Position;
use crate::games::Breakthru;
use crate::games::breakthru::Piece;
use crate::games::breakthru::squares::each;
use crate::weights::WeightSet;
use std::ops::Range;

/// What the worth of a ship is measured on.
static SAMPLES: UnitSamples<Breakthru> = UnitSamples::new();

/// The groups of features that cost something to count.
const GROUPS: [Range<usize>; 10] = [
    DISTANCES,
    LINES,
    BLOCKADE,
    SIEGE,
    NEAR,
    GOLD_MOVES,
    SILVER_MOVES,
    ATTACKS,
    GOLD_RINGS,
    SILVER_RINGS,
];

/// The weights of a set, made ready for the search.
#[derive(Clone, Debug)]
pub struct BreakthruEvaluator {
    scale: Score,
    unit: Score,
    weights: [i32; COUNT],
    /// A bit for the first feature of each group that has a weight.
    used: u64,
}

impl BreakthruEvaluator {
    /// Prepares a set.
    ///
    /// # Errors
    /// When the set does not fit the game.
    pub fn new(set: &WeightSet) -> Result<Self> {
        let list = weights_in_order::<Breakthru>(set)?;
        let mut weights = [0; COUNT];
        weights.iter_mut().zip(list).for_each(|(weight, value)| *weight = value);
        let groups = GROUPS
            .into_iter()
            .filter(|group| weights[group.clone()].iter().any(|&weight| weight != 0));
        let used = groups.fold(0, |used, group| used | 1 << group.start);
        let mut evaluator = Self { scale: set.scale, unit: 1, weights, used };
        evaluator.unit = SAMPLES.median_change(&evaluator, Breakthru::default_board(), lacking_one);
        Ok(evaluator)
    }
}

impl Evaluator<Breakthru> for BreakthruEvaluator {
    #[inline]
    fn evaluate(&self, position: &Breakthru) -> Score {
        let values = count::features(position, |group| self.used >> group.start & 1 == 1);
        let sum: i32 = self.weights.iter().zip(values).map(|(weight, value)| weight * value).sum();
        if self.scale == 1 { sum } else { sum / self.scale }
    }

    #[inline]
    fn unit(&self) -> Score {
        self.unit
    }
}

/// The same position, at the beginning of its turn, without one of the small ships of the side to
/// move, unless that ends the game.
fn lacking_one(position: &Breakthru) -> Option<Breakthru> {
    let side = position.side_to_move();
    let ships = position.small_ships(side);
    let place = position.key() % u64::from(ships.count_ones().max(1));
    let gone = each(ships).nth(place as usize).map_or(0, |square| 1 << square);
    let pieces = Piece::ALL.map(|piece| position.squares(piece) & !gone);
    let first = position.first_move().filter(|first| gone >> first.to() & 1 == 0);
    let without = Breakthru::from_squares(pieces, side, first, position.turn()).ok()?;
    without.outcome().is_none().then_some(without)
}
