//! Figures that the README states.

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

/// The engine's signature, as the README states it: it changes only when the engine plays
/// differently.
#[test]
fn the_bench_signature_is_the_one_in_the_readme() {
    let nodes = json("bench")["nodes"].as_u64().unwrap().to_string();
    let readme = std::fs::read_to_string("README.md").unwrap().replace(',', "");
    assert!(
        readme.contains(&format!("visits {nodes}")) || readme.contains(&format!("visits\n{nodes}")),
        "{nodes}"
    );
}
