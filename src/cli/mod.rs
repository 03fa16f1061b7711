//! The command line: one file for each command, which turns raw arguments into a checked
//! configuration, runs it, and prints the result.
//!
//! Results go to stdout, everything else to stderr; `--json` puts one JSON document on stdout. Exit
//! codes: 0 done, 1 failed, 2 bad usage or input, 3 stopped early by a signal.

pub mod analyze;
pub mod args;
pub mod limit_args;
pub mod bench;
pub mod book;
pub mod candidates;
pub mod check;
pub mod cluster;
pub mod cluster_args;
mod command_word;
pub mod completions;
pub mod config;
pub mod console;
pub mod defaults;
pub mod doctor;
pub mod documents;
mod drawn_board;
pub mod drive;
pub mod ended;
pub mod endgame;
pub mod constants;
pub mod arena_args;
pub mod play_match;
pub mod participant;
mod process_state;
mod program_groups;
mod positions;
mod program_help;
mod program_hint;
mod resumed_engines;
pub mod engine_args;
mod examples;
pub mod export;
mod export_web;
pub mod features;
pub mod fit;
pub mod force;
pub mod games;
pub mod generate;
pub mod infer;
pub mod interrupt;
pub mod list_document;
mod live_terminal;
pub mod man;
mod memory;
pub mod named;
pub mod r#match;
mod match_display;
pub mod on_done;
mod older;
mod opponents;
mod pasted;
pub mod perft;
pub mod play;
pub mod players;
pub mod progress;
pub mod progress_text;
mod referee_args;
pub mod report;
pub mod resume;
pub mod serve;
#[cfg(test)]
mod schemas;
pub mod run_tune;
pub mod runs;
pub mod show;
pub mod solve;
pub mod stats;
pub mod summary;
mod time_arg;
pub mod tournament;
mod tournament_json;
mod tournament_text;
pub mod trust;
pub mod tune;
mod tune_json;
pub mod uai;
pub mod uci;
pub mod train;
mod unused_commands;
mod unused_options;
mod usage;
pub mod watch;
pub mod weights;
pub mod worker;

use crate::error::{Error, ErrorKind, Result};
#[cfg(unix)]
use crate::protocol::watcher;
use crate::runs::RunsFolder;
use crate::shell;
use arena_args::ArenaArgs;
use args::{GameArgs, HashArg, PositionArgs, SeedArg, ThreadArgs};
use clap::{ColorChoice, CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum};
use command_word::{command_name, command_place};
use console::{Console, Role};
use constants::SearchArg;
use defaults::Defaults;
use documents::{CommandEvent, ErrorDetails, Standing, VERSION};
use ended::Ended;
use force::{
    check_all_free, check_free, check_name, check_not_read, check_not_stdout, check_output,
    is_same_file,
};
use interrupt::Interrupt;
use limit_args::LimitArgs;
use named::{NamedSet, find_player, find_positions, find_run, find_runs, runs_folder};
use on_done::OnDoneArg;
use participant::{EngineWishes, Participant};
use pasted::Pasted;
use players::LoadedPlayer;
use process_state::PROCESS;
use progress::{Detail, ForfeitLog, ProgressLine};
use referee_args::RefereedGameArgs;
use resumed_engines::{ResumedEngineArgs, ResumedEngines};
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;

