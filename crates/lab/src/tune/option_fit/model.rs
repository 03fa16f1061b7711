//! The logistic model of a fit of options: the score at the start, and its change for a step of
//! each knob.
//!
//! The log-odds of a result are b (v + sum of d J), with the score v at the start, the slopes J of
//! the knobs and their moves d in steps. It is fitted as b v + sum of w J, where b is free and a
//! prior pulls each w toward 0, which is the start. A move is d = w / b, with an error by the delta
//! method.

use super::probe::step_of;
use super::{HarvestCounts, OptionFitConfig, OptionHarvest, ValuedPosition};
use crate::error::{Error, Result};
use crate::report::units;
use crate::search::Stop;
use crate::tune::knob::Knob;
use crate::tune::logistic::fit::PenaltyResult;
use crate::tune::logistic::pass::sigmoid;
use crate::tune::rows::{MOST_COLUMNS, Ratio, Rows, fit_ratios, not_predictive};
use serde::Serialize;
use std::collections::BTreeMap;

/// Centipawns in a unit of the rows, which keeps the weights near 1.
const PAWN: f64 = 100.0;
/// The asymmetry from which a knob counts as bent: one side then moves scores three times as far as
/// the other.
const BENT: f64 = 0.5;
/// Hundredths of a pawn that are roughly a logit of the result.
const CP_OF_A_LOGIT: f64 = 200.0;
/// The standard errors from 0 beyond which scores are certain to bear on results.
const CERTAIN: f64 = 1.96;

/// How well the fit sees a knob.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum KnobSight {
    /// The knob moves scores alike on both sides of its start.
    Seen,
    /// The knob moves scores, but not alike: the fit's straight line is a poor guide to values far
    /// away.
    Bent,
    /// The knob moves no score: the fit cannot see it, and only matches can tune it.
    Unseen,
}

/// A knob's part of the answer.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FittedKnob {
    /// The name of the knob.
    pub name: String,
    /// The value that the fit started from.
    pub start: f64,
    /// The fitted value, rounded to a value that the knob can have within its bounds.
    pub fitted: f64,
    /// The fitted value before rounding and bounds; null if the fit does not see the knob.
    pub estimate: Option<f64>,
    /// Half the width of its 95 % interval; null if the positions do not determine it.
    pub error: Option<f64>,
    /// Half the distance between the two values whose scores were compared.
    pub step: f64,
    /// Positions whose score the knob moves.
    pub shown: u64,
    /// The asymmetry of the knob around its start: 0 if the value above and the value below move
    /// the scores alike, 1 if only the one above moves them, -1 if only the one below does; null if
    /// only one is within the bounds.
    pub bend: Option<f64>,
    /// Whether the fit sees the knob.
    pub sight: KnobSight,
    /// Whether the fitted value is at a bound.
    pub at_bound: bool,
    /// The fitted value, as text for the engine.
    pub value: String,
}

/// The scale of the engine's scores.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct OptionScale {
    /// Hundredths of a pawn in a logit of the result, with the fitted values.
    pub cp_per_logit: f64,
    /// Half the width of its 95 % interval.
    pub error: f64,
}

/// The answer of a fit of options.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FittedOptions {
    /// The knobs, in their order.
    pub knobs: Vec<FittedKnob>,
    /// The scale of the scores.
    pub scale: OptionScale,
    /// Weight of the search score in the target.
    pub blend: f64,
    /// The counts of games and positions.
    pub counts: HarvestCounts,
    /// The loss per validation position with the values of the start, in nats.
    pub start_loss: f64,
    /// The fits, one for each penalty that was tried.
    pub trials: Vec<PenaltyResult>,
    /// The place of the best fit.
    pub best: usize,
    /// Whether the scores predict the results beyond chance.
    #[serde(skip)]
    pub predictive: bool,
    /// Whether the best fit predicts the validation positions better than the values of the start;
    /// if not, its values are not used.
    pub better: bool,
    /// Training and validation positions.
    pub rows: [u64; 2],
}

/// Sums over the slopes of a knob.
#[derive(Clone, Copy, Debug, Default)]
struct SlopeSums {
    shown: u64,
    slopes: f64,
    /// The sum of the squared slopes of positions with both sides.
    two_sided: f64,
    /// The sum of slopes times bends.
    products: f64,
    is_bent: bool,
}

