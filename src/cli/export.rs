//! `spar export`: the games or the history of a run for other programs, or the page to play on.

use super::export_web::{self, ExportWebArgs};
use super::force::finish_free;
use super::games::{note_torn, read_games, run_of};
use super::named::find_games;
use super::report::recorded;
use crate::arena::GameRecord;
use crate::cli::{Console, Ended, check_free, check_not_read, find_run};
use crate::error::{Error, Result};
use crate::files::{Links, NewFile, sweep_beside};
use crate::games::GameId;
use crate::report::answer::{AnswerFormat, EngineAnswer};
use crate::report::export::{CSV_TITLES, ExportSource, csv_row, pgn};
use crate::report::{HistoryRow, RoundRow, RunHistory, csv, history_rows, rounds};
use crate::run::{self, Record, TuneWork, Work};
use crate::runs::RunState;
use crate::shell::quote_path;
use crate::tune::{GameRules, TuneSettings};
use clap::{Args, Subcommand, ValueEnum};
use serde::Serialize;
use std::io::{BufWriter, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

/// Writes games and histories for other programs, or the play page
///
/// Games are read and written one after the other, so a run of any length takes the same memory.
#[derive(Args, Debug)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub struct ExportArgs {
    #[command(subcommand)]
    command: Option<ExportCommand>,
    #[command(flatten)]
    of_run: Option<ExportRunArgs>,
}

#[derive(Subcommand, Debug)]
enum ExportCommand {
    Web(ExportWebArgs),
    Answer(ExportAnswerArgs),
}

/// The written part of a run.
#[derive(Args, Debug)]
struct ExportRunArgs {
    /// The run: `last`, its name or a part of it, or its directory; or a file of games
    #[arg(value_name = "RUN")]
    run: PathBuf,
    /// Write the games: as text with headers as in PGN, one game a line as CSV, or one JSON
    /// object a line
    #[arg(long, value_name = "FORMAT", required_unless_present = "history")]
    games: Option<GamesFormat>,
    /// With pgn-like: write all moves of a game on one line, for readers that take no more
    #[arg(long, requires = "games")]
    one_line: bool,
    /// Write the history instead: games, the running Elo with its 95 % error, and every weight, at
    /// most about 2000 rows; of a logistic tune its rounds
    #[arg(long, value_name = "FORMAT", conflicts_with = "games")]
    history: Option<HistoryFormat>,
    /// The file to write [default: standard output]
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Overwrite that file if it exists
    #[arg(long, requires = "output")]
    force: bool,
}

/// Writes the tuned options of an external engine for an engine, its source or another tuner
#[derive(Args, Debug)]
struct ExportAnswerArgs {
    /// The run: `last`, its name or a part of it, or its directory
    #[arg(value_name = "RUN")]
    run: PathBuf,
    /// The format
    #[arg(long = "as", value_name = "FORMAT", value_enum, default_value = "setoption")]
    format: AnswerFormat,
}

/// How games are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum GamesFormat {
    #[value(alias = "pgn")]
    PgnLike,
    Csv,
    Jsonl,
}

/// How a history is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum HistoryFormat {
    Csv,
    Json,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct ExportJson {
    /// The path of the file written.
    file: String,
    /// The games in it; null for a history.
    games: Option<u64>,
}

/// The history of a run as JSON.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct HistoryJson {
    /// The path of the run directory.
    run: String,
    /// The names of the tuned values, in the order of the values in a row.
    knobs: Vec<String>,
    /// The answers over the run; empty for a logistic tune.
    rows: Vec<HistoryRow>,
    /// The rounds of a logistic tune.
    rounds: Vec<RoundRow>,
}

