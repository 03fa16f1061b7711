//! `spar resume`: continues a run exactly where it was.

use super::cluster_args::ClusterArgs;
use super::drive::interrupt;
use super::play_match::MatchRun;
use super::run_tune::TuneRun;
use super::trust::TrustArg;
use super::tune::{BeginningWork, Prepared};
use crate::cli::{Console, Ended, OnDoneArg, ResumedEngineArgs, ThreadArgs, find_run, runs_folder};
use crate::error::{Error, Result};
use crate::report::{TournamentReport, units};
use crate::run::{MendedCopy, RunDir, Work, mend_copy};
use crate::runs::RunState;
use crate::runs::folder::listed;
use clap::Args;
use std::path::PathBuf;
use std::time::Instant;

/// Continues a run that was stopped or killed
///
/// Finished games are read from the run's journal and not played again; an uninterrupted run would
/// give the same result, on any number of threads. A finished run shows its report again.
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
    /// Drop the last lines of the journal whose games or positions are missing, and games that it
    /// lacks, as in a copy made while the run was under way, and play them again
    #[arg(long)]
    mend: bool,
    #[command(flatten)]
    pub(super) on_done: OnDoneArg,
}

fn note_mended(dropped: &MendedCopy, console: &Console) {
    let &MendedCopy { lines, games, candidate } = dropped;
    if lines == 0 && games == 0 && !candidate {
        console.note("nothing to mend: the journal, the games and the positions end together");
    }
    if lines > 0 {
        let lines = units::counted(lines as u64, "line");
        console.note(format!("dropped {lines} of the journal: the games or positions are missing"));
    }
    if games > 0 {
        let bytes = units::bytes(games);
        console.note(format!("dropped {bytes} of games that the journal does not count"));
    }
    if candidate {
        console.note("dropped candidate.json: the journal does not have the result");
    }
}

/// Runs the command.
///
/// # Errors
/// When the directory is not a run's, another process works on it, or its files are damaged.
pub fn run(args: &ResumeArgs, console: &Console) -> Result<Ended> {
    let begun = Instant::now();
    let run = open(args, console)?;
    let mut work = run.manifest().work.clone();
    let is_finished = is_finished(&run)?;
    // A finished run is only shown; should it be unfinished after all, its engines refuse to start.
    if !is_finished {
        args.trust.check(run.manifest(), run.path(), console)?;
        work.consent_to_engines();
    }
    let interrupt = interrupt(run.path());
    note_version(&run, console);
    let title = format!("run {}", run.manifest().run);
    let threads = args.cluster.threads(&args.threads, (&title, work.game()), console)?;
    let engines = args.engines.of_resume();
    let (mut run, mut prepared) = (run, Prepared::default());
    if let Work::Tune(tune) = &mut work
        && !is_finished
    {
        let (threads, interrupt) = (&threads, &interrupt);
        let beginning = BeginningWork { engines, threads, interrupt, begun, console };
        match beginning.finish(&mut run, tune)? {
            Some(done) => prepared = done,
            None => return Ok(Ended::Stopped),
        }
    }
    engines.apply(&mut work);
    match work {
        Work::Tune(tune) => {
            let resumed = TuneRun::new(run, &tune, begun, console);
            TuneRun { engines, prepared, ..resumed }.drive(&threads, &interrupt)
        }
        Work::Tournament(tournament) => {
            MatchRun::resumed(run, &tournament, engines, &interrupt, console)?
                .drive(&threads, &interrupt)
        }
    }
}

/// Opens the run that is meant, mended if that is asked for.
fn open(args: &ResumeArgs, console: &Console) -> Result<RunDir> {
    let path = match &args.run {
        Some(named) => find_run(named)?,
        None => only_stopped(console)?,
    };
    if args.mend {
        note_mended(&mend_copy(&path)?, console);
    }
    RunDir::open(&path)
}

/// Notes on stderr that another version of the program began the run, if so.
fn note_version(run: &RunDir, console: &Console) {
    let program = &run.manifest().program;
    if program != env!("CARGO_PKG_VERSION") {
        console.note(format!(
            "version {program} began this run: if the engine now plays differently, so does the rest of the run"
        ));
    }
}

/// Whether nothing is left to play, by the record.
fn is_finished(run: &RunDir) -> Result<bool> {
    match &run.manifest().work {
        Work::Tune(_) => Ok(run.result().is_some()),
        Work::Tournament(tournament) => {
            Ok(TournamentReport::of_record(tournament, run.record())?.result.is_complete)
        }
    }
}

/// The one run in the folder of runs that is neither finished nor under way.
fn only_stopped(console: &Console) -> Result<PathBuf> {
    let folder = runs_folder();
    let place = folder.path().display();
    let stopped = folder.lines()?.into_iter().filter(|line| line.state == RunState::Stopped);
    let stopped: Vec<String> = stopped.map(|line| line.run).collect();
    match &stopped[..] {
        [name] => {
            console.aside(format!("resuming {name}, the only stopped run"));
            Ok(folder.join(name))
        }
        [] => Err(Error::input(place, "no run is stopped, so there is none to resume")
            .remedy("`spar runs` lists all of them")),
        _ => Err(Error::input(place, format!("{} runs are stopped", stopped.len()))
            .remedy(format!("name one of them: {}", listed(&stopped)))),
    }
}
