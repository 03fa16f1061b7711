//! A tune of an external engine that begins with the answer of an earlier one: `spar tune --from`.

mod knobs;

use self::knobs::{ContinuedKnob, continued, row};
use super::args::TuneArgs;
use super::engine::EngineKnobArgs;
use super::matches::MatchPlanArgs;
use crate::arena::{Adjudication, BookConfig, BookPart};
use crate::cli::console::Console;
use crate::cli::referee_args::JudgedGame;
use crate::cli::trust::TrustArg;
use crate::cli::{find_run, runs_folder};
use crate::error::{Error, Result};
use crate::protocol::ExternalEngine;
use crate::report::{Facts, RunSummary, TextTable, TuneState, units};
use crate::run::{ManifestHead, TuneWork, Work};
use crate::runs::folder::LAST;
use crate::runs::{LiveRun, WantedSet};
use crate::search::Limits;
use crate::shell::quote;
use crate::tune::engine_check::check_limits;
use crate::tune::knob_file::KnobLine;
use crate::tune::{
    MatchPlan, Optimizer, Plan, SpsaOptions, TuneSettings, Validation, Yardsticks, lines_of,
};
use clap::Args;
use std::path::{Path, PathBuf};

/// The arguments of a tune that continues an earlier one.
#[derive(Args, Clone, Debug, Default)]
pub(super) struct FromArgs {
    /// Begin with the answer of an earlier tune of an engine, finished or not: `last`, a run's name
    /// or its directory. A bound that the answer touched moves by the knob's range, as far as the
    /// engine allows. All other options default to that run's; the seed to the next one.
    /// RUN:candidate takes an answer that its validation did not accept, RUN:start the values that
    /// it started from
    #[arg(long, value_name = "RUN", conflicts_with_all = ["target", "all", "start", "game", "board", "referee", "rules"], help_heading = "What is tuned")]
    from: Option<String>,
    /// Start the engines that the manifest of the run of --from names, even if another user or
    /// machine began it
    #[arg(long, requires = "from", help_heading = "Engines (cmd:)")]
    trust: bool,
}

impl FromArgs {
    /// Whether an earlier tune is named.
    pub(super) fn is_given(&self) -> bool {
        self.from.is_some()
    }

    /// The earlier tune, if one is named.
    ///
    /// # Errors
    /// When there is no such run, it tunes no engine, its files cannot be read, or the user does
    /// not trust its engines.
    pub(super) fn find(&self, console: &Console) -> Result<Option<EarlierTune>> {
        let found = |named: &String| EarlierTune::find(named, TrustArg::new(self.trust), console);
        self.from.as_ref().map(found).transpose()
    }
}

/// The tune that another one continues.
pub(super) struct EarlierTune {
    path: PathBuf,
    id: String,
    tune: TuneWork,
    knobs: Vec<ContinuedKnob>,
    /// The values that are taken from it, in words.
    taken: &'static str,
}

impl EarlierTune {
    fn find(named: &str, trust: TrustArg, console: &Console) -> Result<Self> {
        let (run, wanted) = WantedSet::split(named);
        let tunes_engine = |path: &Path| {
            let head = ManifestHead::of(path);
            head.is_ok_and(|head| {
                head.work.tune().is_some_and(|tune| tune.config.engine().is_some())
            })
        };
        let path = match run {
            LAST => runs_folder().last_where(tunes_engine, "tunes an external engine")?,
            _ => find_run(Path::new(run))?,
        };
        let live = LiveRun::open(&path)?;
        let mut work = live.manifest().work.clone();
        trust.check(live.manifest(), &path, console)?;
        work.consent_to_engines();
        let tune = match work {
            Work::Tune(tune) if tune.config.engine().is_some() => tune,
            Work::Tune(_) => {
                return Err(Error::input(
                    format!("--from {named}"),
                    "it does not tune an external engine",
                )
                .remedy(format!("begin with its set: spar tune --start {}", quote(named))));
            }
            Work::Tournament(_) => {
                return Err(Error::input(format!("--from {named}"), "it is not a tune")
                    .remedy("name a tune of an engine; `spar runs` lists all runs"));
            }
        };
        let Some(summary) = live.summary()? else {
            return Err(Error::failed(path.display(), "has no summary"));
        };
        let (takes_answer, taken) = taken(&summary, wanted, &path, console);
        let knobs = tune.config.knobs().iter().zip(&summary.weights);
        let knobs = knobs.map(|(knob, row)| continued(knob, row, takes_answer)).collect();
        let id = live.manifest().run.clone();
        Ok(Self { id, path, tune, knobs, taken })
    }

    /// Its game with the referee, if it has one.
    ///
    /// # Errors
    /// When this program does not know the game.
    pub(super) fn game(&self) -> Result<JudgedGame> {
        let old = &self.tune.config;
        let (game, board) = (old.game_id()?, old.board.parse()?);
        Ok(JudgedGame { game, board, referee: old.referee.clone() })
    }

