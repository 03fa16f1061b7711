//! The arguments of `spar tune`: common to all tunes, and of one method.

use super::engine::{EngineTuneArgs, OptionFitArgs};
use super::method_args::MethodArgs;
use crate::cli::args::{OpeningArgs, SeedArg, ThreadArgs, parse_count};
use crate::cli::cluster_args::ClusterArgs;
use crate::cli::command_word::command_place;
use crate::cli::constants::SearchArg;
use crate::cli::limit_args::{AdjudicationArgs, GameLimitArgs};
use crate::cli::on_done::OnDoneArg;
use crate::cli::referee_args::RefereedGameArgs;
use crate::cli::time_arg;
use crate::error::Result;
use crate::tune::{GameRules, Method, Validation};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::parser::ValueSource;
use clap::{ArgMatches, Args, Command, FromArgMatches};
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

/// The least time of --for, several times the shortest speed trial.
const LEAST_TIME: Duration = Duration::from_secs(8);

/// Tunes a weight set by self-play, and proves the result
///
/// The proof is a match on fresh openings; a result that fails it is discarded. Without arguments
/// it tunes the hand-made set of the first game, within a few minutes. The run directory keeps
/// everything: after any interruption `spar resume DIR` continues exactly where the tune was.
#[derive(Args, Debug)]
pub(super) struct CommonArgs {
    #[command(flatten)]
    pub(super) game: RefereedGameArgs,
    /// Source of the rules. `trust`, for games unknown to this program and to any referee, relies
    /// on the tuned engine: its scores decide its games, and every result says so; needs --game and
    /// --board
    #[arg(
        long,
        value_enum,
        value_name = "RULES",
        default_value_t,
        help_heading = "Engines (cmd:)"
    )]
    pub(super) rules: GameRules,
    #[command(flatten)]
    pub(super) on_done: OnDoneArg,
    /// The player to start from: a shipped set, a file or a run [default: the game's hand-made
    /// set]; with --target search, the weights of both sides [default: the board's strongest]
    #[arg(long, value_name = "WEIGHTS")]
    pub(super) start: Option<String>,
    #[command(flatten)]
    pub(super) search: SearchArg,
    /// The optimizer: `spsa` learns from matches, `logistic` fits weights to positions of self-play
    /// games, in rounds, and `joined` fits once and continues with `spsa` [default: joined; spsa
    /// for an --engine, where `joined` fits its options]
    #[arg(
        long,
        value_enum,
        default_value_t,
        hide_possible_values = false,
        hide_default_value = true
    )]
    pub(super) method: Method,
    /// Games to tune with; validation matches are extra [default: 60000, for spsa 30000]
    #[arg(long, value_name = "N", value_parser = parse_count, conflicts_with = "time")]
    pub(super) games: Option<u64>,
    /// Time to tune for, proof included, as 90s, 30m or 8h: a speed trial plans the games, and the
    /// tune plays more or fewer of them as the time allows
    #[arg(long = "for", value_name = "TIME", value_parser = parse_time)]
    pub(super) time: Option<Duration>,
    #[command(flatten)]
    pub(super) limits: GameLimitArgs,
    #[command(flatten)]
    pub(super) seed: SeedArg,
    #[command(flatten)]
    pub(super) threads: ThreadArgs,
    #[command(flatten)]
    pub(super) cluster: ClusterArgs,
    /// The run directory [default: runs/UTC-GAME-METHOD-SEED]
    #[arg(long, value_name = "DIR")]
    pub(super) run: Option<PathBuf>,
    #[command(flatten)]
    pub(super) openings: OpeningArgs,
    /// Maximum pairs of the validation match
    #[arg(long, value_name = "N", default_value_t = Validation::PAIRS, value_parser = parse_count, help_heading = "Validation")]
    pub(super) validation_pairs: u64,
    /// Pairs of each reference match after the validation, at the tune's limits and at others; 0
    /// skips these matches. With --engine: pairs of one match against the start, at four times the
    /// limits [default: one for each 300 games, at most 400; with --engine for each 50, at most
    /// 200]
    #[arg(long, value_name = "N", value_parser = parse_count, help_heading = "Validation")]
    pub(super) yardstick_pairs: Option<u64>,
    #[command(flatten)]
    pub(super) adjudication: AdjudicationArgs,
    /// End games when both sides have proven the result
    #[arg(long, conflicts_with_all = ["resign", "draw", "no_adjudication"])]
    pub(super) adjudicate: bool,
}

fn parse_time(text: &str) -> Result<Duration> {
    time_arg::parse(text, LEAST_TIME)
}

/// The arguments of `spar tune`. As clap's [`Args`] they cover all methods, for completions
/// and the manual; `of_one_method` leaves the arguments of one.
#[derive(Debug)]
pub struct TuneArgs {
    pub(super) common: CommonArgs,
    pub(super) of_method: MethodArgs,
    /// The options that the command line itself has, not a file of defaults.
    given: BTreeSet<String>,
}

impl TuneArgs {
    /// Whether the command line has an option.
    pub(super) fn has(&self, option: &str) -> bool {
        self.given.contains(option)
    }

    /// Whether the command line has one of these options.
    pub(super) fn has_any(&self, options: &[&str]) -> bool {
        options.iter().any(|option| self.has(option))
    }

    /// The action at the end.
    pub fn on_done(&self) -> &OnDoneArg {
        &self.common.on_done
    }
}

impl FromArgMatches for TuneArgs {
    fn from_arg_matches(found: &ArgMatches) -> std::result::Result<Self, clap::Error> {
        let common = CommonArgs::from_arg_matches(found)?;
        let of_method = MethodArgs::read(common.method, found)?;
        let is_given = |id: &&str| found.value_source(id) == Some(ValueSource::CommandLine);
        let given = found.ids().map(clap::Id::as_str).filter(is_given).map(str::to_owned);
        Ok(Self { common, of_method, given: given.collect() })
    }

