//! Weights by phase: sets with them against their definition, and equal early and late weights
//! against plain ones.

use crate::common::{random_set, sample};
use rand_mt::Mt64;
use sparring::any::{AnyPosition, TABLE_BYTES};
use sparring::eval::Game;
use sparring::game::Repetitions;
use sparring::game::openings::below;
use sparring::games::{Ataxx, Breakthrough, Breakthru, GameId};
use sparring::search::{Algorithm, Limits, Options, Stop};
use sparring::tune::Selection;
use sparring::weights::{
    FORMAT_WITH_PHASES, LAST_PHASE, Phase, Weight, WeightSet, find, weight_at,
};

/// A random set in which about half of the features have random early and late weights.
fn random_phases<G: Game>(generator: &mut Mt64) -> WeightSet {
    let mut set = random_set::<G>(300, 7, generator);
    for feature in G::FEATURES {
        if below(generator, 2) == 0 {
            continue;
        }
        set.split_by_phase(feature.name);
        for phase in Phase::BOTH {
            let weight = Weight::One(below(generator, 601) as i32 - 300);
            set.weights.insert(&phase.name(feature.name), weight);
        }
    }
    set
}

/// The set of plain weights that count at a phase.
fn plain_at(game: GameId, set: &WeightSet, phase: i32) -> WeightSet {
    let mut plain = set.clone();
    let of = |name| (name, Weight::One(set.one_at(name, phase).unwrap()));
    plain.weights = game.feature_names().into_iter().map(of).collect();
    plain
}

fn check_values<G: Game>() {
    let game = GameId::of::<G>();
    let mut generator = Mt64::new(43);
    let mut seen = [false; LAST_PHASE as usize + 1];
    for board in G::boards().into_iter().rev().take(6) {
        for position in sample::<G>(board, 12, 5) {
            let set = random_phases::<G>(&mut generator);
            let read = WeightSet::from_json(&set.to_json(), "a set").unwrap();
            assert_eq!((&read, read.format), (&set, FORMAT_WITH_PHASES));
            let position = game.from_fen(&position.fen()).unwrap();
            let phase = position.phase();
            seen[phase as usize] = true;
            let value = |set: &WeightSet| game.evaluator(set).unwrap().evaluate(&position);
            let explained = position.explain(&set).unwrap();
            assert_eq!(explained.phase, Some(phase));
            assert_eq!(value(&set), explained.score, "{}", position.fen());
            assert_eq!(value(&set), value(&plain_at(game, &set, phase)), "{}", position.fen());
        }
    }
    assert!(seen.iter().filter(|seen| **seen).count() >= 4, "{seen:?}");
}

#[test]
fn a_value_is_that_of_the_weights_between() {
    check_values::<Breakthrough>();
    check_values::<Ataxx>();
    check_values::<Breakthru>();
}

/// The best line, score and nodes of a search.
fn searched(set: &WeightSet, position: &AnyPosition) -> (String, i32, u64) {
    let game = position.game().parse::<GameId>().unwrap();
    let options =
        Options { algorithm: Algorithm::Full, table_bytes: TABLE_BYTES >> 4, ..Options::default() };
    let mut engine = game.evaluator(set).unwrap().engine(options);
    let (met, stop) = (Repetitions::default(), Stop::default());
    let found = engine.search(&met, position, &Limits::nodes(3000), &stop, None);
    (position.line_text(&found.pv), found.score, found.counters.nodes)
}

#[test]
fn equal_weights_search_as_a_plain_one_node_for_node() {
    for &game in GameId::with_engine().iter().filter(|game| game.has_phases) {
        let plain = find(game.guide.hand_made_set, game.name()).unwrap();
        let split = game.split_by_phase(&plain, game.feature_names()).unwrap();
        assert!(split.has_phases() && !plain.has_phases());
        for position in game.start(game.default_board).unwrap().sample(6, 8) {
            assert_eq!(searched(&split, &position), searched(&plain, &position));
        }
    }
}

