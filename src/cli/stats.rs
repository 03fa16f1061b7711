//! `spar stats`: Elo, LOS and SPRT from given counts of pairs or games.

use super::args::SprtArgs;
use super::summary::{games_facts, summary_facts};
use crate::cli::{Console, Ended, Standing};
use crate::error::Result;
use crate::stats::{GameCounts, PairCounts, Sprt, Summary, Verdict};
use clap::Args;
use serde::Serialize;
use std::str::FromStr;

/// Computes Elo, its error and an SPRT from counts of pairs or games
#[derive(Args, Debug)]
#[group(id = "counts", required = true, multiple = false, args = ["pairs", "wdl"])]
pub struct StatsArgs {
    /// Pairs by the first player's points in their two games: 0, 1/2, 1, 3/2 and 2; three numbers
    /// are read as --wdl
    #[arg(long, value_name = "LL,LD,MID,WD,WW")]
    pairs: Option<Counts>,
    /// Wins, draws and losses of single games, if the pairs are unknown. The games then count as
    /// independent, which usually overstates the errors
    #[arg(long, value_name = "W,D,L")]
    wdl: Option<GameCounts>,
    #[command(flatten)]
    sprt: SprtArgs,
}

/// The value of `--pairs`.
#[derive(Clone, Copy, Debug)]
enum Counts {
    Pairs(PairCounts),
    Games(GameCounts),
}

impl FromStr for Counts {
    type Err = crate::error::Error;

    fn from_str(text: &str) -> Result<Self> {
        let numbers = text.split(|c: char| !c.is_ascii_digit()).filter(|part| !part.is_empty());
        match numbers.count() {
            3 => text.parse().map(Self::Games),
            _ => text.parse().map(Self::Pairs),
        }
    }
}

#[derive(Serialize)]
#[serde(untagged)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::cli) enum StatsJson {
    /// Of counts of pairs.
    Pairs(PairsJson),
    /// Of counts of single games.
    Games(GameCountsJson),
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::cli) struct PairsJson {
    #[serde(flatten)]
    summary: Summary,
    /// Always null: nothing is played here.
    seconds: Option<f64>,
}

/// The numbers of games whose pairs are unknown.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::cli) struct GameCountsJson {
    /// Always null: the pairs are unknown, so the games count as independent. The true errors are
    /// mostly smaller.
    pairs: Option<PairCounts>,
    /// Games that the first player won.
    wins: u64,
    /// Games that neither player won.
    draws: u64,
    /// Games that the first player lost.
    losses: u64,
    /// The number of games.
    games: u64,
    /// The mean score, from 0 to 1.
    score: Option<f64>,
    #[serde(flatten)]
    standing: Standing,
    /// Normalised Elo: the edge in standard deviations of a game's score, times 800 / ln 10.
    nelo: Option<f64>,
    /// Half the width of its 95 % interval.
    nelo_error: Option<f64>,
    /// The likelihood of superiority, from 0 to 1.
    los: Option<f64>,
    /// The verdict of the SPRT; null while there is none.
    verdict: Option<Verdict>,
    /// Always null: nothing is played here.
    seconds: Option<f64>,
}

/// Runs the command.
///
/// # Errors
/// When the bounds or error probabilities of the test are out of range.
pub fn run(args: &StatsArgs, console: &Console) -> Result<Ended> {
    let sprt = args.sprt.test()?;
    match (args.pairs, args.wdl) {
        (Some(Counts::Pairs(pairs)), _) => say_pairs(&pairs, sprt.as_ref(), console)?,
        (Some(Counts::Games(games)), _) | (None, Some(games)) => {
            say_games(games, sprt.as_ref(), console)?;
        }
        (None, None) => {}
    }
    Ok(Ended::Done)
}

fn say_pairs(pairs: &PairCounts, sprt: Option<&Sprt>, console: &Console) -> Result<()> {
    let summary = Summary::of(pairs, sprt);
    match console.json {
        true => console.document(&StatsJson::Pairs(PairsJson { summary, seconds: None })),
        false => console.say(summary_facts(&summary, sprt, None)),
    }
}

fn say_games(games: GameCounts, sprt: Option<&Sprt>, console: &Console) -> Result<()> {
    let summary = games.summary(sprt);
    if !console.json {
        return console.say(games_facts(games, &summary, sprt));
    }
    let GameCounts { wins, draws, losses } = games;
    let Summary { games, score, nelo, nelo_error, los, verdict, .. } = summary;
    let standing = Standing::from(&summary);
    console.document(&StatsJson::Games(GameCountsJson {
        pairs: None,
        wins,
        draws,
        losses,
        games,
        score,
        standing,
        nelo,
        nelo_error,
        los,
        verdict,
        seconds: None,
    }))
}