    /// The pairs of the match at longer limits; `None` if they follow from the number of games.
    pub(super) fn yardstick_pairs(&self, args: &TuneArgs) -> Option<u64> {
        let TuneSettings { limits, games, yardsticks, .. } = &self.tune.config;
        let usual = Yardsticks::at_longer_limits(*limits, *games, None).pairs;
        let own = (yardsticks.pairs != usual).then_some(yardsticks.pairs);
        if args.has("yardstick_pairs") { args.common.yardstick_pairs } else { own }
    }

    /// The settings of the new tune: the earlier ones, except where options are given again.
    ///
    /// # Errors
    /// When the engine does not start, a knob does not fit it any more, or a file cannot be read.
    pub(super) fn settings(
        &self,
        args: &TuneArgs,
        (of_matches, optimizer): (&MatchPlanArgs, &Optimizer),
        console: &Console,
    ) -> Result<TuneSettings> {
        let (old, common) = (&self.tune.config, &args.common);
        let (game, board) = (old.game_id()?, old.board.parse()?);
        let seed = if args.has("seed") { common.seed.seed } else { old.seed.wrapping_add(1) };
        let book_seed = TuneSettings::book_seed(seed);
        let book = match args.has_any(&["plies", "keep", "balance", "book", "book_plies"]) {
            true => common.openings.book(game, board, book_seed)?,
            false => BookConfig { seed: book_seed, ..old.book.part(BookPart::All) },
        };
        let limits = common.limits.given()?.filter(|_| args.has_any(LIMITS));
        let limits = limits.unwrap_or(old.limits);
        let games = common.games.filter(|_| args.has("games")).unwrap_or(old.games);
        let plan = self.plan(args, (of_matches, optimizer), &limits, console)?;
        let plan = Plan::Matches(Box::new(plan));
        let validation = match args.has("validation_pairs") {
            true => Validation::usual(common.validation_pairs)?,
            false => old.validation,
        };
        let adjudication = match args.has_any(&["resign", "draw", "no_adjudication", "adjudicate"])
        {
            true if common.adjudicate => Adjudication::Proven,
            true => common.adjudication.of(game),
            false => old.adjudication,
        };
        let max_plies = match args.has("max_plies") {
            true => common.adjudication.max_plies,
            false => old.max_plies,
        };
        let usual = TuneSettings::new(game, book, limits, seed, games, plan)?;
        let settings =
            TuneSettings { validation, adjudication, max_plies, rules: old.rules, ..usual };
        console.aside(self.text(&settings, console));
        Ok(settings)
    }

    /// The plan of the new tune. A knob left out keeps the value that the earlier tune reached.
    fn plan(
        &self,
        args: &TuneArgs,
        (of_matches, optimizer): (&MatchPlanArgs, &Optimizer),
        limits: &Limits,
        console: &Console,
    ) -> Result<MatchPlan> {
        let old = &self.tune.config;
        let Some(plan) = old.matches() else {
            return Err(Error::failed(self.path.display(), "is not a tune by matches"));
        };
        let on = (old.game_id()?, old.board.parse()?);
        let new_knobs = &of_matches.engine.knobs;
        let of_file = new_knobs.of_file()?;
        let (engine, started) = EngineKnobArgs::start(self.engine(args, of_matches)?, on, console)?;
        let mut options = self.options(args, optimizer);
        let lines = match of_file.is_some() || args.has("knobs_command") {
            true => {
                let lines = lines_of(&started, of_file, |note| console.note(note))?;
                options.take_gain(&lines).into_iter().for_each(|note| console.note(note));
                self.with_starts(lines)
            }
            false => self.knobs.iter().map(|knob| knob.line.clone()).collect(),
        };
        let knobs = of_matches.selection.options(lines, started.offered(), options.c)?;
        new_knobs.check_free(&knobs)?;
        check_limits(&started, on, limits)?;
        let opponents = match args.has_any(OPPONENTS) {
            true => of_matches.opponents.config(on.0, on.1, console)?,
            false => plan.opponents.clone(),
        };
        let picked = |id, new, old| if args.has(id) { new } else { old };
        let mut continued = MatchPlan {
            engine: Some(engine),
            constraints: match args.has("constrain") {
                true => of_matches.constrain.clone(),
                false => plan.constraints.clone(),
            },
            opponents,
            quick_share: picked("quick_share", of_matches.quick_share, plan.quick_share),
            quick_pairs: picked("quick_pairs", of_matches.quick_pairs, plan.quick_pairs),
            continues: Some(self.id.clone()),
            ..MatchPlan::new(Optimizer::Spsa(options), knobs)
        };
        let is_left = |own: &&ContinuedKnob| {
            let option = own.before.option();
            !continued.knobs.iter().any(|knob| knob.option().eq_ignore_ascii_case(option))
        };
        let left: Vec<&ContinuedKnob> = self.knobs.iter().filter(is_left).collect();
        continued.fix(left.iter().map(|own| (own.before.option(), own.line.kind, own.line.start)));
        Ok(continued)
    }

