//! A tune, new or resumed, as a run to be driven: its progress and its result.

mod round_display;

use super::documents::BatchReport;
use super::drive::{Driven, drive, resume_command};
use super::progress::WholeWork;
use super::tune_json::TuneJson;
use crate::arena::{Forfeit, GameEnding, Threads};
use crate::cli::opponents::OpenEngines;
use crate::cli::tune::Prepared;
use crate::cli::{
    CommandEvent, Console, Detail, Ended, ErrorDetails, ForfeitLog, Interrupt, ProgressLine,
    ResumedEngineArgs, ResumedEngines, Role, Standing, on_done, opponents, report,
};
use crate::error::Result;
use crate::files::{self, Links};
use crate::protocol::ExternalEngine;
use crate::report::answer::{AnswerFormat, EngineAnswer};
use crate::report::units;
use crate::run::{ANSWER, RunDir, TuneWork};
use crate::runs::RunView;
use crate::stats::{PairCounts, Sprt, Summary};
use crate::tune::logistic::FitResult;
use crate::tune::{
    Observer, Progress, RoundEvent, Stage, Target, Tune, TunePace, TuneResult, TuneSettings,
};
use round_display::RoundDisplay;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Draws the progress of a tune, and then of its validation.
struct TuneDisplay<'a> {
    console: &'a Console,
    /// `None` once it is removed from the screen.
    bar: Option<ProgressLine>,
    validating: bool,
    /// The yardstick of the match under way.
    yardstick: String,
    rounds: RoundDisplay,
    forfeits: ForfeitLog,
    /// The opponent of the answers in probe pairs.
    probed_against: &'static str,
    /// The test of the validation.
    test: Sprt,
}

impl<'a> TuneDisplay<'a> {
    /// A display that begins with `done` games on record. `pace` has the time limit, if there is
    /// one.
    fn new(
        console: &'a Console,
        config: &TuneSettings,
        done: u64,
        pace: Option<&TunePace>,
    ) -> Self {
        let bar = config
            .matches()
            .map(|_| ProgressLine::new(console, Some(config.games), "games").resumed_at(done));
        let end = pace.and_then(|pace| pace.begun.checked_add(pace.time));
        let whole = WholeWork::new(config.planned_games(), done).until(end);
        let rounds = RoundDisplay::new(console, config, whole);
        Self {
            console,
            bar,
            validating: false,
            yardstick: String::new(),
            rounds,
            forfeits: ForfeitLog::default(),
            probed_against: config.method().probed_against(),
            test: config.validation.sprt,
        }
    }

    /// The tune is over: the validation gets its own bar, without a total, since the test decides
    /// how long it takes.
    fn begin_validation(&mut self) {
        self.validating = true;
        self.finish();
        self.console.aside("tuned; now validating the answer on openings the tune never saw");
        self.bar = Some(ProgressLine::new(self.console, None, "games"));
    }

    /// Gives each match against a yardstick its own bar.
    fn meet_yardstick(&mut self, title: &str, counts: &PairCounts) {
        if self.yardstick != title {
            self.finish();
            title.clone_into(&mut self.yardstick);
        }
        let bar = self.bar.get_or_insert_with(|| ProgressLine::new(self.console, None, "games"));
        bar.update(counts.games(), || {
            Detail::of_match(format!("against {title}"), Summary::of(counts, None))
        });
    }

    fn finish(&mut self) {
        self.rounds.finish();
        if let Some(bar) = self.bar.take() {
            bar.finish();
        }
    }
}

impl Observer for TuneDisplay<'_> {
    fn on_batch(&mut self, progress: &Progress) {
        if self.console.events {
            let report = batch_report(progress, &self.test);
            // A closed stdout ends the command at its result.
            let _ = self.console.event(&CommandEvent::Batch(report));
        }
        if progress.validating && !self.validating {
            self.begin_validation();
        }
        if let Some((title, counts)) = &progress.yardstick {
            return self.meet_yardstick(title, counts);
        }
        let Some(bar) = &mut self.bar else { return };
        if progress.validating {
            bar.update(progress.validation.games(), || {
                Detail::of_match("", Summary::of(&progress.validation, Some(&self.test)))
            });
        } else {
            let games = progress.games.min(progress.planned);
            bar.set_total(progress.planned);
            bar.update(games, || {
                Detail::of_match(format!("against {}", self.probed_against), progress.estimate())
            });
        }
    }

    fn on_forfeit(&mut self, engine: &str, ending: GameEnding, forfeit: &Forfeit) {
        if let Some(bar) = &self.bar {
            let lost = ending.of_loser();
            self.forfeits.add(&format!("a game {lost} {engine}"), forfeit, bar);
        }
    }

    fn on_round(&mut self, event: RoundEvent) {
        self.rounds.on_event(event);
    }
}

