//! `spar stats`: Elo, LOS and SPRT from given pair counts.

use super::args::SprtArgs;
use super::console::Console;
use super::ended::Ended;
use super::summary::summary_facts;
use crate::error::Result;
use crate::stats::{PairCounts, Summary};
use clap::Args;
use serde::Serialize;

/// Computes Elo, normalised Elo, likelihood of superiority and SPRT from pair counts.
#[derive(Args, Debug)]
pub struct StatsArgs {
    /// Pairs by what the first player scored in their two games: none, a draw, half, a win and a
    /// draw, all
    #[arg(long, value_name = "LL,LD,MID,WD,WW")]
    pairs: PairCounts,
    #[command(flatten)]
    sprt: SprtArgs,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::cli) struct StatsJson {
    #[serde(flatten)]
    summary: Summary,
    /// Always null: nothing is played here.
    seconds: Option<f64>,
}

/// Runs the command.
///
/// # Errors
/// When the bounds or error probabilities of the test are out of range.
pub fn run(args: &StatsArgs, console: &Console) -> Result<Ended> {
    let sprt = args.sprt.test()?;
    let summary = Summary::of(&args.pairs, sprt.as_ref());
    if console.json {
        console.document(&StatsJson { summary, seconds: None })?;
    } else {
        console.say(summary_facts(&summary, sprt.as_ref(), None))?;
    }
    Ok(Ended::Done)
}
