//! The position of the 2009 article's table: White has played a2-a3, Black searches, with the
//! article's weights.

use sparring::eval::Game;
use sparring::game::{Board, Notation, Position};
use sparring::games::Breakthrough;
use sparring::search::{Algorithm, Engine, Limits, Options, Report, Stop};
use sparring::weights::find;

/// The article's nodes for its enhanced search, by depth.
const ENHANCED: [(u32, u64); 6] =
    [(2, 25), (3, 115), (4, 526), (5, 2_564), (6, 3_568), (7, 62_536)];
/// The most nodes of our full search for depth 7.
const FULL_NODES: u64 = 6_000;

fn search(algorithm: Algorithm, depth: u32) -> Report<Breakthrough> {
    let start = Breakthrough::start(Board::new(8, 8)).unwrap();
    let position = start.play(start.parse_move("a2a3").unwrap());
    let weights = find("breakthrough/atachiants", "breakthrough").unwrap();
    let evaluator = Breakthrough::evaluator(&weights).unwrap();
    let mut engine =
        Engine::<Breakthrough>::new(evaluator, Options { algorithm, ..Options::default() });
    engine.search(&position, &Limits::depth(depth), &Stop::default(), &mut |_| {})
}

#[test]
fn depth_seven_takes_no_more_nodes_than_the_article_and_far_fewer_in_the_full_search() {
    let enhanced = search(Algorithm::Enhanced, 7);
    assert_eq!(enhanced.depth, 7);
    assert!(enhanced.counters.nodes <= ENHANCED[5].1, "{}", enhanced.counters.nodes);
    let full = search(Algorithm::Full, 7);
    assert_eq!(full.depth, 7);
    assert!(full.counters.nodes <= FULL_NODES, "{}", full.counters.nodes);
}

#[test]
fn each_algorithm_takes_fewer_nodes_than_the_one_before() {
    for (depth, _) in &ENHANCED[3..] {
        let nodes = Algorithm::ALPHA_BETA.map(|algorithm| search(algorithm, *depth).counters.nodes);
        assert!(nodes[0] > nodes[1] && nodes[1] > nodes[2], "depth {depth}: {nodes:?}");
    }
}

#[test]
fn each_search_visits_the_nodes_on_record() {
    let record: serde_json::Value =
        serde_json::from_str(include_str!("../data/nodes.json")).unwrap();
    for row in record["article"].as_array().unwrap() {
        let depth = u32::try_from(row["depth"].as_u64().unwrap()).unwrap();
        for algorithm in Algorithm::ALPHA_BETA {
            let nodes = search(algorithm, depth).counters.nodes;
            assert_eq!(row[algorithm.name()], nodes, "{algorithm:?}, depth {depth}");
        }
    }
}
