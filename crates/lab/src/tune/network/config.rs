//! The settings of a training.

use crate::error::{Error, Result};
use crate::game::Board;
use crate::games::GameId;
use crate::tune::logistic::samples::FOLDS;
use crate::tune::logistic::{FitConfig, usual_blend};
use crate::weights::{MAX_UNITS, WeightSet, WindowShape};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

const MOST_EPOCHS: u64 = 10_000;
/// The most positions of a batch. Their sums are in memory at once.
const MOST_BATCH: usize = 1 << 20;

/// A file of older positions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct OlderFile {
    /// The path as it was given.
    pub path: PathBuf,
    /// Positions in the file, repetitions included.
    pub positions: u64,
    /// The SHA-256 of their records, in hexadecimal digits.
    pub digest: String,
}

/// The settings of a training.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TrainConfig {
    /// The windows of the board whose patterns are the inputs, rows x columns
    #[cfg_attr(feature = "clap", arg(long, value_name = "ROWSxCOLS", default_value_t = Self::WINDOW, help_heading = "Network"))]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub window: WindowShape,
    /// Number of hidden units
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", default_value_t = Self::UNITS, help_heading = "Network"))]
    pub units: usize,
    /// Keep the single weights and tables of the start, and train the network beside them: its
    /// value is added to theirs
    #[cfg_attr(feature = "clap", arg(long, help_heading = "Network"))]
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub beside_start: bool,
    /// Begin with random numbers even if the start has a network
    #[cfg_attr(feature = "clap", arg(long, help_heading = "Network"))]
    #[serde(skip)]
    pub fresh: bool,
    /// Whether the training begins with the network of the start.
    #[cfg_attr(feature = "clap", arg(skip))]
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub from_start: bool,
    /// Older positions to train on as well: a run, or a file of positions; may be repeated
    #[cfg_attr(
        feature = "clap",
        arg(long = "older", value_name = "RUN|FILE", help_heading = "Training")
    )]
    #[serde(skip)]
    pub older_from: Vec<PathBuf>,
    /// The files of older positions.
    #[cfg_attr(feature = "clap", arg(skip))]
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub older: Vec<OlderFile>,
    /// Share of older positions in each pass, 0 to 1; less if there are too few of them [default:
    /// 0.5]
    #[cfg_attr(
        feature = "clap",
        arg(long, value_name = "SHARE", requires = "older_from", help_heading = "Training")
    )]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub older_share: Option<f64>,
    /// Passes over all positions
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", default_value_t = Self::EPOCHS, help_heading = "Training"))]
    pub epochs: u64,
    /// Positions per training step
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", default_value_t = Self::BATCH, help_heading = "Training"))]
    pub step_positions: usize,
    /// Initial learning rate; it falls to 0 along a cosine
    #[cfg_attr(feature = "clap", arg(long, value_name = "RATE", default_value_t = Self::RATE, help_heading = "Training"))]
    pub rate: f64,
    /// Weight of the search score in the training target; the rest is the game result [default:
    /// less the more positions there are, down to a share that suits the game]
    #[cfg_attr(feature = "clap", arg(long, value_name = "SHARE", help_heading = "Training"))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub blend: Option<f64>,
    /// Folds, of 64, whose games are kept for validation
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", default_value_t = FitConfig::VALIDATION_FOLDS, help_heading = "Training"))]
    pub validation_folds: u8,
}

impl Default for TrainConfig {
    fn default() -> Self {
        Self {
            window: Self::WINDOW,
            units: Self::UNITS,
            beside_start: false,
            fresh: false,
            from_start: false,
            older_from: Vec::new(),
            older: Vec::new(),
            older_share: None,
            epochs: Self::EPOCHS,
            step_positions: Self::BATCH,
            rate: Self::RATE,
            blend: None,
            validation_folds: FitConfig::VALIDATION_FOLDS,
        }
    }
}

impl TrainConfig {
    /// The windows by default.
    pub const WINDOW: WindowShape = WindowShape::new(2, 2);
    /// The hidden units by default.
    pub const UNITS: usize = 128;
    /// The epochs by default.
    pub const EPOCHS: u64 = 12;
    /// Positions per training step by default. Of 256 to 16,384, this had the least loss on 8x8
    /// Breakthrough and on Ataxx, each with the best rate of several.
    pub const BATCH: usize = 1024;
    /// The rate by default.
    pub const RATE: f64 = 0.002;
    /// The share of a pass that older positions take by default.
    pub const OLDER_SHARE: f64 = 0.5;
    /// The positions at which the share of the search's score is midway between the game's least
    /// ([`Game::LEAST_BLEND`](crate::eval::Game::LEAST_BLEND)) and 1.
    pub const EVEN_POSITIONS: f64 = 500e3;

