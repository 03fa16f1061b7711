//! The Elo of each weight: matches of a set against itself without it.

use super::FitArgs;
use crate::arena::queue::Threads;
use crate::arena::{Book, BookConfig, Match, MatchConfig, MatchSettings, PairRunner};
use crate::cli::console::Console;
use crate::cli::interrupt::Interrupt;
use crate::cli::progress::{Detail, ProgressLine};
use crate::error::Result;
use crate::eval::Game;
use crate::search::{Limits, SearchConstants, Stop};
use crate::stats::Summary;
use crate::tune::logistic::SetFit;
use crate::tune::logistic::columns::without;
use crate::tune::logistic::generate::GenerateConfig;
use crate::weights::WeightSet;

/// A weight or table, and the match of the set against the set without it.
pub(super) type Loss = (&'static str, Summary);

/// Plays the matches, if `--ablate` is given. After a signal only finished ones are returned.
///
/// # Errors
/// When there are no such openings.
pub(super) fn losses<G: Game>(
    args: &FitArgs,
    fit: &SetFit<G>,
    constants: &SearchConstants,
    interrupt: &Interrupt,
    console: &Console,
) -> Result<Vec<Loss>> {
    let Some(pairs) = args.ablate else { return Ok(Vec::new()) };
    let limits = args.limits.or(Limits::nodes(GenerateConfig::NODES))?;
    let threads = Threads::new(args.threads.count())?;
    let is_used = |name: &&str| {
        fit.set.weights.get(name).is_some_and(|weight| weight.cells().iter().any(|&cell| cell != 0))
    };
    let names: Vec<&'static str> = fit
        .columns
        .names()
        .into_iter()
        .chain(fit.columns.tables().map(|(name, _)| name))
        .filter(is_used)
        .collect();
    let mut progress = ProgressLine::new(console, Some(pairs * names.len() as u64), "pairs");
    let mut losses: Vec<Loss> = Vec::new();
    for (number, name) in names.iter().enumerate() {
        let others = [&fit.set, &without(&fit.set, name)];
        let settings = MatchSettings {
            constants: [constants.clone(), constants.clone()],
            ..MatchSettings::new(limits)
        };
        let runner = PairRunner::<G>::new(settings, Stop::default());
        let book = BookConfig::new::<G>(fit.data.board, args.seed.seed);
        let mut book = Book::<G>::new(book, G::evaluator(&fit.set)?)?;
        let config = MatchConfig::new(pairs, None);
        let mut game_match = Match::new(config, runner, evaluators::<G>(others)?);
        let before = number as u64 * pairs;
        game_match.run(&mut book, &threads, interrupt.stop(), &mut |pair| {
            let summary = || Detail::of_match(*name, Summary::of(&pair.counts, None));
            progress.update(before + pair.counts.pairs(), summary);
            Ok(())
        })?;
        if interrupt.came() {
            break;
        }
        losses.push((name, Summary::of(&game_match.counts(), None)));
    }
    progress.finish();
    Ok(losses)
}

fn evaluators<G: Game>([a, b]: [&WeightSet; 2]) -> Result<[G::Evaluator; 2]> {
    Ok([G::evaluator(a)?, G::evaluator(b)?])
}
