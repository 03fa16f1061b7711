//! `spar resume`: goes on with a run exactly where it was.

use super::args::ThreadArgs;
use super::cluster_args::ClusterArgs;
use super::console::Console;
use super::ended::Ended;
use super::named::{find_run, runs_folder};
use super::on_done::OnDoneArg;
use super::play_match::resume as resume_match;
use super::resumed_engines::ResumedEngineArgs;
use super::run_tune::{interrupt, run_tune};
use super::trust::TrustArg;
use crate::error::{Error, Result};
use crate::games::with_game;
use crate::protocol::ExternalEngine;
use crate::run::{RunDir, Work};
use crate::runs::RunStatus;
use crate::runs::folder::listed;
use crate::tune::Stage;
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
    /// The run: `last`, its name or a part of it, or its directory [default: the one run that can
    /// be resumed]
    #[arg(value_name = "RUN")]
    run: Option<PathBuf>,
    #[command(flatten)]
    threads: ThreadArgs,
    #[command(flatten)]
    cluster: ClusterArgs,
    #[command(flatten)]
    trust: TrustArg,
    #[command(flatten)]
    engines: ResumedEngineArgs,
    #[command(flatten)]
    pub(super) on_done: OnDoneArg,
}

/// Runs the command.
///
/// # Errors
/// When the directory is not a run's, another process works on it, or its files are damaged.
pub fn run(args: &ResumeArgs, console: &Console) -> Result<Ended> {
    let begun = Instant::now();
    let path = match &args.run {
        Some(named) => find_run(named)?,
        None => only_stopped(console)?,
    };
    let run = RunDir::open(&path)?;
    let engine = engines(&run).first().map(|engine| engine.name().to_owned());
    match &run.manifest().work {
        Work::Tune(_) => args.cluster.note_engine(engine.as_deref(), console),
        Work::Tournament(_) => args.cluster.check_engines(engine.as_deref())?,
    }
    args.trust.check(run.manifest(), &path, &engines(&run), console)?;
    let interrupt = interrupt(&path);
    let program = &run.manifest().program;
    if program != env!("CARGO_PKG_VERSION") {
        console.note(format!(
            "version {program} began this run: if the engine plays differently now, the rest of the run does too"
        ));
    }
    let game = run.manifest().game(&path)?;
    let title = format!("run {}", run.manifest().run);
    let threads = args.cluster.threads(&args.threads, &title, console)?;
    let (mut work, engines) = (run.manifest().work.clone(), args.engines);
    engines.apply(&mut work);
    match work {
        Work::Tune(tune) => {
            with_game!(game, G => run_tune::<G>(run, &tune, engines, &threads, begun, &interrupt, console))
        }
        Work::Tournament(tournament) => {
            with_game!(game, G => resume_match::<G>(run, &tournament, engines, &threads, &interrupt, console))
        }
    }
}

/// The engines of others that the rest of a run needs.
fn engines(run: &RunDir) -> Vec<&ExternalEngine> {
    let is_validated = run.record().batches(Stage::Validate).next().is_some();
    match run.result().is_some() || is_validated {
        true => Vec::new(),
        false => run.manifest().work.engines(),
    }
}

/// The one run in the folder of runs that is neither finished nor under way.
fn only_stopped(console: &Console) -> Result<PathBuf> {
    let folder = runs_folder();
    let place = folder.path().display();
    let stopped = folder.lines()?.into_iter().filter(|line| line.state == RunStatus::Stopped);
    let stopped: Vec<String> = stopped.map(|line| line.run).collect();
    match &stopped[..] {
        [name] => {
            console.aside(format!("going on with {name}, the only run that is stopped"));
            Ok(folder.join(name))
        }
        [] => Err(Error::input(place, "no run is stopped, so there is none to go on with")
            .remedy("`spar runs` lists all of them")),
        _ => Err(Error::input(place, format!("{} runs are stopped", stopped.len()))
            .remedy(format!("name one of them: {}", listed(&stopped)))),
    }
}