    /// The engine to start, without its recorded identity: its files may have changed since, for
    /// example because its author widened the bounds of its options.
    fn engine(&self, args: &TuneArgs, of_matches: &MatchPlanArgs) -> Result<ExternalEngine> {
        let Some(old) = self.tune.config.engine() else {
            return Err(Error::failed(self.path.display(), "does not tune an external engine"));
        };
        let new = of_matches.opponents.engine();
        let given = &of_matches.engine;
        let mut engine = old.clone();
        (engine.name, engine.identity) = (None, None);
        if let Some(command) = given.command() {
            (engine.command, engine.folder) = (EngineKnobArgs::program(command)?, None);
        }
        engine.options.retain(|(name, _)| {
            !given.knobs.option.iter().any(|(known, _)| known.eq_ignore_ascii_case(name))
        });
        engine.options.extend(given.knobs.option.iter().cloned());
        engine.knobs_command.clone_from(&given.knobs.knobs_command);
        if args.has("protocol") {
            engine.protocol = new.protocol;
        }
        let picked = |id, new, old| if args.has(id) { new } else { old };
        engine.margin_ms = picked("margin_ms", new.margin_ms, old.margin_ms);
        engine.timeout_seconds =
            picked("timeout_seconds", new.timeout_seconds, old.timeout_seconds);
        engine.forfeit_limit = picked("forfeit_limit", new.forfeit_limit, old.forfeit_limit);
        engine.restarts |= new.restarts;
        Ok(engine)
    }

    /// The options of the optimizer; a planned gain is planned again.
    fn options(&self, args: &TuneArgs, new: &Optimizer) -> SpsaOptions {
        let Optimizer::Spsa(new) = new;
        let old = match self.tune.config.matches().map(|plan| &plan.optimizer) {
            Some(Optimizer::Spsa(old)) => old,
            None => new,
        };
        let scales = args.has("scale");
        let of = |id| if args.has(id) { new } else { old };
        SpsaOptions {
            batch: if scales { new.batch } else { of("batch").batch },
            probes: of("probes").probes,
            ahead: if scales { new.ahead } else { of("ahead").ahead },
            scale: None,
            c: of("c").c,
            a: of("a").a,
            schedule: of("schedule").schedule,
            planned_games: None,
            elo_at_half_range: of("elo_at_half_range").elo_at_half_range,
            answer: of("answer").answer,
        }
    }

    /// The knobs of another description with the values of this tune, where they have the same
    /// names.
    fn with_starts(&self, lines: Vec<KnobLine>) -> Vec<KnobLine> {
        let line = |line: KnobLine| {
            let own = self.knobs.iter().find(|own| own.line.name == line.name);
            KnobLine { start: own.map_or(line.start, |own| own.line.start), ..line }
        };
        lines.into_iter().map(line).collect()
    }

    /// Everything that the new tune takes from this one, for people.
    fn text(&self, settings: &TuneSettings, console: &Console) -> String {
        let engine = settings.engine().map_or("", |engine| &engine.command);
        let mut facts = Facts::default();
        facts.add("begins with", format!("{} of {}", self.taken, self.path.display()));
        facts.add("engine", engine).add("limits", settings.limits.to_string());
        facts.add("games", units::count(settings.games));
        facts.add("openings", settings.book.words()).add("seed", settings.seed.to_string());
        let mut table =
            TextTable::new().left("knob").right("started").right("starts").right("bounds").left("");
        for knob in settings.knobs() {
            let old = self.knobs.iter().find(|own| own.before.name == knob.name);
            table.row(row(knob, old));
        }
        format!("{facts}\n{}\n", table.fit(console.width()))
    }
}

/// The options that limit a move.
const LIMITS: &[&str] = &["nodes", "depth", "movetime", "tc"];
/// The options about reference opponents.
const OPPONENTS: &[&str] = &[
    "opponent",
    "opponent_share",
    "opponent_option",
    "opponent_dir",
    "opponent_nodes",
    "opponent_depth",
    "opponent_movetime",
];

/// Whether a new tune takes the answer of a run, and in words which values it takes. Notes on
/// stderr if these are unproven.
fn taken(
    summary: &RunSummary,
    wanted: WantedSet,
    path: &Path,
    console: &Console,
) -> (bool, &'static str) {
    const START: &str = "the start values";
    let is_validated = summary.validation.games > 0;
    let run = path.display().to_string();
    match (wanted, summary.state) {
        (WantedSet::Start, _) => (false, START),
        (_, TuneState::Accepted) => (true, "the accepted answer"),
        (_, TuneState::Tuning | TuneState::Validating) => {
            console.note(format!("{run} is not finished: its values are not proven"));
            (true, "the latest values")
        }
        (WantedSet::Best, TuneState::Rejected) if is_validated => {
            let candidate = WantedSet::Candidate.name_of(&run);
            console.note(format!(
                "the validation of {run} did not accept its answer, so this tune begins with that run's start \
                 values; --from {} begins with the answer",
                quote(&candidate)
            ));
            (false, START)
        }
        (_, TuneState::Rejected) if !summary.changed => (false, START),
        (_, TuneState::Rejected) => {
            console.note(format!("the answer of {run} was not shown to be better"));
            (true, "the unproven answer")
        }
    }
}