impl SlopeSums {
    fn bend(&self) -> Option<f64> {
        // The sides move a score by slope + bend / 2 and by slope - bend / 2. The bends of rounding
        // and of occasional other best moves go either way, and cancel.
        (self.two_sided > 0.0).then(|| self.products / self.two_sided / 2.0)
    }
}

/// The sums over the slopes of each knob.
fn sums(positions: &[ValuedPosition], knobs: usize) -> Vec<SlopeSums> {
    let mut sums = vec![SlopeSums::default(); knobs];
    for slope in positions.iter().flat_map(|position| &position.slopes) {
        let own = &mut sums[usize::from(slope.knob)];
        let square = f64::from(slope.slope).powi(2);
        own.shown += u64::from(slope.slope != 0.0);
        own.slopes += square;
        if let Some(bend) = slope.bend {
            own.two_sided += square;
            own.products += f64::from(slope.slope) * f64::from(bend);
            own.is_bent |= bend != 0.0;
        }
    }
    sums
}

impl OptionHarvest {
    /// Fits the knobs to the positions.
    ///
    /// # Errors
    /// When the fit sees no knob, the scores do not predict the results, there are too few
    /// positions, or the fit is stopped.
    pub fn fit(&self, config: &OptionFitConfig, stop: &Stop) -> Result<FittedOptions> {
        let sums = sums(&self.positions, config.knobs.len());
        let seen: Vec<usize> = (0..sums.len()).filter(|&knob| sums[knob].slopes > 0.0).collect();
        check_seen(&seen)?;
        let evidence = evidence(&self.positions);
        if evidence < -CERTAIN {
            return Err(not_predictive("the better ones belong to the worse results"));
        }
        let predictive = evidence > CERTAIN;
        let targets = self.targets(config, stop)?;
        let names = seen.iter().map(|&knob| config.knobs[knob].name.clone()).collect();
        // All columns get the same scale, so that one penalty suits them all.
        let size = |&knob: &usize| (sums[knob].slopes / self.positions.len() as f64).sqrt() / PAWN;
        let sizes: Vec<f64> = seen.iter().map(size).collect();
        let mut place = vec![None; sums.len()];
        seen.iter().enumerate().for_each(|(at, &knob)| place[knob] = Some(at));
        let all = self.rows(&targets, names, |position, values| {
            values[0] = (position.value / PAWN) as f32;
            for slope in &position.slopes {
                if let Some(at) = place[usize::from(slope.knob)] {
                    values[at + 1] = (f64::from(slope.slope) / PAWN / sizes[at]) as f32;
                }
            }
        });
        let alone = self.rows(&targets, Vec::new(), |position, values| {
            values[0] = (position.value / PAWN) as f32;
        });
        let (start, _) = fit_ratios(&alone, &config.rows, stop)?;
        let (fitted, ratios) = fit_ratios(&all, &config.rows, stop)?;
        let base = &fitted.weights[0];
        let cp_per_logit = PAWN / base.weight;
        let scale = OptionScale {
            cp_per_logit,
            error: base.error.map_or(0.0, |error| cp_per_logit * error / base.weight),
        };
        let knob = |(index, knob): (usize, &Knob)| {
            let moved = place[index].map(|at| {
                let Ratio { value, error } = ratios[at + 1];
                Ratio { value: value / sizes[at], error: error.map(|error| error / sizes[at]) }
            });
            answer(knob, step_of(knob, config.c), moved, &sums[index])
        };
        let start_loss = start.trials[start.best].validation;
        Ok(FittedOptions {
            knobs: config.knobs.iter().enumerate().map(knob).collect(),
            scale,
            blend: config.blend,
            counts: self.counts,
            start_loss,
            predictive,
            better: predictive && fitted.trials[fitted.best].validation < start_loss,
            trials: fitted.trials,
            best: fitted.best,
            rows: fitted.rows,
        })
    }

    /// The targets of the fit: results, blended with the scores of the searches in the games.
    fn targets(&self, config: &OptionFitConfig, stop: &Stop) -> Result<Vec<f32>> {
        let results: Vec<f32> =
            self.positions.iter().map(|position| position.result as f32).collect();
        if config.blend == 0.0 {
            return Ok(results);
        }
        let searched = self.rows(&results, Vec::new(), |position, values| {
            values[0] = (position.searched / PAWN) as f32;
        });
        let scale = fit_ratios(&searched, &config.rows, stop)?.0.weights[0].weight;
        let blended = self.positions.iter().map(|position| {
            let expected = sigmoid(position.searched / PAWN * scale);
            ((1.0 - config.blend) * position.result + config.blend * expected) as f32
        });
        Ok(blended.collect())
    }

