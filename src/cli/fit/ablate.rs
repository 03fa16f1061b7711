//! What each weight is worth in Elo: matches of a set against itself without it.

use super::FitArgs;
use crate::arena::queue::Threads;
use crate::arena::{Book, BookConfig, Conditions, Contest, ContestConfig, Workshop};
use crate::cli::console::Console;
use crate::cli::interrupt::Interrupt;
use crate::cli::progress::Progress;
use crate::cli::summary::short_text;
use crate::error::Result;
use crate::eval::Evaluated;
use crate::search::{Limits, Stop};
use crate::stats::Summary;
use crate::tune::logistic::SetFit;
use crate::tune::logistic::columns::without;
use crate::tune::logistic::generate::GenerateConfig;
use crate::weights::WeightSet;

/// What a set loses without a weight or table: the set's match against the set without it.
pub(super) type Loss = (&'static str, Summary);

/// Plays the matches, if they are asked for; those that were finished when a signal came.
///
/// # Errors
/// When the openings make no book.
pub(super) fn losses<P: Evaluated>(
    args: &FitArgs,
    fit: &SetFit<P>,
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
    let mut progress = Progress::new(console, Some(pairs * names.len() as u64), "pairs");
    let mut losses: Vec<Loss> = Vec::new();
    for (number, name) in names.iter().enumerate() {
        let others = [&fit.set, &without(&fit.set, name)];
        let workshop = Workshop::<P>::new(Conditions::new(limits), Stop::default());
        let book = BookConfig::new::<P>(fit.data.board, args.seed.seed);
        let mut book = Book::<P>::new(book, P::evaluator(&fit.set)?)?;
        let contest = ContestConfig { pairs, sprt: None, least_pairs: 0 };
        let mut contest = Contest::new(contest, workshop, evaluators::<P>(others)?);
        let before = number as u64 * pairs;
        contest.run(&mut book, &threads, interrupt.stop(), &mut |pair| {
            let summary = || format!("{name}: {}", short_text(&Summary::of(&pair.counts, None)));
            progress.update(before + pair.counts.pairs(), summary);
            Ok(())
        })?;
        if interrupt.came() {
            break;
        }
        losses.push((name, Summary::of(&contest.counts(), None)));
    }
    progress.finish();
    Ok(losses)
}

fn evaluators<P: Evaluated>([a, b]: [&WeightSet; 2]) -> Result<[P::Evaluator; 2]> {
    Ok([P::evaluator(a)?, P::evaluator(b)?])
}
