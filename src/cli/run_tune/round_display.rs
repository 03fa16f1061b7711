//! The progress of a tune in rounds, on stderr.

use crate::cli::progress::WholeWork;
use crate::cli::summary::elo_text;
use crate::cli::{Console, Detail, ProgressLine};
use crate::report::{TextTable, units};
use crate::search::Limits;
use crate::stats::Summary;
use crate::tune::logistic::fit::FitStep;
use crate::tune::network::{TrainConfig, TrainingStep};
use crate::tune::{
    FitRecord, FittingPlan, Plan, RoundEvent, RoundRecord, Schedule, TuneSettings, Uncertainty,
};

/// The content of a bar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RoundPhase {
    Games(u64),
    Fit(u64),
    Match(u64),
}

/// Draws the progress of the rounds.
pub(super) struct RoundDisplay {
    console: Console,
    bar: Option<(RoundPhase, ProgressLine)>,
    config: Option<FittingPlan>,
    /// The limits of the rounds' matches.
    limits: Limits,
    /// The games of the whole run.
    whole: WholeWork,
}

impl RoundDisplay {
    pub(super) fn new(console: &Console, config: &TuneSettings, whole: WholeWork) -> Self {
        // A fit before the matches of a tune plays at the limits of the quick pairs.
        let quick = config.matches().and_then(|plan| plan.quick_limits(&config.limits));
        let limits = quick.unwrap_or(config.limits);
        Self { console: *console, bar: None, config: config.fitting().cloned(), limits, whole }
    }

    pub(super) fn on_event(&mut self, event: RoundEvent) {
        match event {
            RoundEvent::Generated { round, games: [done, all], positions } => {
                let detail = || format!("round {round}: {} positions", units::count(positions));
                let bar = self.games_bar(RoundPhase::Games(round), Some(all), done);
                bar.set_total(all);
                bar.update(done, detail);
            }
            RoundEvent::Fitting(round, FitStep::Pass { trial, passes, loss }) => {
                let (each, total) = self.config.as_ref().map_or((1, None), |config| {
                    let all = config.fit.penalties.len() as u64;
                    let penalties = config.schedule().chooser(round).map_or(all, |_| 1);
                    (config.fit.iterations, Some(config.fit.iterations * penalties))
                });
                let done = trial as u64 * each + passes.min(each);
                let detail = || format!("round {round}: fitting, loss {loss:.6}");
                self.bar(RoundPhase::Fit(round), total, "passes", 0).update(done, detail);
            }
            RoundEvent::Fitting(_, FitStep::PenaltyResult(_)) => {}
            RoundEvent::Training(round, step, epochs) => self.training(round, step, epochs),
            RoundEvent::Fitted(record, uncertainty) => self.fitted(record, uncertainty),
            RoundEvent::Pair(round, counts) => {
                let detail =
                    || Detail::of_match(format!("round {round}"), Summary::of(&counts, None));
                let games = counts.games();
                self.games_bar(RoundPhase::Match(round), None, games).update(games, detail);
            }
            RoundEvent::NothingToFit(error) => {
                self.finish();
                self.console.aside(format!(
                    "no fit: {}: {}; the matches begin with the start",
                    error.place(),
                    error.reason()
                ));
            }
            RoundEvent::Judged(record) => self.judged(record),
        }
    }

    /// The bar of a phase, which begins with `done` things done.
    fn bar(
        &mut self,
        phase: RoundPhase,
        total: Option<u64>,
        unit: &'static str,
        done: u64,
    ) -> &mut ProgressLine {
        if self.bar.as_ref().is_some_and(|(known, _)| *known != phase) {
            self.finish();
        }
        let console = self.console;
        &mut self
            .bar
            .get_or_insert_with(|| {
                (phase, ProgressLine::new(&console, total, unit).resumed_at(done))
            })
            .1
    }

    /// As [`bar`](Self::bar), for games, which count for the whole run.
    fn games_bar(&mut self, phase: RoundPhase, total: Option<u64>, done: u64) -> &mut ProgressLine {
        if self.bar.as_ref().is_none_or(|(known, _)| *known != phase) {
            self.whole.next_part();
        }
        let whole_left = self.whole.left(done);
        let line = self.bar(phase, total, "games", done);
        line.set_whole_left(whole_left);
        line
    }

