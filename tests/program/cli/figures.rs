//! Figures that the documentation states: the engine's signatures, and the 2022 article's matches.

use super::support::json;

/// The sparring partners of the 2022 article.
const PARTNERS: [&str; 9] = [
    "piece",
    "mobility",
    "own-mobility",
    "greedy",
    "reckless",
    "defensive",
    "defensive-reckless",
    "proximity",
    "random",
];

/// A plain search on both sides, 5 plies against 3, on 6x6: the article's set wins each match
/// beyond its error.
#[test]
fn the_2022_articles_set_beats_each_of_its_sparring_partners() {
    for partner in PARTNERS {
        let found = json(&format!(
            "match zhu {partner} --board 6x6 --algorithm plain --depth-a 5 --depth-b 3 --pairs 20 --seed 1"
        ));
        let low = found["elo_low"].as_f64().unwrap();
        assert!(low > 0.0, "{partner}: {low}");
    }
}

/// The engine's signatures: they change only when the engine plays differently.
#[test]
fn bench_visits_the_nodes_of_each_games_signature() {
    let nodes: serde_json::Value =
        serde_json::from_str(include_str!("../../data/nodes.json")).unwrap();
    for (game, signature) in nodes["bench"].as_object().unwrap() {
        assert_eq!(&json(&format!("bench --game {game}"))["nodes"], signature, "{game}");
    }
}
