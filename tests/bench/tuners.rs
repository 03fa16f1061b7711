//! `cargo bench --bench tuners [-- NAME...]`: the mean Elo that the optimizers' answers lose on
//! simulated surfaces after 30,000 games, by the program's own code; with names, on those surfaces
//! alone. The fast version of it is among the tests of the library.

#[path = "../library/tuning/surfaces.rs"]
mod surfaces;

use sparring::games::GameId;
use sparring::player::{DefaultWeights, Player};
use sparring::tune::{Answer, Space, Spsa, SpsaOptions};
use surfaces::{Shape, Surface, SurfaceConfig};

const GAMES: u64 = 30_000;

/// The surfaces, with how often each is run.
const SURFACES: [(SurfaceConfig, u64); 12] = [
    (SurfaceConfig::quadratic("10", 10, 100.0), 40),
    (SurfaceConfig { condition: 100.0, ..SurfaceConfig::quadratic("10-narrow", 10, 100.0) }, 40),
    (
        SurfaceConfig {
            condition: 10.0,
            shape: Shape::Skewed,
            ..SurfaceConfig::quadratic("10-skewed", 10, 100.0)
        },
        40,
    ),
    (
        SurfaceConfig {
            condition: 10.0,
            shape: Shape::FlatTails,
            ..SurfaceConfig::quadratic("10-flat-tails", 10, 400.0)
        },
        40,
    ),
    (SurfaceConfig::quadratic("10-far", 10, 1_000.0), 40),
    (SurfaceConfig { half_range: 2.0, ..SurfaceConfig::quadratic("10-flat", 10, 100.0) }, 40),
    (SurfaceConfig { half_range: 50.0, ..SurfaceConfig::quadratic("10-sharp", 10, 100.0) }, 40),
    (SurfaceConfig::quadratic("2", 2, 20.0), 40),
    (SurfaceConfig::quadratic("50", 50, 250.0), 8),
    (SurfaceConfig { condition: 100.0, ..SurfaceConfig::quadratic("50-narrow", 50, 250.0) }, 8),
    (SurfaceConfig::quadratic("500", 500, 400.0), 2),
    (SurfaceConfig { condition: 100.0, ..SurfaceConfig::quadratic("500-narrow", 500, 400.0) }, 2),
];

fn tuners() -> Vec<(String, SpsaOptions)> {
    let spsa = |c: f64, answer| SpsaOptions { c, answer, ..SpsaOptions::default() };
    let mut tuners = Vec::new();
    for (c, name) in [(1.0 / 6.0, "1/6"), (0.25, "1/4"), (1.0 / 3.0, "1/3")] {
        tuners.push((format!("c {name}, average"), spsa(c, Answer::Average)));
        tuners.push((format!("c {name}, regression"), spsa(c, Answer::Regression)));
    }
    tuners
}

fn lost(config: SurfaceConfig, options: &SpsaOptions, seed: u64) -> f64 {
    let surface = Surface::new(config, seed);
    let start = Player::find(GameId::default(), Some("atachiants"), DefaultWeights::HandMade);
    let space = Space::of_numbers(start.expect("a shipped set"), surface.knobs());
    surfaces::run(&surface, Spsa::new(options, GAMES, seed, space))
}

fn main() {
    // Cargo adds an option of its own.
    let names: Vec<String> = std::env::args().skip(1).filter(|arg| !arg.starts_with('-')).collect();
    let is_chosen = |name: &str| names.is_empty() || names.iter().any(|chosen| chosen == name);
    println!(
        "| surface | runs | {} |",
        tuners().into_iter().map(|t| t.0).collect::<Vec<_>>().join(" | ")
    );
    println!("| --- | --- |{}", " --- |".repeat(tuners().len()));
    for (config, runs) in SURFACES.into_iter().filter(|(config, _)| is_chosen(config.name)) {
        let cells = tuners().into_iter().map(|(_, options)| {
            let sum: f64 = (0..runs).map(|seed| lost(config, &options, seed)).sum();
            format!("{:.2}", sum / runs as f64)
        });
        println!("| {} | {runs} | {} |", config.name, cells.collect::<Vec<_>>().join(" | "));
    }
}
