//! `cargo run --release --example answers RUN...`: what SPSA would have answered on the record of
//! each run, by the averaged iterate and by the regression. Writes `RUN/average.json` and
//! `RUN/regression.json`, to be matched against each other, and prints the errors.

use sparring::error::{Error, Result};
use sparring::run;
use sparring::stats::Z_95;
use sparring::tune::{Answer, Optimizer, Spsa, SpsaOptions, Stage};
use std::path::Path;

fn answers(path: &Path) -> Result<()> {
    let (manifest, record) = run::read(path)?;
    let not_by_matches = || Error::input("run", "is not a tune by matches");
    let tune = manifest.work.tune().ok_or_else(not_by_matches)?;
    let config = &tune.config;
    let plan = config.matches().ok_or_else(not_by_matches)?;
    let Optimizer::Spsa(options) = &plan.optimizer;
    let space = config.space(&tune.start, plan)?;
    let [average, regression] = [Answer::Average, Answer::Regression].map(|answer| {
        let options = SpsaOptions { answer, ..options.clone() };
        let mut spsa = Spsa::new(&options, config.games, config.seed, space.clone());
        for number in 0.. {
            let Some(batch) = record.batch(Stage::Tune, number) else { break };
            while spsa.ask().is_some() {}
            spsa.tell(&batch.scores());
        }
        spsa.posterior()
    });
    println!("{}: {:.2} Elo left", path.display(), regression.errors.elo_left);
    for (i, knob) in space.knobs().iter().enumerate() {
        println!(
            "  {:24} start {:8.1} average {:8.1} regression {:8.1} +- {:.1}",
            knob.name,
            knob.start,
            average.means[i],
            regression.means[i],
            Z_95 * regression.errors.errors[i]
        );
    }
    for (name, point) in [("average", average.means), ("regression", regression.means)] {
        let mut player = space.player(&space.nearest(&point))?;
        player.weights.name = name.into();
        player.weights.save(&path.join(format!("{name}.json")))?;
    }
    Ok(())
}

fn main() -> Result<()> {
    for path in std::env::args().skip(1) {
        answers(Path::new(&path))?;
    }
    Ok(())
}