/// Tunes the evaluation of a board-game engine by letting the engine play itself
#[derive(Parser, Debug)]
#[command(name = "spar", version, arg_required_else_help = true, after_help = AFTER_HELP)]
pub struct Cli {
    #[command(subcommand)]
    command: Command,
    /// Print one JSON document on stdout, and everything else on stderr
    #[arg(long, global = true, help_heading = "Output")]
    json: bool,
    /// Print events as they happen on stdout, a JSON object a line; the last one contains the
    /// document of --json
    #[arg(long, global = true, help_heading = "Output")]
    json_events: bool,
    /// Ignore sparring.toml (see `spar config`)
    #[arg(long, global = true, help_heading = "Output")]
    #[allow(dead_code)] // Read before the arguments are parsed.
    no_config: bool,
    /// When to use colours
    #[arg(
        long,
        global = true,
        value_name = "WHEN",
        default_value = "auto",
        help_heading = "Output"
    )]
    color: ColorChoice,
    /// Print more: long lines uncut and, if stderr is no terminal, progress every ten seconds, not
    /// every minute
    #[arg(long, short, global = true, help_heading = "Output")]
    verbose: bool,
    /// Print no progress
    #[arg(long, short, global = true, conflicts_with = "verbose", help_heading = "Output")]
    quiet: bool,
    /// The folder of runs
    #[arg(long = "runs", global = true, value_name = "DIR", default_value = RunsFolder::USUAL, help_heading = "Output")]
    runs_folder: PathBuf,
}

const AFTER_HELP: &str =
    "Exit codes: 0 done, 1 failed, 2 bad usage or input, 3 stopped early by a signal.";

