//! Iterative deepening for all algorithms.

use super::budget::SearchBudget;
use super::clock::Pace;
use super::limits::Limits;
use super::lines::{FoundLines, Lines, RootMoves};
use super::report::{DepthReport, Line, Report};
use super::score::{MAX_PLY, is_loss};
use crate::eval::Score;
use crate::game::Position;

/// An algorithm that can search one position to one depth.
pub(super) trait Iteration<P: Position> {
    /// Searches to `depth`; most efficient if the score is near `expected`. If the search is
    /// stopped early, the score belongs to the best fully searched root move, and
    /// [`pv`](Iteration::pv) is empty without such a move.
    fn run(&mut self, depth: u32, expected: Score) -> Score;

    /// The principal variation of the last run.
    fn pv(&self) -> Vec<P::Move>;

    fn budget(&self) -> &SearchBudget;

    /// The root moves that [`run`](Iteration::run) chooses from.
    fn root_moves(&mut self) -> &mut RootMoves;

    /// Whether a stopped run with this score is more informative than the run before.
    fn counts_when_stopped(&self, score: Score) -> bool {
        let _ = score;
        true
    }

    /// The depth of the first run of a search under these limits.
    fn first_depth(&self, limits: &Limits) -> u32 {
        let _ = limits;
        1
    }
}

/// Runs iterations until a limit is reached or the result is proven. `unit` is the value of a
/// piece. On a clock an only legal move gets no time.
pub(super) fn deepen<P: Position, I: Iteration<P>>(
    position: &P,
    iteration: &mut I,
    lines: &Lines,
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
    let mut found = FoundLines::new(lines, position, iteration.root_moves());
    let mut pace = Pace::default();
    for depth in first..=last {
        let score = iteration.run(depth, found.expected(0));
        let pv = iteration.pv();
        let counts = !iteration.budget().is_stopped() || iteration.counts_when_stopped(score);
        let is_all_there_is = found.best().is_none() && !is_loss(score);
        if !pv.is_empty() && (counts || is_all_there_is) {
            // A stop while the other lines are searched leaves the best line its depth.
            if !iteration.budget().is_stopped() {
                report.depth = depth;
            }
            found.take(iteration, Line { depth, score, pv });
        }
        let Some(best) = found.best().filter(|_| !iteration.budget().is_stopped()) else { break };
        let (score, pv, alternatives) = (best.score, &best.pv, found.alternatives());
        let (counters, elapsed) = (iteration.budget().total(), iteration.budget().elapsed());
        on_depth(&DepthReport { depth, score, pv, alternatives, counters, elapsed });
        let code = best.code().unwrap_or_default();
        let share = if only_one { 0 } else { pace.note(code, score, unit) };
        if found.are_proven(depth) || iteration.budget().is_enough(share) {
            break;
        }
    }
    let mut lines = found.into_lines();
    let Line { score, pv, .. } = lines.next().unwrap_or_else(|| {
        // Stopped before the first move was searched: any legal move is better than none.
        let moves = iteration.root_moves().begin(position);
        Line { depth: 0, score: 0, pv: moves.first().copied().into_iter().collect() }
    });
    (report.best, report.score, report.pv) = (pv.first().copied(), score, pv);
    report.alternatives = lines.collect();
    report.counters = iteration.budget().total();
    report.elapsed = iteration.budget().elapsed();
    report
}
