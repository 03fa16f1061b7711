//! `spar endgame`: endgame databases.

pub(in crate::cli) mod build;
pub(in crate::cli) mod check;
pub(in crate::cli) mod probe;

use crate::cli::{Console, Ended};
use crate::error::Result;
use crate::game::KnownValue;
use clap::Subcommand;
use serde::Serialize;

/// Builds, probes and checks endgame databases
#[derive(Subcommand, Debug)]
pub(super) enum EndgameCommand {
    Build(build::EndgameBuildArgs),
    Probe(probe::EndgameProbeArgs),
    Check(check::EndgameCheckArgs),
}

/// Runs the command.
///
/// # Errors
/// When a database cannot be read or written, or an argument is wrong.
pub(super) fn run(command: &EndgameCommand, console: &Console) -> Result<Ended> {
    match command {
        EndgameCommand::Build(args) => build::run(args, console),
        EndgameCommand::Probe(args) => probe::run(args, console),
        EndgameCommand::Check(args) => check::run(args, console),
    }
}

/// The end of a game with best play, as the side to move sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(test, derive(schemars::JsonSchema))]
enum EndgameResult {
    Win,
    Loss,
    Draw,
}

impl EndgameResult {
    fn of(value: KnownValue) -> Self {
        match value {
            KnownValue::Win(_) => Self::Win,
            KnownValue::Loss(_) => Self::Loss,
            KnownValue::Draw => Self::Draw,
        }
    }
}

/// A value in words.
fn value_text(value: Option<KnownValue>) -> String {
    match value {
        Some(KnownValue::Win(turns)) => format!("win in {turns}"),
        Some(KnownValue::Loss(turns)) => format!("loss in {turns}"),
        Some(KnownValue::Draw) => "draw".into(),
        None => "-".into(),
    }
}
