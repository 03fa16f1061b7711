//! Tests of the model of a fit of options.

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
    simulated_with(TRUTH, seed, count)
}

/// Positions whose results come from these values.
fn simulated_with(truth: [f64; 4], seed: u64, count: u32) -> OptionHarvest {
    let mut random = generator(seed, &[]);
    let mut harvest = OptionHarvest::default();
    for game in 0..count {
        let value = 150.0 * normal(&mut random);
        let slopes: Vec<f64> = truth[..3].iter().map(|_| 20.0 * normal(&mut random)).collect();
        let moved: f64 = slopes.iter().zip(truth).map(|(slope, truth)| slope * truth).sum();
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
        assert!(found.better && best.validation < found.start_loss);
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

#[test]
fn scores_that_say_nothing_of_the_results_are_refused() {
    let refused = |change: &dyn Fn(usize, f64) -> f64| {
        let mut harvest = simulated(4, 2_000);
        for (place, position) in harvest.positions.iter_mut().enumerate() {
            position.value = change(place, position.value);
        }
        let found = harvest.fit(&config(), &Stop::default());
        let error = found.and_then(|found| {
            assert!(!found.better && found.with_fitted(&config().knobs)[0].fitted.is_none());
            found.check_predictive()
        });
        error.unwrap_err().to_string()
    };
    // White's view turns the score of every other position around.
    for even in [1.0, -1.0] {
        let white = refused(&|place, value| even * if place % 2 == 0 { value } else { -value });
        assert!(white.contains("from the side to move, as UCI demands"), "{white}");
    }
    let turned = refused(&|_, value| -value);
    assert!(turned.contains("the better ones belong to the worse results"), "{turned}");
}

#[test]
fn values_no_better_than_the_start_are_not_used() {
    let (mut used, mut unused) = (0, 0);
    for seed in 0..20 {
        let found = simulated_with([0.0; 4], seed, 300).fit(&config(), &Stop::default()).unwrap();
        let best = &found.trials[found.best];
        assert_eq!(found.better, best.validation < found.start_loss);
        let knobs = found.with_fitted(&config().knobs);
        assert_eq!(knobs[0].fitted.is_some(), found.better);
        *if found.better { &mut used } else { &mut unused } += 1;
    }
    assert!(used > 0 && unused > 5, "{used} used, {unused} not");
}
