//! The state of a tune, from its first batch to its verdict.

use serde::Serialize;

/// How far a tune has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum TuneState {
    /// The optimizer is running, or was stopped.
    Tuning,
    /// The candidate is being validated.
    Validating,
    /// The candidate passed its validation and has replaced the start.
    Accepted,
    /// The candidate did not pass; the start stays.
    Rejected,
}

impl TuneState {
    /// Whether the tune is over.
    pub fn is_finished(self) -> bool {
        self.accepted().is_some()
    }

    /// Whether the candidate passed its validation; `None` before its end.
    pub fn accepted(self) -> Option<bool> {
        match self {
            Self::Accepted => Some(true),
            Self::Rejected => Some(false),
            Self::Tuning | Self::Validating => None,
        }
    }
}