    /// Checks what can be checked without positions.
    ///
    /// # Errors
    /// When a number is out of range.
    pub fn check(&self) -> Result<()> {
        let refuse = |place: &str, found: String, remedy: String| {
            Err(Error::input(place, format!("{found} is out of range")).remedy(remedy))
        };
        if !(1..=MAX_UNITS).contains(&self.units) {
            let remedy = format!("give 1 to {MAX_UNITS} with --units");
            return refuse("hidden units", self.units.to_string(), remedy);
        }
        if !(1..=MOST_EPOCHS).contains(&self.epochs) {
            let remedy = format!("give 1 to {MOST_EPOCHS} with --epochs");
            return refuse("epochs", self.epochs.to_string(), remedy);
        }
        if !(1..=MOST_BATCH).contains(&self.step_positions) {
            let remedy = format!("give 1 to {MOST_BATCH} with --step-positions");
            return refuse("positions of a step", self.step_positions.to_string(), remedy);
        }
        if !(self.rate > 0.0 && self.rate <= 1.0) {
            let remedy = "give a number above 0 and at most 1 with --rate".into();
            return refuse("rate", self.rate.to_string(), remedy);
        }
        if let Some(blend) = self.blend.filter(|blend| !(0.0..=1.0).contains(blend)) {
            return refuse("blend", blend.to_string(), "give 0 to 1 with --blend".into());
        }
        if let Some(share) = self.older_share.filter(|share| !(0.0..=1.0).contains(share)) {
            let remedy = "give 0 to 1 with --older-share".into();
            return refuse("share of older positions", share.to_string(), remedy);
        }
        if !(1..FOLDS).contains(&self.validation_folds) {
            let remedy = "give 1 to 63 with --validation-folds".into();
            return refuse("validation folds", self.validation_folds.to_string(), remedy);
        }
        Ok(())
    }

    /// The number of `older` positions that a pass takes beside `newer` ones.
    pub(super) fn older_in_pass(&self, newer: usize, older: usize) -> usize {
        let share = self.older_share.unwrap_or(Self::OLDER_SHARE);
        let wanted = newer as f64 * share / (1.0 - share);
        // A share of 1 makes the quotient infinite, and takes all older positions.
        (wanted.round() as usize).min(older)
    }

    /// The number of `newer` positions that a pass takes: none for an older share of 1.
    pub(super) fn newer_in_pass(&self, newer: usize, older: usize) -> usize {
        if older > 0 && self.older_share == Some(1.0) { 0 } else { newer }
    }

    /// Why a training on a board cannot begin with the network of a set, in words; `None` if it can.
    pub fn no_beginning_with(&self, start: &WeightSet, board: Board) -> Option<String> {
        let Some(network) = &start.network else { return Some(format!("{} has none", start.name)) };
        let other_board = start.board.as_ref().is_some_and(|known| *known != board.to_string());
        let has_weights =
            start.weights.iter().any(|(_, weight)| weight.cells().iter().any(|&cell| cell != 0));
        let name = &start.name;
        if other_board {
            Some(format!("the network of {name} is for another board"))
        } else if network.window != self.window {
            Some(format!("the network of {name} has windows of {}", network.window))
        } else if network.units > self.units {
            Some(format!("the network of {name} has more units, {}", network.units))
        } else if has_weights && !self.beside_start {
            Some(format!("the network of {name} stands beside weights: --beside-start keeps them"))
        } else {
            None
        }
    }

    /// The share of the search's score for a training on `positions` distinct positions, like
    /// [`FitConfig::blend_for`] for fits. A network that learns mostly from scores plays as well as
    /// the search that made them, at a similar number of nodes. With many more nodes, the gain
    /// comes from the results (docs/measurements/archive/2026-11-24-networks-blend.md).
    pub fn blend_for(&self, game: GameId, positions: u64) -> f64 {
        self.blend.unwrap_or_else(|| usual_blend(game, positions, Self::EVEN_POSITIONS))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_count_more_the_more_positions_there_are() {
        let [game, other]: [GameId; 2] =
            ["breakthrough", "ataxx"].map(|name| name.parse().unwrap());
        let usual = TrainConfig::default();
        let shares =
            [0, 1000, 500_000, 10_000_000].map(|positions| usual.blend_for(game, positions));
        assert!(shares.is_sorted_by(|a, b| a > b) && shares[0] == 1.0, "{shares:?}");
        let least = game.least_blend;
        assert!((shares[2] - (1.0 + least) / 2.0).abs() < 1e-12 && shares[3] > least, "{shares:?}");
        assert!(usual.blend_for(other, 500_000) > shares[2]);
        let given = TrainConfig { blend: Some(0.3), ..usual };
        assert_eq!(given.blend_for(game, 10_000_000), 0.3);
        for blend in [-0.1, 1.1, f64::NAN] {
            assert!(TrainConfig { blend: Some(blend), ..given.clone() }.check().is_err());
        }
    }
}
