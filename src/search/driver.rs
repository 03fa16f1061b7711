//! Iterative deepening, the same for every algorithm.

use super::clock::Pace;
use super::engine::{DepthReport, Report};
use super::limits::Limits;
use super::score::{MAX_PLY, plies_to_win};
use super::work::SearchBudget;
use crate::eval::Score;
use crate::game::{MoveCode, Position};

/// An algorithm that can search one position to one depth.
pub(super) trait Iteration<P: Position> {
    /// Searches to `depth`. When the work is stopped on the way, the score is that of the best root
    /// move searched to the end, and [`line`](Iteration::line) is empty if there was none.
    fn run(&mut self, depth: u32) -> Score;

    /// The principal variation of the last run.
    fn line(&self) -> Vec<P::Move>;

    /// What has been counted.
    fn work(&self) -> &SearchBudget;

    /// The first depth worth running when a search to this depth is asked for.
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
        let line = iteration.line();
        let stopped = iteration.work().is_stopped();
        if let Some(&best) = line.first() {
            report.best = Some(best);
            report.score = score;
            report.line = line;
        }
        if stopped {
            break;
        }
        report.depth = depth;
        let (counters, elapsed) = (iteration.work().total(), iteration.work().elapsed());
        on_depth(&DepthReport {
            depth,
            score: report.score,
            line: &report.line,
            counters,
            elapsed,
        });
        let proven = plies_to_win(score).is_some_and(|plies| plies.unsigned_abs() <= depth);
        let code = report.best.map_or(0, MoveCode::code);
        let share = if only_one { 0 } else { pace.note(code, report.score, unit) };
        if proven || iteration.work().is_enough(share) {
            break;
        }
    }
    report.counters = iteration.work().total();
    report.elapsed = iteration.work().elapsed();
    if report.best.is_none() {
        // Stopped before the first move was searched: any legal move is better than none.
        let mut moves = crate::game::MoveList::new();
        position.moves(&mut moves);
        report.best = moves.first().copied();
        report.line = report.best.into_iter().collect();
    }
    report
}
