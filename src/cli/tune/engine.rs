//! The arguments of a tune of an external engine, and the knobs that they choose.

use super::from::FromArgs;
use crate::cli::Console;
use crate::cli::args::parse_count;
use crate::error::{Error, Result, shorten};
use crate::files::{self, Links};
use crate::game::Board;
use crate::games::GameId;
use crate::protocol::external_engine::{COMMAND_PREFIX, parse_option};
use crate::protocol::{ExternalEngine, StartedEngine};
use crate::search::Stop;
use crate::tune::knob_file::{self, KnobLine};
use crate::tune::option_fit::OptionFitConfig;
use crate::tune::{Knob, Probing, lines_of, usual_options};
use clap::Args;
use std::path::PathBuf;

/// The largest file of knobs, in bytes.
const MOST_BYTES: u64 = 1 << 22;

/// Which external engine is tuned.
#[derive(Args, Clone, Debug, Default)]
pub(super) struct EngineTuneArgs {
    /// Tune the options of this external engine, cmd:PROGRAM ARGS, which plays both sides; needs
    /// --tc, --nodes, --depth or --movetime
    #[arg(long, value_name = "cmd:PROGRAM", conflicts_with_all = ["target", "all", "start"], help_heading = "What is tuned")]
    engine: Option<String>,
    /// Play as many games as leave at most this Elo between the answer and the best values in 95 of
    /// 100 tunes; a trial of 40 pairs or 30 s measures speed and draws
    #[arg(long, value_name = "ELO", value_parser = parse_precision, conflicts_with_all = ["games", "time"])]
    pub(super) precision: Option<f64>,
    /// Before the tune, search 48 positions at its limits with each knob a step below and above its
    /// start, for at most 100 s. Freezes knobs that change nothing, and names one-sided, random and
    /// failing ones. `steps` also scales the steps, by 0.25 to 4, so that the knobs change about as
    /// many moves [default: no probe; without a value: freeze]
    #[arg(long, value_name = "WHAT", value_enum, num_args = 0..=1, default_missing_value = "freeze", help_heading = "What is tuned")]
    pub(super) probe: Option<Probing>,
    #[command(flatten)]
    pub(super) knobs: EngineKnobArgs,
    #[command(flatten)]
    pub(super) from: FromArgs,
    /// The fit before the matches, set for the joined method.
    #[arg(skip)]
    pub(super) fit_first: Option<OptionFitArgs>,
}

/// The options of a fit of an engine's options before the matches.
#[derive(Args, Clone, Debug)]
pub(super) struct OptionFitArgs {
    /// With --engine and --method joined: quiet positions of the engine's own games, played
    /// beforehand, to fit the knobs to
    #[arg(long, value_name = "N", value_parser = parse_count, default_value_t = OptionFitConfig::POSITIONS, help_heading = "Steps")]
    pub(super) fit_positions: u64,
}

/// Reads an Elo that a tune may leave.
fn parse_precision(text: &str) -> Result<f64> {
    let elo = text.parse::<f64>().ok().filter(|elo| (0.01..=1_000.0).contains(elo));
    elo.ok_or_else(|| {
        Error::input(format!("precision `{text}`"), "not an Elo from 0.01 to 1000")
            .remedy("give for example 2")
    })
}

/// The knobs of an external engine, and its other options.
#[derive(Args, Clone, Debug, Default)]
pub(in crate::cli) struct EngineKnobArgs {
    /// The file that describes the knobs: OpenBench's lines of 7 fields, fishtest's of 6,
    /// weather-factory's JSON, or a JSON list of {name, kind, start, min, max, step, option, scale,
    /// sign, group} [default: lines that the engine prints at its start, else its spin options
    /// except common ones such as Hash]
    #[arg(long, value_name = "FILE", help_heading = "What is tuned")]
    knobs: Option<PathBuf>,
    /// A command that makes the engine print these lines, for example `spsa` or `tune`
    #[arg(long, value_name = "COMMAND", conflicts_with = "knobs", help_heading = "What is tuned")]
    pub(super) knobs_command: Option<String>,
    /// Set an option of the tuned engine on both sides; may be repeated [default: Threads=1,
    /// Hash=16, OwnBook=false, UseBook=false and Ponder=false, where it offers these]
    #[arg(long, value_name = "NAME=VALUE", value_parser = parse_option, allow_hyphen_values = true, help_heading = "Engines (cmd:)")]
    pub(in crate::cli) option: Vec<(String, String)>,
}

impl EngineTuneArgs {
    /// The command of the engine, where one is tuned.
    pub(super) fn command(&self) -> Option<&str> {
        self.engine.as_deref()
    }

    /// Whether an external engine is tuned: one is named, or an earlier tune of one.
    pub(super) fn is_tuned(&self) -> bool {
        self.engine.is_some() || self.from.is_given()
    }

