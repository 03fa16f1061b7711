//! Drives a run to its end, whatever it plays: begun or resumed, done, stopped or failed.

use super::documents::RunBegins;
use crate::arena::Threads;
use crate::cli::{CommandEvent, Console, Ended, Interrupt};
use crate::error::{ErrorKind, Result};
use crate::run::{RunDir, Work};
use crate::shell::quote_path;
use crate::tune::logistic::{FitError, FitResult};
use std::path::Path;

/// Something that is played to its end, as a run or without one.
pub trait Driven {
    /// Its run, unless nothing is kept.
    fn run(&mut self) -> Option<&mut RunDir>;

    /// Plays what is not on record yet, with a progress line.
    ///
    /// # Errors
    /// When it fails, or the user interrupts it.
    fn play(&mut self, threads: &Threads, interrupt: &Interrupt) -> FitResult<()>;

    /// Shows the result.
    ///
    /// # Errors
    /// When it cannot be read or printed.
    fn show(&mut self) -> Result<()>;

    /// How it ended once it is shown.
    fn ended(&self) -> Ended {
        Ended::Done
    }

    /// Shows what was finished before the user interrupted it.
    ///
    /// # Errors
    /// When it cannot be read or printed.
    fn show_stopped(&mut self) -> Result<()>;

    /// Shows what was finished before an error.
    ///
    /// # Errors
    /// When it cannot be read or printed.
    fn show_failed(&mut self) -> Result<()> {
        Ok(())
    }
}

/// Makes the first Ctrl-C stop the run in this directory after the games in progress.
pub fn interrupt(path: &Path) -> Interrupt {
    let resume = resume_command(path);
    Interrupt::new(&format!(
        "finishing the games in progress; press Ctrl-C again to stop at once. Either way, continue later with:\n  {resume}"
    ))
}

/// The command that continues the run in this directory.
pub fn resume_command(path: &Path) -> String {
    format!("spar resume {}", quote_path(path))
}

/// Plays a run, or the rest of it, and shows the result.
///
/// # Errors
/// When it cannot be played to its end; what was finished is safe then.
pub fn drive(
    driven: &mut dyn Driven,
    threads: &Threads,
    interrupt: &Interrupt,
    console: &Console,
) -> Result<Ended> {
    if let Some(run) = driven.run() {
        threads.show_workers_in(run.path());
        console.event(&CommandEvent::Run(run_begins(run)))?;
    }
    let error = match driven.play(threads, interrupt) {
        Ok(()) => return driven.show().map(|()| driven.ended()),
        Err(error) => error,
    };
    // A run whose files are gone keeps nothing, and cannot be resumed as it is.
    if let Some(lost) = driven.run().and_then(|run| run.lost()) {
        return Err(lost);
    }
    let resume = driven.run().map(|run| resume_command(run.path()));
    let error = match error {
        FitError::Failed(error) if error.kind() == ErrorKind::Interrupted => {
            driven.show_stopped()?;
            if let Some(resume) = resume {
                let text = "all finished work is kept. Continue with:";
                console.aside(format!("{text}\n  {resume}"));
            }
            return Ok(Ended::Stopped);
        }
        FitError::Failed(error) => {
            driven.show_failed()?;
            if let Some(resume) = resume {
                let text = "all finished work is safe; once this is fixed, continue with:";
                console.aside(format!("{text}\n  {resume}"));
            }
            error
        }
        FitError::NothingToFit(error) => {
            if let Some(run) = driven.run() {
                run.fail(&error)?;
                let path = run.path().display();
                let text = format!("resuming {path} cannot fix this: begin a new run");
                console.aside(text);
            }
            error
        }
    };
    Err(error)
}

/// The announcement of a run to programs, before it is played.
fn run_begins(run: &RunDir) -> RunBegins {
    let work = &run.manifest().work;
    let (knobs, planned_games) = match work {
        Work::Tune(tune) => (tune.config.knobs(), tune.config.planned_games()),
        Work::Tournament(tournament) => {
            (Default::default(), tournament.config.all_pairs().saturating_mul(2))
        }
    };
    RunBegins {
        run: run.path().display().to_string(),
        game: work.game().into(),
        board: work.board().into(),
        method: work.method(),
        seed: work.seed(),
        knobs: knobs.iter().map(|knob| knob.name.clone()).collect(),
        games: run.games(),
        planned_games,
    }
}
