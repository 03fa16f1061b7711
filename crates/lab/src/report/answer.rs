//! The answer of a tune of an external engine: as JSON, and as text to paste into the engine, into
//! its source or into another tuner.

mod source;

use super::csv::field;
use crate::error::shorten;
use crate::protocol::ExternalEngine;
use crate::report::{RunSummary, WeightRow};
use crate::run::{Record, RecordedChange, TuneWork};
use crate::search::Limits;
use crate::stats::Summary;
use crate::tune::engine_check::KnobsProbe;
use crate::tune::{GameRules, Knob, KnobKind, Optimizer, Stage, YardstickMatch};
use serde::Serialize;
use std::collections::BTreeMap;

/// How an answer is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
pub enum AnswerFormat {
    /// UCI commands
    Setoption,
    /// OpenBench's lines, with the tuned values as starts
    Openbench,
    /// Fishtest's lines, with the tuned values as starts
    Fishtest,
    /// Weather-factory's JSON, with the tuned values as starts
    WeatherFactory,
    /// Constants of C
    C,
    /// Constants of Rust
    Rust,
    /// All results, as in answer.json
    Json,
    /// A table
    Csv,
}

/// A knob's part of an answer.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct KnobAnswer {
    /// The value that the tune started from.
    pub start: f64,
    /// The value that the tune found, before rounding.
    pub tuned: f64,
    /// Half the width of its 95 % interval; null where it is not known.
    pub error: Option<f64>,
    /// The option that it sets.
    pub option: String,
    /// The value sent to the engine.
    pub value: String,
    /// Whether it ended at one of its bounds.
    pub at_bound: bool,
}

/// The answer of a tune of an external engine.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct EngineAnswer {
    /// The engine: its name, its command and its identity at the end of the run.
    pub engine: ExternalEngine,
    /// The engines that were replaced during the run, in the order of time; left out where none was.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub replaced: Vec<RecordedChange>,
    /// `trust` if only the engine knows the rules; left out otherwise.
    #[serde(skip_serializing_if = "GameRules::are_known")]
    pub rules: GameRules,
    /// The limits of each move.
    pub limits: Limits,
    /// The knobs by name.
    pub knobs: BTreeMap<String, KnobAnswer>,
    /// Whether the tuned values passed the validation.
    pub accepted: bool,
    /// The match of the tuned values against the start.
    pub validation: Summary,
    /// The match against the start at longer limits; null where none was played.
    pub longer: Option<YardstickMatch>,
    /// The probe of the knobs before the tune; null without one.
    pub probe: Option<KnobsProbe>,
    /// Games of the tune that the engine forfeited.
    pub forfeits: u64,
    /// Void pairs of the tune, which taught nothing because the engine forfeited a game.
    pub void: u64,
    #[serde(skip)]
    rows: Vec<(Knob, WeightRow)>,
    #[serde(skip)]
    gain: f64,
    #[serde(skip)]
    c: f64,
}

impl EngineAnswer {
    /// The answer of a tune; `None` where it does not tune an external engine.
    pub fn of(summary: &RunSummary, tune: &TuneWork, record: &Record) -> Option<Self> {
        let plan = tune.config.matches()?;
        let mut engine = plan.engine.clone()?;
        let replaced = record.engine_changes().to_vec();
        let its = replaced.iter().rev().find(|recorded| recorded.change.engine == engine.name());
        if let Some(RecordedChange { change, .. }) = its {
            engine.identity = Some(change.identity.clone());
        }
        let rows: Vec<(Knob, WeightRow)> =
            plan.knobs.iter().cloned().zip(summary.weights.iter().cloned()).collect();
        let knob = |(knob, row): &(Knob, WeightRow)| {
            let answer = KnobAnswer {
                start: row.start,
                tuned: row.tuned,
                error: row.error,
                option: knob.option().to_owned(),
                value: knob.kind.text(row.tuned),
                at_bound: row.at_bound,
            };
            (knob.name.clone(), answer)
        };
        let void = record.batches(Stage::Tune).flat_map(|batch| &batch.void);
        let (mut forfeits, mut pairs) = (0, 0);
        void.for_each(|&(_, games)| (forfeits, pairs) = (forfeits + u64::from(games), pairs + 1));
        let Optimizer::Spsa(options) = &plan.optimizer;
        Some(Self {
            engine,
            replaced,
            rules: tune.config.rules,
            limits: tune.config.limits,
            knobs: rows.iter().map(knob).collect(),
            accepted: summary.state == super::TuneState::Accepted,
            validation: summary.validation,
            longer: summary.yardsticks.first().cloned(),
            probe: plan.probe.clone(),
            forfeits,
            void: pairs,
            gain: options.planned_gain(tune.config.games),
            c: options.c,
            rows,
        })
    }