/// Where the text goes.
enum ExportFile<'a> {
    Console(&'a Console),
    File(BufWriter<NewFile>, &'a Path),
}

impl<'a> ExportFile<'a> {
    fn open(args: &'a ExportRunArgs, console: &'a Console) -> Result<Self> {
        let Some(path) = &args.output else { return Ok(Self::Console(console)) };
        check_free(path, args.force)?;
        sweep_beside(path);
        Ok(Self::File(BufWriter::new(NewFile::create(path, Links::Followed)?), path))
    }

    fn write(&mut self, text: &str) -> Result<()> {
        match self {
            Self::Console(console) => console.raw(text),
            Self::File(file, path) => {
                file.write_all(text.as_bytes()).map_err(|error| Error::io(path, "write", error))
            }
        }
    }

    /// Puts the file in place.
    fn finish(self, force: bool) -> Result<()> {
        let Self::File(file, path) = self else { return Ok(()) };
        let failed = |error| Error::io(path, "write", error);
        let file = file.into_inner().map_err(|error| failed(error.into_error()))?;
        finish_free(file, path, force)
    }
}

/// Runs the command.
///
/// # Errors
/// When there is no such run or set, its files are damaged, or the output cannot be written.
pub fn run(args: &ExportArgs, console: &Console) -> Result<Ended> {
    match (&args.command, &args.of_run) {
        (Some(ExportCommand::Web(args)), _) => export_web::run(args, console),
        (Some(ExportCommand::Answer(args)), _) => answer(args, console),
        (None, Some(args)) => run_of_run(args, console),
        (None, None) => Err(Error::input("export", "nothing is named to export")
            .remedy("name a run with --games or --history, or `web` or `answer`")),
    }
}

fn answer(args: &ExportAnswerArgs, console: &Console) -> Result<Ended> {
    if console.json && args.format != AnswerFormat::Json {
        return Err(Error::input("--json", "the answer is wanted in another format")
            .remedy("write --as json"));
    }
    let path = find_run(&args.run)?;
    let (manifest, record) = run::read_checked(&path)?;
    let tune = manifest.work.tune().filter(|tune| tune.config.engine().is_some());
    let tune = tune.ok_or_else(|| {
        let run = quote_path(&path);
        let remedy = match &manifest.work {
            Work::Tune(_) => format!("`spar weights export {run}` writes its weights"),
            Work::Tournament(_) => format!("`spar export {run} --games pgn` writes its games"),
        };
        Error::input(path.display(), "the run does not tune an external engine").remedy(remedy)
    })?;
    let view = recorded(&path)?;
    let answer = view.summary.as_ref().and_then(|summary| EngineAnswer::of(summary, tune, &record));
    if let Some(answer) = answer {
        let missing = match view.state {
            RunState::Accepted => None,
            RunState::Rejected => Some("was not accepted"),
            _ => Some("is not finished"),
        };
        if let Some(missing) = missing {
            console.note(format!(
                "run `{}` {missing}: these values were not shown to be better than its start",
                path.display()
            ));
        }
        answer.caution(args.format).iter().for_each(|caution| console.note(caution));
        console.raw(&answer.text(args.format))?;
    }
    Ok(Ended::Done)
}

fn run_of_run(args: &ExportRunArgs, console: &Console) -> Result<Ended> {
    if console.json && args.output.is_none() {
        return Err(Error::input("--json", "standard output is for what is exported")
            .remedy("name a file with -o"));
    }
    if let Some(output) = args.output.as_ref().filter(|_| args.games.is_some()) {
        check_not_read(output, &[find_games(&args.run)?])?;
    }
    let mut output = ExportFile::open(args, console)?;
    let games = match (args.games, args.history) {
        (Some(format), _) => Some(games(args, format, &mut output, console)?),
        (None, format) => {
            history(args, format.unwrap_or(HistoryFormat::Csv), &mut output)?;
            None
        }
    };
    output.finish(args.force)?;
    if let Some(path) = args.output.as_ref().filter(|_| console.json) {
        console.document(&ExportJson { file: path.display().to_string(), games })?;
    }
    Ok(Ended::Done)
}

/// Writes the games, and returns their number.
fn games(
    args: &ExportRunArgs,
    format: GamesFormat,
    output: &mut ExportFile,
    console: &Console,
) -> Result<u64> {
    if args.one_line && format != GamesFormat::PgnLike {
        return Err(Error::input("--one-line", "only games as in PGN take several lines")
            .remedy("leave it out, or give --games pgn-like"));
    }
    let path = find_games(&args.run)?;
    let mut source = GamesSource::of(&path)?;
    source.games.one_line = args.one_line;
    if format == GamesFormat::Csv {
        output.write(CSV_TITLES)?;
    }
    let (games, torn) = read_games(&path, source.count, |number, record| {
        output.write(&match format {
            GamesFormat::PgnLike => block(&record, number, source.of_game(number))?,
            GamesFormat::Csv => csv_row(&record, number),
            GamesFormat::Jsonl => line(&record)?,
        })?;
        Ok(ControlFlow::Continue(()))
    })?;
    note_torn(torn, console);
    Ok(games)
}

fn block(record: &GameRecord, number: u64, source: &ExportSource) -> Result<String> {
    record.game.parse::<GameId>()?;
    pgn(record, number, source)
}

fn line(record: &GameRecord) -> Result<String> {
    let text = serde_json::to_string(record).map_err(|error| Error::failed("JSON", error))?;
    Ok(text + "\n")
}

/// The origin of the games in a file.
struct GamesSource {
    games: ExportSource,
    /// The number of valid games; a run's games on record are checked against its journal.
    count: u64,
    /// The tune that played them: its stages have limits of their own.
    tune: Option<(TuneSettings, Record)>,
}

impl GamesSource {
    fn of(path: &Path) -> Result<Self> {
        let Some(dir) = run_of(path) else {
            let event = path.display().to_string();
            let games = ExportSource { event, ..ExportSource::default() };
            return Ok(Self { games, count: u64::MAX, tune: None });
        };
        let (manifest, record) = run::read(dir)?;
        run::check_games(dir, &record)?;
        let games = ExportSource {
            event: manifest.run,
            begun: manifest.time,
            limits: manifest.work.tournament().and_then(|work| work.config.common_limits()),
            rules: manifest.work.tune().map_or(GameRules::Known, |tune| tune.config.rules),
            ..ExportSource::default()
        };
        let count = record.games_kept();
        let tune = manifest.work.tune().map(|tune| (tune.config.clone(), record));
        Ok(Self { games, count, tune })
    }

    /// The source with the limits of a game, by its number from 1.
    fn of_game(&mut self, number: u64) -> &ExportSource {
        if let Some((settings, record)) = &self.tune {
            let stage = record.stage_of(number.saturating_sub(1));
            self.games.limits = stage.and_then(|stage| settings.limits_in(stage));
        }
        &self.games
    }
}

fn history(args: &ExportRunArgs, format: HistoryFormat, output: &mut ExportFile) -> Result<()> {
    let directory = find_run(&args.run)?;
    let (manifest, record) = run::read_checked(&directory)?;
    let Work::Tune(tune) = &manifest.work else {
        return Err(Error::input(
            directory.display(),
            "a match or tournament, which has no history",
        )
        .remedy("export its games with --games"));
    };
    let text = match format {
        HistoryFormat::Csv => history_csv(tune, &record),
        HistoryFormat::Json => history_json(&directory, tune, &record)?,
    };
    output.write(&text)
}

fn history_csv(tune: &TuneWork, record: &Record) -> String {
    match tune.config.schedule() {
        Some(_) => rounds::csv(&rounds::rounds(&tune.config, record)),
        None => csv(&tune.config, &RunHistory::new(&tune.config, record)),
    }
}

fn history_json(directory: &Path, tune: &TuneWork, record: &Record) -> Result<String> {
    let config = &tune.config;
    let fields = HistoryJson {
        run: directory.display().to_string(),
        knobs: config.knobs().iter().map(|knob| knob.name.clone()).collect(),
        rows: match config.schedule() {
            Some(_) => Vec::new(),
            None => history_rows(&RunHistory::new(config, record)),
        },
        rounds: rounds::rounds(config, record),
    };
    let document = super::documents::Document::new(fields);
    let value = serde_json::to_value(document).map_err(|error| Error::failed("JSON", error))?;
    Ok(format!("{value:#}\n"))
}
