//! `--on-done CMD`: a command of the user's own that is run when a long one has ended.

use crate::cli::{Console, PROCESS};
use crate::report::TournamentReport;
use crate::stats::{Rating, Summary};
use clap::Args;
use std::io::{self, Write};
use std::process::{Command, ExitStatus, Stdio};

/// Rings the terminal's bell instead of running a command.
const BELL: &str = "bell";
/// The prefix of all variables.
const PREFIX: &str = "SPARRING_";

/// The action at the end.
#[derive(Args, Clone, Debug, Default)]
pub struct OnDoneArg {
    /// Run this shell command at the end, even after a failure; SPARRING_STATE, SPARRING_RUN,
    /// SPARRING_ELO and others hold the outcome. `bell` rings the terminal's bell. Runs do not
    /// store it: give it to `resume` again
    #[arg(long, value_name = "CMD", help_heading = "Output")]
    on_done: Option<String>,
}

/// Notes a fact for the command at the end: `note("ELO", 12.3)` is the variable `SPARRING_ELO`. A
/// later one of the same name replaces it.
pub fn note(name: &'static str, value: impl ToString) {
    let value = value.to_string().replace('\0', "");
    PROCESS.facts.lock().insert(name, value);
}

/// Notes the result of a match.
pub fn note_match(summary: &Summary) {
    note("GAMES", summary.games);
    note_numbers([
        ("ELO", summary.elo),
        ("ELO_ERROR", summary.elo_error),
        ("ELO_LOW", summary.elo_low),
        ("ELO_HIGH", summary.elo_high),
        ("LLR", summary.llr),
    ]);
    summary.verdict.into_iter().for_each(|verdict| note("VERDICT", format!("{verdict:?}")));
}

/// Notes the result of a match; of a tournament the player who is ahead, and its rating.
pub fn note_tournament(report: &TournamentReport) {
    if let Some(played) = report.only_match() {
        return note_match(&played.summary);
    }
    note("GAMES", report.result.pairs().saturating_mul(2));
    let leader = report.ranking().into_iter().next();
    let Some(place) = leader.filter(|_| report.result.pairs() > 0) else { return };
    note("WINNER", &report.settings.players[place].name);
    let Rating { elo, error, low, high, .. } = report.result.ratings.players()[place];
    note_numbers([("ELO", elo), ("ELO_ERROR", error), ("ELO_LOW", low), ("ELO_HIGH", high)]);
}

/// Notes the numbers that are defined.
fn note_numbers<const N: usize>(numbers: [(&'static str, Option<f64>); N]) {
    for (name, number) in numbers {
        number.into_iter().for_each(|number| note(name, format!("{number:.2}")));
    }
}

impl OnDoneArg {
    /// Runs the command, if there is one. Its output goes to stderr; a failure is noted and changes
    /// nothing.
    pub fn run(&self, console: &Console) {
        match self.on_done.as_deref() {
            None => {}
            Some(BELL) => {
                // With stderr closed there is no terminal to ring.
                let _ = io::stderr().write_all(b"\x07");
            }
            Some(command) => match run_in_shell(command) {
                Ok(status) if status.success() => {}
                Ok(status) => console.note(format!("--on-done: the command ended with {status}")),
                Err(error) => console.note(format!("--on-done: cannot run the command: {error}")),
            },
        }
    }
}

fn run_in_shell(command: &str) -> io::Result<ExitStatus> {
    let (shell, option) = if cfg!(windows) { ("cmd", "/C") } else { ("sh", "-c") };
    let facts = PROCESS.facts.lock().clone();
    let variables = facts.into_iter().map(|(name, value)| (format!("{PREFIX}{name}"), value));
    Command::new(shell)
        .args([option, command])
        .envs(variables)
        .stdin(Stdio::null())
        // stdout is for the result.
        .stdout(io::stderr())
        .status()
}
