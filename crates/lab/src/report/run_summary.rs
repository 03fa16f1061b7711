//! The results of a run in numbers: the one source of the page, of `spar report`, and of the text
//! that a tune prints at its end.

use super::recorded::{
    decision, early_ends, forfeited_pairs, forfeits_of_validation, proof, start_name, state,
    void_games, void_pairs, yardsticks,
};
use super::rounds::rounds;
use super::tune_state::TuneState;
use super::weight_row::{WeightRow, weight_row};
use super::words::{early_remarks, forfeit_warning, own_referee, repeats_remark, trusted_rules};
use crate::arena::{EarlyEnds, MatchEnd};
use crate::error::Result;
use crate::report::{RoundRow, RunHistory};
use crate::run::{Manifest, Record, RecordedChange, TuneWork};
use crate::search::{Algorithm, Limits};
use crate::session::ledger::is_zero;
use crate::stats::{Decision, Sprt, Summary};
use crate::tune::engine_check::{KnobVerdict, KnobsProbe};
use crate::tune::{GameRules, MatchPlan, Method, OpponentsConfig, Stage, Target, YardstickMatch};
use serde::Serialize;
use std::time::Duration;

/// The contents of a report.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RunSummary {
    /// The name of the set that the run makes, with `-` for `/`.
    #[serde(rename = "id")]
    pub run: String,
    /// The state of the run.
    pub state: TuneState,
    /// The error that ended the run, if a resume would end with it again.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failure: Option<String>,
    /// The game by name, such as `breakthrough`.
    pub game: String,
    /// The board, columns x rows, such as `8x8`.
    pub board: String,
    /// Whether weights or search constants are tuned.
    pub target: Target,
    /// The tune's start: a player, or the search of one.
    pub start: String,
    /// The id of the earlier run whose values the tune began with (`spar tune --from`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub continues: Option<String>,
    /// The probe of the knobs before the tune.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub probe: Option<KnobsProbe>,
    /// The weight set that both sides of a tune of constants played with.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub played_with: Option<String>,
    /// Whether the run has its own search constants, in a file beside its weights.
    pub has_search: bool,
    /// The search of the players, where it is not the full search.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub algorithm: Option<Algorithm>,
    /// The method that `--method` chose.
    pub method: Method,
    /// Whether the candidate differs from the start, in an integer at least.
    pub changed: bool,
    /// Games of the tune that are finished.
    pub tune_games: u64,
    /// Games of the tune that are planned.
    pub planned_games: u64,
    /// Games finished, validation included.
    pub games: u64,
    /// The limits of a move.
    pub limits: Limits,
    /// The seed of all random numbers.
    pub seed: u64,
    /// The command of the engine that knows the rules, where this program does not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub referee: Option<String>,
    /// `trust` if only the tuned engine knows the rules; left out otherwise.
    #[serde(skip_serializing_if = "GameRules::are_known")]
    pub rules: GameRules,
    /// A remark if the tuned engine is its own referee, or is trusted without one.
    #[serde(skip)]
    pub own_referee: Option<String>,
    /// The opponents that a part of the pairs was played against.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub opponents: Option<String>,
    /// Pairs in which an opponent, an external engine, forfeited a game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub forfeited_pairs: Option<u64>,
    /// Games of the tune that the tuned engine forfeited.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub forfeits: Option<u64>,
    /// Pairs that taught nothing: the tuned engine forfeited a game, both sides lost on time, or the
    /// referee failed.
    #[serde(rename = "void", skip_serializing_if = "Option::is_none")]
    pub void_pairs: Option<u64>,
    /// Games of all stages that ended early.
    #[serde(skip_serializing_if = "EarlyEnds::is_empty")]
    pub early: EarlyEnds,
    /// Pairs of the validation that were equal move by move to earlier ones, and did not count.
    #[serde(skip_serializing_if = "is_zero")]
    pub validation_repeats: u64,
    /// `repeats` if the validation ended because its pairs had become repeats.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub validation_ended: Option<MatchEnd>,
    /// Forfeited games of the validation, and all that were played, repeats included.
    #[serde(skip)]
    pub validation_forfeits: [u64; 2],
    /// The external engines that were replaced between a stop and a resume.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub engine_changes: Vec<RecordedChange>,
    /// The version of the program that began the run.
    #[serde(rename = "program")]
    pub version: String,
    /// When the run began, in UTC.
    pub begun: String,
    /// When the last batch was finished, in UTC.
    pub latest: Option<String>,
    /// The Elo that the best values are expected to be ahead of the latest answer, if the surface
    /// is quadratic and every knob matters alike over its range; `None` where it is not known.
    pub elo_left: Option<f64>,
    /// Whether the validation contradicts that: its interval says that the answer is further behind
    /// the start than the best values could be ahead of the answer.
    #[serde(skip)]
    pub is_contradicted: bool,
    /// Whether the results are too few to tell an answer from the start.
    #[serde(skip)]
    pub is_untold: bool,
    /// The latest answers against the start, by the last probe pairs.
    pub recent: Summary,
    /// The match of the candidate against the start, with the frozen verdict.
    pub validation: Summary,
    /// How that match was decided; `None` before its end, or if it was not played.
    pub decision: Option<Decision>,
    /// The matches of the candidate against the yardsticks of the board, as far as they are played.
    pub yardsticks: Vec<YardstickMatch>,
    /// The test that decides the validation.
    pub sprt: Sprt,
    /// Maximum pairs of the validation match.
    pub validation_pairs: u64,
    /// How often the openings of the validation were used up and started over.
    pub openings_renewed: u64,
    /// The tuned weights, or the tuned constants; none for the logistic method, which fits too
    /// many.
    #[serde(rename = "knobs")]
    pub weights: Vec<WeightRow>,
    /// The rounds of the logistic method, as far as they were begun.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub rounds: Vec<RoundRow>,
    /// The round of the fit that a joined tune begins with, as far as it was begun.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub first_fit: Vec<RoundRow>,
    /// The limits of the match of that fit: as in quick pairs, if there are any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_fit_limits: Option<Limits>,
    /// The time spent on the run, over all resumes.
    #[serde(skip)]
    pub worked: Option<Duration>,
}