#[test]
fn phases_run_from_the_beginning_of_a_game_to_its_end() {
    let phase =
        |game: &str, fen: &str| game.parse::<GameId>().unwrap().from_fen(fen).unwrap().phase();
    for &game in GameId::with_engine().iter().filter(|game| game.has_phases) {
        let start = game.start(game.default_board).unwrap();
        assert!(start.phase() <= 1, "{game}");
    }
    assert_eq!(phase("breakthrough", "8/8/8/2p5/8/2P5/8/8 w - - 0 1"), LAST_PHASE);
    assert_eq!(phase("breakthrough", "pppppppp/pppppp2/8/8/8/8/PPPPPPPP/PPPPPPP1 b - - 0 1"), 3);
    assert_eq!(phase("ataxx", "xxxxxx1/xxxxxxx/xxxxxxx/ooooooo/ooooooo/ooooooo/ooooooo x 0 1"), 15);
    assert_eq!(weight_at([100, 20], 15), 25);
}

#[test]
fn networks_and_games_without_phases_have_no_such_weights() {
    let game: GameId = "breakthrough".parse().unwrap();
    let network = find("5x5-network", "breakthrough").unwrap();
    let error = game.split_by_phase(&network, ["piece"]).unwrap_err().to_string();
    assert!(error.contains("a set with a network has no weights by phase"), "{error}");
    let table = find("5x5", "breakthrough").unwrap();
    let error = game.split_by_phase(&table, ["windows_3x3"]).unwrap_err().to_string();
    assert!(error.contains("tables have no weights by phase"), "{error}");
    let error = game.split_by_phase(&table, ["pice"]).unwrap_err().to_string();
    assert!(error.contains("unknown feature"), "{error}");
    // Beside tables they may stand.
    assert!(game.split_by_phase(&table, ["tempo"]).unwrap().has_phases());
}

#[test]
fn a_set_of_an_older_format_gets_all_features() {
    let game: GameId = "breakthrough".parse().unwrap();
    let zhu = find("zhu", "breakthrough").unwrap();
    assert!(zhu.format < FORMAT_WITH_PHASES);
    let split = game.split_by_phase(&zhu, ["piece"]).unwrap();
    assert_eq!(split.format, FORMAT_WITH_PHASES);
    assert_eq!(split.weights.len(), game.features.len() + 1);
    assert_eq!(split.fingerprint(), game.split_by_phase(&split, ["piece"]).unwrap().fingerprint());
}

#[test]
fn a_tune_takes_the_weights_by_phase_of_a_feature_by_its_name() {
    let game: GameId = "breakthrough".parse().unwrap();
    let start = find("hand", "breakthrough").unwrap();
    let names = |selection: &Selection| -> Vec<String> {
        let set = selection.split_by_phase(game, &start).unwrap();
        let board = game.default_board;
        let knobs = selection.weights(game, &set, board, 4, 1).unwrap();
        assert!(knobs.iter().all(|knob| knob.start == f64::from(set.one(&knob.name).unwrap())));
        knobs.into_iter().map(|knob| knob.name).collect()
    };
    let list = |names: &[&str]| names.iter().map(|&name| name.into()).collect::<Vec<String>>();
    let plain = names(&Selection::default());
    let phased = names(&Selection { phases: true, ..Selection::default() });
    let both = |name: &String| Phase::BOTH.map(|phase| phase.name(name));
    assert_eq!(phased, plain.iter().flat_map(both).collect::<Vec<_>>());
    let only = Selection { only: list(&["danger@late", "attack"]), ..Selection::default() };
    assert_eq!(names(&only), ["danger@late", "attack"]);
    let only = Selection { only: list(&["danger"]), phases: true, ..Selection::default() };
    assert_eq!(names(&only), ["danger@early", "danger@late"]);
    let frozen = Selection { freeze: list(&["danger@early"]), ..Selection::default() };
    let found = names(&frozen);
    assert!(found.contains(&"danger@late".into()) && !found.contains(&"danger@early".into()));
    let wrong = Selection { only: list(&["dangr@late"]), ..Selection::default() };
    let error = wrong.split_by_phase(game, &start).unwrap_err().to_string();
    assert!(error.contains("weight `dangr@late`: unknown"), "{error}");
    let set = only.split_by_phase(game, &start).unwrap();
    let bounds = Selection { bounds: vec![("danger".into(), -3.0, 9999.0)], ..only };
    let knobs = bounds.weights(game, &set, game.default_board, 4, 1).unwrap();
    assert!(knobs.iter().all(|knob| (knob.min, knob.max) == (-3.0, 9999.0)), "{knobs:?}");
    let error = Selection { phases: true, ..Selection::default() }
        .constants(&Default::default(), Algorithm::Full)
        .unwrap_err()
        .to_string();
    assert!(error.contains("--phases: constants have no phases"), "{error}");
}
