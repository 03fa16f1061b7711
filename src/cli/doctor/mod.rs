//! `spar doctor`: whether this installation can do its work.

mod folder;
mod machine;
mod outside;

use super::cluster_args::CredentialsArg;
use super::defaults::Defaults;
use crate::cli::{Console, Ended, RefereedGameArgs, Role};
use crate::error::{Error, Result};
use crate::games::GameId;
use crate::protocol::ExternalEngine;
use clap::Args;
use serde::Serialize;

/// The columns of the checks' names.
const NAME_WIDTH: usize = 11;

/// Checks the installation, and names the remedy of each fault
///
/// It looks at the processor, the memory, the folder of runs and the runs in it, the files of
/// defaults, workers and external engines, and takes a few seconds. Each fault comes with its
/// remedy. The exit code is 1 if there is a problem, and 0 if there are only warnings.
#[derive(Args, Debug)]
pub struct DoctorArgs {
    /// External engines to start: cmd:PROGRAM ARGS
    #[arg(value_name = "cmd:PROGRAM")]
    engines: Vec<String>,
    #[command(flatten)]
    game: RefereedGameArgs,
    /// Look for workers at this NATS server, for example nats://host:4222
    #[arg(long, value_name = "URL", help_heading = "Workers")]
    cluster: Option<String>,
    #[command(flatten)]
    credentials: CredentialsArg,
    #[command(flatten)]
    common: ExternalEngine,
}

/// The result of the checks.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::cli) struct DoctorJson {
    /// The version of the program.
    program: &'static str,
    /// Whether no check found a problem.
    healthy: bool,
    /// The checks, in the order in which they ran.
    checks: Vec<Check>,
}

/// The finding of one check.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Check {
    /// The checked part: `processor`, `speed`, `memory`, `folder`, `runs`, `config`, `workers` or
    /// `engine`.
    name: &'static str,
    /// Whether the part works.
    verdict: Health,
    /// The finding, for people.
    finding: String,
    /// The remedy; null where none is needed.
    remedy: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
enum Health {
    /// Nothing is wrong with it.
    Ok,
    /// It works, but not as well as it could.
    Warning,
    /// Commands that need it fail.
    Problem,
}

impl Check {
    fn ok(name: &'static str, finding: impl Into<String>) -> Self {
        Self { name, verdict: Health::Ok, finding: finding.into(), remedy: None }
    }

    fn warning(name: &'static str, finding: impl Into<String>, remedy: impl Into<String>) -> Self {
        let remedy = Some(remedy.into());
        Self { name, verdict: Health::Warning, finding: finding.into(), remedy }
    }

    fn problem(name: &'static str, error: &Error) -> Self {
        let finding = match error.place() {
            "" => error.reason().to_owned(),
            place => format!("{place}: {}", error.reason()),
        };
        let remedy = error.remedy_text().map(str::to_owned);
        Self { name, verdict: Health::Problem, finding, remedy }
    }

    /// The check of a part, by the finding or the error of its examination.
    fn of(name: &'static str, examined: Result<Self>) -> Self {
        examined.unwrap_or_else(|error| Self::problem(name, &error))
    }

    fn line(&self) -> String {
        let word = match self.verdict {
            Health::Ok => Role::Good.paint("ok     "),
            Health::Warning => Role::Undecided.paint("warning"),
            Health::Problem => Role::Bad.paint("PROBLEM"),
        };
        let indent = " ".repeat(NAME_WIDTH + 10);
        let remedy = self.remedy.iter().map(|remedy| format!("\n{indent}{remedy}"));
        format!("{:NAME_WIDTH$} {word}  {}{}", self.name, self.finding, remedy.collect::<String>())
    }
}

/// Runs the command.
///
/// # Errors
/// When the game is unknown, or stdout cannot be written. Faults of the installation are findings,
/// not errors.
pub fn run(args: &DoctorArgs, defaults: &Defaults, console: &Console) -> Result<Ended> {
    // An engine may play a game that only a referee knows.
    let game = match args.game.known() {
        Err(_) if !args.engines.is_empty() => GameId::default(),
        game => game?,
    };
    let speed = machine::speed(game);
    let mut checks = vec![machine::processor(), Check::of("speed", speed)];
    checks.push(machine::memory());
    checks.extend(folder::check(super::named::runs_folder()));
    checks.push(config(defaults));
    checks.push(outside::workers(args.cluster.as_deref(), args.credentials.credentials.as_deref()));
    let engines = args.engines.iter();
    checks
        .extend(engines.map(|program| outside::engine(program, &args.game, &args.common, console)));
    let healthy = checks.iter().all(|check| check.verdict != Health::Problem);
    let document = DoctorJson { program: env!("CARGO_PKG_VERSION"), healthy, checks };
    match console.json {
        true => console.document(&document)?,
        false => console.say(text(&document))?,
    }
    Ok(if healthy { Ended::Done } else { Ended::Unfit })
}

fn config(defaults: &Defaults) -> Check {
    if let Some(fault) = &defaults.fault {
        return Check::problem("config", fault);
    }
    let paths: Vec<String> =
        defaults.files.iter().map(|(_, path)| path.display().to_string()).collect();
    match paths.is_empty() {
        true => Check::ok("config", "no file of defaults; the built-in defaults apply"),
        false => Check::ok("config", format!("read: {}", paths.join(", "))),
    }
}

fn text(document: &DoctorJson) -> String {
    let count = |verdict| document.checks.iter().filter(|check| check.verdict == verdict).count();
    let lines: Vec<String> = document.checks.iter().map(Check::line).collect();
    let sum = match (count(Health::Problem), count(Health::Warning)) {
        (0, 0) => "all is well".to_owned(),
        (problems, warnings) => format!("problems: {problems}, warnings: {warnings}"),
    };
    format!("{}\n\n{sum}", lines.join("\n"))
}
