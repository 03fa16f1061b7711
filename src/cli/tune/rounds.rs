//! The arguments of a logistic tune.

use super::{ChoiceArgs, TuneArgs, VALIDATION_BATCH};
use crate::cli::args::parse_count;
use crate::cli::fit::FitChoice;
use crate::cli::generate::SelfPlayArgs;
use crate::error::{Error, Result};
use crate::eval::Game;
use crate::game::Board;
use crate::tune::logistic::schedule::RoundsConfig;
use crate::tune::{Method, Target, TuneConfig, Validation};
use clap::Args;

/// Games of a tune when neither games nor time are given.
pub(super) const GAMES: u64 = 60_000;
/// The share of the time for `--for` that goes to the games; fits and matches take the rest. The
/// rate is that of the start, and tables make the search slower.
pub(super) const GENERATING: f64 = 0.5;
/// Games that a round should have at least, and the most rounds by default.
const GAMES_OF_A_ROUND: u64 = 10_000;
const MOST_ROUNDS: u64 = 12;
/// The most pairs of a round's match by default: so many, or a round's games divided by this, so
/// that late rounds, which gain less, can be told apart in long tunes.
const ROUND_PAIRS: u64 = 1_000;
const GAMES_FOR_A_PAIR: u64 = 10;
/// The rounds in a row without a gain that end the tune.
const PATIENCE: u64 = 2;
/// The rounds that choose the penalty, see [`RoundsConfig::choosing`].
const CHOOSING: u64 = 2;
/// Pairs of a round's match even when the verdict comes sooner.
const LEAST_ROUND_PAIRS: u64 = 50;
/// A round's positions are kept in about so many lines of the journal, each of so many games.
const LINES: u64 = 200;
const GAMES_PER_LINE: (u64, u64) = (16, 512);

/// How a logistic tune goes on.
#[derive(Args, Clone, Debug)]
pub(super) struct RoundArgs {
    /// The most rounds of games, fit and match [default: one for each 10,000 games, at most 12]
    #[arg(long, value_name = "N", value_parser = parse_count, help_heading = "Rounds of the logistic method")]
    rounds: Option<u64>,
    /// The most pairs of a round's match [default: a tenth of the round's games, at least 1000]
    #[arg(long, value_name = "PAIRS", value_parser = parse_count, help_heading = "Rounds of the logistic method")]
    round_pairs: Option<u64>,
    /// A fit takes the positions of so many rounds, its own and those before it [default: the newer
    /// half of the rounds, at least 2]
    #[arg(long, value_name = "ROUNDS", value_parser = parse_count, help_heading = "Rounds of the logistic method")]
    memory: Option<u64>,
    /// So many rounds in a row that do not gain end the tune
    #[arg(long, value_name = "ROUNDS", value_parser = parse_count, default_value_t = PATIENCE, help_heading = "Rounds of the logistic method")]
    patience: u64,
    #[command(flatten)]
    play: SelfPlayArgs,
    #[command(flatten)]
    fit: FitChoice,
}

impl RoundArgs {
    /// The rounds that these arguments describe, without their numbers of games, which [`plan`]
    /// sets.
    ///
    /// # Errors
    /// When a number is out of range.
    pub(super) fn config<G: Game>(
        &self,
        board: Board,
        config: &TuneConfig,
        only: &[String],
    ) -> Result<RoundsConfig> {
        let pairs = self.round_pairs.unwrap_or(ROUND_PAIRS);
        Ok(RoundsConfig {
            rounds: 1,
            growing: true,
            generate: self.play.config::<G>(board, 1, config.limits, config.seed)?,
            games_per_line: 1,
            memory: self.memory,
            patience: self.patience,
            fit: self.fit.config(only)?,
            choosing: CHOOSING,
            gain: Validation {
                pairs,
                least_pairs: LEAST_ROUND_PAIRS.min(pairs),
                batch_pairs: VALIDATION_BATCH,
                ..config.validation
            },
        })
    }
}

/// The names that the fit is to take: those given, or with `--all` every single weight; none for
/// the usual ones.
pub(super) fn fitted<G: Game>(choice: &ChoiceArgs) -> Vec<String> {
    if choice.all {
        return G::feature_list().iter().map(|feature| feature.name.to_owned()).collect();
    }
    choice.only.clone()
}

/// Deals the games out to the rounds; for other methods, only sets them.
pub(super) fn plan(config: &mut TuneConfig, args: &RoundArgs, games: u64) {
    config.games = games;
    let Some(rounds) = &mut config.rounds else { return };
    rounds.rounds = args.rounds.unwrap_or_else(|| (games / GAMES_OF_A_ROUND).clamp(1, MOST_ROUNDS));
    let of_a_round = (games / rounds.rounds.max(1)).max(1);
    rounds.generate.games = of_a_round;
    if args.round_pairs.is_none() {
        rounds.gain.pairs = ROUND_PAIRS.max(of_a_round / GAMES_FOR_A_PAIR);
    }
    rounds.games_per_line = (of_a_round / LINES).clamp(GAMES_PER_LINE.0, GAMES_PER_LINE.1);
    config.games = of_a_round.saturating_mul(rounds.rounds);
}

/// Refuses arguments that the method has no use for.
///
/// # Errors
/// When there is one.
pub(super) fn check_choice(args: &TuneArgs) -> Result<()> {
    let choice = &args.choice;
    let by_pairs = [
        (!choice.add.is_empty(), "--add"),
        (!choice.freeze.is_empty(), "--freeze"),
        (!choice.bounds.is_empty(), "--bounds"),
        (!choice.range.is_empty(), "--range"),
        (!choice.constrain.is_empty(), "--constrain"),
        (args.steps.a.is_some(), "--a"),
        (args.target == Target::Search, "--target search"),
        (!args.search.is_empty(), "--search"),
        (args.opponents.are_given(), "--opponent"),
    ];
    let of_rounds = [
        (args.rounds.rounds.is_some(), "--rounds"),
        (args.rounds.round_pairs.is_some(), "--round-pairs"),
        (args.rounds.memory.is_some(), "--memory"),
        (args.rounds.patience != PATIENCE, "--patience"),
    ];
    let (refused, remedy) = match args.method {
        Method::Logistic => (&by_pairs[..], "leave it out, or name weights with --only"),
        _ => (&of_rounds[..], "leave it out, or give --method logistic"),
    };
    match refused.iter().find(|(given, _)| *given) {
        Some((_, name)) => {
            Err(Error::input(name, format!("means nothing to the method {}", args.method))
                .remedy(remedy))
        }
        None => Ok(()),
    }
}