/// A batch as the event for programs.
fn batch_report(progress: &Progress, test: &Sprt) -> BatchReport {
    let (stage, games, summary) = match &progress.yardstick {
        Some((_, counts)) => (Stage::Yardstick, counts.games(), Summary::of(counts, None)),
        None if progress.validating => {
            let counts = &progress.validation;
            (Stage::Validate, counts.games(), Summary::of(counts, Some(test)))
        }
        None => (Stage::Tune, progress.games, progress.estimate()),
    };
    let is_tune = stage == Stage::Tune;
    let errors = progress.errors.as_ref().filter(|_| is_tune);
    BatchReport {
        stage,
        against: progress.yardstick.as_ref().map(|(title, _)| title.clone()),
        players: Vec::new(),
        games,
        knobs: if is_tune { progress.knobs.clone() } else { Vec::new() },
        elo_left: errors.map(|errors| errors.elo_left),
        errors: errors.map_or_else(Vec::new, |errors| errors.errors.clone()),
        score: Standing::from(&summary),
    }
}

/// A tune, new or resumed.
pub struct TuneRun<'a> {
    /// The directory of the run.
    pub run: RunDir,
    /// All that decides it.
    pub tune: &'a TuneWork,
    /// How to treat the external engines that the run began with.
    pub engines: ResumedEngineArgs,
    /// When the command began.
    pub begun: Instant,
    /// The console that the tune reports to.
    pub console: &'a Console,
    /// The result that is on record, if any.
    pub result: Option<TuneResult>,
    /// The engines and the pace, if the work before the matches has prepared them.
    pub(super) prepared: Prepared,
}

impl<'a> TuneRun<'a> {
    /// A tune about to be played.
    pub fn new(run: RunDir, tune: &'a TuneWork, begun: Instant, console: &'a Console) -> Self {
        let engines = ResumedEngineArgs::default();
        let prepared = Prepared::default();
        Self { run, tune, engines, begun, console, result: None, prepared }
    }

    /// Plays the tune, or the rest of it.
    ///
    /// # Errors
    /// As [`drive`].
    pub fn drive(&mut self, threads: &Threads, interrupt: &Interrupt) -> Result<Ended> {
        on_done::note("RUN", self.run.path().display());
        self.console.aside(plan_text(self.run.path(), self.tune, threads));
        let console = self.console;
        drive(self, threads, interrupt, console)
    }

    /// The result of the run, and its page. The page only shows saved results: the run is complete
    /// without it.
    fn report(&self) -> Result<(RunView, Option<PathBuf>)> {
        let path = self.run.path();
        let view = report::recorded(path)?;
        let page = report::write_page(path, None, &view);
        if let Err(error) = &page {
            self.console.note(format!("no report was written: {error}"));
        }
        Ok((view, page.ok()))
    }
}

