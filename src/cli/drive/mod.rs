//! A run on its way, new or resumed: progress, interruption, report.

mod rounds;

use super::console::{BOLD, Console};
use super::interrupt::Interrupt;
use super::progress::{ForfeitTeller, ProgressLine};
use super::summary::{short_text, summary_facts};
use super::{opponents, report};
use crate::arena::Forfeit;
use crate::arena::queue::Threads;
use crate::cli::ended::Ended;
use crate::error::{ErrorKind, Result};
use crate::eval::Game;
use crate::report::rounds::{RoundRow, rounds as rounds_of};
use crate::report::table::TextTable;
use crate::report::units;
use crate::run::{Manifest, RunDir};
use crate::search::ConstantSet;
use crate::shell::quote;
use crate::tune::logistic::rounds::RoundEvent;
use crate::tune::{Observer, Plan, Progress, Stage, Target, Tune, TuneResult};
use crate::weights::WeightSet;
use rounds::RoundDisplay;
pub(super) use rounds::table as rounds_table;
use serde::Serialize;
use std::path::Path;
use std::time::Instant;

/// What is needed to go on with a run.
pub struct Drive {
    /// The run.
    pub run: RunDir,
    /// Who plays.
    pub threads: Threads,
    /// When the command began.
    pub begun: Instant,
    /// Whether to stop early; see [`interrupt`].
    pub interrupt: Interrupt,
}

/// From now on the first Ctrl-C only asks the run in this directory to stop.
pub fn interrupt(path: &Path) -> Interrupt {
    let resume = resume_command(path);
    Interrupt::new(&format!(
        "finishing the games in hand; press Ctrl-C again to stop at once. Either way, go on later with:\n  {resume}"
    ))
}

fn resume_command(path: &Path) -> String {
    format!("spar resume {}", quote(path.display()))
}

/// Draws the progress of a tune, and then of its validation.
struct TuneDisplay<'a> {
    console: &'a Console,
    /// Taken away at the end.
    bar: Option<ProgressLine>,
    validating: bool,
    rounds: RoundDisplay,
    forfeits: ForfeitTeller,
}

impl TuneDisplay<'_> {
    /// The tune is over: the validation has a bar of its own, and nobody knows how long the test
    /// will take.
    fn begin_validation(&mut self) {
        self.validating = true;
        self.finish();
        self.console.aside("tuned; now validating the answer on openings the tune never saw");
        self.bar = Some(ProgressLine::new(self.console, None, "games"));
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
        if progress.validating && !self.validating {
            self.begin_validation();
        }
        let Some(bar) = &mut self.bar else { return };
        if progress.validating {
            let summary = || crate::stats::Summary::of(&progress.validation, None);
            bar.update(progress.validation.games(), || short_text(&summary()));
        } else {
            let games = progress.games.min(progress.planned);
            bar.update(games, || {
                format!("against the start: {}", short_text(&progress.estimate()))
            });
        }
    }

    fn on_forfeit(&mut self, engine: &str, forfeit: &Forfeit) {
        if let Some(bar) = &self.bar {
            self.forfeits.tell(&format!("a game forfeited by {engine}"), forfeit, bar);
        }
    }

    fn on_round(&mut self, event: RoundEvent) {
        self.rounds.on_event(event);
    }
}

#[derive(Serialize)]
struct TuneJson<'a> {
    run: String,
    weights: String,
    /// The file of constants of the search, where the run has any of its own.
    #[serde(skip_serializing_if = "Option::is_none")]
    search: Option<String>,
    games: u64,
    accepted: bool,
    elo: Option<f64>,
    elo_error: Option<f64>,
    elo_low: Option<f64>,
    elo_high: Option<f64>,
    seconds: f64,
    validation: &'a crate::stats::Summary,
    /// The candidate, unless it has tables, which are long: see the files of the run.
    candidate: Option<CandidateJson<'a>>,
    /// The rounds of a logistic tune.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    rounds: Vec<RoundRow>,
}

