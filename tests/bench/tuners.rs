//! `cargo bench --bench tuners [-- NAME...]`: the mean Elo that the optimizers' answers lose on
//! simulated surfaces after 30,000 games, by the program's own code; with names, on those surfaces
//! alone. With `errors` it prints how many of the best values lie within the errors of the answers,
//! after few games. A fast version is among the library's tests.

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

/// Knobs, the Elo that the start loses, and the Elo lost at half a range, for tunes of several
/// lengths.
const SHORT_TUNES: [(usize, f64, f64); 7] = [
    (4, 10.0, 10.0),
    (4, 40.0, 10.0),
    (14, 40.0, 10.0),
    (14, 100.0, 10.0),
    (14, 100.0, 100.0),
    (14, 100.0, 2.0),
    (30, 100.0, 10.0),
];

fn tuners() -> Vec<(String, SpsaOptions)> {
    let spsa = |c: f64, answer| SpsaOptions { c, answer, ..SpsaOptions::default() };
    let mut tuners = Vec::new();
    for (c, name) in [(1.0 / 6.0, "1/6"), (0.25, "1/4"), (1.0 / 3.0, "1/3")] {
        tuners.push((format!("c {name}, average"), spsa(c, Answer::Average)));
        tuners.push((format!("c {name}, regression"), spsa(c, Answer::Regression)));
        tuners.push((format!("c {name}, least loss"), spsa(c, Answer::LeastLoss)));
    }
    tuners
}

fn solver(surface: &Surface, options: &SpsaOptions, games: u64, seed: u64) -> Spsa {
    let start = Player::find(GameId::default(), Some("atachiants"), DefaultWeights::HandMade);
    let space = Space::of_numbers(start.expect("a shipped set"), surface.knobs());
    Spsa::new(options, games, seed, space)
}

fn lost(config: SurfaceConfig, options: &SpsaOptions, games: u64, seed: u64) -> f64 {
    let surface = Surface::new(config, seed);
    surfaces::run(&surface, solver(&surface, options, games, seed))
}

/// Prints the Elo that the answers of short and long tunes lose.
fn games() {
    const RUNS: u64 = 100;
    println!(
        "| knobs | start loses | half range loses | games | last | average | regression | least loss |"
    );
    println!("| --- | --- | --- | --- | --- | --- | --- | --- |");
    let answers = [Answer::Last, Answer::Average, Answer::Regression, Answer::LeastLoss];
    for (knobs, start, half_range) in SHORT_TUNES {
        for games in [500, 2_000, 8_000, 32_000] {
            let config =
                SurfaceConfig { half_range, ..SurfaceConfig::quadratic("short", knobs, start) };
            let cells = answers.map(|answer| {
                let options = SpsaOptions { answer, ..SpsaOptions::default() };
                let lost: f64 = (0..RUNS).map(|seed| lost(config, &options, games, seed)).sum();
                format!("{:.2}", lost / RUNS as f64)
            });
            println!("| {knobs} | {start} | {half_range} | {games} | {} |", cells.join(" | "));
        }
    }
}

/// Prints how many of the best values lie within 1.96 errors of short tunes, and how many of the
/// tunes cannot tell an answer from the start: all their errors are 0.
fn errors() {
    const RUNS: u64 = 100;
    println!("| knobs | Elo to gain | games | no answer | within the errors of the others |");
    println!("| --- | --- | --- | --- | --- |");
    for (knobs, elo) in [(4, 10.0), (4, 40.0), (14, 40.0), (14, 100.0), (30, 100.0)] {
        for games in [500, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000] {
            let (mut none, mut within, mut all) = (0, 0, 0);
            for seed in 0..RUNS {
                let surface = Surface::new(SurfaceConfig::quadratic("short", knobs, elo), seed);
                let spsa = solver(&surface, &SpsaOptions::default(), games, seed);
                let found = surfaces::posterior(&surface, spsa);
                if found.errors.errors.iter().all(|&error| error == 0.0) {
                    none += 1;
                    continue;
                }
                let pairs = found.means.iter().zip(&found.errors.errors);
                within += pairs.filter(|(mean, error)| mean.abs() <= 1.96 * *error).count();
                all += knobs;
            }
            let share = 100.0 * within as f64 / all.max(1) as f64;
            println!("| {knobs} | {elo} | {games} | {none} of {RUNS} | {share:.0} % |");
        }
    }
}

fn main() {
    // Cargo adds an option of its own.
    let names: Vec<String> = std::env::args().skip(1).filter(|arg| !arg.starts_with('-')).collect();
    if names.iter().any(|name| name == "errors") {
        return errors();
    }
    if names.iter().any(|name| name == "games") {
        return games();
    }
    let is_chosen = |name: &str| names.is_empty() || names.iter().any(|chosen| chosen == name);
    println!(
        "| surface | runs | {} |",
        tuners().into_iter().map(|t| t.0).collect::<Vec<_>>().join(" | ")
    );
    println!("| --- | --- |{}", " --- |".repeat(tuners().len()));
    for (config, runs) in SURFACES.into_iter().filter(|(config, _)| is_chosen(config.name)) {
        let cells = tuners().into_iter().map(|(_, options)| {
            let sum: f64 = (0..runs).map(|seed| lost(config, &options, GAMES, seed)).sum();
            format!("{:.2}", sum / runs as f64)
        });
        println!("| {} | {runs} | {} |", config.name, cells.collect::<Vec<_>>().join(" | "));
    }
}