/// The commands, in the order of the help: the most used first.
#[derive(Subcommand, Debug)]
enum Command {
    Tune(Box<tune::TuneArgs>),
    Resume(resume::ResumeArgs),
    Report(report::ReportArgs),
    Export(export::ExportArgs),
    Runs(runs::RunsArgs),
    Watch(watch::WatchArgs),
    Serve(serve::ServeArgs),
    Generate(generate::GenerateArgs),
    Fit(Box<fit::FitArgs>),
    Train(train::TrainArgs),
    #[command(subcommand)]
    Positions(positions::PositionsCommand),
    Check(Box<check::CheckArgs>),
    Match(Box<r#match::MatchArgs>),
    Tournament(Box<tournament::TournamentArgs>),
    Worker(worker::WorkerArgs),
    Cluster(cluster::ClusterCommandArgs),
    Doctor(doctor::DoctorArgs),
    Play(play::PlayArgs),
    Uci(uci::UciArgs),
    Uai(uai::UaiArgs),
    Analyze(analyze::AnalyzeArgs),
    Solve(solve::SolveArgs),
    Book(book::BookArgs),
    #[command(subcommand)]
    Endgame(endgame::EndgameCommand),
    Features(features::FeaturesArgs),
    #[command(subcommand)]
    Weights(weights::WeightsCommand),
    Show(show::ShowArgs),
    Stats(stats::StatsArgs),
    Perft(perft::PerftArgs),
    Bench(bench::BenchArgs),
    /// Shows the defaults that files set
    ///
    /// The files are sparring.toml in the working directory or the nearest folder above it (the
    /// project's), and sparring/sparring.toml in $XDG_CONFIG_HOME or ~/.config (the user's). The
    /// command line overrides the project's file, which overrides the user's, which overrides the
    /// built-in defaults.
    #[command(after_help = config::EXAMPLE)]
    Config,
    Completions(completions::CompletionsArgs),
    #[command(hide = true)]
    Candidates(candidates::CandidatesArgs),
    Man(man::ManArgs),
}

/// Reads the process's arguments, runs the command, and returns the exit code.
pub fn main() -> ExitCode {
    let arguments = usage::with_joined_values(std::env::args_os().collect());
    #[cfg(unix)]
    if arguments.get(1).is_some_and(|argument| argument == watcher::ARGUMENT) {
        watcher::watch();
        return ExitCode::SUCCESS;
    }
    #[cfg(unix)]
    if let Ok(program) = std::env::current_exe() {
        watcher::watch_with(program);
    }
    show_color(color_in(&arguments));
    let defaults = match Defaults::load(&program(), &arguments) {
        Ok(defaults) => defaults,
        Err(error) => return failure(&error, &asked_for(&arguments)),
    };
    let arguments = defaults.with_method(arguments);
    let (cli, name) = match parse(&arguments, &defaults) {
        Ok(parsed) => parsed,
        Err(error) => return usage(&error, &arguments),
    };
    // A file of defaults may have set it.
    show_color(cli.color);
    let (json, events) = (cli.json || cli.json_events, cli.json_events);
    let console = Console { json, events, verbose: cli.verbose, quiet: cli.quiet };
    named::set_runs_folder(&cli.runs_folder);
    let code = command_code(&cli, name, &defaults, &console);
    // Engines are ended however the command ends.
    crate::protocol::end_all();
    code
}

/// Ends the program with an error that comes before its arguments.
pub fn refuse(error: &Error) -> ExitCode {
    failure(error, &Console::default())
}

/// The commands of the program under its name.
fn command() -> clap::Command {
    let program = Cli::command().name(shell::program()).bin_name(shell::program());
    program_groups::arrange(unused_commands::hide(program))
}

/// All commands with all their options.
fn program() -> clap::Command {
    program_help::rename(examples::add(command()))
}

/// The arguments, and the name of the command that they call.
fn parse(
    arguments: &[OsString],
    defaults: &Defaults,
) -> std::result::Result<(Cli, String), clap::Error> {
    let program = examples::add(tune::of_one_method(command(), arguments));
    let program = program_help::rename(defaults.apply(program, arguments));
    let mut program = usage::with_negative_values(program.color(color_in(arguments)));
    let found = program.try_get_matches_from_mut(arguments);
    found
        .and_then(|found| {
            unused_options::check(&found, &mut program)?;
            Ok((Cli::from_arg_matches(&found)?, command_name(&found)))
        })
        .map_err(|error| tune::explain(error, &mut program, arguments))
}

/// The use of colour that the arguments ask for, known before they are parsed: help and errors have
/// colours, too.
fn color_in(arguments: &[OsString]) -> ColorChoice {
    let words: Vec<&str> = arguments.iter().filter_map(|word| word.to_str()).collect();
    let given = words.iter().enumerate().find_map(|(place, word)| {
        let rest = word.strip_prefix("--color")?;
        if rest.is_empty() { words.get(place + 1).copied() } else { rest.strip_prefix('=') }
    });
    given.and_then(|word| ColorChoice::from_str(word, false).ok()).unwrap_or(ColorChoice::Auto)
}

/// Sets when stdout and stderr have colours.
fn show_color(choice: ColorChoice) {
    let choice = match choice {
        ColorChoice::Auto => anstream::ColorChoice::Auto,
        ColorChoice::Always => anstream::ColorChoice::Always,
        ColorChoice::Never => anstream::ColorChoice::Never,
    };
    choice.write_global();
}

/// The output that the arguments ask for, when they cannot be parsed.
fn asked_for(arguments: &[OsString]) -> Console {
    let is_given = |option: &str| arguments.iter().any(|argument| argument == option);
    let events = is_given("--json-events");
    Console { json: events || is_given("--json"), events, ..Console::default() }
}

/// Prints an error and returns its exit code.
fn failure(error: &Error, console: &Console) -> ExitCode {
    console.error(error);
    // stderr has it, if stdout is closed.
    let _ = console.failure(ErrorDetails::from(error));
    ExitCode::from(error.exit_code())
}

/// Prints a message of the argument parser, an error or help, and returns the exit code.
fn usage(error: &clap::Error, arguments: &[OsString]) -> ExitCode {
    let console = asked_for(arguments);
    if let Some(error) = usage::not_utf8(error, arguments) {
        return failure(&error, &console);
    }
    // If both streams are closed, nothing can be printed.
    let is_bare = arguments.len() <= 1
        || (error.kind() == clap::error::ErrorKind::MissingSubcommand
            && command_place(arguments).is_none());
    let first_words = is_bare.then(|| program_groups::first_words(shell::program()));
    match first_words.or_else(|| usage::reworded(error)) {
        Some(text) if is_bare => console.aside(text),
        Some(text) => console.aside(format!("{} {text}", Role::Bad.paint("error:"))),
        None => {
            if let Err(error) = console::print_usage(error) {
                return exit_code(Err(error), &console);
            }
        }
    }
    if error.use_stderr() {
        let _ = console.failure(ErrorDetails::of_usage(error));
    }
    ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(1))
}

