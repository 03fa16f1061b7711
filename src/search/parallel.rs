//! One search by several threads: lazy SMP, as chess programs know it.
//!
//! Helpers run the same iterative deepening over the same table, each with killers and history of its own, and leave
//! out some of the depths so that they do not all search the same. What one finds the others read from the table;
//! nothing else is shared. The first thread reports.

use super::STACK_BYTES;
use super::driver::{Iteration, deepen};
use super::engine::{DepthReport, Report};
use super::full::Full;
use super::limits::Limits;
use super::score::is_proven;
use super::team::Team;
use crate::eval::{Evaluated, Score};
use std::sync::Arc;
use std::thread::{Builder, ScopedJoinHandle, scope};

/// Depths are searched and left out by turns of this length, and the turns begin at this phase, helper by helper
/// (the tables of Stockfish 8, shortened).
const TURNS: [(u32, u32); 12] =
    [(1, 0), (1, 1), (2, 0), (2, 1), (2, 2), (2, 3), (3, 0), (3, 1), (3, 2), (3, 3), (3, 4), (3, 5)];

/// Whether a thread leaves out this depth; the first one, number 0, leaves out none.
pub(super) fn leaves_out(thread: usize, depth: u32) -> bool {
    thread > 0 && {
        let (length, phase) = TURNS[(thread - 1) % TURNS.len()];
        ((depth + phase) / length) % 2 == 1
    }
}

/// Ends the helpers when the first thread is done, however it comes to that.
struct Ending(Arc<Team>);

impl Drop for Ending {
    fn drop(&mut self) {
        self.0.finish();
    }
}

/// Searches with the first thread and its helpers. Threads that the system does not give are done without.
pub(super) fn search<P: Evaluated>(
    position: &P,
    mut first: Full<'_, P>,
    helpers: Vec<Full<'_, P>>,
    limits: &Limits,
    unit: Score,
    on_depth: &mut dyn FnMut(&DepthReport<P>),
) -> Report<P> {
    if helpers.is_empty() || position.outcome().is_some() {
        return deepen(position, &mut first, limits, unit, on_depth);
    }
    let (mut report, others) = scope(|scope| {
        let ending = Ending(first.work().team().clone());
        let running: Vec<ScopedJoinHandle<'_, Report<P>>> = helpers
            .into_iter()
            .map(|helper| move || help(position, helper))
            .filter_map(|work| Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, work).ok())
            .collect();
        let report = deepen(position, &mut first, limits, unit, on_depth);
        drop(ending);
        let others: Vec<Report<P>> = running.into_iter().filter_map(|helper| helper.join().ok()).collect();
        (report, others)
    });
    let (counters, elapsed) = (first.work().total(), first.work().elapsed());
    let better =
        others.into_iter().filter(|other| is_better(other, &report, limits)).max_by_key(|it| it.depth);
    if let Some(better) = better {
        // A proof may come from a shallower iteration; the deeper one is finished all the same.
        let depth = report.depth.max(better.depth);
        report = Report { depth, ..better };
        let score = report.score;
        on_depth(&DepthReport { depth, score, line: &report.line, counters, elapsed });
    }
    Report { counters, elapsed, ..report }
}

/// The work of a helper: it ends with the first thread, or ends the others with a proof.
fn help<P: Evaluated>(position: &P, mut helper: Full<'_, P>) -> Report<P> {
    let report = deepen(position, &mut helper, &Limits::default(), 1, &mut |_| {});
    helper.work_mut().hand_in();
    if !helper.work().is_stopped() && is_proven(report.score) {
        helper.work().team().finish();
    }
    report
}

/// Whether a helper's result is to be preferred: it is proven, or comes from a deeper iteration than was finished
/// here, where that is not more than was asked for.
fn is_better<P: Evaluated>(other: &Report<P>, report: &Report<P>, limits: &Limits) -> bool {
    let deeper = other.depth > report.depth && limits.depth.is_none_or(|depth| other.depth <= depth);
    other.depth > 0 && !is_proven(report.score) && (is_proven(other.score) || deeper)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_thread_searches_every_depth_and_each_helper_half_of_them() {
        assert!((1..100).all(|depth| !leaves_out(0, depth)));
        for thread in 1..40 {
            let left_out = (1..=60).filter(|&depth| leaves_out(thread, depth)).count();
            assert_eq!(left_out, 30, "{thread}");
        }
    }
}