/// What the tune proposed.
#[derive(Serialize)]
#[serde(untagged)]
enum CandidateJson<'a> {
    Weights(&'a WeightSet),
    Search(&'a ConstantSet),
}

impl<'a> CandidateJson<'a> {
    fn of(answer: &'a TuneResult) -> Option<Self> {
        let set = &answer.candidate;
        let has_tables = set.weights.iter().any(|(name, _)| set.one(name).is_none());
        match &answer.search {
            Some(search) => Some(Self::Search(&search.candidate)),
            None => (!has_tables).then_some(Self::Weights(set)),
        }
    }
}

/// Runs or goes on with a run, and reports what came of it.
///
/// # Errors
/// When the run's files cannot be written or do not fit together.
pub fn drive<G: Game>(mut drive: Drive, console: &Console) -> Result<Ended> {
    let manifest = drive.run.manifest().clone();
    let path = drive.run.path().display().to_string();
    let resume = resume_command(drive.run.path());
    console.aside(plan_text(&drive));
    let fitting = manifest.config.fitting();
    let bar = || {
        ProgressLine::new(console, Some(manifest.config.games), "games")
            .resumed_at(drive.run.games())
    };
    let bar = fitting.is_none().then(bar);
    let rounds = RoundDisplay::new(console, fitting);
    let mut watch =
        TuneDisplay { console, bar, validating: false, rounds, forfeits: ForfeitTeller::default() };
    let mut config = manifest.config.clone();
    if drive.run.record().batches(Stage::Validate).next().is_some() {
        // All its pairs are on record, and may be shown where the engines are not.
        if let Plan::Matches(plan) = &mut config.plan {
            plan.opponents = None;
        }
    }
    let session = Tune {
        config: &config,
        start: &manifest.start,
        run: &manifest.run,
        threads: drive.threads.clone(),
        interrupt: drive.interrupt.stop().clone(),
    };
    let ended = match &config.plan {
        Plan::Fitting(_) => session.run_rounds::<G>(&mut drive.run, &mut watch),
        Plan::Matches(_) => opponents::open::<G>(&config)
            .and_then(|engines| session.run_against(engines, &mut drive.run, &mut watch)),
    };
    let ended = ended.and_then(|answer| {
        drive.run.finish(&answer)?;
        Ok(answer)
    });
    watch.finish();
    if ended.as_ref().err().is_none_or(|error| error.kind() == ErrorKind::Interrupted) {
        let written =
            report::write_page::<G>(drive.run.path(), None, &manifest, drive.run.record());
        // The page is a view of what is safe already: if it fails, the run has not.
        if let Err(error) = written {
            console.note(format!("no report was written: {error}"));
        }
    }
    let answer = match ended {
        Ok(answer) => answer,
        Err(error) if error.kind() == ErrorKind::Interrupted => {
            console.aside(format!(
                "stopped early; nothing that was finished is lost. Go on with:\n  {resume}"
            ));
            return Ok(Ended::Stopped);
        }
        Err(error) => {
            console.aside(format!(
                "what was finished is safe; once this is put right, go on with:\n  {resume}"
            ));
            return Err(error);
        }
    };
    let seconds = drive.begun.elapsed().as_secs_f64();
    if console.json {
        let document = TuneJson {
            run: path,
            weights: drive.run.weights_path().display().to_string(),
            search: manifest.config.search().map(|_| drive.run.search_path().display().to_string()),
            games: answer.games,
            accepted: answer.accepted,
            elo: answer.validation.elo,
            elo_error: answer.validation.elo_error,
            elo_low: answer.validation.elo_low,
            elo_high: answer.validation.elo_high,
            seconds,
            validation: &answer.validation,
            candidate: CandidateJson::of(&answer),
            rounds: rounds_of(&manifest, drive.run.record()),
        };
        console.document(&document)?;
    } else {
        console.say(report_text(&drive, &answer))?;
    }
    Ok(Ended::Done)
}

/// What is about to happen.
fn plan_text(drive: &Drive) -> String {
    let manifest = drive.run.manifest();
    let config = &manifest.config;
    if let Some(plan) = config.fitting() {
        return format!(
            "{BOLD}{}{BOLD:#}\n  {} tunes weights of {} for {} on {}, seed {}, {} threads\n  {}",
            drive.run.path().display(),
            config.method(),
            manifest.start.name,
            config.game,
            config.board,
            config.seed,
            drive.threads.count(),
            rounds::plan_text(config, plan),
        );
    }
    let names: Vec<&str> = config.knobs().iter().map(|knob| knob.name.as_str()).collect();
    format!(
        "{BOLD}{}{BOLD:#}\n  {} tunes {} {} of {} for {} on {}: {}\n  {} games at {}, seed {}, {} threads{}\n  planned \
         to end within {:.0} Elo of the best (95 % of runs)",
        drive.run.path().display(),
        config.method(),
        names.len(),
        config.target().many(),
        subject(manifest),
        config.game,
        config.board,
        names.join(", "),
        units::count(config.games),
        config.limits,
        config.seed,
        drive.threads.count(),
        opponents::plan_text(config),
        config.planned_precision(),
    )
}

/// What the tune starts from, in words.
fn subject(manifest: &Manifest) -> String {
    match manifest.config.target() {
        Target::Weights => manifest.start.name.clone(),
        Target::Search => {
            format!(
                "the {} search playing with {}",
                manifest.config.constants().name,
                manifest.start.name
            )
        }
    }
}

/// What changed, by how much, how sure, what to type next.
fn report_text(drive: &Drive, answer: &TuneResult) -> String {
    let manifest = drive.run.manifest();
    let config = &manifest.config;
    let target = config.target();
    let mut table =
        TextTable::new().left(target.one()).right("start").right("tuned").right("change");
    for param in config.knobs() {
        let before = param.start.round() as i32;
        let after = match &answer.search {
            Some(search) => search.candidate.constants.get(&param.name),
            None => answer.candidate.one(&param.name),
        };
        let after = after.unwrap_or(before);
        table.row([
            param.name.clone(),
            before.to_string(),
            after.to_string(),
            format!("{:+}", after - before),
        ]);
    }
    if config.fitting().is_some() {
        table = rounds::table(&rounds_of(manifest, drive.run.record()));
    }
    let proof = match answer.validation.games {
        0 => String::new(),
        _ => {
            let facts = summary_facts(&answer.validation, Some(&config.validation.sprt));
            format!(
                "\n\n{BOLD}validation{BOLD:#}, {} on openings the tune never saw\n{facts}",
                config.limits
            )
        }
    };
    let file = drive.run.path().join(target.file()).display().to_string();
    let start = match target {
        Target::Weights => manifest.start.name.clone(),
        Target::Search => format!("the {} search", config.constants().name),
    };
    let is_changed = match &answer.search {
        Some(search) => search.candidate.constants != config.constants().constants,
        None => answer.candidate.weights != manifest.start.weights,
    };
    let outcome = if answer.accepted {
        format!("The tuned set is better than {start} and is now in\n  {file}")
    } else if !is_changed {
        let nothing = match config.fitting() {
            Some(_) => "No round gained".into(),
            None => format!("The tune did not change a single {}", target.one()),
        };
        format!("{nothing}; {start} stays in\n  {file}")
    } else {
        format!(
            "The tuned set was NOT proven better than {start}, which stays in\n  {file}\nA longer tune (--games, --for) \
             or more validation (--validation-pairs) may tell more."
        )
    };
    let next = next_text(manifest, &file);
    format!(
        "\n{table}{proof}\n\n{outcome}\n\n{BOLD}next{BOLD:#}\n{next}\n\nplots and the whole report: {}",
        drive.run.path().join(report::PAGE).display()
    )
}

/// What to type next.
fn next_text(manifest: &Manifest, file: &str) -> String {
    let config = &manifest.config;
    let (start, file) = (quote(&manifest.start.name), quote(file));
    let (on, seed) =
        (format!("--game {} --board {}", config.game, config.board), config.seed.wrapping_add(1));
    match config.target() {
        Target::Weights => format!(
            "  spar weights diff {start} {file}\n  spar match {file} {start} {on} --nodes 5000 --pairs 200\n  spar \
             play {on} --weights {file}\n  spar tune --method {} {on} --start {file} --for 1h --seed \
             {seed}",
            config.method(),
        ),
        Target::Search => format!(
            "  spar match {start} {start} {on} --search-a {file} --nodes 5000 --pairs 200\n  spar play \
             {on} --weights {start} --search {file}\n  spar tune --target search {on} --start {start} --search \
             {file} --for 1h --seed {seed}"
        ),
    }
}