    /// Rows with a column for a score, and a column for each of these names.
    fn rows(
        &self,
        targets: &[f32],
        names: Vec<String>,
        set: impl Fn(&ValuedPosition, &mut [f32]),
    ) -> Rows {
        let mut rows = Rows::new(["score".to_owned()].into_iter().chain(names).collect());
        let mut values = vec![0.0; rows.names.len()];
        for (position, &target) in self.positions.iter().zip(targets) {
            values.fill(0.0);
            set(position, &mut values);
            rows.push(&values);
            rows.results.push(target);
            rows.games.push(position.game);
        }
        rows
    }
}

/// The sum over the games of score times result, both from -1/2 to 1/2, in its standard errors; 0
/// without a score in a decided game. If scores say nothing of results, it is as often negative as
/// positive, and rarely beyond [`CERTAIN`].
fn evidence(positions: &[ValuedPosition]) -> f64 {
    let mut games: BTreeMap<u32, f64> = BTreeMap::new();
    for position in positions {
        // Squashed, so that no single game of large scores decides.
        let score = sigmoid(position.value / CP_OF_A_LOGIT) - 0.5;
        *games.entry(position.game).or_default() += score * (position.result - 0.5);
    }
    let squares: f64 = games.values().map(|game| game * game).sum();
    if squares > 0.0 { games.values().sum::<f64>() / squares.sqrt() } else { 0.0 }
}

/// Checks that there is something to fit.
fn check_seen(seen: &[usize]) -> Result<()> {
    match seen.len() {
        0 => Err(Error::input("knobs", "none of them moves a score at one ply").remedy(
            "tune them by matches: spar tune --engine; or check the engine with `spar check`",
        )),
        known if known >= MOST_COLUMNS => {
            Err(Error::input("knobs", format!("{known} of them move scores, which is too many"))
                .remedy(format!("choose fewer than {MOST_COLUMNS} with --only")))
        }
        _ => Ok(()),
    }
}

/// A knob's part of the answer; `moved` is its move and the error of the move, in steps.
fn answer(knob: &Knob, step: f64, moved: Option<Ratio>, sums: &SlopeSums) -> FittedKnob {
    let estimate = moved.map(|moved| knob.start + step * moved.value);
    let bounds = [knob.min, knob.max];
    let fitted = match estimate.map(|value| value.clamp(knob.min, knob.max)) {
        Some(value) => knob.kind.nearest(value, bounds),
        None => knob.start,
    };
    let bend = sums.bend();
    let sight = match bend {
        _ if moved.is_none() && !sums.is_bent => KnobSight::Unseen,
        None if moved.is_none() => KnobSight::Bent,
        Some(bend) if bend.abs() > BENT => KnobSight::Bent,
        _ => KnobSight::Seen,
    };
    FittedKnob {
        name: knob.name.clone(),
        start: knob.start,
        fitted,
        estimate,
        error: moved.and_then(|moved| moved.error).map(|error| error * step),
        step,
        shown: sums.shown,
        bend,
        sight,
        at_bound: moved.is_some() && bounds.contains(&fitted),
        value: knob.kind.text(fitted),
    }
}

impl FittedOptions {
    /// The knobs with the fitted values, from which matches then start; with none where these are
    /// no better than the start.
    pub fn with_fitted(&self, knobs: &[Knob]) -> Vec<Knob> {
        let fitted = |(knob, own): (&Knob, &FittedKnob)| Knob {
            fitted: own.estimate.filter(|_| self.better).map(|_| own.fitted),
            ..knob.clone()
        };
        knobs.iter().zip(&self.knobs).map(fitted).collect()
    }

    /// Checks that the scores predict the results beyond chance.
    ///
    /// # Errors
    /// When they may be of no use.
    pub fn check_predictive(&self) -> Result<()> {
        let games = units::counted(self.counts.games, "game");
        match self.predictive {
            true => Ok(()),
            false => Err(not_predictive(&format!(
                "in {games} they predict the results no better than chance could"
            ))),
        }
    }

    /// The names of the knobs that the fit does not see.
    pub fn unseen(&self) -> Vec<&str> {
        let unseen = self.knobs.iter().filter(|knob| knob.sight == KnobSight::Unseen);
        unseen.map(|knob| knob.name.as_str()).collect()
    }
}

#[cfg(test)]
mod tests;
