//! The settings of an opening tree.

use crate::error::{Error, Result};
use crate::eval::Score;
use serde::{Deserialize, Serialize};

/// Everything that decides how a tree grows: the same settings give the same positions in the same
/// order, on any number of threads.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TreeSettings {
    /// The name of the weight set that searched.
    pub weights: String,
    /// The fingerprint of its weights and search constants.
    pub fingerprint: String,
    /// The score of a piece under these weights.
    pub unit: Score,
    /// Nodes of the search of a position, by the `full` algorithm on one thread.
    pub nodes: u64,
    /// The drop-out cost of a ply, in hundredths of a piece.
    pub depth_penalty: u32,
    /// Leaves that are expanded together.
    pub batch: u32,
    /// Decides between leaves of equal cost.
    pub seed: u64,
    /// Follows lines in which one side plays the best moves only; without it, all lines.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repertoire: Option<RepertoireSettings>,
}

/// Limits of a repertoire: which moves of a position are searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RepertoireSettings {
    /// The most replies of the opponent to a position.
    pub replies: u32,
    /// A chosen move is given up for one that is better by more than this, in hundredths of a
    /// piece. Alternatives are searched once its value falls by more than this below the score of
    /// its position's search.
    pub drop: u32,
}

impl RepertoireSettings {
    /// The default number of replies to a position.
    pub const REPLIES: u32 = 5;
    /// The default drop of a value, in hundredths of a piece.
    pub const DROP: u32 = 5;
}

impl TreeSettings {
    /// The nodes of a search by default.
    pub const NODES: u64 = 100_000;
    /// The default cost of a ply, in hundredths of a piece.
    pub const DEPTH_PENALTY: u32 = 2;
    /// The default number of leaves that are expanded together.
    pub const BATCH: u32 = 4;
    /// The highest penalty of a ply: a hundred pieces.
    pub const MOST_PENALTY: u32 = 10_000;
    /// The most leaves that are expanded together.
    pub const MOST_BATCH: u32 = 1000;

    /// Checks the ranges, since settings may come from a file.
    ///
    /// # Errors
    /// When a number is outside its range.
    pub fn check(&self) -> Result<()> {
        let wrong = |name: &str, remedy: String| {
            Err(Error::input(format!("setting `{name}`"), "out of range").remedy(remedy))
        };
        match self {
            Self { unit: ..=0, .. } => wrong("unit", "give at least 1".into()),
            Self { nodes: 0, .. } => wrong("nodes", "give at least 1".into()),
            Self { depth_penalty, .. } if *depth_penalty > Self::MOST_PENALTY => {
                wrong("depth_penalty", format!("give at most {}", Self::MOST_PENALTY))
            }
            Self { batch, .. } if !(1..=Self::MOST_BATCH).contains(batch) => {
                wrong("batch", format!("give 1 to {}", Self::MOST_BATCH))
            }
            Self { repertoire: Some(RepertoireSettings { replies: 0, .. }), .. } => {
                wrong("replies", "give at least 1".into())
            }
            _ => Ok(()),
        }
    }

    /// The drop-out cost of a ply, in hundredths of the unit of the weight set.
    pub fn ply_cost(&self) -> i64 {
        i64::from(self.depth_penalty) * i64::from(self.unit)
    }

    /// A drop-out cost in hundredths of a piece.
    pub fn in_hundredths(&self, cost: i64) -> i64 {
        cost / i64::from(self.unit)
    }
}
