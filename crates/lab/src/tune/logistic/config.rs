//! The settings of a fit, and the weights that they choose from a set.

use super::samples::FOLDS;
use crate::error::{Error, Result};
use crate::eval::features::table_weights;
use crate::game::Board;
use crate::games::GameId;
use crate::weights::{Phase, WeightSet};
use serde::{Deserialize, Serialize};

/// The most iterations that are accepted.
const MOST_ITERATIONS: u64 = 1_000_000;

/// The settings of a fit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FitConfig {
    /// Fit only these weights and tables [default: the start's weights that are not zero and its
    /// tables; if it has no tables, all tables of the board and the features that these do not
    /// cover, and every other weight becomes 0]
    #[cfg_attr(
        feature = "clap",
        arg(long, value_name = "NAME,...", value_delimiter = ',', help_heading = "Fit")
    )]
    pub only: Vec<String>,
    /// Fit all single weights of the game, zero or not, and no tables
    #[cfg_attr(feature = "clap", arg(long, conflicts_with = "only", help_heading = "Fit"))]
    pub all: bool,
    /// Give each fitted single weight two values, one for the beginning of a game and one for its
    /// end: NAME@early and NAME@late, which --only may name without this option too
    #[cfg_attr(feature = "clap", arg(long, help_heading = "Fit"))]
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub phases: bool,
    /// Set all other weights to 0 instead of keeping them
    #[cfg_attr(feature = "clap", arg(long, help_heading = "Fit"))]
    pub clear_rest: bool,
    /// Fit each table cell, early and late weight on its own; by default patterns with common parts,
    /// and the early and late weight of a feature, are pulled toward similar values
    #[cfg_attr(feature = "clap", arg(long, help_heading = "Fit"))]
    pub no_sharing: bool,
    /// Weight of the search score in the training target; the rest is the game result [default:
    /// less the more positions there are for each weight]
    #[cfg_attr(feature = "clap", arg(long, value_name = "SHARE", help_heading = "Fit"))]
    pub blend: Option<f64>,
    /// Penalties to try: precisions of a prior around 0, per squared logit; from the third round
    /// on, a tune keeps the best one of the second
    #[cfg_attr(feature = "clap", arg(long, value_name = "P,...", value_delimiter = ',', default_values_t = Self::PENALTIES, help_heading = "Fit"))]
    pub penalties: Vec<f64>,
    /// Maximum iterations for each penalty
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", default_value_t = Self::ITERATIONS, help_heading = "Fit"))]
    pub iterations: u64,
    /// Folds, of 64, whose games are kept for validation
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", default_value_t = Self::VALIDATION_FOLDS, help_heading = "Fit"))]
    pub validation_folds: u8,
}

impl Default for FitConfig {
    fn default() -> Self {
        Self {
            only: Vec::new(),
            all: false,
            phases: false,
            clear_rest: false,
            no_sharing: false,
            blend: None,
            validation_folds: Self::VALIDATION_FOLDS,
            penalties: Self::PENALTIES.into(),
            iterations: Self::ITERATIONS,
        }
    }
}

/// The weight of the search's score in the training target (the rest is the result) with
/// `positions` positions: 1 without any, the game's least
/// ([`Game::LEAST_BLEND`](crate::eval::Game::LEAST_BLEND)) with very many, and midway between the
/// two with `even`.
pub fn usual_blend(game: GameId, positions: u64, even: f64) -> f64 {
    game.least_blend + (1.0 - game.least_blend) / (1.0 + positions as f64 / even)
}

impl FitConfig {
    /// The positions per weight at which the share of the search's score is midway between the
    /// game's least and 1, where cells share the weights of their parts.
    /// (Matches: docs/measurements/archive/2026-11-22-design-choices.md.)
    pub const EVEN_POSITIONS: f64 = 1.4;
    /// The same if each cell is fitted on its own (matches:
    /// docs/measurements/archive/2026-11-22-design-choices.md).
    pub const EVEN_POSITIONS_APART: f64 = 5.0;
    /// Folds kept for validation by default: about a tenth of the games.
    pub const VALIDATION_FOLDS: u8 = 6;
    /// The penalties tried by default.
    pub const PENALTIES: [f64; 5] = [1000.0, 300.0, 100.0, 30.0, 10.0];
    /// Maximum iterations for each penalty by default.
    pub const ITERATIONS: u64 = 25;

    /// Checks what can be checked without positions.
    ///
    /// # Errors
    /// When a number is out of range.
    pub fn check(&self) -> Result<()> {
        let refuse = |place: &str, reason: String, remedy: &str| {
            Err(Error::input(place, reason).remedy(remedy))
        };
        if let Some(blend) = self.blend.filter(|blend| !(0.0..=1.0).contains(blend)) {
            return refuse("blend", format!("{blend} is out of range"), "give 0 to 1 with --blend");
        }
        if !(1..FOLDS).contains(&self.validation_folds) {
            let reason = format!("{} of {FOLDS} folds", self.validation_folds);
            return refuse("validation", reason, "give 1 to 63 with --validation-folds");
        }
        let good = |penalty: &f64| *penalty > 0.0 && penalty.is_finite();
        if self.penalties.is_empty() || !self.penalties.iter().all(good) {
            let given: Vec<String> = self.penalties.iter().map(f64::to_string).collect();
            return refuse(
                "penalties",
                format!("{}: not all are above 0", given.join(", ")),
                "give numbers above 0 with --penalties",
            );
        }
        if !(1..=MOST_ITERATIONS).contains(&self.iterations) {
            let reason = format!("{} are out of range", self.iterations);
            return refuse("iterations", reason, "give 1 to 1000000 with --iterations");
        }
        Ok(())
    }