fn command_code(cli: &Cli, command: String, defaults: &Defaults, console: &Console) -> ExitCode {
    let program = env!("CARGO_PKG_VERSION").into();
    on_done::note("COMMAND", &command);
    let begin = CommandEvent::Begin { version: VERSION, program, command };
    let ended = interrupt::install()
        .and_then(|()| memory::check())
        .and_then(|()| console.event(&begin))
        .and_then(|()| run(&cli.command, defaults, console));
    let state = match &ended {
        Ok(ended) => ended.name(),
        Err(_) => "failed",
    };
    on_done::note("STATE", state);
    ended.as_ref().err().into_iter().for_each(|error| on_done::note("ERROR", error));
    let code = exit_code(ended, console);
    on_done_of(&cli.command).into_iter().for_each(|on_done| on_done.run(console));
    code
}

/// The command to run at the end.
fn on_done_of(command: &Command) -> Option<&on_done::OnDoneArg> {
    match command {
        Command::Tune(args) => Some(args.on_done()),
        Command::Resume(args) => Some(&args.on_done),
        Command::Generate(args) => Some(&args.on_done),
        Command::Match(args) => Some(&args.on_done),
        Command::Tournament(args) => Some(&args.on_done),
        _ => None,
    }
}

/// Prints why a command failed, and returns the exit code.
fn exit_code(ended: Result<Ended>, console: &Console) -> ExitCode {
    match ended {
        Ok(Ended::Done) => ExitCode::SUCCESS,
        Ok(Ended::Unfit | Ended::Repeats | Ended::Void) => ExitCode::FAILURE,
        Ok(Ended::Refused) => ExitCode::from(ErrorKind::Input.exit_code()),
        Ok(Ended::Stopped) => ExitCode::from(ErrorKind::Interrupted.exit_code()),
        Err(error) if console::is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => failure(&error, console),
    }
}

fn run(command: &Command, defaults: &Defaults, console: &Console) -> Result<Ended> {
    match command {
        Command::Tune(args) => tune::run(args, console),
        Command::Resume(args) => resume::run(args, console),
        Command::Report(args) => report::run(args, console),
        Command::Export(args) => export::run(args, console),
        Command::Runs(args) => runs::run(args, console),
        Command::Watch(args) => watch::run(args, console),
        Command::Serve(args) => serve::run(args, console),
        Command::Generate(args) => generate::run(args, console),
        Command::Fit(args) => fit::run(args, console),
        Command::Train(args) => train::run(args, console),
        Command::Positions(command) => positions::run(command, console),
        Command::Check(args) => check::run(args, console),
        Command::Match(args) => r#match::run(args, console),
        Command::Tournament(args) => tournament::run(args, console),
        Command::Worker(args) => worker::run(args, console),
        Command::Cluster(args) => cluster::run(args, console),
        Command::Doctor(args) => doctor::run(args, defaults, console),
        Command::Play(args) => play::run(args, console),
        Command::Uci(args) => uci::run(args, console),
        Command::Uai(args) => uai::run(args, console),
        Command::Analyze(args) => analyze::run(args, console),
        Command::Solve(args) => solve::run(args, console),
        Command::Book(args) => book::run(args, console),
        Command::Endgame(command) => endgame::run(command, console),
        Command::Features(args) => features::run(args, console),
        Command::Weights(command) => weights::run(command, console),
        Command::Show(args) => show::run(args, console),
        Command::Stats(args) => stats::run(args, console),
        Command::Perft(args) => perft::run(args, console),
        Command::Bench(args) => bench::run(args, console),
        Command::Config => config::run(defaults, console),
        Command::Completions(args) => completions::run(args, program(), console),
        Command::Candidates(args) => candidates::run(args, console),
        Command::Man(args) => man::run(args, program(), console),
    }
}
