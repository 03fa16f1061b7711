//! `spar runs rm` and `spar runs prune`.

use super::list::time_text;
use crate::cli::{Console, Ended, find_run, is_same_file, runs_folder};
use crate::error::{Error, Result, shorten};
use crate::report::{TextTable, units};
use crate::runs::{Removal, Removed, RunState, RunView};
use clap::Args;
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Removes runs with all that they wrote; asks first
#[derive(Args, Debug)]
pub(super) struct RemoveArgs {
    /// The runs: `last`, their names or parts of these, or their directories
    #[arg(value_name = "RUN", required = true)]
    runs: Vec<PathBuf>,
    /// Do not ask
    #[arg(long)]
    yes: bool,
}

fn parse_age(text: &str) -> Result<Duration> {
    humantime::parse_duration(text).map_err(|_| {
        Error::input(format!("time `{}`", shorten(text)), "not a time")
            .remedy("give for example 30d or 12h")
    })
}

/// Removes the runs that match every filter, except active and damaged ones; asks first
#[derive(Args, Debug)]
#[command(group = clap::ArgGroup::new("which").multiple(true).required(true))]
pub(super) struct PruneArgs {
    /// Runs whose last line is older than this, for example 30d or 12h
    #[arg(long, value_name = "TIME", value_parser = parse_age, group = "which")]
    older_than: Option<Duration>,
    /// Runs whose candidate was rejected, and those that failed
    #[arg(long, group = "which")]
    rejected: bool,
    /// All runs but the latest N
    #[arg(long, value_name = "N", group = "which")]
    keep: Option<usize>,
    /// Remove the positions of finished runs only, which nothing needs any more, and keep all else
    #[arg(long, group = "which")]
    positions: bool,
    /// Do not ask
    #[arg(long)]
    yes: bool,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::cli) struct RemovedJson {
    /// The directories of the runs.
    removed: Vec<String>,
    /// Bytes that the removed files took.
    bytes: u64,
}

pub(super) fn run(args: &RemoveArgs, console: &Console) -> Result<Ended> {
    let mut lines: Vec<RunView> = Vec::new();
    for named in &args.runs {
        let line = RunView::read(&find_run(named)?);
        if line.state == RunState::Running {
            return Err(Error::input(&line.path, "a process is working on this run")
                .remedy("wait for it, or stop it first"));
        }
        if lines.iter().all(|known| !is_same_file(Path::new(&known.path), Path::new(&line.path))) {
            lines.push(line);
        }
    }
    remove(&lines, Removed::Run, args.yes, console)
}

pub(super) fn prune(args: &PruneArgs, console: &Console) -> Result<Ended> {
    let kept = args.keep.unwrap_or(0);
    let lines = runs_folder().lines()?.into_iter().skip(kept).filter(|line| args.takes(line));
    let removed = if args.positions { Removed::Positions } else { Removed::Run };
    remove(&lines.collect::<Vec<_>>(), removed, args.yes, console)
}

impl PruneArgs {
    /// Whether a run matches every filter but `--keep`, which depends on the other runs.
    fn takes(&self, line: &RunView) -> bool {
        let is_old =
            |age: Duration| line.seconds_since.is_some_and(|since| since > age.as_secs_f64());
        let state_fits = match line.state {
            RunState::Running | RunState::Damaged => false,
            RunState::Rejected | RunState::Failed => true,
            RunState::Stopped => !self.rejected && !self.positions,
            RunState::Accepted | RunState::Done => !self.rejected,
        };
        state_fits && self.older_than.is_none_or(is_old)
    }
}

/// Lists what it will remove, and removes it once the user agrees.
fn remove(lines: &[RunView], removed: Removed, yes: bool, console: &Console) -> Result<Ended> {
    let mut planned = Vec::new();
    for line in lines {
        let removal = Removal::plan(Path::new(&line.path), removed)?;
        if !removal.is_empty() {
            planned.push((line, removal));
        }
    }
    let bytes: u64 = planned.iter().map(|(_, removal)| removal.bytes).sum();
    if planned.is_empty() {
        console.note("there is nothing to remove");
    } else {
        console.aside(table(&planned).fit(console.width()));
        let what = match removed {
            Removed::Run => "runs with all their games and sets",
            Removed::Positions => "runs' positions",
        };
        let question = format!("remove {} {what}, {}?", planned.len(), units::bytes(bytes));
        if !yes && !is_agreed(&question, console)? {
            console.note("nothing was removed");
            return Ok(Ended::Done);
        }
    }
    for (_, removal) in &planned {
        let is_gone = removal.carry_out()?;
        if removed == Removed::Run && !is_gone {
            let place = removal.directory().display();
            console.note(format!("{place} stays, since it holds other files too"));
        }
    }
    let names: Vec<String> = planned.iter().map(|(line, _)| line.path.clone()).collect();
    if console.json {
        console.document(&RemovedJson { removed: names, bytes })?;
    } else if !names.is_empty() {
        console.say(format!("removed {}", units::bytes(bytes)))?;
    }
    Ok(Ended::Done)
}

fn table(planned: &[(&RunView, Removal)]) -> TextTable {
    let mut table =
        TextTable::new().left("run").shortened(16).left("state").left("time").right("removed");
    for (line, removal) in planned {
        table.row([
            line.run.clone(),
            line.state.name().into(),
            time_text(line),
            units::bytes(removal.bytes),
        ]);
    }
    table
}

/// Asks on the terminal.
fn is_agreed(question: &str, console: &Console) -> Result<bool> {
    console.ask(question)?.ok_or_else(|| {
        Error::input("terminal", "there is none, so nobody can be asked")
            .remedy("give --yes to remove them without being asked")
    })
}
