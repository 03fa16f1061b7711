//! What a feature is, in words and numbers, and a score taken apart term by term.

use super::{Evaluated, Score};
use crate::error::{Error, Result};
use crate::game::Position;
use crate::weights::{FeatureShape, Weight, WeightSet};
use serde::Serialize;

/// A feature of a position: one named number that a weight multiplies.
#[derive(Clone, Copy, Debug)]
pub struct Feature {
    /// Its name in weight files.
    pub name: &'static str,
    /// The part of the list it belongs to, such as the article it comes from.
    pub family: &'static str,
    /// What it counts, in words.
    pub words: &'static str,
    /// The same as a formula, in the notation that FEATURES.md explains.
    pub formula: &'static str,
    /// No position gives it a greater absolute value, on any board.
    pub limit: u32,
}

/// The names and shapes of a game's features, as the weight files know them.
pub fn shapes<P: Evaluated>() -> Vec<FeatureShape> {
    P::feature_list().iter().map(|feature| FeatureShape { name: feature.name, table: None }).collect()
}

/// The weights of a set in the order of the game's feature list.
///
/// # Errors
/// When the set names another game, lacks a feature or has one too many.
pub fn weights_in_order<P: Evaluated>(set: &WeightSet) -> Result<Vec<i32>> {
    set.check(&format!("weight set `{}`", set.name), P::GAME, &shapes::<P>())?;
    let one = |feature: &Feature| match set.weights.get(feature.name) {
        Some(Weight::One(value)) => Ok(*value),
        _ => {
            Err(Error::input(format!("weight set `{}`, key `{}`", set.name, feature.name), "not an integer"))
        }
    };
    P::feature_list().iter().map(one).collect()
}

/// One term of a score.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Term {
    /// The feature's name.
    pub name: &'static str,
    /// The feature's value in the position, from the side to move.
    pub value: i32,
    /// Its weight in the set.
    pub weight: i32,
    /// Weight x value, not yet divided by the scale.
    pub product: i64,
}

/// A score taken apart.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Explanation {
    /// Every feature, in the order of the game's list.
    pub terms: Vec<Term>,
    /// The sum of the products.
    pub sum: i64,
    /// The set's divisor.
    pub scale: i32,
    /// The sum over the scale, rounded toward zero.
    pub score: Score,
}

/// Takes the static value of a position apart. The position may be finished: its features are counted all the
/// same, although a search would give it a win or a loss instead.
///
/// # Errors
/// When the set does not fit the game.
pub fn explain<P: Evaluated>(position: &P, set: &WeightSet) -> Result<Explanation> {
    let weights = weights_in_order::<P>(set)?;
    let terms: Vec<Term> = P::feature_list()
        .iter()
        .zip(position.features())
        .zip(weights)
        .map(|((feature, value), weight)| Term {
            name: feature.name,
            value,
            weight,
            product: i64::from(weight) * i64::from(value),
        })
        .collect();
    let sum: i64 = terms.iter().map(|term| term.product).sum();
    let score = sum / i64::from(set.scale.max(1));
    let score = Score::try_from(score).unwrap_or(if score < 0 { Score::MIN } else { Score::MAX });
    Ok(Explanation { terms, sum, scale: set.scale, score })
}

/// A sample of unfinished positions from random play, the same in every release: what scales are measured on.
pub fn sample_positions<P: Position>(start: &P, count: usize, seed: u64) -> Vec<P> {
    use crate::game::openings::{Opening, below};
    let mut generator = rand_mt::Mt64::new(seed);
    let mut sample = Vec::with_capacity(count);
    // Random games can be over before the ply drawn; then another is drawn. The bound ends the loop on boards
    // where that is always so.
    for _ in 0..count.saturating_mul(8) {
        if sample.len() == count {
            break;
        }
        let plies = 4 + below(&mut generator, 40) as u32;
        sample.extend(Opening::random(start, plies, &mut generator).map(|opening| opening.position));
    }
    sample
}
