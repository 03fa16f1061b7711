//! Every feature of every game against a count on an array board, and scores against their
//! definition.

use crate::common::{TestedGame, below, boards, random_set, sample};
use rand_mt::Mt64;
use sparring::eval::{Evaluator, Game, explain};
use sparring::search::score::PROVEN;
use sparring::weights::MAX_WEIGHT;

/// Positions of games and positions that no game reaches, on every board, for both sides; finished
/// ones too.
fn positions<G: TestedGame>(seed: u64) -> Vec<G> {
    let mut generator = Mt64::new(seed);
    let mut all = Vec::new();
    for board in boards::<G>(25) {
        all.extend(sample::<G>(board, 20, generator.next_u64()));
        for _ in 0..20 {
            let density = 3 + below(&mut generator, 90);
            all.push(G::scattered(board, density, &mut generator));
            all.push(G::odd(board, &mut generator));
        }
    }
    let passed: Vec<G> = all.iter().filter_map(G::pass).collect();
    all.extend(passed);
    all
}

fn named<G: Game>(position: &G) -> Vec<(&'static str, i32)> {
    G::FEATURES.iter().map(|feature| feature.name).zip(position.features()).collect()
}

/// The greatest weights that a file may hold give no score that looks like a proven win, however
/// crowded the board.
fn no_score_looks_like_a_win<G: TestedGame>() {
    for position in G::crowded().into_iter().chain(positions(7)) {
        let sum: i64 = position.features().iter().map(|value| i64::from(value.abs())).sum();
        assert!(sum * i64::from(MAX_WEIGHT) < i64::from(PROVEN), "{sum} in {}", position.fen());
    }
}

/// Each feature has the value that its definition gives.
fn features_agree_with_an_array_board<G: TestedGame>() {
    for position in positions::<G>(1) {
        let features = named(&position);
        assert_eq!(features.len(), position.features().len());
        for (name, counted) in features {
            assert_eq!(counted, position.value(name), "{name} in {}", position.fen());
        }
    }
}

/// No feature exceeds the limit that its entry in the list states.
fn features_stay_within_their_limits<G: TestedGame>() {
    for position in positions::<G>(2).into_iter().chain(G::crowded()) {
        for (feature, value) in G::FEATURES.iter().zip(position.features()) {
            let within = value.unsigned_abs() <= feature.limit;
            assert!(within, "{} is {value} in {}", feature.name, position.fen());
        }
    }
}

/// The features that a fit of tables adds to them are features of the game.
fn what_stands_beside_tables_is_known<G: TestedGame>() {
    let known = |name: &&str| G::FEATURES.iter().any(|feature| feature.name == *name);
    assert!(G::TABLES.is_empty() || G::BESIDE_TABLES.iter().all(known));
}

/// The fast evaluation is the sum of weight x feature over the scale, rounded toward zero.
fn scores_are_the_weighted_sum<G: TestedGame>() {
    let mut generator = Mt64::new(3);
    let positions = positions::<G>(3);
    for round in 0..60 {
        let scale = 1 + below(&mut generator, 100) as i32;
        let most = [3, 100, 10_000, 100_000][round % 4];
        let set = random_set::<G>(most, if round % 5 == 0 { 1 } else { scale }, &mut generator);
        let evaluator = G::evaluator(&set).unwrap();
        assert!(evaluator.unit() >= 1);
        for position in positions.iter().skip(round).step_by(7) {
            let explained = explain(position, &set).unwrap();
            let sum: i64 =
                explained.terms.iter().map(|t| i64::from(t.weight) * i64::from(t.value)).sum();
            // Integer division in Rust rounds toward zero.
            assert_eq!(i64::from(explained.score), sum / i64::from(set.scale));
            assert_eq!(evaluator.evaluate(position), explained.score, "{}", position.fen());
        }
    }
}

/// A set with one weight scores by that feature alone, so that no two weights can be mixed up.
fn one_weight_alone_gives_its_feature<G: TestedGame>() {
    let positions = positions::<G>(4);
    for (index, feature) in G::FEATURES.iter().enumerate() {
        for weight in [1, -3] {
            let set = crate::common::weight_set::<G>(1, &[(feature.name, weight)]);
            let evaluator = G::evaluator(&set).unwrap();
            for position in positions.iter().skip(index).step_by(11) {
                let expected = weight * position.features()[index];
                assert_eq!(
                    evaluator.evaluate(position),
                    expected,
                    "{} in {}",
                    feature.name,
                    position.fen()
                );
            }
        }
    }
}

/// The two-sided features change their sign with the side to move.
fn two_sided_features_are_antisymmetric<G: TestedGame>() {
    let mut seen = 0;
    for position in positions::<G>(5) {
        let Some(passed) = position.pass() else { continue };
        seen += 1;
        for ((name, value), (_, turned)) in named(&position).into_iter().zip(named(&passed)) {
            assert!(!G::is_two_sided(name) || value == -turned, "{name} in {}", position.fen());
        }
    }
    assert!(seen > 500 || !G::PASSES, "{seen}");
}

/// A feature is the same for both sides, and on the images of the board.
fn features_are_the_same_on_symmetric_boards<G: TestedGame>() {
    for position in positions::<G>(6) {
        for symmetry in position.symmetries() {
            for ((name, value), (_, image)) in
                named(&position).into_iter().zip(named(&symmetry.image))
            {
                let excused = !G::is_symmetric(name, symmetry.name);
                assert!(excused || value == image, "{name}, {} {}", symmetry.name, position.fen());
            }
        }
    }
}

macro_rules! suite {
    ($($game:ident: $G:ty;)+) => {
        $(suite! { $game: $G {
            no_score_looks_like_a_win features_agree_with_an_array_board features_stay_within_their_limits
            what_stands_beside_tables_is_known scores_are_the_weighted_sum one_weight_alone_gives_its_feature
            two_sided_features_are_antisymmetric features_are_the_same_on_symmetric_boards
        } })+
    };
    ($game:ident: $G:ty { $($check:ident)+ }) => {
        mod $game {
            $(#[test] fn $check() { crate::features::$check::<$G>(); })+
        }
    };
}

/// The suite for each game.
mod suites {
    crate::games::each_game! { suite }
}
