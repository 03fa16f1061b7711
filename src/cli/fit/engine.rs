//! `spar fit --engine`: the options of an external engine, fitted to its own games.

use super::show::trial_text;
use super::{FitArgs, stopped};
use crate::arena::queue::Threads;
use crate::arena::{Book, BookConfig, GameEnds, PlayerFactory};
use crate::cli::args::{GameArgs, OpeningArgs, parse_count};
use crate::cli::console::{Console, Role};
use crate::cli::ended::Ended;
use crate::cli::force::write_free;
use crate::cli::interrupt::Interrupt;
use crate::cli::limit_args::AdjudicationArgs;
use crate::cli::progress::ProgressLine;
use crate::cli::referee_args::game_of_engines;
use crate::cli::tune::EngineKnobArgs;
use crate::error::{Error, ErrorKind, Result};
use crate::game::Board;
use crate::games::GameId;
use crate::player::{DefaultWeights, Player};
use crate::protocol::options::{EngineOption, find};
use crate::protocol::{ExternalEngine, StartedEngine};
use crate::report::given_options::played_with;
use crate::report::options::{engine_typed, limits_typed};
use crate::report::table::{Facts, TextTable};
use crate::report::units;
use crate::run::HarvestFile;
use crate::search::Stop;
use crate::shell::{quote, quote_path};
use crate::tune::engine_check::check_limits;
use crate::tune::knob_file;
use crate::tune::option_fit::{
    FittedKnob, FittedOptions, GameHarvest, HarvestCounts, HarvestLog, KnobSight, OptionFitConfig,
    collect,
};
use crate::tune::rows::RowsConfig;
use crate::tune::{Optimizer, Selection, TuneSettings, judge};
use clap::Args;
use serde::Serialize;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Instant;

/// The option set to its minimum for searches of one ply: a large table takes long to clear.
const TABLE: &str = "Hash";

/// The arguments of a fit of an engine's options.
#[derive(Args, Debug)]
pub(in crate::cli) struct EngineFitArgs {
    /// Fit the options of this external engine instead, cmd:PROGRAM ARGS, to games that it plays
    /// against itself; writes a file of knobs; needs --nodes, --depth or --movetime
    #[arg(long, value_name = "cmd:PROGRAM", help_heading = "Options of an engine",
        conflicts_with_all = ["files", "rows", "start", "ablate", "all", "clear_rest", "no_sharing", "phases"])]
    engine: Option<String>,
    #[command(flatten)]
    knobs: EngineKnobArgs,
    /// Leave these knobs as they are
    #[arg(
        long,
        value_name = "NAME,...",
        value_delimiter = ',',
        requires = "engine",
        help_heading = "Options of an engine"
    )]
    freeze: Vec<String>,
    /// Quiet positions to collect, at most 24 of a game
    #[arg(long, value_name = "N", value_parser = parse_count, default_value_t = OptionFitConfig::POSITIONS, help_heading = "Options of an engine")]
    positions: u64,
    #[command(flatten)]
    openings: OpeningArgs,
    #[command(flatten)]
    adjudication: AdjudicationArgs,
    #[command(flatten)]
    common: ExternalEngine,
}

impl EngineFitArgs {
    /// The command of the engine, where options are fitted.
    pub(super) fn command(&self) -> Option<&str> {
        self.engine.as_deref()
    }

    /// Checks that an engine is named where its knobs or options are given.
    ///
    /// # Errors
    /// When options are given without an engine, or `--positions` is 0.
    pub(super) fn check(&self) -> Result<()> {
        self.knobs.check_named(self.engine.as_deref())?;
        match self.positions {
            0 => Err(Error::input("positions", "a fit needs some").remedy("give for example 20k")),
            _ => Ok(()),
        }
    }
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::cli) struct OptionFitJson<'a> {
    /// The path of the file of knobs written.
    file: String,
    /// The engine's name for itself.
    engine: &'a str,
    game: String,
    board: String,
    /// The answer of the fit.
    #[serde(flatten)]
    fit: &'a FittedOptions,
    /// The time of the whole command, in seconds.
    seconds: f64,
}

/// A fit that is ready to run.
struct EngineFit {
    game: GameId,
    board: Board,
    started: StartedEngine,
    config: OptionFitConfig,
    book: Book,
    /// The settings of the book.
    openings: BookConfig,
}

