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
use crate::search::Stop;
use crate::tune::knob::Knob;
use crate::tune::logistic::fit::PenaltyResult;
use crate::tune::logistic::pass::sigmoid;
use crate::tune::rows::{MOST_COLUMNS, Ratio, Rows, fit_ratios};
use serde::Serialize;

/// Centipawns in a unit of the rows, which keeps the weights near 1.
const PAWN: f64 = 100.0;
/// The asymmetry from which a knob counts as bent: one side then moves scores three times as far as
/// the other.
const BENT: f64 = 0.5;

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
        Ok(FittedOptions {
            knobs: config.knobs.iter().enumerate().map(knob).collect(),
            scale,
            blend: config.blend,
            counts: self.counts,
            start_loss: start.trials[start.best].validation,
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
    /// The knobs with the fitted values, from which matches then start.
    pub fn with_fitted(&self, knobs: &[Knob]) -> Vec<Knob> {
        let fitted = |(knob, own): (&Knob, &FittedKnob)| Knob {
            fitted: own.estimate.map(|_| own.fitted),
            ..knob.clone()
        };
        knobs.iter().zip(&self.knobs).map(fitted).collect()
    }

    /// The names of the knobs that the fit does not see.
    pub fn unseen(&self) -> Vec<&str> {
        let unseen = self.knobs.iter().filter(|knob| knob.sight == KnobSight::Unseen);
        unseen.map(|knob| knob.name.as_str()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::Slope;
    use super::*;
    use crate::arena::seed::{generator, normal, uniform};
    use crate::arena::{Adjudication, GameEnds};
    use crate::search::Limits;
    use crate::tune::rows::RowsConfig;
    use crate::tune::{KnobKind, Target};
    use std::collections::BTreeMap;

    /// The best values of the knobs, in steps from their starts; the last one changes nothing.
    const TRUTH: [f64; 4] = [3.0, -2.0, 0.0, 0.0];
    const STEP: f64 = 0.05;
    const CP_PER_LOGIT: f64 = 150.0;

    fn config() -> OptionFitConfig {
        let knob = |number: usize| Knob {
            target: Target::Option,
            name: format!("knob_{number}"),
            kind: KnobKind::Float,
            start: 0.5,
            max: 1.0,
            range: 1.0,
            ..Knob::default()
        };
        OptionFitConfig {
            knobs: (0..TRUTH.len()).map(knob).collect(),
            c: STEP,
            positions: 0,
            limits: Limits::nodes(1),
            ends: GameEnds::from(Adjudication::Never),
            seed: 1,
            blend: 0.0,
            while_valued: BTreeMap::new(),
            rows: RowsConfig { penalties: vec![1.0], iterations: 50, validation_folds: 6 },
        }
    }

    /// Positions whose results come from the true values.
    fn simulated(seed: u64, count: u32) -> OptionHarvest {
        let mut random = generator(seed, &[]);
        let mut harvest = OptionHarvest::default();
        for game in 0..count {
            let value = 150.0 * normal(&mut random);
            let slopes: Vec<f64> = TRUTH[..3].iter().map(|_| 20.0 * normal(&mut random)).collect();
            let moved: f64 = slopes.iter().zip(TRUTH).map(|(slope, truth)| slope * truth).sum();
            let wins = uniform(&mut random) < sigmoid((value + moved) / CP_PER_LOGIT);
            let slope = |(knob, slope): (usize, &f64)| Slope {
                knob: knob as u16,
                slope: *slope as f32,
                // The third knob moves scores on one side only.
                bend: Some(if knob == 2 { 2.0 * *slope as f32 } else { 0.0 }),
            };
            harvest.positions.push(ValuedPosition {
                fen: "startpos".into(),
                game,
                searched: value + moved,
                result: f64::from(u8::from(wins)),
                value,
                slopes: slopes.iter().enumerate().map(slope).collect(),
            });
        }
        harvest
    }

    #[test]
    fn the_fit_finds_the_values_behind_the_results() {
        let (mut inside, mut all) = (0, 0);
        for seed in 0..20 {
            let found = simulated(seed, 3_000).fit(&config(), &Stop::default()).unwrap();
            for (knob, truth) in found.knobs.iter().zip(TRUTH).take(3) {
                let miss = (knob.estimate.unwrap() - 0.5 - truth * STEP).abs();
                inside += usize::from(miss <= knob.error.unwrap());
                all += 1;
            }
            let OptionScale { cp_per_logit, error } = found.scale;
            assert!((cp_per_logit - CP_PER_LOGIT).abs() < 2.0 * error, "{:?}", found.scale);
            let best = &found.trials[found.best];
            assert!(best.validation < found.start_loss);
        }
        assert!((52..=60).contains(&inside), "{inside} of {all} within their 95 % errors");
    }

    #[test]
    fn the_answer_says_what_it_does_not_see() {
        let found = simulated(1, 2_000).fit(&config(), &Stop::default()).unwrap();
        let sights: Vec<KnobSight> = found.knobs.iter().map(|knob| knob.sight).collect();
        assert_eq!(sights, [KnobSight::Seen, KnobSight::Seen, KnobSight::Bent, KnobSight::Unseen]);
        assert_eq!((found.unseen(), found.knobs[3].fitted), (vec!["knob_3"], 0.5));
        let knobs = found.with_fitted(&config().knobs);
        assert_eq!((knobs[0].start, knobs[3].fitted), (0.5, None));
        assert_eq!(knobs[0].fitted, Some(found.knobs[0].fitted));
        let blind = OptionFitConfig { knobs: config().knobs[3..].to_vec(), ..config() };
        let mut harvest = simulated(1, 100);
        harvest.positions.iter_mut().for_each(|position| position.slopes.clear());
        let error = harvest.fit(&blind, &Stop::default()).unwrap_err().to_string();
        assert!(error.contains("none of them moves a score"), "{error}");
    }

    #[test]
    fn scores_of_the_search_tell_more_than_results() {
        let error = |blend| {
            let config = OptionFitConfig { blend, ..config() };
            simulated(2, 2_000).fit(&config, &Stop::default()).unwrap().knobs[0].error.unwrap()
        };
        assert!(error(0.9) < error(0.0) / 3.0);
    }
}
