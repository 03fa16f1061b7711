//! Iterative deepening, the same for every algorithm.

use super::budget::SearchBudget;
use super::clock::Pace;
use super::limits::Limits;
use super::report::{DepthReport, Report};
use super::score::{MAX_PLY, plies_to_win};
use crate::eval::Score;
use crate::game::{MoveCode, Position};

/// An algorithm that can search one position to one depth.
pub(super) trait Iteration<P: Position> {
    /// Searches to `depth`. When it is stopped on the way, the score is that of the best root
    /// move searched to the end, and [`pv`](Iteration::pv) is empty if there was none.
    fn run(&mut self, depth: u32) -> Score;

    /// The principal variation of the last run.
    fn pv(&self) -> Vec<P::Move>;

    fn budget(&self) -> &SearchBudget;

    /// The first depth to run for a search to this depth.
    fn first_depth(&self, limits: &Limits) -> u32 {
        let _ = limits;
        1
    }
}

/// Runs iterations until a limit is reached or the result is proven. `unit` is the worth of a
/// piece. On a clock, the only legal move gets no time.
pub(super) fn deepen<P: Position, I: Iteration<P>>(
    position: &P,
    iteration: &mut I,
    limits: &Limits,
    unit: Score,
    on_depth: &mut dyn FnMut(&DepthReport<P>),
) -> Report<P> {
    let mut report = Report::empty();
    if position.outcome().is_some() {
        return report;
    }
    let last = limits.depth.unwrap_or(u32::MAX).min(MAX_PLY as u32 - 1);
    let first = iteration.first_depth(limits).min(last).max(1);
    let only_one = limits.clock.is_some() && position.count_moves() == 1;
    let mut pace = Pace::default();
    for depth in first..=last {
        let score = iteration.run(depth);
        let pv = iteration.pv();
        let stopped = iteration.budget().is_stopped();
        if let Some(&best) = pv.first() {
            report.best = Some(best);
            report.score = score;
            report.pv = pv;
        }
        if stopped {
            break;
        }
        report.depth = depth;
        let (counters, elapsed) = (iteration.budget().total(), iteration.budget().elapsed());
        on_depth(&DepthReport { depth, score: report.score, pv: &report.pv, counters, elapsed });
        let proven = plies_to_win(score).is_some_and(|plies| plies.unsigned_abs() <= depth);
        let code = report.best.map_or(0, MoveCode::code);
        let share = if only_one { 0 } else { pace.note(code, report.score, unit) };
        if proven || iteration.budget().is_enough(share) {
            break;
        }
    }
    report.counters = iteration.budget().total();
    report.elapsed = iteration.budget().elapsed();
    if report.best.is_none() {
        // Stopped before the first move was searched: any legal move is better than none.
        let mut moves = crate::game::MoveList::new();
        position.moves(&mut moves);
        report.best = moves.first().copied();
        report.pv = report.best.into_iter().collect();
    }
    report
}
