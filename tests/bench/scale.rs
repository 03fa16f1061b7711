//! `cargo bench --bench scale [-- CORES...]`: the mean Elo that the answer of a tune loses if its
//! steps are sized for many processors, by the program's own code on simulated surfaces.

#[path = "../library/tuning/surfaces.rs"]
mod surfaces;

use sparring::games::GameId;
use sparring::player::{DefaultWeights, Player};
use sparring::tune::{Space, Spsa, SpsaOptions};
use surfaces::{Shape, Surface, SurfaceConfig};

/// Unfinished pairs for each processor, as with `--scale`.
const PAIRS_A_CORE: u64 = 3;
/// Numbers of steps that share those pairs.
const STEPS: [u64; 3] = [2, 8, 32];

/// The surfaces: the one that the plan assumes, other shapes, and ones as sharp as around a fit.
const SURFACES: [SurfaceConfig; 4] = [
    SurfaceConfig::quadratic("10", 10, 100.0),
    SurfaceConfig { shape: Shape::Skewed, ..SurfaceConfig::quadratic("10-skewed", 10, 100.0) },
    SurfaceConfig {
        shape: Shape::FlatTails,
        ..SurfaceConfig::quadratic("10-flat-tails", 10, 400.0)
    },
    SurfaceConfig { half_range: 250.0, ..SurfaceConfig::quadratic("10-fit", 10, 30.0) },
];

fn lost(config: SurfaceConfig, options: &SpsaOptions, games: u64, seed: u64) -> f64 {
    let surface = Surface::new(config, seed);
    let start = Player::find(GameId::default(), Some("atachiants"), DefaultWeights::HandMade);
    let space = Space::of_numbers(start.expect("a shipped set"), surface.knobs());
    surfaces::run(&surface, Spsa::new(options, games, seed, space))
}

/// The options of the default tune around a fit on the sharp surface, else of `spsa`.
fn options(config: &SurfaceConfig) -> SpsaOptions {
    match config.half_range > 100.0 {
        true => SpsaOptions { c: 0.06, elo_at_half_range: Some(250.0), ..SpsaOptions::default() },
        false => SpsaOptions::default(),
    }
}

fn main() {
    // Cargo adds an option of its own.
    let cores: Vec<u64> = std::env::args().skip(1).filter_map(|arg| arg.parse().ok()).collect();
    println!(
        "| cores | games | surface | runs | 24 pairs, 1 ahead | {} |",
        STEPS.map(|s| format!("{s} steps")).join(" | ")
    );
    println!("| --- | --- | --- | --- | --- |{}", " --- |".repeat(STEPS.len()));
    for (known, games, runs) in [
        (16, 30_000, 40),
        (256, 30_000, 40),
        (256, 300_000, 12),
        (4096, 30_000, 40),
        (4096, 300_000, 12),
    ] {
        if !cores.is_empty() && !cores.contains(&known) {
            continue;
        }
        for config in SURFACES {
            let usual = options(&config);
            let mean = |options: &SpsaOptions| {
                let sum: f64 = (0..runs).map(|seed| lost(config, options, games, seed)).sum();
                format!("{:.2}", sum / runs as f64)
            };
            let cells = STEPS.map(|steps| {
                let batch = (known * PAIRS_A_CORE).div_ceil(steps);
                match 2 * (batch + 1) * 2 > games {
                    true => "-".into(),
                    false => mean(&SpsaOptions { batch, ahead: Some(steps - 1), ..usual.clone() }),
                }
            });
            let name = config.name;
            println!(
                "| {known} | {games} | {name} | {runs} | {} | {} |",
                mean(&usual),
                cells.join(" | ")
            );
        }
    }
}
