//! `cargo run --release --example answers RUN...`: what SPSA would have answered on the record of
//! each run by the average, by the regression and with the least loss. Writes `RUN/average.json`,
//! `RUN/regression.json` and `RUN/least-loss.json`, to be matched against each other, and prints
//! the errors.

use sparring::error::{Error, Result};
use sparring::run;
use sparring::stats::Z_95;
use sparring::tune::{Answer, Optimizer, Spsa, SpsaOptions, Stage};
use std::path::Path;

const ANSWERS: [(&str, Answer); 3] = [
    ("average", Answer::Average),
    ("regression", Answer::Regression),
    ("least-loss", Answer::LeastLoss),
];

fn answers(path: &Path) -> Result<()> {
    let (manifest, record) = run::read(path)?;
    let not_by_matches = || Error::input("run", "is not a tune by matches");
    let tune = manifest.work.tune().ok_or_else(not_by_matches)?;
    let config = &tune.config;
    let plan = config.matches().ok_or_else(not_by_matches)?;
    let Optimizer::Spsa(options) = &plan.optimizer;
    let space = config.space(&tune.start, plan)?;
    let answers = ANSWERS.map(|(_, answer)| {
        let options = SpsaOptions { answer, ..options.clone() };
        let mut spsa = Spsa::new(&options, config.games, config.seed, space.clone());
        for number in 0.. {
            let Some(batch) = record.batch(Stage::Tune, number) else { break };
            while spsa.ask().is_some() {}
            spsa.tell(&batch.scores());
        }
        spsa.posterior()
    });
    println!("{}", path.display());
    for (i, knob) in space.knobs().iter().enumerate() {
        print!("  {:24} start {:8.1}", knob.name, knob.start);
        for ((name, _), found) in ANSWERS.iter().zip(&answers) {
            print!("  {name} {:8.1} +- {:.1}", found.means[i], Z_95 * found.errors.errors[i]);
        }
        println!();
    }
    for ((name, _), found) in ANSWERS.iter().zip(&answers) {
        println!("  {name}: {:.2} Elo left", found.errors.elo_left);
        let mut player = space.player(&space.nearest(&found.means))?;
        player.weights.name = (*name).into();
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
