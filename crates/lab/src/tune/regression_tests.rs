use super::*;
use crate::arena::seed::{generator, normal, uniform};
use crate::tune::{Optimizer, SpsaOptions};
use rand_mt::Mt64;

const C: f64 = 1.0 / 6.0;
const ELO: f64 = Optimizer::ELO_AT_HALF_RANGE;
/// Steps of the knobs, which the results must not depend on.
const STEPS: [f64; 4] = [1.0, 2.0, 5.0, 30.0];

/// Plays a batch around a point, all in steps, on a surface that loses `loss` Elo a square step.
fn batch_around(centre: &[f64], best: &[f64], loss: f64, random: &mut Mt64) -> BatchGradient {
    let mut batch = BatchGradient::new(best.len());
    for _ in 0..24 {
        let coin = |random: &mut _| if uniform(random) < 0.5 { 1.0 } else { -1.0 };
        let coins: Vec<f64> = best.iter().map(|_| coin(random)).collect();
        let elo = |sign: f64| -> f64 {
            let places = centre.iter().zip(&coins).zip(best);
            places.map(|((z, d), b)| -loss * (z + sign * d - b).powi(2)).sum()
        };
        let score = 1.0 / (1.0 + 10f64.powf((elo(-1.0) - elo(1.0)) / 400.0));
        let game = |random: &mut _| if uniform(random) < score { 1.0 } else { -1.0 };
        batch.add(&coins, game(random) + game(random));
    }
    batch
}

/// Plays `pairs` pairs around points scattered about `around` on a surface of the planned
/// curvature whose best point is `best`, in batches of 24; all in steps.
fn play(regression: &mut Regression, around: &[f64], best: &[f64], pairs: u64, seed: u64) {
    let mut random = generator(seed, &[]);
    for _ in 0..pairs / 24 {
        let centre: Vec<f64> = around.iter().map(|z| z + normal(&mut random)).collect();
        let batch = batch_around(&centre, best, 4.0 * ELO * C * C, &mut random);
        let own: Vec<f64> = centre.iter().zip(STEPS).map(|(z, step)| z * step).collect();
        regression.add(&own, &batch, 1.0);
    }
}

fn posterior(regression: &Regression) -> Posterior {
    regression.posterior(regression.means())
}

fn regression() -> Regression {
    Regression::new(vec![0.0; STEPS.len()], STEPS.to_vec(), C, ELO)
}

/// A tune: each batch moves the centre by its results, with this gain, on a surface that loses `loss`
/// Elo a square step.
fn walk(best: &[f64], pairs: u64, gain: f64, loss: f64, random: &mut Mt64) -> Regression {
    let gain = gain * SpsaOptions::default().planned_gain(2 * pairs);
    let knobs = best.len();
    let mut regression = Regression::new(vec![0.0; knobs], vec![1.0; knobs], C, ELO);
    let mut centre = vec![0.0; knobs];
    for _ in 0..pairs / 24 {
        let batch = batch_around(&centre, best, loss, random);
        regression.add(&centre, &batch, 1.0);
        let moves = centre.iter_mut().zip(&batch.surpluses);
        moves.for_each(|(centre, surplus)| *centre += gain * surplus);
    }
    regression
}

/// Best values this many steps from the start, and the generator that drew them.
fn scattered(knobs: usize, spread: f64, seed: u64) -> (Vec<f64>, Mt64) {
    let mut random = generator(seed, &[1]);
    ((0..knobs).map(|_| spread * normal(&mut random)).collect(), random)
}

/// For simulated tunes: the share of the best values within 1.96 errors, and the predicted Elo
/// ahead as a share of the true one.
fn tune(knobs: usize, spread: f64, pairs: u64, gain: f64, curvature: f64) -> (f64, f64) {
    const RUNS: u64 = 100;
    let loss = curvature * 4.0 * ELO * C * C;
    let (mut inside, mut left, mut lost) = (0, 0.0, 0.0);
    for seed in 0..RUNS {
        let (best, mut random) = scattered(knobs, spread, seed);
        let regression = walk(&best, pairs, gain, loss, &mut random);
        let Posterior { means, errors, .. } = posterior(&regression);
        left += errors.elo_left;
        for ((mean, best), error) in means.iter().zip(&best).zip(&errors.errors) {
            inside += u64::from((mean - best).abs() <= 1.96 * error);
            lost += loss * (mean - best).powi(2);
        }
    }
    (inside as f64 / (RUNS * knobs as u64) as f64, left / lost)
}

/// The errors of a fit to the walk alone held 58 to 80 % of the best values here.
#[test]
fn errors_cover_the_best_values_of_tunes() {
    for (knobs, spread, pairs, curvature) in [
        (4, 1.0, 2_400, 1.0),
        (14, 1.0, 600, 1.0),
        (14, 3.0, 2_400, 1.0),
        (14, 1.0, 2_400, 4.0),
        (30, 1.5, 2_400, 1.0),
    ] {
        let (inside, left) = tune(knobs, spread, pairs, 1.0, curvature);
        let case = format!("{knobs} knobs, {pairs} pairs: {inside:.3} inside, {left:.2} foretold");
        assert!((0.93..=0.99).contains(&inside), "{case}");
        assert!((0.8..1.25).contains(&left), "{case}");
    }
    // With a small gain the results tell less about the curvature, and the errors are wide.
    let (inside, left) = tune(14, 3.0, 2_400, 0.3, 1.0);
    assert!(inside > 0.93 && (0.8..1.5).contains(&left), "{inside} {left}");
}

