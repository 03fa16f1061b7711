//! Which weights or constants are tuned, within which bounds.

use super::scale::Spread;
use super::space::{Knob, unknown_weight};
use super::target::{Target, constant};
use crate::error::{Error, Result};
use crate::eval::Game;
use crate::eval::features::weights_in_order;
use crate::game::Board;
use crate::search::SearchConstants;
use crate::weights::{MAX_WEIGHT, Weight, WeightSet};

/// The terminal score, which people may name among the weights; it is never tuned.
const TERMINAL: &str = "win";
/// Bounds lie this many ranges from the start unless they are given.
const RANGES_TO_BOUND: f64 = 4.0;

/// Which weights to tune. Without any choice: those that are not zero, the first of them left as it
/// is, because multiplying all weights by one number changes nothing, and something must hold the
/// scale.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Selection {
    /// Only these, if any are named.
    pub only: Vec<String>,
    /// These too, although they are zero.
    pub add: Vec<String>,
    /// Not these.
    pub freeze: Vec<String>,
    /// All weights of the game, zero or not.
    pub all: bool,
    /// The least and the greatest value of a weight.
    pub bounds: Vec<(String, f64, f64)>,
    /// Ranges for planning steps, in place of the measured ones.
    pub ranges: Vec<(String, f64)>,
}

impl Selection {
    /// The parameters of this choice for a weight set, with ranges measured in quick games. A
    /// function of its arguments.
    ///
    /// # Errors
    /// When a name is unknown, the set does not fit the game, or nothing is left to tune.
    pub fn params<G: Game>(
        &self,
        start: &WeightSet,
        board: Board,
        plies: u32,
        seed: u64,
    ) -> Result<Vec<Knob>> {
        let names: Vec<&str> = G::feature_list().iter().map(|feature| feature.name).collect();
        self.check_names(&names)?;
        let weights = weights_in_order::<G>(start)?;
        let spread = Spread::measure::<G>(start, board, plies, seed)?;
        let chosen = self.choose(&names, &weights, has_tables(start));
        if chosen.is_empty() {
            return Err(Error::input("tuned weights", "none is left")
                .remedy("name some with --only or --add, or freeze fewer"));
        }
        let param = |index: usize| {
            let (name, weight) = (names[index], f64::from(weights[index]));
            let given = self.ranges.iter().find(|(known, _)| known == name);
            let range = given.map_or_else(|| spread.range(index).round(), |(_, range)| *range);
            let limit = f64::from(MAX_WEIGHT);
            let (min, max) = self.bounds.iter().find(|(known, ..)| known == name).map_or_else(
                || (weight - RANGES_TO_BOUND * range, weight + RANGES_TO_BOUND * range),
                |(_, min, max)| (*min, *max),
            );
            Knob {
                name: name.into(),
                start: weight,
                min: min.max(-limit),
                max: max.min(limit),
                range,
            }
        };
        Ok(chosen.into_iter().map(param).collect())
    }

    /// The parameters of this choice among the constants of the full search: without any choice,
    /// all of them. Bounds and ranges are those of the list unless they are given.
    ///
    /// # Errors
    /// When a name is unknown, or nothing is left to tune.
    pub fn constants(&self, start: &SearchConstants) -> Result<Vec<Knob>> {
        let names: Vec<&str> = SearchConstants::LIST.iter().map(|info| info.name).collect();
        if let Some(name) = self.named().find(|name| !names.contains(name)) {
            return Err(Target::Search.unknown(&names, name));
        }
        let listed = |list: &[String], name: &str| list.iter().any(|known| known == name);
        let chosen = names.into_iter().filter(|name| {
            let named = self.only.is_empty() || listed(&self.only, name) || listed(&self.add, name);
            named && !listed(&self.freeze, name)
        });
        let chosen = chosen.map(|name| {
            let mut param = constant(start, name)?;
            if let Some((_, range)) = self.ranges.iter().find(|(known, _)| known == name) {
                param.range = *range;
            }
            if let Some((_, min, max)) = self.bounds.iter().find(|(known, ..)| known == name) {
                (param.min, param.max) = (*min, *max);
            }
            Ok(param)
        });
        chosen.collect()
    }

    /// Every name that is given.
    fn named(&self) -> impl Iterator<Item = &str> {
        let listed = self.only.iter().chain(&self.add).chain(&self.freeze);
        let bounded = self
            .bounds
            .iter()
            .map(|(name, ..)| name)
            .chain(self.ranges.iter().map(|(name, _)| name));
        listed.chain(bounded).map(String::as_str)
    }

    fn choose(&self, names: &[&str], weights: &[i32], held: bool) -> Vec<usize> {
        let listed = |list: &[String], index: usize| list.iter().any(|name| name == names[index]);
        let mut chosen: Vec<usize> = (0..names.len())
            .filter(|&i| match self.only.is_empty() {
                true => self.all || weights[i] != 0 || listed(&self.add, i),
                false => listed(&self.only, i) || listed(&self.add, i),
            })
            .filter(|&i| !listed(&self.freeze, i))
            .collect();
        // Tables stay as they are, and hold the scale.
        let frozen = held || (0..names.len()).any(|i| weights[i] != 0 && !chosen.contains(&i));
        if !frozen && chosen.len() > 1 {
            let anchor = chosen.iter().position(|&i| weights[i] != 0).unwrap_or(0);
            chosen.remove(anchor);
        }
        chosen
    }

    fn check_names(&self, names: &[&str]) -> Result<()> {
        for name in self.named() {
            if name == TERMINAL && self.freeze.iter().any(|frozen| frozen == name) {
                continue;
            }
            if !names.contains(&name) {
                return Err(unknown_weight(names, name));
            }
        }
        Ok(())
    }
}

/// Whether a set has a table with a weight that is not zero.
fn has_tables(set: &WeightSet) -> bool {
    let used = |weight: &Weight| matches!(weight, Weight::Table(cells) if cells.iter().any(|&cell| cell != 0));
    set.weights.iter().any(|(_, weight)| used(weight))
}