impl RunSummary {
    /// The summary of a run that is this tune.
    ///
    /// # Errors
    /// When the record and the manifest do not belong together.
    pub fn new(
        manifest: &Manifest,
        tune: &TuneWork,
        record: &Record,
        history: &RunHistory,
    ) -> Result<Self> {
        Self::with_unit(manifest, tune, record, history, Self::unit(tune)?)
    }

    /// The worth of a piece in the weights that a tune starts from; 0 if it tunes no weights.
    ///
    /// # Errors
    /// When the weights do not fit the game.
    pub fn unit(tune: &TuneWork) -> Result<f64> {
        // In units of the weights, which the scale divides.
        let scale = f64::from(tune.start.weights.scale.max(1));
        match tune.config.target() {
            Target::Weights => {
                Ok(f64::from(tune.config.game_id()?.evaluator(&tune.start.weights)?.unit()) * scale)
            }
            Target::Search | Target::Option => Ok(0.0),
        }
    }

    /// As [`new`](Self::new), with the [`unit`](Self::unit), which takes a while to compute if the
    /// start has tables.
    ///
    /// # Errors
    /// As there.
    pub fn with_unit(
        manifest: &Manifest,
        tune: &TuneWork,
        record: &Record,
        history: &RunHistory,
        unit: f64,
    ) -> Result<Self> {
        let TuneWork { config, start, .. } = tune;
        let perturbation = config.matches().map_or(0.0, |plan| plan.optimizer.perturbation());
        let weights: Vec<WeightRow> = config
            .knobs()
            .iter()
            .enumerate()
            .map(|(index, knob)| weight_row(knob, index, perturbation, unit, history))
            .collect();
        let first = config.fit_first(start);
        let first_fit = first.as_ref().map(|first| rounds(first, record)).unwrap_or_default();
        let rounds = rounds(config, record);
        let proof = proof(config, record)?;
        let validation = proof.summary();
        let is_contradicted = is_contradicted(history.elo_left, &validation);
        let state = state(record, history, &validation);
        let yardsticks = yardsticks(config, record);
        let last = record.batches(Stage::Validate).last();
        Ok(Self {
            run: manifest.run.clone(),
            state,
            failure: record.failure().map(Into::into),
            game: config.game.clone(),
            board: config.board.clone(),
            target: config.target(),
            start: start_name(tune),
            probe: config.matches().and_then(|plan| plan.probe.clone()),
            continues: config.matches().and_then(|plan| plan.continues.clone()),
            played_with: (config.target() == Target::Search).then(|| start.name.clone()),
            has_search: config.has_search(start),
            algorithm: config.matches().and_then(MatchPlan::other_algorithm),
            method: config.method(),
            changed: weights.iter().any(|row| row.change() != 0.0)
                || rounds.iter().any(|round| round.accepted == Some(true)),
            tune_games: history.games,
            planned_games: config.planned_games(),
            games: record.games(),
            limits: config.limits,
            seed: config.seed,
            opponents: config.opponents().map(OpponentsConfig::text),
            forfeited_pairs: forfeited_pairs(config, record),
            forfeits: config.engine().map(|_| void_games(record)),
            void_pairs: config.engine().map(|_| void_pairs(record)),
            early: early_ends(record),
            validation_repeats: proof.repeats(),
            validation_ended: proof.ended().filter(|&end| end == MatchEnd::Repeats),
            validation_forfeits: forfeits_of_validation(record),
            engine_changes: record.engine_changes().to_vec(),
            referee: config.referee.as_ref().map(|engine| engine.command.clone()),
            rules: config.rules,
            own_referee: own_referee(config.referee.as_ref(), config.engine().into_iter())
                .or_else(|| trusted_rules(config.rules, config.engine())),
            version: manifest.program.clone(),
            begun: manifest.time.clone(),
            latest: record.time().map(Into::into),
            elo_left: history.elo_left.filter(|_| !is_contradicted && !history.is_untold),
            is_contradicted,
            is_untold: history.is_untold,
            recent: history.recent(),
            decision: decision(record, &proof),
            validation,
            yardsticks,
            sprt: config.validation.sprt,
            validation_pairs: config.validation.pairs,
            openings_renewed: last.map_or(0, |batch| batch.book.stats.renewed),
            weights,
            rounds,
            first_fit,
            first_fit_limits: first.map(|first| first.limits),
            worked: record.worked(),
        })
    }

