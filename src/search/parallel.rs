//! One search by several threads.
//!
//! All of them run the same iterations over the same table and the same history, each with killers
//! of its own. Three things keep them from doing the same work, or work that is no longer needed: a
//! move that one is searching the others put off ([`busy`](super::busy)); a node that one has
//! settled the others leave, and all that they were doing below it (`full::teamwork`); and the
//! searches of the root are run together: the first thread to finish one has found the answer of
//! all, and the others drop theirs and go on with the next depth or window ([`team`](super::team)).
//! The first thread reports.

use super::STACK_BYTES;
use super::driver::{Iteration, deepen};
use super::engine::{DepthReport, Report};
use super::full::Full;
use super::limits::Limits;
use super::team::SearchShared;
use crate::eval::{Game, Score};
use std::sync::Arc;
use std::thread::{Builder, scope};

/// Ends the helpers when the first thread is done, however it comes to that.
struct FinishOnDrop(Arc<SearchShared>);

impl Drop for FinishOnDrop {
    fn drop(&mut self) {
        self.0.finish();
    }
}

/// Searches with the first thread and its helpers. Threads that the system does not give are done
/// without.
pub(super) fn search<G: Game>(
    position: &G,
    mut first: Full<'_, G>,
    helpers: Vec<Full<'_, G>>,
    limits: &Limits,
    unit: Score,
    on_depth: &mut dyn FnMut(&DepthReport<G>),
) -> Report<G> {
    if helpers.is_empty() || position.outcome().is_some() {
        return deepen(position, &mut first, limits, unit, on_depth);
    }
    let report = scope(|scope| {
        let _ending = FinishOnDrop(first.work().team().clone());
        for mut helper in helpers {
            let help = move || {
                deepen(position, &mut helper, &Limits::default(), unit, &mut |_| {});
                helper.work_mut().hand_in();
            };
            // What a thread that cannot be had would have done, the others do.
            let _ = Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, help);
        }
        deepen(position, &mut first, limits, unit, on_depth)
    });
    Report { counters: first.work().total(), elapsed: first.work().elapsed(), ..report }
}
