//! `cargo run --release --example answers RUN...`: what SPSA would have answered on the record of
//! each run, by the averaged iterate and by the regression. Writes `RUN/average.json` and
//! `RUN/regression.json`, to be matched against each other, and prints the errors.

use sparring::error::{Error, Result};
use sparring::eval::Game;
use sparring::games::{Ataxx, Breakthrough, Breakthru};
use sparring::run;
use sparring::tune::{Optimizer, Spsa, Stage};
use std::path::Path;

fn answers<G: Game>(path: &Path) -> Result<()> {
    let (manifest, record) = run::read(path)?;
    let config = &manifest.config;
    let plan = config.matches().ok_or_else(|| Error::input("run", "is not by matches"))?;
    let Optimizer::Spsa(options) = &plan.optimizer else {
        return Err(Error::input("run", "is not one of SPSA"));
    };
    let space = config.space::<G>(&manifest.start, plan)?;
    let mut spsa = Spsa::new(options, config.games, config.seed, space.clone());
    let mut number = 0;
    while let Some(batch) = record.batch(Stage::Tune, number) {
        while spsa.ask().is_some() {}
        spsa.tell(&batch.points);
        number += 1;
    }
    let posterior = spsa.posterior();
    println!("{}: {number} batches, {:.2} Elo left", path.display(), posterior.elo_left);
    for (i, knob) in space.knobs().iter().enumerate() {
        println!(
            "  {:24} start {:8.1} average {:8.1} regression {:8.1} +- {:.1}",
            knob.name,
            knob.start,
            spsa.average()[i],
            posterior.means[i],
            1.96 * posterior.errors[i]
        );
    }
    for (name, point) in [("average", spsa.average()), ("regression", &posterior.means[..])] {
        let mut player = space.player(&space.nearest(point))?;
        player.weights.name = name.into();
        player.weights.save(&path.join(format!("{name}.json")))?;
    }
    Ok(())
}

fn main() -> Result<()> {
    for path in std::env::args().skip(1) {
        let path = Path::new(&path);
        match run::read(path)?.0.config.game.as_str() {
            "ataxx" => answers::<Ataxx>(path)?,
            "breakthru" => answers::<Breakthru>(path)?,
            _ => answers::<Breakthrough>(path)?,
        }
    }
    Ok(())
}
