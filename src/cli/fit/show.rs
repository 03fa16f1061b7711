//! The report of a fit, as text and as JSON.

use crate::cli::{Console, Role};
use crate::error::Result;
use crate::game::Board;
use crate::games::GameId;
use crate::report::words::{elo_text, percent_of};
use crate::report::{Facts, TextTable, units};
use crate::shell::quote;
use crate::stats::Summary;
use crate::tune::logistic::SetFit;
use crate::tune::logistic::fit::Fitted;
use crate::tune::logistic::scale::ScoreScale;
use crate::tune::logistic::uncertainty::{Correlation, FittedWeight, TableWeights};
use crate::tune::{PenaltyResult, Uncertainty};
use serde::Serialize;

/// A fit with everything that its report needs.
pub(super) struct FitReport<'a> {
    pub(super) game: GameId,
    pub(super) file: &'a str,
    /// The name of the set that the fit started from.
    pub(super) start: &'a str,
    /// The board of the positions.
    pub(super) board: Board,
    pub(super) read: u64,
    pub(super) fit: &'a SetFit<'a>,
    /// The errors of the weights.
    pub(super) uncertainty: &'a Uncertainty,
    /// The matches against the set without each weight.
    pub(super) losses: Vec<(String, Summary)>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::cli) struct FitJson<'a> {
    /// The path of the weight file written.
    weights: &'a str,
    game: &'static str,
    board: String,
    /// The fingerprint of the set in it.
    fingerprint: String,
    /// Positions read, without repetitions, for training, and for validation.
    positions: Positions,
    /// The divisor of the search's scores, in percent of a piece's worth per logit, for each file.
    k: &'a [f64],
    /// The standard errors of these; null where fewer than two folds have games.
    k_errors: Vec<Option<f64>>,
    /// The share of the search's score in the target.
    blend: f64,
    /// Units of the set's weights that make a logit.
    units_per_logit: f64,
    /// The loss per validation position at the start, in nats.
    start_loss: f64,
    /// The fits, one for each penalty that was tried.
    trials: &'a [PenaltyResult],
    /// The place of the best one.
    best: usize,
    /// The single weights, in units of the set; their losses per training position, in nats.
    features: &'a [FittedWeight],
    /// The tables, a few numbers for each.
    tables: &'a [TableWeights],
    /// The strongest correlations between single weights.
    correlations: &'a [Correlation],
    /// Matches against the set without a weight.
    matches: Vec<FitMatch<'a>>,
    /// The time of the whole command, in seconds.
    seconds: f64,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Positions {
    read: u64,
    distinct: u64,
    training: u64,
    validation: u64,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct FitMatch<'a> {
    /// The weight that one side lacked.
    without: &'a str,
    /// The match, from the side that has it.
    #[serde(flatten)]
    summary: &'a Summary,
}

/// A penalty and its result, as a row.
pub(super) fn trial_text(trial: &PenaltyResult) -> String {
    let PenaltyResult { penalty, iterations, training, validation, .. } = trial;
    let iterations = units::counted(*iterations, "iteration");
    format!("  penalty {penalty}: training {training:.6}, validation {validation:.6}, {iterations}")
}

/// Notes an answer that predicts no better than the start, whose loss this is.
pub(super) fn note_no_better(best: &PenaltyResult, start_loss: f64, console: &Console) {
    if best.validation >= start_loss {
        console.note(
            "the fitted weights do not predict the validation positions better than the start; \
             give more games",
        );
    }
}