/// Runs the command.
///
/// # Errors
/// When an argument is wrong, the engine does not start or is not fit, or a file cannot be written.
pub(super) fn run(command: &str, args: &FitArgs, console: &Console) -> Result<Ended> {
    let begun = Instant::now();
    let mut prepared = prepare(command, args, console)?;
    let interrupt = Interrupt::new("");
    let threads = Threads::new(args.threads.count())?;
    let EngineFit { started, config, book, .. } = &mut prepared;
    let fitted = watched(started, config, book, (&threads, interrupt.stop()), None, console);
    let fitted = match fitted {
        Err(error) if error.kind() == ErrorKind::Interrupted => return stopped(&error, console),
        fitted => fitted?,
    };
    fitted.check_predictive()?;
    note_unused(&fitted, console);
    let text = knob_file::text(&fitted.with_fitted(&config.knobs), config.c);
    write_free(&args.output, text.as_bytes(), args.force)?;
    let document = OptionFitJson {
        file: args.output.display().to_string(),
        engine: prepared.started.engine().name(),
        game: prepared.game.to_string(),
        board: prepared.board.to_string(),
        fit: &fitted,
        seconds: begun.elapsed().as_secs_f64(),
    };
    match console.json {
        true => console.document(&document)?,
        false => show(&document, &next(&prepared, command, args), console)?,
    }
    Ok(Ended::Done)
}

/// Keeps the games of a fit in a run, if there is one, and draws its progress.
struct WatchedHarvest<'a> {
    progress: ProgressLine,
    file: Option<&'a mut HarvestFile>,
}

impl HarvestLog for WatchedHarvest<'_> {
    fn recall(&mut self) -> Result<Vec<GameHarvest>> {
        Ok(self.file.as_mut().map_or_else(Vec::new, |file| file.take_games()))
    }

    fn keep(&mut self, game: &GameHarvest) -> Result<()> {
        self.file.as_mut().map_or(Ok(()), |file| file.keep(game))
    }

    fn show(&mut self, counts: &HarvestCounts) {
        self.progress.update(counts.positions, || units::counted(counts.games, "game"));
    }
}

/// Collects positions and fits, with a progress line. The games are kept in a run's file, if there
/// is one.
///
/// # Errors
/// When the engine cannot be fitted, no knob is visible to the fit, or the user interrupts it.
pub(in crate::cli) fn watched(
    started: &StartedEngine,
    config: &OptionFitConfig,
    book: &mut Book,
    (threads, stop): (&Threads, &Stop),
    file: Option<&mut HarvestFile>,
    console: &Console,
) -> Result<FittedOptions> {
    let engine: Arc<dyn PlayerFactory> = Arc::new(started.clone());
    let progress = ProgressLine::new(console, Some(config.positions), "positions");
    let mut log = WatchedHarvest { progress, file };
    let collected = collect(&engine, config, book, threads, stop, &mut log);
    log.progress.finish();
    let place = format!("engine `{}`", started.engine().name());
    let found = collected.map_err(|error| error.within(place))?;
    threads.within(|| found.fit(config, stop))
}

/// Notes fitted values that are not used.
pub(in crate::cli) fn note_unused(fitted: &FittedOptions, console: &Console) {
    match fitted.check_predictive() {
        Err(error) => console.note(format!("the fitted values are not used: {error}")),
        Ok(()) if fitted.better => {}
        Ok(()) => console.note(
            "the fitted values do not predict the validation positions better than the start, so \
             they are not used; collect more positions",
        ),
    }
}

/// Starts the engine and settles what the fit takes.
fn prepare(command: &str, args: &FitArgs, console: &Console) -> Result<EngineFit> {
    let own = &args.of_engine;
    let game = args.game.game.map_or_else(game_of_engines, Ok)?;
    let board = GameArgs { game: Some(game), board: args.game.board }.checked_board(game, &[])?;
    let Some(limits) = args.limits.given()? else {
        return Err(Error::input("limit of a move", "not given, and engines differ in speed")
            .remedy("give for example --nodes 20k, --depth 6 or --movetime 100"));
    };
    let (engine, started, lines) = own.knobs.find(command, &own.common, (game, board), console)?;
    let selection = Selection {
        only: args.fit.only.clone(),
        freeze: own.freeze.clone(),
        ..Selection::default()
    };
    let knobs = selection.options(lines, started.offered(), Optimizer::C)?;
    own.knobs.check_free(&knobs)?;
    check_limits(&started, (game, board), &limits)?;
    // Started again with the usual options: only the first start shows which ones it offers.
    let started = engine.start(game, board, &Stop::default())?;
    let seed = args.seed.seed;
    let openings = own.openings.book(game, board, TuneSettings::book_seed(seed))?;
    let judge = match game.has_engine() {
        true => judge(game, &Player::find(game, None, DefaultWeights::HandMade)?.weights)?,
        false => None,
    };
    let config = OptionFitConfig {
        while_valued: small_table(started.offered()),
        knobs,
        c: Optimizer::C,
        positions: own.positions,
        limits,
        ends: GameEnds::new(own.adjudication.of(game), own.adjudication.max_plies),
        seed,
        blend: args.fit.blend.unwrap_or(OptionFitConfig::BLEND),
        rows: RowsConfig::from(&args.fit),
    };
    let book = Book::new(game, openings.clone(), judge.as_ref())?;
    Ok(EngineFit { game, board, started, config, book, openings })
}