    pub(super) fn finish(&mut self) {
        if let Some((_, bar)) = self.bar.take() {
            bar.finish();
        }
    }

    fn training(&mut self, round: u64, step: TrainingStep, epochs: u64) {
        match step {
            TrainingStep::Positions { epoch, seen: [seen, all] } => {
                let detail = || format!("round {round}: training, epoch {epoch} of {epochs}");
                let before = (epoch - 1) * all;
                self.bar(RoundPhase::Fit(round), Some(epochs * all), "positions", before)
                    .update(before + seen, detail);
            }
            TrainingStep::Epoch(_) | TrainingStep::Restored(_) => {}
        }
    }

    fn fitted(&mut self, record: &FitRecord, uncertainty: Option<&Uncertainty>) {
        self.finish();
        let [training, validation] = record.positions.map(units::count);
        let loss = |loss: Option<f64>| loss.map_or("-".into(), |loss| format!("{loss:.6}"));
        let before = record.start.map_or(String::new(), |start| format!(", before {start:.6}"));
        let chosen = match (record.penalty(), record.epochs.get(record.best)) {
            (Some(penalty), _) => format!("; penalty {penalty}"),
            (None, Some(epoch)) => format!("; epoch {}", epoch.epoch),
            (None, None) => String::new(),
        };
        self.console.aside(format!(
            "round {}: fitted to {training} positions; loss on {validation} validation positions {}{before}{chosen}{}",
            record.round,
            loss(record.loss()),
            record.blend.map_or(String::new(), |blend| format!(", scores {:.0} %", 100.0 * blend)),
        ));
        let mut table = TextTable::new().left("  weight").right("value").right("error");
        for weight in uncertainty.iter().flat_map(|found| &found.weights) {
            let error = weight.error.map_or("-".into(), |error| format!("+- {error:.1}"));
            table.row([format!("  {}", weight.name), units::whole(weight.weight), error]);
        }
        for found in uncertainty.iter().flat_map(|found| &found.tables) {
            let cells = format!(
                "{} of {} cells",
                units::count(found.seen as u64),
                units::count(found.columns as u64)
            );
            table.row([format!("  {}", found.name), cells, format!("+- {:.1}", found.error)]);
        }
        if !table.is_empty() {
            self.console.aside(table);
        }
    }

    fn judged(&mut self, record: &RoundRecord) {
        self.finish();
        let summary = Summary::of(&record.pairs, None);
        let judged = if record.accepted { "accepted" } else { "not accepted" };
        self.console.aside(format!(
            "round {}: Elo {} over the best before it, {} pairs at {}: {judged}",
            record.round,
            elo_text(&summary),
            units::count(record.pairs.pairs()),
            self.limits
        ));
    }
}

/// The rounds of the tune in words, for the plan.
pub(super) fn plan_text(settings: &TuneSettings, schedule: &Schedule) -> String {
    let what = match &settings.plan {
        Plan::Fitting(plan) if !plan.fit.only.is_empty() => {
            format!(", fits {}", plan.fit.only.join(", "))
        }
        Plan::Training(plan) => {
            let TrainConfig { window, units, epochs, beside_start, .. } = plan.fit;
            let beside = if beside_start { " beside the weights of the start" } else { "" };
            format!(
                "\n  a network of {units} units over {window} windows{beside}, {epochs} epochs a round"
            )
        }
        Plan::Fitting(_) | Plan::Matches(_) => String::new(),
    };
    let rounds = schedule.most_rounds(settings.games);
    format!(
        "at most {} of {} games on average, later ones of more, at {}, {:.1} % random moves{what}\n  each round's \
         fit is accepted unless it is likely worse in a match of at most {} pairs",
        units::counted(rounds, "round"),
        units::count(schedule.planned_games(settings.games) / rounds.max(1)),
        settings.limits,
        schedule.self_play.deviate * 100.0,
        units::count(schedule.round_match(settings.games, &settings.validation).pairs),
    )
}