    /// Checks that an engine is named where its knobs or options are given.
    ///
    /// # Errors
    /// When options are given that need an engine, and none is named.
    pub(super) fn check(&self) -> Result<()> {
        if self.probe.is_some() && !self.is_tuned() {
            return Err(Error::input("--probe", "no engine is named")
                .remedy("name it with --engine cmd:PROGRAM"));
        }
        self.knobs.check_named(self.engine.as_deref())
    }
}

impl EngineKnobArgs {
    /// Checks that an engine is named where any of them is given.
    ///
    /// # Errors
    /// When options are given that need an engine, and none is named.
    pub(in crate::cli) fn check_named(&self, engine: Option<&str>) -> Result<()> {
        let is_given =
            self.knobs.is_some() || self.knobs_command.is_some() || !self.option.is_empty();
        match is_given && engine.is_none() {
            true => Err(Error::input("--knobs, --knobs-command, --option", "no engine is named")
                .remedy("name it with --engine cmd:PROGRAM")),
            false => Ok(()),
        }
    }

    /// Checks that no option is given for what is tuned: the knob would overwrite it.
    ///
    /// # Errors
    /// When one is.
    pub(in crate::cli) fn check_free(&self, knobs: &[Knob]) -> Result<()> {
        let is_tuned = |(name, _): &&(String, String)| {
            knobs.iter().any(|knob| knob.option().eq_ignore_ascii_case(name))
        };
        match self.option.iter().find(is_tuned) {
            None => Ok(()),
            Some((name, _)) => {
                Err(Error::input(format!("--option {}", shorten(name)), "this option is tuned")
                    .remedy("leave it out, or give --freeze to keep its value"))
            }
        }
    }

    /// Starts the engine to check that it plays, and returns it in the manifest's form, with the
    /// descriptions of its knobs.
    ///
    /// # Errors
    /// When the file of knobs cannot be read, or the engine does not start, does not play the game,
    /// does not offer an option, or has no knobs.
    pub(in crate::cli) fn find(
        &self,
        command: &str,
        common: &ExternalEngine,
        on: (GameId, Board),
        console: &Console,
    ) -> Result<(ExternalEngine, StartedEngine, Vec<KnobLine>)> {
        let (engine, started, lines) = self.examine(command, common, on, console)?;
        Ok((engine, started, lines?))
    }

    /// As [`find`](Self::find), but a lack of readable knobs is an error of the descriptions alone.
    ///
    /// # Errors
    /// When the file of knobs cannot be read, or the engine does not start, does not play the game
    /// or does not offer an option.
    pub(in crate::cli) fn examine(
        &self,
        command: &str,
        common: &ExternalEngine,
        on: (GameId, Board),
        console: &Console,
    ) -> Result<(ExternalEngine, StartedEngine, Result<Vec<KnobLine>>)> {
        let of_file = self.of_file()?;
        let wanted = ExternalEngine {
            command: Self::program(command)?,
            options: self.option.clone(),
            knobs_command: self.knobs_command.clone(),
            ..common.clone()
        };
        let (engine, started) = Self::start(wanted, on, console)?;
        let lines = lines_of(&started, of_file, |note| console.note(note));
        Ok((engine, started, lines))
    }

    /// Whether a file describes the knobs.
    pub(in crate::cli) fn has_file(&self) -> bool {
        self.knobs.is_some()
    }

    /// The command line of an engine that is named `cmd:PROGRAM ARGS`.
    ///
    /// # Errors
    /// When it has no such prefix.
    pub(super) fn program(command: &str) -> Result<String> {
        let program = command.strip_prefix(COMMAND_PREFIX).ok_or_else(|| {
            Error::input(format!("--engine {command}"), "not a command")
                .remedy("write --engine \"cmd:PROGRAM ARGS\"")
        })?;
        Ok(program.trim().to_owned())
    }

    /// The descriptions in the file of knobs, if one is given.
    ///
    /// # Errors
    /// When it cannot be read.
    pub(super) fn of_file(&self) -> Result<Option<Vec<KnobLine>>> {
        let read = |path: &PathBuf| {
            let place = path.display().to_string();
            let bytes = files::read(path, Links::Followed, MOST_BYTES)?;
            let text = String::from_utf8(bytes)
                .map_err(|_| Error::input(&place, "not text").remedy("save it as UTF-8"))?;
            knob_file::parse(&text, &place)
        };
        self.knobs.as_ref().map(read).transpose()
    }

    /// Starts an engine to check that it plays, and returns it in the manifest's form.
    ///
    /// # Errors
    /// When it does not start, does not play the game, or does not offer an option.
    pub(super) fn start(
        wanted: ExternalEngine,
        (game, board): (GameId, Board),
        console: &Console,
    ) -> Result<(ExternalEngine, StartedEngine)> {
        let started = wanted.start(game, board, &Stop::default())?;
        started.notes().iter().for_each(|note| console.note(note));
        let mut engine = started.engine().clone();
        let usual = usual_options(started.offered(), &engine.options);
        engine.options.extend(usual);
        Ok((engine, started))
    }
}