#[test]
fn errors_of_a_walk_that_no_result_led_are_not_too_small() {
    let (mut inside, mut left, mut lost) = (0, 0.0, 0.0);
    const RUNS: u64 = 120;
    for seed in 0..RUNS {
        let mut random = generator(seed, &[1]);
        let best: Vec<f64> = STEPS.iter().map(|_| 2.0 * normal(&mut random)).collect();
        let mut regression = regression();
        let around: Vec<f64> = best.iter().map(|z| 0.8 * z).collect();
        play(&mut regression, &around, &best, 4_800, seed);
        let Posterior { means, errors, .. } = posterior(&regression);
        left += errors.elo_left;
        for i in 0..STEPS.len() {
            let off = means[i] - best[i] * STEPS[i];
            inside += u64::from(off.abs() <= 1.96 * errors.errors[i]);
            lost += 4.0 * ELO * C * C * (off / STEPS[i]).powi(2);
        }
    }
    let coverage = inside as f64 / (RUNS * STEPS.len() as u64) as f64;
    assert!(coverage > 0.95, "{coverage}");
    assert!((0.8..1.25).contains(&(left / lost)), "{left} foretold, {lost} lost");
}

#[test]
fn without_results_the_answer_is_the_start() {
    let open = posterior(&regression());
    assert_eq!(open.means, [0.0; 4]);
    assert_eq!(regression().least_loss(), [0.0; 4]);
    // Half a range away in each knob, by the plan.
    for (error, step) in open.errors.errors.iter().zip(STEPS) {
        assert!((error - 0.5 / C * step).abs() < 1e-9, "{:?}", open.errors);
    }
    assert!((open.errors.elo_left - 4.0 * ELO).abs() < 1e-9, "{}", open.errors.elo_left);
}

#[test]
fn the_start_gives_way_to_results() {
    let mut regression = regression();
    play(&mut regression, &[0.0; 4], &[3.0; 4], 24_000, 5);
    let answer = regression.means();
    for (value, step) in answer.iter().zip(STEPS) {
        assert!((value / step - 3.0).abs() < 1.0, "{answer:?}");
    }
}

#[test]
fn batches_without_wins_or_pairs_say_nothing_wrong() {
    let mut regression = regression();
    let mut even = BatchGradient::new(STEPS.len());
    regression.add(&[1.0; 4], &even, 1.0);
    even.add(&[1.0; 4], 0.0);
    regression.add(&[1.0; 4], &even, 1.0);
    regression.add(&[2.0; 4], &even, 1.0);
    let posterior = posterior(&regression);
    assert!(posterior.errors.elo_left.is_finite(), "{posterior:?}");
    assert!(posterior.means.iter().chain(&posterior.errors.errors).all(|x| x.is_finite()));
}

/// A tune of 300 pairs, this many of which are won by both games of one side, here and there.
fn nearly_level(decided: u64, seed: u64) -> Posterior {
    let (mut regression, mut random) = (regression(), generator(seed, &[2]));
    let every = 300 / decided;
    for batch in 0..20_u64 {
        let mut gradient = BatchGradient::new(STEPS.len());
        for pair in 15 * batch..15 * batch + 15 {
            let mut sign = || if uniform(&mut random) < 0.5 { 1.0 } else { -1.0 };
            let coins: Vec<f64> = STEPS.iter().map(|_| sign()).collect();
            let surplus = if pair % every == 7 { 2.0 * sign() } else { 0.0 };
            gradient.add(&coins, surplus);
        }
        let centre: Vec<f64> = STEPS.iter().map(|step| step * normal(&mut random)).collect();
        regression.add(&centre, &gradient, 1.0);
    }
    posterior(&regression)
}

#[test]
fn fewer_results_do_not_make_smaller_errors() {
    for seed in 0..10 {
        let [few, more] = [2, 25].map(|decided| nearly_level(decided, seed).errors.errors);
        for (few, more) in few.iter().zip(&more) {
            assert!(few > &(0.5 * more), "seed {seed}: {few} by 2 pairs, {more} by 25");
        }
    }
}

#[test]
fn level_pairs_alone_leave_the_errors_of_the_plan() {
    let (mut regression, mut level) = (regression(), BatchGradient::new(STEPS.len()));
    (0..24).for_each(|_| level.add(&[1.0; 4], 0.0));
    regression.add(&[0.0; 4], &level, 1.0);
    regression.add(&[0.0; 4], &level, 1.0);
    let posterior = posterior(&regression);
    assert_eq!(posterior.means, [0.0; 4]);
    for (error, step) in posterior.errors.errors.iter().zip(STEPS) {
        assert!((error - 0.5 / C * step).abs() < 1e-9, "{:?}", posterior.errors);
    }
}

#[test]
fn the_least_loss_is_less_than_that_of_a_single_slope() {
    for (knobs, spread, pairs, curvature, most) in [
        (4, 1.0, 600, 1.0, 0.75),
        (14, 1.0, 600, 1.0, 0.65),
        (14, 1.0, 2_400, 4.0, 0.9),
        (14, 3.0, 2_400, 1.0, 1.0),
    ] {
        let loss = curvature * 4.0 * ELO * C * C;
        let (mut by_one, mut by_all) = (0.0, 0.0);
        for seed in 0..100 {
            let (best, mut random) = scattered(knobs, spread, seed);
            let regression = walk(&best, pairs, 1.0, loss, &mut random);
            let lost = |answer: Vec<f64>| -> f64 {
                answer.iter().zip(&best).map(|(a, b)| loss * (a - b).powi(2)).sum()
            };
            by_one += lost(regression.means());
            by_all += lost(regression.least_loss());
        }
        assert!(by_all < most * by_one, "{knobs} knobs, {pairs} pairs: {by_all} of {by_one}");
    }
}