    /// The title of the run's page.
    pub fn title(&self) -> String {
        let what = match (self.target, self.algorithm) {
            (Target::Search, None) => "The search".to_owned(),
            (Target::Search, Some(algorithm)) => format!("The {algorithm} search"),
            (_, None) => self.start.clone(),
            (_, Some(algorithm)) => format!("{} under {algorithm}", self.start),
        };
        format!("{what} tuned by {} on {}", self.method, self.board)
    }

    /// That the errors of the weights rest on an assumption that the validation refutes.
    fn contradiction(&self) -> Option<String> {
        self.is_contradicted.then(|| {
            format!(
                "the errors of the {} are not to be trusted: by them the answer would hardly lose to the start, but the validation says so. Losses are not quadratic here; tune fewer {0} at a time, or give narrower --bounds",
                self.target.many()
            )
        })
    }

    /// Caveats of the result: engines were replaced, or pairs rest on forfeits.
    pub fn remarks(&self) -> Vec<String> {
        let changes = self.engine_changes.iter().map(RecordedChange::text);
        let warning =
            forfeit_warning(self.forfeited_pairs.unwrap_or(0), self.tune_games / 2, "pairs");
        let void = self.void_pairs.filter(|&pairs| pairs > 0).map(|pairs| {
            format!(
                "{} taught nothing: the tuned engine forfeited a game, both sides were late, or the referee failed",
                super::units::counted(pairs, "void pair")
            )
        });
        let [forfeited, played] = self.validation_forfeits;
        let proof = forfeit_warning(forfeited, played, "games")
            .map(|warning| format!("validation: {warning}"));
        let repeats = (self.validation_repeats > 0).then(|| {
            format!(
                "{} of the validation repeated earlier ones move by move, and did not count",
                super::units::counted(self.validation_repeats, "pair")
            )
        });
        let ended = self.validation_ended.map(|_| repeats_remark("the validation"));
        let early = early_remarks(&self.early, self.tune_games);
        let dead = self.probe.iter().flat_map(|probe| &probe.knobs);
        let dead = dead.filter(|knob| knob.verdict == KnobVerdict::Dead);
        let dead: Vec<&str> = dead.map(|knob| knob.name.as_str()).collect();
        let dead = (!dead.is_empty())
            .then(|| format!("dead knobs, with which no search differed: {}", dead.join(", ")));
        let proof = proof.into_iter().chain(repeats).chain(ended);
        let changes = changes.chain(self.own_referee.clone()).chain(dead);
        let changes = changes.chain(self.contradiction());
        changes.chain(warning).chain(void).chain(proof).chain(early).collect()
    }

    /// The weights that moved by more than their steps in the last quarter of the games.
    pub fn moving(&self) -> Vec<&WeightRow> {
        self.weights.iter().filter(|row| row.is_moving()).collect()
    }

    /// The share of the planned games of the tune that is finished, at most 1.
    pub fn share_done(&self) -> f64 {
        let done = match self.method {
            Method::Logistic | Method::Network => self.rounds.iter().map(|round| round.games).sum(),
            _ => self.tune_games,
        };
        (done as f64 / self.planned_games.max(1) as f64).min(1.0)
    }
}

/// Whether a validation shows that an answer is further behind the start than the best values are
/// said to be ahead of the answer, though they are no worse than the start.
fn is_contradicted(elo_left: Option<f64>, validation: &Summary) -> bool {
    elo_left.zip(validation.elo_high).is_some_and(|(left, high)| left < -high)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::PairCounts;

    #[test]
    fn a_validation_contradicts_an_answer_that_is_far_behind() {
        let worse = Summary::of(&PairCounts::from_array([60, 20, 80, 10, 30]), None);
        assert!(worse.elo_high.unwrap() < -20.0, "{worse:?}");
        assert!(is_contradicted(Some(1.2), &worse));
        assert!(!is_contradicted(Some(200.0), &worse) && !is_contradicted(None, &worse));
        let even = Summary::of(&PairCounts::from_array([20, 20, 80, 20, 20]), None);
        assert!(!is_contradicted(Some(1.2), &even));
        assert!(!is_contradicted(Some(1.2), &Summary::of(&PairCounts::default(), None)));
    }
}
