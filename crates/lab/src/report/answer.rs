//! The answer of a tune of an external engine: as JSON, and as text to paste into the engine, into
//! its source or into another tuner.

use super::csv::field;
use crate::protocol::ExternalEngine;
use crate::report::{RunSummary, WeightRow};
use crate::run::{Record, TuneWork};
use crate::search::Limits;
use crate::stats::Summary;
use crate::tune::engine_check::KnobsProbe;
use crate::tune::{GameRules, Knob, KnobKind, Optimizer, Stage, YardstickMatch};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::Write;

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
    /// The engine: its name, its command and its identity.
    pub engine: ExternalEngine,
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
        let engine = plan.engine.clone()?;
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

    /// The answer as text that ends with a line feed.
    pub fn text(&self, format: AnswerFormat) -> String {
        let line = |(knob, row): &(Knob, WeightRow)| self.line(format, knob, row);
        match format {
            AnswerFormat::Json => self.json(),
            AnswerFormat::WeatherFactory => self.weather_factory(),
            AnswerFormat::C | AnswerFormat::Rust => self.source(format),
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

    /// The knobs as constants. The elements of an array become one constant if none is missing.
    fn source(&self, format: AnswerFormat) -> String {
        // The name of each array, and its elements: their indices, knobs and answers.
        let mut arrays: Vec<(&str, Vec<(Vec<usize>, _, _)>)> = Vec::new();
        for (knob, row) in &self.rows {
            let (base, indices) = element(&knob.name);
            match arrays.iter_mut().find(|(known, elements)| {
                *known == base && !indices.is_empty() && elements[0].0.len() == indices.len()
            }) {
                Some((_, elements)) => elements.push((indices, knob, row)),
                None => arrays.push((base, vec![(indices, knob, row)])),
            }
        }
        let mut text = String::new();
        for (base, mut elements) in arrays {
            elements.sort_by(|a, b| a.0.cmp(&b.0));
            let sizes = sizes(&elements);
            let size = sizes.iter().try_fold(1_usize, |all, &size| all.checked_mul(size));
            if size == Some(elements.len()) {
                let is_int = elements.iter().all(|(_, knob, _)| knob.kind.is_int());
                let values: Vec<String> = elements
                    .iter()
                    .map(|(_, knob, row)| number(knob.kind, row.tuned, is_int))
                    .collect();
                declare(&mut text, format, base, is_int, &sizes, &values);
                continue;
            }
            for (_, knob, row) in elements {
                let is_int = knob.kind.is_int();
                let value = number(knob.kind, row.tuned, is_int);
                declare(&mut text, format, &knob.name, is_int, &[], &[value]);
            }
        }
        text
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

/// The name and the indices of an element such as `x[3][1]`.
fn element(name: &str) -> (&str, Vec<usize>) {
    let (base, rest) = name.split_at(name.find('[').unwrap_or(name.len()));
    let indices = rest.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
    let indices = indices.map(|text| text.split("][").map(str::parse::<usize>).collect());
    match indices {
        Some(Ok(indices)) => (base, indices),
        _ => (name, Vec::new()),
    }
}

/// The sizes of the array that has these elements.
fn sizes(elements: &[(Vec<usize>, &Knob, &WeightRow)]) -> Vec<usize> {
    let dimensions = elements.first().map_or(0, |(indices, ..)| indices.len());
    let largest = |at: usize| elements.iter().filter_map(|(indices, ..)| indices.get(at)).max();
    (0..dimensions).map(|at| largest(at).map_or(0, |&most| most.saturating_add(1))).collect()
}

/// A value as a literal.
fn number(kind: KnobKind, value: f64, is_int: bool) -> String {
    let text = kind.shown(value);
    match is_int || text.contains(['.', 'e']) {
        true => text,
        false => text + ".0",
    }
}

/// The name of an option as an identifier: unchanged if it is one, otherwise its words joined by
/// underscores.
fn identifier(name: &str) -> String {
    let is_sign = |c: char| c.is_alphanumeric() || c == '_';
    let words = name.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let name = match name.chars().all(is_sign) {
        true => name.to_owned(),
        false => words.collect::<Vec<_>>().join("_"),
    };
    match name.starts_with(|c: char| c.is_ascii_digit()) {
        true => format!("_{name}"),
        false => name,
    }
}

fn declare(
    text: &mut String,
    format: AnswerFormat,
    name: &str,
    is_int: bool,
    sizes: &[usize],
    values: &[String],
) {
    let name = identifier(name);
    // Writing to a text cannot fail.
    let _ = match format {
        AnswerFormat::Rust => {
            let element = if is_int { "i32" } else { "f64" };
            let kind = sizes
                .iter()
                .rev()
                .fold(element.to_owned(), |inner, size| format!("[{inner}; {size}]"));
            let values = nested(sizes, values, ['[', ']']);
            writeln!(text, "pub const {}: {kind} = {values};", name.to_uppercase())
        }
        _ => {
            let element = if is_int { "int" } else { "double" };
            let dimensions: String = sizes.iter().map(|size| format!("[{size}]")).collect();
            let values = nested(sizes, values, ['{', '}']);
            writeln!(text, "{element} {name}{dimensions} = {values};")
        }
    };
}

/// Values in brackets, one pair for each row.
fn nested(sizes: &[usize], values: &[String], [open, close]: [char; 2]) -> String {
    let Some((_, inner)) = sizes.split_first() else { return values.concat() };
    let size = inner.iter().product::<usize>().max(1);
    let rows: Vec<String> =
        values.chunks(size).map(|row| nested(inner, row, [open, close])).collect();
    format!("{open}{}{close}", rows.join(", "))
}

/// A number with four significant digits.
fn short(number: f64) -> String {
    format!("{number:.3e}").parse::<f64>().map_or(String::new(), |number| number.to_string())
}

#[cfg(test)]
mod tests;
