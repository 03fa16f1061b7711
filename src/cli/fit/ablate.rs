//! The Elo of each weight: matches of a set against itself without it.

use super::FitArgs;
use crate::arena::{Book, BookConfig, MatchConfig, PairSpec, PlayerSpec, Sets, SharedSet, Threads};
use crate::cli::{Console, Detail, Interrupt, ProgressLine};
use crate::error::{ErrorKind, Result};
use crate::games::GameId;
use crate::search::{Limits, SearchConstants};
use crate::session::{Cast, MatchBatches, MatchSource, MemoryLedger, Session};
use crate::stats::{PairCounts, Summary};
use crate::tune::GenerateConfig;
use crate::tune::logistic::SetFit;
use crate::tune::logistic::columns::without;

/// Plays the matches, if `--ablate` is given. After a signal only finished ones are returned.
///
/// # Errors
/// When there are no such openings.
pub(super) fn losses(
    args: &FitArgs,
    game: GameId,
    fit: &SetFit,
    constants: &SearchConstants,
    interrupt: &Interrupt,
    console: &Console,
) -> Result<Vec<(String, Summary)>> {
    let Some(pairs) = args.ablate else { return Ok(Vec::new()) };
    let limits = args.limits.or(Limits::nodes(GenerateConfig::NODES))?;
    let threads = Threads::new(args.threads.count())?;
    let is_used = |name: &&str| {
        fit.set.weights.get(name).is_some_and(|weight| weight.cells().iter().any(|&cell| cell != 0))
    };
    let names: Vec<&str> = fit
        .columns
        .names()
        .into_iter()
        .chain(fit.columns.tables().map(|(name, _)| name))
        .filter(is_used)
        .collect();
    let mut progress = ProgressLine::new(console, Some(pairs * names.len() as u64), "pairs");
    let mut losses: Vec<(String, Summary)> = Vec::new();
    for (number, name) in names.iter().enumerate() {
        let others = [&fit.set, &without(&fit.set, name)];
        let board = fit.data.board;
        let mut sets = Sets::new();
        let [a, b] = others.map(|set| SharedSet::add(set, &mut sets));
        let players = [a?, b?].map(|set| PlayerSpec::of_set(&set, constants, limits));
        let pair = PairSpec::new(game, board, players);
        let book = BookConfig::new(game, board, args.seed.seed);
        let mut book = Book::new(game, book, Some(&game.evaluator(&fit.set)?))?;
        let before = number as u64 * pairs;
        let mut show = |counts: PairCounts| {
            let summary = || Detail::of_match(*name, Summary::of(&counts, None));
            progress.update(before + counts.pairs(), summary);
        };
        let (config, batches) = (MatchConfig::new(pairs, None), MatchBatches::in_memory());
        let mut source = MatchSource::new(config, batches, pair, &threads, &mut show);
        let cast = Cast { game, sets, engines: Vec::new() };
        let ledger = &mut MemoryLedger::default();
        let mut session = Session { threads: &threads, interrupt: interrupt.stop(), ledger };
        match session.play(&mut source, cast, &mut book) {
            Err(error) if error.kind() == ErrorKind::Interrupted => break,
            played => played?,
        }
        losses.push(((*name).to_owned(), source.score().summary()));
    }
    progress.finish();
    Ok(losses)
}