impl Driven for TuneRun<'_> {
    fn run(&mut self) -> Option<&mut RunDir> {
        Some(&mut self.run)
    }

    fn play(&mut self, threads: &Threads, interrupt: &Interrupt) -> FitResult<()> {
        let Self { run, engines, console, prepared, .. } = self;
        let TuneWork { config, start, .. } = self.tune;
        let name = run.manifest().run.clone();
        // Then all games of the engines are on record, so the engines need not be installed here.
        let is_validated = run.record().batches(Stage::Validate).next().is_some();
        let mut opponents = Vec::new();
        if run.result().is_none() && (!is_validated || config.engine().is_some()) {
            let started = prepared.opened.take().map_or_else(
                || {
                    let resumed = ResumedEngines::new(run.record(), *engines);
                    OpenEngines::start(config, resumed, threads, interrupt.stop())
                },
                Ok,
            )?;
            run.note_engines(started.changes)?;
            opponents = started.factories;
        }
        let tune = Tune {
            run: &name,
            engines: opponents,
            interrupt: interrupt.stop().clone(),
            pace: prepared.pace,
            ..Tune::new(config, start, threads)
        };
        let mut display = TuneDisplay::new(console, config, run.games(), tune.pace.as_ref());
        let result = tune.run(run, &mut display);
        let finished = result.and_then(|result| Ok(run.finish(&result).map(|()| result)?));
        display.finish();
        self.result = Some(finished?);
        Ok(())
    }

    fn show(&mut self) -> Result<()> {
        let (view, page) = self.report()?;
        let Self { run, begun, console, .. } = self;
        let (Some(result), Some(summary)) = (&self.result, &view.summary) else { return Ok(()) };
        let answer = EngineAnswer::of(summary, self.tune, run.record());
        if let Some(answer) = &answer {
            let (path, text) = (run.path().join(ANSWER), answer.text(AnswerFormat::Json));
            files::write_atomically(&path, text.as_bytes(), Links::Refused)?;
        }
        on_done::note_match(&result.validation);
        on_done::note("GAMES", result.games);
        on_done::note("ACCEPTED", result.accepted);
        on_done::note("WEIGHTS", run.path().join(summary.target.file_of_answer()).display());
        if console.json {
            let document = TuneJson::new(run.path(), page.as_deref(), &view);
            let document = document.map(|document| document.with_result(result, begun.elapsed()));
            return console.document(&document);
        }
        let text = report::result_text(&view, page, console);
        console.say(format!("\n{}", text.unwrap_or_default()))?;
        let blocks = [AnswerFormat::Setoption, AnswerFormat::Openbench];
        let blocks = answer.map(|answer| blocks.map(|format| answer.text(format)));
        blocks.map_or(Ok(()), |blocks| console.say(format!("\n{}", blocks.join("\n").trim_end())))
    }

    fn ended(&self) -> Ended {
        let view = report::recorded(self.run.path());
        let summary = view.ok().and_then(|view| view.summary);
        match summary.and_then(|summary| summary.validation_ended) {
            Some(_) => Ended::Repeats,
            None => Ended::Done,
        }
    }

    fn show_stopped(&mut self) -> Result<()> {
        self.report()?;
        let Self { run, console, .. } = self;
        console.note(format!("stopped early, after {} games", units::count(run.games())));
        let path = run.path();
        console.failure(ErrorDetails::of_stop(path.display(), &resume_command(path)))
    }
}

/// The plan of the run, printed before it begins.
fn plan_text(run: &Path, tune: &TuneWork, threads: &Threads) -> String {
    let config = &tune.config;
    if let Some(schedule) = config.schedule() {
        return format!(
            "{}\n  {} tunes weights of {} for {} on {}, seed {}, {}\n  {}",
            Role::Heading.paint(run.display()),
            config.method(),
            tune.start.name,
            config.game,
            config.board,
            config.seed,
            units::counted(threads.count() as u64, "thread"),
            round_display::plan_text(config, &schedule),
        );
    }
    let names: Vec<&str> = config.knobs().iter().map(|knob| knob.name.as_str()).collect();
    format!(
        "{}\n  {} tunes {} of {} for {} on {}: {}\n  {} games at {}, seed {}, {}{}",
        Role::Heading.paint(run.display()),
        config.method(),
        units::counted(names.len() as u64, config.target().one()),
        subject(tune),
        config.game,
        config.board,
        names.join(", "),
        units::count(config.games),
        config.limits,
        config.seed,
        units::counted(threads.count() as u64, "thread"),
        opponents::plan_text(config),
    )
}

/// The name of the player or engine that the tune starts from.
fn subject(tune: &TuneWork) -> String {
    match tune.config.target() {
        Target::Weights => tune.start.name.clone(),
        Target::Option => tune.config.engine().map_or("", ExternalEngine::name).to_owned(),
        Target::Search => {
            format!("the search of {}", tune.start.name)
        }
    }
}
