//! Output for machines on stdout: one JSON document with `--json`, or one event a line with
//! `--json-events`. `docs/src/json.md` describes both, and `docs/schemas` has their schemas.

use super::usage;
use crate::arena::Forfeit;
use crate::error::Error;
use crate::stats::Summary;
use crate::tune::Stage;
use serde::Serialize;
use serde_json::Value;

/// The version of the documents and events. It rises when a field is removed or changes its
/// meaning, not when one is added.
pub const VERSION: u32 = 1;

/// A command's result: its own fields, after the version.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Document<T> {
    /// The version of the documents, [`VERSION`].
    pub version: u32,
    /// The command's fields.
    #[serde(flatten)]
    pub fields: T,
}

impl<T> Document<T> {
    /// A document with these fields.
    pub fn new(fields: T) -> Self {
        Self { version: VERSION, fields }
    }
}

/// The document of a command that failed or was stopped.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Failure {
    /// The error.
    pub error: ErrorDetails,
}

/// An error, part by part.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ErrorDetails {
    /// The whole error, as stderr shows it.
    pub message: String,
    /// The file, option or value that it is about; may be empty.
    pub place: String,
    /// The fault at that place.
    pub reason: String,
    /// The remedy; null if unknown.
    pub remedy: Option<String>,
    /// The exit code: 1 failed, 2 bad usage or input, 3 stopped early by a signal.
    pub exit_code: u8,
}

impl From<&Error> for ErrorDetails {
    fn from(error: &Error) -> Self {
        Self {
            message: error.to_string(),
            place: error.place().into(),
            reason: error.reason().into(),
            remedy: error.remedy_text().map(Into::into),
            exit_code: error.exit_code(),
        }
    }
}

impl ErrorDetails {
    /// The error of a command that a signal stopped before it printed a document; `command`
    /// continues the work.
    pub fn of_stop(place: impl std::fmt::Display, command: &str) -> Self {
        let error = Error::interrupted(place, "stopped early; all finished work is kept");
        Self::from(&error.remedy(format!("continue with: {command}")))
    }

    /// The error of arguments that cannot be read.
    pub fn of_usage(error: &clap::Error) -> Self {
        let message = usage::reworded(error).unwrap_or_else(|| error.render().to_string());
        let message = message.trim().trim_start_matches("error: ").to_owned();
        let tips: Vec<&str> =
            message.lines().filter_map(|line| line.trim().strip_prefix("tip: ")).collect();
        let usage = message.lines().find(|line| line.starts_with("Usage: "));
        let remedy = match tips.is_empty() {
            true => usage.map(str::to_owned).or_else(|| usage::valid_values(error)),
            false => Some(tips.join("; ")),
        };
        let first = message.split("\n\n").next().unwrap_or_default();
        let lines: Vec<&str> = first.lines().map(str::trim).collect();
        let of_value = usage::Cause::of(error).and_then(|cause| cause.remedy);
        Self {
            place: "command line".into(),
            reason: match &of_value {
                Some(remedy) => {
                    first.trim_end_matches(remedy.as_str()).trim_end_matches("; ").into()
                }
                None => lines.join(" "),
            },
            remedy: of_value.or(remedy).or_else(|| Some("see --help".into())),
            exit_code: u8::try_from(error.exit_code()).unwrap_or(2),
            message,
        }
    }
}

/// An event of a running command.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum CommandEvent {
    /// The command begins: the first event.
    Begin {
        /// The version of the events and documents.
        version: u32,
        /// The version of the program.
        program: String,
        /// The command, for example `tune`.
        command: String,
    },
    /// A run directory is about to be worked on.
    Run(RunBegins),
    /// How far the command is: at most one a second.
    Progress(ProgressReport),
    /// A batch of a run is finished and safe on disk.
    Batch(BatchReport),
    /// An external engine has forfeited a game.
    Forfeit {
        /// The game, and the player that forfeited it.
        what: String,
        /// The reason, and the last lines that the engine wrote.
        #[serde(flatten)]
        forfeit: Forfeit,
    },
    /// A remark for the reader of the result.
    Note {
        /// The remark, for people.
        text: String,
    },
    /// The command is done: the last event.
    Result {
        /// The document of `--json`.
        document: Value,
    },
    /// The command failed or was stopped: the last event.
    Error {
        /// The error, as in the document of a failed command.
        error: ErrorDetails,
    },
}

/// The run that a command works on.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct RunBegins {
    /// The path of its directory.
    pub run: String,
    /// The game by name, such as `breakthrough`.
    pub game: String,
    /// The board, columns x rows, such as `8x8`.
    pub board: String,
    /// Its kind: the method of a tune.
    pub method: String,
    /// The seed of all random numbers.
    pub seed: u64,
    /// The names of the tuned values, in the order of `knobs` in the batches; empty for a tune by
    /// fitting.
    pub knobs: Vec<String>,
    /// Games on record already.
    pub games: u64,
    /// Games planned, without validation and reference matches.
    pub planned_games: u64,
}

/// How far a command is.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ProgressReport {
    /// The unit of the count: `games`, `pairs`, `nodes` and so on.
    pub unit: String,
    /// How many are done, earlier processes included.
    pub done: u64,
    /// The total; null if unknown.
    pub total: Option<u64>,
    /// Units done a second; null before the first.
    pub rate: Option<f64>,
    /// Seconds left; null if unknown.
    pub seconds_left: Option<f64>,
    /// Further details in words; may be empty.
    pub detail: String,
    /// The match under way, if there is one.
    #[serde(flatten)]
    pub score: Option<Standing>,
}

/// The numbers of a match under way; null where not defined, or without a test.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Standing {
    /// The Elo difference so far.
    pub elo: Option<f64>,
    /// Half the width of its 95 % interval.
    pub elo_error: Option<f64>,
    /// The lower end of a 95 % interval that holds for few pairs, too.
    pub elo_low: Option<f64>,
    /// The upper end of it.
    pub elo_high: Option<f64>,
    /// The log-likelihood ratio of the test.
    pub llr: Option<f64>,
    /// The bound at which the test accepts H0.
    pub llr_low: Option<f64>,
    /// The bound at which the test accepts H1.
    pub llr_high: Option<f64>,
}

impl From<&Summary> for Standing {
    fn from(summary: &Summary) -> Self {
        let Summary { elo, elo_error, elo_low, elo_high, llr, llr_low, llr_high, .. } = *summary;
        Self { elo, elo_error, elo_low, elo_high, llr, llr_low, llr_high }
    }
}

/// A finished batch of a tune, a match or a tournament.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct BatchReport {
    /// The stage of the run.
    pub stage: Stage,
    /// In a reference match (yardstick): the opponent and the limits.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub against: Option<String>,
    /// In a match or a tournament: the two players of the match; `elo` is for the first one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub players: Vec<String>,
    /// Games of the stage so far, in a tournament of all its matches.
    pub games: u64,
    /// In a tune: the answer so far, in the order of the event `run`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub knobs: Vec<f64>,
    /// The standard errors of these.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub errors: Vec<f64>,
    /// In a tune: the Elo by which the best values are expected to beat the answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub elo_left: Option<f64>,
    /// In a tune the latest answers over the start; else the match of the candidate, or of the two
    /// players.
    #[serde(flatten)]
    pub score: Standing,
}
