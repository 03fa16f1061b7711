//! The single weights of a game's sets.

use super::Variant;
use super::variant::FeatureInfo;
use crate::error::Result;
use crate::weights::{LAST_PHASE, Phase, Weight, WeightSet};

/// A single weight of a set: the weight of a feature, or one of its two weights by phase.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SingleWeight {
    /// Its name in weight files.
    pub name: String,
    /// The index of its feature in the game's list.
    pub feature: usize,
    /// Its phase; `None` if the feature has one weight for all phases.
    pub phase: Option<Phase>,
    /// Its value; 0 if the set lacks the feature.
    pub value: i32,
}

impl SingleWeight {
    /// The number that multiplies the weight in a position with these features and this phase.
    pub fn factor(&self, features: &[i32], phase: i32) -> f64 {
        let value = f64::from(features.get(self.feature).copied().unwrap_or(0));
        let share = |part: Phase| f64::from(part.share(phase)) / f64::from(LAST_PHASE);
        self.phase.map_or(value, |part| value * share(part))
    }
}

impl Variant {
    /// The single weights of a set in the order of [`features`](Self::features). A feature with
    /// weights by phase has its early weight first, then its late one.
    ///
    /// # Errors
    /// When the set does not fit the game.
    pub fn single_weights(&self, set: &WeightSet) -> Result<Vec<SingleWeight>> {
        self.check_set(set, &format!("weight set `{}`", set.name))?;
        let of = |(feature, info): (usize, &FeatureInfo)| -> Vec<SingleWeight> {
            let name = info.name;
            let Some(both) = set.early_and_late(name) else {
                let value = set.one(name).unwrap_or(0);
                return vec![SingleWeight { name: name.into(), feature, phase: None, value }];
            };
            let both = Phase::BOTH.into_iter().zip(both);
            let weight = |(phase, value): (Phase, i32)| SingleWeight {
                name: phase.name(name),
                feature,
                phase: Some(phase),
                value,
            };
            both.map(weight).collect()
        };
        Ok(self.features.iter().enumerate().flat_map(of).collect())
    }

    /// The same set with an early and a late weight for these features. Both equal the former
    /// single weight, so the set plays as before.
    ///
    /// # Errors
    /// When the game has no phases, the set has a network, or a feature is unknown or a table.
    pub fn split_by_phase<'a>(
        &self,
        set: &WeightSet,
        features: impl IntoIterator<Item = &'a str>,
    ) -> Result<WeightSet> {
        let mut split = set.clone();
        for feature in features {
            split.split_by_phase(feature);
        }
        if split == *set {
            return Ok(split);
        }
        // A set of an older format may lack features that the current format requires.
        for name in self.feature_names() {
            if split.weights.get(name).is_none() && split.early_and_late(name).is_none() {
                split.weights.insert(name, Weight::One(0));
            }
        }
        split.sort_by_features(&self.shapes(None));
        self.check_set(&split, &format!("weights by phase of `{}`", set.name))?;
        Ok(split)
    }
}
