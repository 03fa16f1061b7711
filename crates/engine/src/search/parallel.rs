//! One search by several threads.
//!
//! All threads run the same iterations with a shared table and history, but each has its own
//! killers. Three rules avoid duplicate and useless work. A move that one thread is searching is
//! deferred by the others ([`in_progress`](super::in_progress)). A node that one thread has
//! finished is abandoned by the others, with everything below it (`full::threads`). The first
//! thread to finish a search of the root determines the result: the others drop theirs and continue
//! with the next depth or window ([`shared`](super::shared)). The first thread reports.

use super::deepening::{Iteration, deepen};
use super::full::Full;
use super::limits::Limits;
use super::lines::Lines;
use super::report::{DepthReport, Report};
use super::shared::SearchShared;
use crate::eval::{Game, Score};
use std::sync::Arc;
use std::thread::{Builder, scope};

/// The stack size of a search thread, in bytes. Searches recurse deeply and keep move lists on the
/// stack.
pub const STACK_BYTES: usize = 16 << 20;

/// Stops the helpers when the first thread is done, even by a panic.
pub(super) struct FinishOnDrop(pub(super) Arc<SearchShared>);

impl Drop for FinishOnDrop {
    fn drop(&mut self) {
        self.0.finish();
    }
}

/// Searches with the first thread and its helpers, or with as many of them as the system can start.
pub(super) fn search<G: Game>(
    position: &G,
    mut first: Full<'_, G>,
    helpers: Vec<Full<'_, G>>,
    lines: &Lines,
    limits: &Limits,
    unit: Score,
    on_depth: &mut dyn FnMut(&DepthReport<G>),
) -> Report<G> {
    if helpers.is_empty() || position.outcome().is_some() {
        return deepen(position, &mut first, lines, limits, unit, on_depth);
    }
    let report = scope(|scope| {
        let _ending = FinishOnDrop(first.budget().shared().clone());
        for mut helper in helpers {
            let help = move || {
                deepen(position, &mut helper, lines, &Limits::default(), unit, &mut |_| {});
                helper.budget_mut().flush_counters();
            };
            // If a thread cannot start, the others do its work.
            let _ = Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, help);
        }
        deepen(position, &mut first, lines, limits, unit, on_depth)
    });
    Report { counters: first.budget().total(), elapsed: first.budget().elapsed(), ..report }
}
