//! Weights by phase: an early weight and a late weight instead of a single one, named as in
//! `piece@early` and `piece@late`.

use super::{FORMAT_WITH_PHASES, Weight, WeightSet};

/// The last phase. Phases are integers from 0, where only early weights count, to this, where only
/// late weights count.
pub const LAST_PHASE: i32 = 16;

/// One end of the game's phases, where a weight counts fully.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Phase 0.
    Early,
    /// Phase [`LAST_PHASE`].
    Late,
}

impl Phase {
    /// Both ends, in the order of weight files.
    pub const BOTH: [Self; 2] = [Self::Early, Self::Late];

    /// The suffix of the names of its weights.
    pub fn suffix(self) -> &'static str {
        match self {
            Self::Early => "@early",
            Self::Late => "@late",
        }
    }

    /// The opposite end of the game.
    #[must_use]
    pub fn other(self) -> Self {
        match self {
            Self::Early => Self::Late,
            Self::Late => Self::Early,
        }
    }

    /// The name of a feature's weight at this end.
    pub fn name(self, feature: &str) -> String {
        format!("{feature}{}", self.suffix())
    }

    /// Splits a weight's name into feature and phase; `None` for the name of a plain weight.
    pub fn split(name: &str) -> Option<(&str, Self)> {
        let of = |phase: Self| Some((name.strip_suffix(phase.suffix())?, phase));
        Self::BOTH.into_iter().find_map(of)
    }

    /// The share of the weight at a phase, in parts of [`LAST_PHASE`].
    pub fn share(self, phase: i32) -> i32 {
        match self {
            Self::Early => LAST_PHASE - phase,
            Self::Late => phase,
        }
    }
}

/// Interpolates between the early and the late weight at a phase, rounded toward zero.
pub fn weight_at([early, late]: [i32; 2], phase: i32) -> i32 {
    (early * Phase::Early.share(phase) + late * Phase::Late.share(phase)) / LAST_PHASE
}

impl WeightSet {
    /// Whether a feature has an early and a late weight.
    pub fn has_phases(&self) -> bool {
        self.first_of_phase().is_some()
    }

    /// The name of the first early or late weight.
    pub(super) fn first_of_phase(&self) -> Option<&str> {
        self.weights.iter().map(|(name, _)| name).find(|name| Phase::split(name).is_some())
    }

    /// The early and the late weight of a feature, if it has both.
    pub fn early_and_late(&self, feature: &str) -> Option<[i32; 2]> {
        let [early, late] = Phase::BOTH.map(|phase| self.one(&phase.name(feature)));
        Some([early?, late?])
    }

    /// The weight of a single-valued feature at a phase of the game.
    pub fn one_at(&self, feature: &str, phase: i32) -> Option<i32> {
        let between = || self.early_and_late(feature).map(|both| weight_at(both, phase));
        self.one(feature).or_else(between)
    }

    /// Replaces a feature's single weight by an early and a late weight of the same value (0 if it
    /// has none), so the set plays as before. A feature that has both keeps them.
    pub fn split_by_phase(&mut self, feature: &str) {
        if self.early_and_late(feature).is_some() {
            return;
        }
        let value = self.one(feature).unwrap_or(0);
        let both = Phase::BOTH.map(|phase| (phase.name(feature), Weight::One(value)));
        self.weights.replace(feature, both);
        self.format = self.format.max(FORMAT_WITH_PHASES);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::weights::{MAX_WEIGHT, find};

    #[test]
    fn weights_between_round_toward_zero() {
        assert_eq!([0, 8, 16].map(|phase| weight_at([10, 20], phase)), [10, 15, 20]);
        assert_eq!([1, 15].map(|phase| weight_at([-1, 1], phase)), [0, 0]);
        assert_eq!([1, 15].map(|phase| weight_at([-10, -11], phase)), [-10, -10]);
        for phase in 0..=LAST_PHASE {
            for same in [0, 7, -13, MAX_WEIGHT, -MAX_WEIGHT] {
                assert_eq!(weight_at([same; 2], phase), same);
            }
        }
    }

    #[test]
    fn a_split_weight_keeps_its_place_and_value() {
        let mut set = find("hand", "breakthrough").unwrap();
        let (danger, count) = (set.one("danger").unwrap(), set.weights.len());
        assert!(!set.has_phases());
        for _ in 0..2 {
            set.split_by_phase("danger");
            assert_eq!(set.early_and_late("danger"), Some([danger; 2]));
            assert_eq!((set.one("danger"), set.one_at("danger", 5)), (None, Some(danger)));
            assert_eq!((set.weights.len(), set.format), (count + 1, FORMAT_WITH_PHASES));
        }
        let names: Vec<&str> = set.weights.iter().map(|(name, _)| name).collect();
        assert_eq!(names[..3], ["piece", "danger@early", "danger@late"]);
        assert_eq!(WeightSet::from_json(&set.to_json(), "a set").unwrap(), set);
    }
}
