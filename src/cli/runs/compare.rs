use crate::cli::{Console, Ended, find_runs};
use crate::error::Result;
use crate::report::comparison::comparison;
use crate::runs::{LiveRun, RunView};
use clap::Args;
use serde::Serialize;
use std::path::PathBuf;

/// Puts runs side by side: state, games, Elo, yardsticks, and every tuned weight
#[derive(Args, Debug)]
pub(super) struct CompareArgs {
    /// The runs: `last`, their names or parts of these, or their directories
    #[arg(value_name = "RUN", required = true, num_args = 2..)]
    runs: Vec<PathBuf>,
    /// With --json, the most points of each curve
    #[arg(long, value_name = "N", default_value_t = 100)]
    points: usize,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::cli) struct CompareJson {
    runs: Vec<RunView>,
}

pub(super) fn run(args: &CompareArgs, console: &Console) -> Result<Ended> {
    let view = |path: &PathBuf| LiveRun::open(path)?.view(args.points);
    let runs: Vec<_> = find_runs(&args.runs)?.iter().map(view).collect::<Result<_>>()?;
    if console.json {
        console.document(&CompareJson { runs })?;
    } else {
        let columns: Vec<_> = runs.iter().map(RunView::column).collect();
        console.say(comparison(&columns).fit(console.width()))?;
    }
    Ok(Ended::Done)
}