    /// The share of the search's score for a fit of `weights` weights to `positions` positions.
    /// Results are unbiased but noisy, scores are precise but have the evaluation's errors. Noise
    /// averages out over the positions of a weight, so the share falls from 1 to the game's least
    /// as there are more of them. It stays above 0 because the scores of a tune's later positions
    /// are better too.
    pub fn blend_for(&self, game: GameId, positions: u64, weights: usize) -> f64 {
        let each = if self.no_sharing { Self::EVEN_POSITIONS_APART } else { Self::EVEN_POSITIONS };
        let even = each * weights.max(1) as f64;
        self.blend.unwrap_or_else(|| usual_blend(game, positions, even))
    }

    /// The fitted weights and tables, and whether the others become 0. By default: the weights that
    /// are not zero in the start, and its tables. From a start without tables: all tables of the
    /// board and the features that these do not cover
    /// ([`Game::BESIDE_TABLES`](crate::eval::Game::BESIDE_TABLES)), in place of all its weights. If
    /// the board has no tables: the weights that are not zero. A feature's name stands for both of
    /// its weights by phase.
    pub fn names(&self, game: GameId, start: &WeightSet, board: Board) -> (Vec<String>, bool) {
        let (names, clear) = self.features(game, start, board);
        let weights = |name: String| match start.early_and_late(&name) {
            Some(_) => Phase::BOTH.map(|phase| phase.name(&name)).into(),
            None => vec![name],
        };
        (names.into_iter().flat_map(weights).collect(), clear)
    }

    /// The set that a fit of this configuration starts from. It plays like the given one, but the
    /// weights that are named by phase (with [`phases`](Self::phases), all fitted single weights)
    /// have an early and a late value.
    ///
    /// # Errors
    /// When a name is unknown, the game has no phases, or the set has a network.
    pub fn split_by_phase(
        &self,
        game: GameId,
        start: &WeightSet,
        board: Board,
    ) -> Result<WeightSet> {
        let fitted = if self.phases { self.names(game, start, board).0 } else { Vec::new() };
        let is_single = |name: &&str| game.features.iter().any(|feature| feature.name == *name);
        let by_phase = self.only.iter().filter_map(|name| Some(Phase::split(name)?.0));
        if self.phases && !fitted.iter().any(|name| is_single(&name.as_str())) {
            return Err(Error::input("--phases", "only tables are fitted, which have no phases")
                .remedy("leave it out, or fit single weights too"));
        }
        let single = fitted.iter().map(String::as_str).filter(is_single);
        game.split_by_phase(start, by_phase.chain(single))
    }

    /// The fitted features and tables, and whether all others become 0.
    fn features(&self, game: GameId, start: &WeightSet, board: Board) -> (Vec<String>, bool) {
        if !self.only.is_empty() {
            return (self.only.clone(), self.clear_rest);
        }
        if self.all {
            let names = game.features.iter().map(|feature| feature.name.to_owned());
            return (names.collect(), self.clear_rest);
        }
        let single = start
            .weights
            .iter()
            .filter(|(name, _)| start.one(name).is_some_and(|weight| weight != 0));
        let used = game.tables.iter().filter(|table| table_weights(start, table).is_some());
        let mut tables: Vec<&str> = used.map(|table| table.name).collect();
        if tables.is_empty() {
            tables = game.tables.iter().filter(|t| (t.cells)(board) > 0).map(|t| t.name).collect();
            if !tables.is_empty() {
                let names = game.beside_tables.iter().copied().chain(tables);
                return (names.map(Into::into).collect(), true);
            }
        }
        (single.map(|(name, _)| name).chain(tables).map(Into::into).collect(), self.clear_rest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_count_less_the_more_positions_there_are() {
        let game: GameId = "breakthrough".parse().unwrap();
        let usual = FitConfig::default();
        let shares =
            [0, 5000, 14_000, u64::MAX].map(|positions| usual.blend_for(game, positions, 10_000));
        assert!(shares.is_sorted_by(|a, b| a > b) && shares[0] == 1.0, "{shares:?}");
        let least = game.least_blend;
        let middle = (1.0 + least) / 2.0;
        assert!((shares[2] - middle).abs() < 1e-12 && shares[3] >= least, "{shares:?}");
        let apart = FitConfig { no_sharing: true, ..usual.clone() };
        assert!(apart.blend_for(game, 14_000, 10_000) > shares[2]);
        let set = FitConfig { blend: Some(0.3), ..usual };
        assert_eq!(set.blend_for(game, 5, 10_000), 0.3);
        for blend in [-0.1, 1.1, f64::NAN] {
            assert!(FitConfig { blend: Some(blend), ..set.clone() }.check().is_err());
        }
    }
}