    fn update_from_arg_matches(
        &mut self,
        found: &ArgMatches,
    ) -> std::result::Result<(), clap::Error> {
        *self = Self::from_arg_matches(found)?;
        Ok(())
    }
}

impl Args for TuneArgs {
    fn augment_args(command: Command) -> Command {
        let mut command = CommonArgs::augment_args(command);
        for method in Method::ALL {
            for option in MethodArgs::augment(method, Command::new("")).get_arguments() {
                if command.get_arguments().any(|known| known.get_id() == option.get_id()) {
                    continue;
                }
                let owners = owners(option.get_long().unwrap_or_default());
                let help = option.get_help().map(ToString::to_string).unwrap_or_default();
                let help = match owners.len() == Method::ALL.len() {
                    true => help,
                    false => format!("{help} (--method {})", listed(&owners)),
                };
                command = command.arg(option.clone().help(help));
            }
        }
        // Only the arguments: the fit's description would replace the command's.
        let of_fit = OptionFitArgs::augment_args(Command::new(""));
        command.args(of_fit.get_arguments())
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

/// The methods that have an option.
fn owners(option: &str) -> Vec<Method> {
    let owns = |method: &Method| has(MethodArgs::augment(*method, Command::new("")), option);
    Method::ALL.into_iter().filter(owns).collect()
}

fn has(command: Command, option: &str) -> bool {
    command.get_arguments().any(|known| known.get_long() == Some(option))
}

fn listed(methods: &[Method]) -> String {
    let names: Vec<&str> = methods.iter().map(|method| method.name()).collect();
    match names.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} or {last}", rest.join(", ")),
        _ => names.concat(),
    }
}

/// The method in the program's arguments when they begin a tune, and whether an engine is tuned;
/// `None` for other commands.
fn method_in(arguments: &[OsString]) -> Option<(Method, bool)> {
    let place = command_place(arguments).filter(|&place| arguments[place] == "tune")?;
    let mut words = arguments.iter().skip(place + 1).map(|word| word.to_string_lossy());
    let (mut named, mut is_of_engine) = (None, false);
    while let Some(word) = words.next() {
        let is_named = |option| {
            word.strip_prefix(option).is_some_and(|rest| rest.is_empty() || rest.starts_with('='))
        };
        is_of_engine |= ["--engine", "--from"].into_iter().any(is_named);
        match word.strip_prefix("--method") {
            Some("") => named = words.next(),
            Some(rest) => named = rest.strip_prefix('=').map(|name| name.to_owned().into()),
            None => {}
        }
    }
    let method = named.and_then(|name| Method::ALL.into_iter().find(|known| known.name() == name));
    let usual = if is_of_engine { Method::Spsa } else { Method::default() };
    Some((method.unwrap_or(usual), is_of_engine))
}

/// Reduces the options of `tune` to the method that the program's arguments name.
pub(crate) fn of_one_method(program: Command, arguments: &[OsString]) -> Command {
    let Some((method, is_of_engine)) = method_in(arguments) else { return program };
    program.mut_subcommand("tune", |all| {
        let (about, long) = (all.get_about().cloned(), all.get_long_about().cloned());
        let common = CommonArgs::augment_args(Command::new("tune"));
        // SPSA's matches follow a fit of an engine's options.
        let tune = match method == Method::Joined && is_of_engine {
            true => OptionFitArgs::augment_args(MethodArgs::augment(Method::Spsa, common)),
            false => MethodArgs::augment(method, common),
        };
        let tune = tune.mut_arg("method", |arg| arg.default_value(method.name()));
        let others: Vec<Method> = Method::ALL.into_iter().filter(|&known| known != method).collect();
        tune.about(about.unwrap_or_default()).long_about(long.unwrap_or_default()).after_help(format!(
            "These are the options of --method {method}. `spar tune --method NAME --help` shows the options of {}.",
            listed(&others)
        ))
    })
}

/// The error for a removed method.
fn explain_dropped(error: &clap::Error, program: &mut Command) -> Option<clap::Error> {
    let Some(ContextValue::String(value)) = error.get(ContextKind::InvalidValue) else {
        return None;
    };
    let method = Method::DROPPED.into_iter().find(|method| method == value)?;
    let text = format!(
        "--method {method} is gone: games are too noisy for it; give --method spsa, which learns more from each"
    );
    let tune = program.find_subcommand_mut("tune")?;
    Some(tune.error(ErrorKind::InvalidValue, text))
}

/// The error for an option of another method, which names the methods that have it.
pub(crate) fn explain(
    error: clap::Error,
    program: &mut Command,
    arguments: &[OsString],
) -> clap::Error {
    if let Some(error) = explain_dropped(&error, program) {
        return error;
    }
    let (Some((method, _)), ErrorKind::UnknownArgument, Some(ContextValue::String(option))) =
        (method_in(arguments), error.kind(), error.get(ContextKind::InvalidArg))
    else {
        return error;
    };
    let name = option.trim_start_matches("--");
    let mut owners = owners(name);
    if owners.is_empty() {
        return error;
    }
    if has(EngineTuneArgs::augment_args(Command::new("")), name) {
        owners = vec![Method::Joined, Method::Spsa];
    }
    let text = match owners.contains(&method) {
        true => format!("{option} is for tunes of external engines; name one with --engine"),
        false => {
            format!("{option} belongs to --method {}; {method} does not use it", listed(&owners))
        }
    };
    program
        .find_subcommand_mut("tune")
        .map_or(error, |tune| tune.error(ErrorKind::UnknownArgument, text))
}
