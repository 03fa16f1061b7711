//! `spar fit`: weights from positions.

mod ablate;
pub(in crate::cli) mod engine;
mod row_notes;
pub(in crate::cli) mod rows;
pub(in crate::cli) mod show;

use super::args::parse_count;
use super::older::NamedPositions;
use super::players::warn_board;
use crate::arena::Threads;
use crate::cli::force::write_set;
use crate::cli::{
    Console, Ended, ErrorDetails, GameArgs, Interrupt, LimitArgs, ProgressLine, SeedArg,
    ThreadArgs, check_not_read, check_output, find_player, older,
};
use crate::error::{Error, ErrorKind, Result};
use crate::games::GameId;
use crate::player::{DefaultWeights, Player};
use crate::report::units;
use crate::run::positions::PositionFiles;
use crate::tune::logistic::FitError;
use crate::tune::logistic::fit::FitStep;
use crate::tune::logistic::{FitConfig, FitTask, SetFit};
use crate::tune::{PositionSource, Uncertainty};
use crate::weights::{Provenance, WeightSet};
use clap::Args;
use std::cell::RefCell;
use std::path::PathBuf;
use std::time::Instant;

/// Fits weights or an engine's options to the results of games
///
/// The positions come from `spar generate`; their values should predict the results. The fit finds
/// the scale of the scores, then the weights by L-BFGS on the cross-entropy, with an L2 penalty
/// chosen on the validation games; then it prints each weight with its standard error, the
/// strongest correlations, and how much the fit loses without each weight. Every pass reads the
/// files again; memory holds 10 bytes a position.
#[derive(Args, Debug)]
pub struct FitArgs {
    /// Files of positions, or runs that have some, all of one board
    #[arg(value_name = "RUN|FILE", required_unless_present_any = ["rows", "engine"])]
    files: Vec<PathBuf>,
    #[command(flatten)]
    of_rows: rows::RowArgs,
    #[command(flatten)]
    of_engine: engine::EngineFitArgs,
    #[command(flatten)]
    game: GameArgs,
    /// Weights to start from: a shipped set, a file or a run [default: the game's hand-made set]
    #[arg(long, value_name = "WEIGHTS")]
    start: Option<String>,
    /// The file to write
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,
    /// Overwrite that file if it exists
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    fit: FitConfig,
    #[command(flatten)]
    threads: ThreadArgs,
    /// For each fitted weight or table, play this many pairs of the set against itself without it
    #[arg(long, value_name = "PAIRS", value_parser = parse_count, help_heading = "Matches")]
    ablate: Option<u64>,
    #[command(flatten)]
    limits: LimitArgs,
    #[command(flatten)]
    seed: SeedArg,
}

/// Runs the command.
///
/// # Errors
/// When an argument is wrong, or a file cannot be read or written.
pub fn run(args: &FitArgs, console: &Console) -> Result<Ended> {
    let begun = Instant::now();
    check_output(&args.output, args.force, args.of_rows.rows.as_slice())?;
    args.fit.check()?;
    args.of_engine.check()?;
    if let Some(command) = args.of_engine.command() {
        return engine::run(command, args, console);
    }
    if let Some(path) = &args.of_rows.rows {
        return rows::run(path, args, console);
    }
    let named = NamedPositions::find(&args.files)?;
    check_not_read(&args.output, &named.files)?;
    let game = game(args, &named);
    let files = older::open_new(game, &named.files, args.game.board, console)?;
    let board = files.board();
    let start = find_player(game, args.start.as_deref(), DefaultWeights::HandMade, console)?;
    warn_board(&start, board, console)?;
    let interrupt = Interrupt::new("");
    let threads = Threads::new(args.threads.count())?;
    let stop = interrupt.stop().clone();
    let (start_set, config) = (&start.weights, &args.fit);
    let task = FitTask { game, samples: &files, board, start: start_set, config, threads, stop };
    console.aside(format!("{} positions on {board}", units::count(files.count())));
    let fit = match watched(&task, &named, console)
        .and_then(|fit| Ok((Uncertainty::of(&fit)?, fit)))
    {
        Err(error) if error.kind() == ErrorKind::Interrupted => return stopped(&error, console),
        fit => fit?,
    };
    let (uncertainty, mut fit) = fit;
    // The set keeps the search constants of the start.
    fit.set = Player { weights: fit.set, ..start.clone() }.to_set();
    describe(&mut fit.set, args, &start.name, (&named, &files));
    write_set(&args.output, &fit.set, args.force)?;
    let losses = ablate::losses(args, game, &fit, &start.constants, &interrupt, console)?;
    let file = args.output.display().to_string();
    let shown = show::FitReport {
        game,
        file: &file,
        start: &start.name,
        board,
        read: files.count(),
        fit: &fit,
        uncertainty: &uncertainty,
        losses,
    };
    shown.show(begun.elapsed().as_secs_f64(), console)?;
    Ok(if interrupt.came() { Ended::Stopped } else { Ended::Done })
}

/// Says that the user has ended a fit before anything was written.
fn stopped(error: &Error, console: &Console) -> Result<Ended> {
    console.aside("stopped early; nothing was written");
    console.failure(ErrorDetails::from(error))?;
    Ok(Ended::Stopped)
}

/// The game: as given, or the game of the positions, or of the weights.
fn game(args: &FitArgs, named: &NamedPositions) -> GameId {
    let of_start = || args.game.id(args.start.as_deref().as_slice());
    args.game.game.or_else(|| named.game()).unwrap_or_else(of_start)
}

/// Runs the fit with a progress line.
fn watched<'a>(
    task: &FitTask<'a>,
    named: &NamedPositions,
    console: &Console,
) -> Result<SetFit<'a>> {
    let each = task.config.iterations;
    let total = each * task.config.penalties.len() as u64;
    let progress = RefCell::new(ProgressLine::new(console, Some(total), "passes"));
    let ended = task.run(&|step| match step {
        FitStep::Pass { trial, passes, loss } => {
            let done = trial as u64 * each + passes.min(each);
            progress.borrow_mut().update(done, || format!("loss {loss:.6}"));
        }
        FitStep::PenaltyResult(trial) => progress.borrow().aside(&show::trial_text(&trial)),
    });
    progress.into_inner().finish();
    ended.map_err(|ended| match ended {
        FitError::NothingToFit(error) => named.name_in(error),
        FitError::Failed(error) => error,
    })
}

/// Names the set and says where it comes from.
fn describe(
    set: &mut WeightSet,
    args: &FitArgs,
    start: &str,
    (named, files): (&NamedPositions, &PositionFiles),
) {
    set.name = older::name_of(&args.output, "fitted");
    set.description = format!(
        "Fitted to {} positions of self-play, from {start}. Its strength was not measured.",
        files.count()
    );
    set.set_provenance(Provenance {
        method: "logistic".into(),
        baseline: start.into(),
        seed: files.games().next().map_or(0, |config| config.seed),
        ..older::provenance(&named.sources, files)
    });
}