    /// What another tuner would do wrong with the answer in this format, in a sentence.
    pub fn caution(&self, format: AnswerFormat) -> Option<String> {
        let first = |is_one: fn(&Knob) -> bool| {
            let one = self.rows.iter().map(|(knob, _)| knob).find(|knob| is_one(knob));
            one.map(|knob| shorten(knob.option()))
        };
        let is_lines = matches!(format, AnswerFormat::Openbench | AnswerFormat::Fishtest);
        if let Some(name) = first(|knob| knob.option().contains(',')).filter(|_| is_lines) {
            return Some(format!("the comma in `{name}` ends a field of this format"));
        }
        let tuner = match format {
            AnswerFormat::Fishtest => "fishtest",
            AnswerFormat::WeatherFactory => "weather-factory",
            _ => return None,
        };
        let name = first(|knob| knob.kind == KnobKind::Float)?;
        Some(format!("{tuner} sets whole numbers only, and `{name}` is a float"))
    }

    /// The answer as text that ends with a line feed.
    pub fn text(&self, format: AnswerFormat) -> String {
        let line = |(knob, row): &(Knob, WeightRow)| self.line(format, knob, row);
        match format {
            AnswerFormat::Json => self.json(),
            AnswerFormat::WeatherFactory => self.weather_factory(),
            AnswerFormat::C | AnswerFormat::Rust => source::text(&self.rows, format),
            AnswerFormat::Csv => {
                "knob,start,tuned,error,min,max\n".to_owned()
                    + &self.rows.iter().map(line).collect::<String>()
            }
            AnswerFormat::Setoption | AnswerFormat::Openbench | AnswerFormat::Fishtest => {
                self.rows.iter().map(line).collect()
            }
        }
    }

    fn line(&self, format: AnswerFormat, knob: &Knob, row: &WeightRow) -> String {
        let (name, tuned) = (knob.option(), knob.kind.text(row.tuned));
        let kind = if knob.kind == KnobKind::Float { "float" } else { "int" };
        let ([min, max], step) = in_units_of_option(knob, self.c);
        let (step, gain) = (short(step), short(self.gain.min(1.0)));
        match format {
            AnswerFormat::Setoption => format!("setoption name {name} value {tuned}\n"),
            AnswerFormat::Openbench => {
                format!("{name}, {kind}, {tuned}, {min}, {max}, {step}, {gain}\n")
            }
            AnswerFormat::Fishtest => format!("{name},{tuned},{min},{max},{step},{gain}\n"),
            _ => {
                let [start, tuned] = [row.start, row.tuned].map(|value| knob.kind.shown(value));
                let (error, Knob { min, max, .. }) = (row.error.map_or(String::new(), short), knob);
                format!("{},{start},{tuned},{error},{min},{max}\n", field(&knob.name))
            }
        }
    }

    fn json(&self) -> String {
        serde_json::to_value(self).map_or(String::new(), |value| format!("{value:#}\n"))
    }

    fn weather_factory(&self) -> String {
        let knob = |(knob, row): &(Knob, WeightRow)| {
            let ([min, max], step) = in_units_of_option(knob, self.c);
            let value = match knob.kind {
                KnobKind::Scaled(factor) => (row.tuned * factor).round(),
                _ => row.tuned,
            };
            let entry = serde_json::json!({
                "value": value, "min_value": min, "max_value": max, "step": step,
            });
            (knob.option().to_owned(), entry)
        };
        let knobs: serde_json::Map<_, _> = self.rows.iter().map(knob).collect();
        format!("{:#}\n", serde_json::Value::Object(knobs))
    }
}

/// The bounds and the step of a knob in the units of its option, for other tuners, which know no
/// scale and no sign. `c` is a step as a share of the knob's range.
fn in_units_of_option(knob: &Knob, c: f64) -> ([f64; 2], f64) {
    let KnobKind::Scaled(factor) = knob.kind else { return ([knob.min, knob.max], knob.step(c)) };
    let whole =
        |value: f64| (knob.kind.nearest(value, [knob.min, knob.max]) * factor).round() + 0.0;
    let [a, b] = [whole(knob.min), whole(knob.max)];
    ([a.min(b), a.max(b)], knob.step(c) * factor.abs())
}

/// A number with four significant digits.
fn short(number: f64) -> String {
    format!("{number:.3e}").parse::<f64>().map_or(String::new(), |number| number.to_string())
}

#[cfg(test)]
mod tests;