impl FitReport<'_> {
    /// Prints all of it.
    ///
    /// # Errors
    /// When stdout cannot be written.
    pub(super) fn show(&self, seconds: f64, console: &Console) -> Result<()> {
        note_no_better(
            &self.fit.fitted.trials[self.fit.fitted.best],
            self.fit.fitted.start,
            console,
        );
        if console.json {
            return console.document(&self.document(seconds));
        }
        let fitted = |table: TextTable| table.fit(console.width());
        console.say(format!("\n{}\n\n{}", self.facts(seconds), fitted(self.trials())))?;
        if !self.uncertainty.weights.is_empty() {
            console.say(format!("\n{}", fitted(self.weights())))?;
        }
        if !self.uncertainty.correlations.is_empty() {
            console.say(format!("\n{}", fitted(self.correlations())))?;
        }
        if !self.uncertainty.tables.is_empty() {
            console.say(format!("\n{}", fitted(self.tables())))?;
        }
        console.say(REMARK)?;
        let file = quote(self.file);
        console.say(format!(
            "\n{}\n  spar match {file} {} --game {} --board {} --sprt 0,10 --pairs 2k",
            Role::Heading.paint("next"),
            quote(self.start),
            self.game,
            self.board,
        ))
    }

    fn document(&self, seconds: f64) -> FitJson<'_> {
        let (fit, found) = (self.fit, self.uncertainty);
        let [training, validation] = fit.fitted.positions;
        FitJson {
            weights: self.file,
            game: self.game.name,
            board: self.board.to_string(),
            fingerprint: fit.set.fingerprint(),
            positions: Positions { read: self.read, distinct: fit.distinct, training, validation },
            k: &fit.data.score_scales,
            k_errors: fit.scales.iter().map(|scale| scale.error).collect(),
            blend: fit.data.blend,
            units_per_logit: fit.units,
            start_loss: fit.fitted.start,
            trials: &fit.fitted.trials,
            best: fit.fitted.best,
            features: &found.weights,
            tables: &found.tables,
            correlations: &found.correlations,
            matches: self
                .losses
                .iter()
                .map(|(without, summary)| FitMatch { without, summary })
                .collect(),
            seconds,
        }
    }

    fn facts(&self, seconds: f64) -> Facts {
        let fit = self.fit;
        let [training, validation] = fit.fitted.positions.map(units::count);
        let scale_text = |scale: &ScoreScale| match scale.error {
            Some(error) => format!("{:.0} +- {error:.0}", scale.k),
            None => format!("{:.0}", scale.k),
        };
        let scales: Vec<String> = fit.scales.iter().map(scale_text).collect();
        let mut facts = Facts::default();
        facts.add(
            "positions",
            format!(
                "{}, of which {} are distinct",
                units::count(self.read),
                units::count(fit.distinct)
            ),
        );
        facts.add("training", training).add("validation", validation);
        facts.add("K", format!("{} {} per logit", scales.join(", "), percent_of(self.game)));
        facts.add(
            "a logit",
            format!(
                "{:.0} units of a weight, a score of {:.0}",
                fit.units,
                fit.units / f64::from(fit.set.scale)
            ),
        );
        facts.add("time", format!("{seconds:.1} s"));
        facts.add("written", self.file);
        facts
    }

    fn trials(&self) -> TextTable {
        let mut table = TextTable::new()
            .right("penalty")
            .right("iterations")
            .optional(2)
            .right("training loss")
            .optional(1)
            .right("validation loss")
            .right("difference")
            .left("");
        let start =
            ["start".into(), String::new(), String::new(), format!("{:.6}", self.fit.fitted.start)];
        table.row(start);
        let Fitted { trials, best, .. } = &self.fit.fitted;
        for (number, trial) in trials.iter().enumerate() {
            let mark = match &trials[*best] {
                _ if number == *best => "chosen",
                best if !trial.is_told_from(best) => "within two errors",
                _ => "",
            };
            let difference = trial.difference_error.map_or(String::new(), |error| {
                format!("{:+.6} +- {error:.6}", trial.validation - trials[*best].validation)
            });
            let losses = [trial.training, trial.validation].map(|loss| format!("{loss:.6}"));
            let [training, validation] = losses;
            table.row([
                trial.penalty.to_string(),
                trial.iterations.to_string(),
                training,
                validation,
                difference,
                mark.into(),
            ]);
        }
        table
    }

    /// The match of the set against the set without a weight, if it was played.
    fn elo(&self, name: &str) -> String {
        let found = self.losses.iter().find(|(known, _)| *known == name);
        found.map_or(String::new(), |(_, summary)| elo_text(summary))
    }

    fn weights(&self) -> TextTable {
        let mut table = TextTable::new()
            .left("weight")
            .shortened(12)
            .right("value")
            .right("error")
            .right("positions")
            .optional(1)
            .right("loss without")
            .left(self.elo_title());
        for FittedWeight { name, weight, error, shown, loss, .. } in &self.uncertainty.weights {
            table.row([
                name.clone(),
                units::whole(*weight),
                error_text(*error),
                units::count(*shown),
                loss_text(*loss),
                self.elo(name),
            ]);
        }
        table
    }

    fn elo_title(&self) -> &'static str {
        if self.losses.is_empty() { "" } else { "Elo over the set without it" }
    }

    fn tables(&self) -> TextTable {
        let table = TextTable::new()
            .left("table")
            .shortened(12)
            .right("cells")
            .optional(1)
            .right("seen")
            .right("rms")
            .optional(2)
            .right("mean error");
        let mut table = table.right("loss without").left(self.elo_title());
        for found in &self.uncertainty.tables {
            table.row([
                found.name.into(),
                units::count(found.columns as u64),
                units::count(found.seen as u64),
                format!("{:.1}", found.rms),
                error_text(Some(found.error)),
                loss_text(Some(found.loss)),
                self.elo(found.name),
            ]);
        }
        table
    }

    fn correlations(&self) -> TextTable {
        let mut table = TextTable::new()
            .left("strongest correlations of the errors")
            .left("")
            .shortened(12)
            .right("");
        for Correlation { a, b, correlation } in &self.uncertainty.correlations {
            table.row([a.clone(), b.clone(), format!("{correlation:+.3}")]);
        }
        table
    }
}

/// The legend of the columns.
const REMARK: &str = "
Difference: the validation loss minus the loss of the chosen penalty, with its standard
error over the games. Within two errors the validation games cannot tell the
penalties apart.
Error: the standard error of the weight over the games, the error of K included, wider if
few games inform the weight: 95 % of true weights lie within 1.96 errors. It
leaves out the penalty's pull on the weight. For a table's cells it holds all else
fixed, K too.
Positions: the ones that show the feature.
Loss without: the rise of the loss per position without the weight, in millionths of
a nat, as if the other weights were fitted again; for a table they stay as they are.";

fn error_text(error: Option<f64>) -> String {
    error.map_or("-".into(), |error| format!("+- {error:.1}"))
}

fn loss_text(loss: Option<f64>) -> String {
    loss.map_or("-".into(), |loss| format!("{:.1}", loss * 1e6))
}
