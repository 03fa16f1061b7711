//! `spar resume`: goes on with a run exactly where it was.

use super::args::ThreadArgs;
use super::console::Console;
use super::ended::Ended;
use super::run_tune::{interrupt, run_tune};
use crate::arena::queue::Threads;
use crate::error::{Error, Result};
use crate::games::{GameId, with_game};
use crate::run::{RunDir, Work};
use clap::Args;
use std::path::PathBuf;
use std::time::Instant;

/// Goes on with a run that was stopped or killed, or whose machine went down.
///
/// What is finished is read from the run's journal and not played again; the result is the same as
/// that of a run that was never interrupted, on any number of threads. A finished run shows its
/// report again.
#[derive(Args, Debug)]
pub struct ResumeArgs {
    /// The run directory, for example runs/20260131T120000Z-breakthrough-spsa-1
    #[arg(value_name = "DIR")]
    run: PathBuf,
    #[command(flatten)]
    threads: ThreadArgs,
}

/// Runs the command.
///
/// # Errors
/// When the directory is not a run's, another process works on it, or its files are damaged.
pub fn run(args: &ResumeArgs, console: &Console) -> Result<Ended> {
    let begun = Instant::now();
    let interrupt = interrupt(&args.run);
    let run = RunDir::open(&args.run)?;
    let program = &run.manifest().program;
    if program != env!("CARGO_PKG_VERSION") {
        console.note(format!(
            "version {program} began this run: if the engine plays differently now, the rest of the run does too"
        ));
    }
    let game: GameId = run.manifest().work.game().parse().map_err(|error: Error| {
        error.within(format!("{}, key `config.game`", args.run.display()))
    })?;
    let threads = Threads::new(args.threads.count())?;
    match run.manifest().work.clone() {
        Work::Tune(tune) => {
            with_game!(game, G => run_tune::<G>(run, &tune, &threads, begun, &interrupt, console))
        }
        Work::Tournament(_) => Err(Error::input(args.run.display(), "no tune")),
    }
}