/// The option for the smallest table that the engine offers.
pub(in crate::cli) fn small_table(offered: &[EngineOption]) -> BTreeMap<String, String> {
    let small = ["1", "2", "4", "8"].into_iter();
    let option = find(offered, TABLE).ok();
    let value = option.and_then(|option| small.into_iter().find(|v| option.check(v).is_ok()));
    value.map(|value| (TABLE.to_owned(), value.to_owned())).into_iter().collect()
}

/// The tune by matches that begins with the fitted values, with the same engine and games.
fn next(fit: &EngineFit, command: &str, args: &FitArgs) -> String {
    let own = &args.of_engine;
    let mut words = vec![
        format!("spar tune --game {} --board {}", fit.game, fit.board),
        format!("--engine {}", quote(command)),
        format!("--knobs {}", quote_path(&args.output)),
    ];
    let engine = ExternalEngine { options: own.knobs.option.clone(), ..own.common.clone() };
    words.extend(engine_typed(&engine));
    words.extend(limits_typed(&fit.config.limits));
    let ends = &own.adjudication;
    let (game, adjudication) = (fit.game.to_string(), ends.of(fit.game));
    words.extend(played_with(&game, &fit.openings, adjudication, None, ends.max_plies));
    words.join(" ")
}

/// Prints the answer of a fit. The next command is for values that are used.
fn show(document: &OptionFitJson, next: &str, console: &Console) -> Result<()> {
    let OptionFitJson { fit, .. } = document;
    fit.trials.iter().for_each(|trial| console.aside(trial_text(trial)));
    console.say(format!("\n{}\n\n{}", facts(document), knob_table(fit, console)))?;
    match fit.better {
        true => console.say(format!("\n{}\n  {next}", Role::Heading.paint("next"))),
        false => Ok(()),
    }
}

/// The knobs with their fitted values, and the names of the knobs invisible to the fit.
pub(in crate::cli) fn knob_table(fit: &FittedOptions, console: &Console) -> String {
    let mut table = TextTable::new()
        .left("knob")
        .right("start")
        .right("fitted")
        .right("error (95 %)")
        .right("shown in")
        .left("");
    fit.knobs.iter().for_each(|knob| {
        table.row(row(knob));
    });
    let mut text = table.fit(console.width()).to_string();
    let unseen = fit.unseen();
    if !unseen.is_empty() {
        text += &format!("\n\nnot visible to the fit, and left to matches: {}", unseen.join(", "));
    }
    text
}

/// The numbers of a fit as a whole.
fn facts(document: &OptionFitJson) -> Facts {
    let OptionFitJson { fit, file, engine, seconds, .. } = document;
    let counts = &fit.counts;
    let best = &fit.trials[fit.best];
    let mut facts = Facts::default();
    facts.add("engine", (*engine).to_owned());
    facts.add(
        "positions",
        format!(
            "{} of {}; left out: {} with a mate or no score, {} failures",
            units::count(counts.positions),
            units::counted(counts.games, "game"),
            units::count(counts.mates),
            units::count(counts.failed),
        ),
    );
    if counts.void_games > 0 {
        facts.add("void games", units::count(counts.void_games));
    }
    if counts.unsteady > 0 {
        let text = format!("{} positions when asked again", units::count(counts.unsteady));
        facts.add("other scores", text);
    }
    let scale = fit.scale;
    facts.add("scale", format!("{:.0} +- {:.0} cp per logit", scale.cp_per_logit, scale.error));
    let losses = format!("loss {:.6} at the start, {:.6} fitted", fit.start_loss, best.validation);
    facts.add("validation", losses).add("penalty", best.penalty.to_string());
    facts.add("file", file.clone()).add("time", format!("{seconds:.0} s"));
    facts
}

fn row(knob: &FittedKnob) -> [String; 6] {
    let number = |value: f64| format!("{}", (value * 1e4).round() / 1e4);
    let words = match knob.sight {
        KnobSight::Seen if knob.at_bound => "at its bound",
        KnobSight::Seen => "",
        KnobSight::Bent => "the two sides of the start differ: trust only the direction",
        KnobSight::Unseen => "not visible",
    };
    let error = knob.error.map_or("-".into(), |error| format!("+- {}", three_digits(error)));
    [
        knob.name.clone(),
        number(knob.start),
        number(knob.fitted),
        error,
        units::count(knob.shown),
        words.to_owned(),
    ]
}

/// A number with about three significant digits.
fn three_digits(number: f64) -> String {
    let digits = (2.0 - number.abs().log10().floor()).clamp(0.0, 6.0) as usize;
    format!("{number:.digits$}")
}
