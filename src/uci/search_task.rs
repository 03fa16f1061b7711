//! A search that is reported depth by depth, and answered as soon as the protocol allows.

use super::info::{SearchInfo, best_move};
use super::job::JobSignals;
use super::output::Output;
use crate::any::{AnyEngine, AnyLine, AnyPosition, AnyReport};
use crate::eval::Score;
use crate::game::{Outcome, Repetitions};
use crate::protocol::Protocol;
use crate::search::score::{WIN, plies_to_win};
use crate::search::{Counters, Fill, Limits, Lines};
use std::time::{Duration, Instant};

/// A search that `go` asks for.
pub(super) struct SearchTask {
    pub(super) position: AnyPosition,
    /// How often each position of the game before it has been met, where that counts.
    pub(super) met: Repetitions,
    pub(super) limits: Limits,
    pub(super) lines: Lines,
    /// Whether the answer waits for `stop`.
    pub(super) endless: bool,
    /// Moves within which a proven win ends the search.
    pub(super) mate: Option<u32>,
    /// When the command came: the search's time runs from then.
    pub(super) asked: Instant,
    pub(super) protocol: Protocol,
    pub(super) output: Output,
}

/// Carries out a task: prints `info` lines, then one `bestmove`. Returns the engine.
pub(super) fn run(mut engine: AnyEngine, task: &SearchTask, signals: &JobSignals) -> AnyEngine {
    let report = match task.position.outcome() {
        Some(outcome) => {
            report_outcome(task, outcome);
            None
        }
        None => Some(search(&mut engine, task, signals)),
    };
    signals.wait_to_answer(task.endless);
    signals.announce_answer();
    let best = report
        .as_ref()
        .and_then(|report| report.best)
        .map(|mv| task.protocol.move_text(&task.position, mv));
    let ponder = report.as_ref().and_then(|report| ponder_move(task, report));
    task.output.say(best_move(task.protocol, best.as_deref(), ponder.as_deref()));
    engine
}

fn search(engine: &mut AnyEngine, task: &SearchTask, signals: &JobSignals) -> AnyReport {
    let unit = engine.unit();
    let reporter = Reporter { task, fill: engine.fill(), unit };
    let limits = task.limits.after(task.asked.elapsed());
    let mut reported = None;
    let mut on_depth = |found: &AnyReport| {
        reporter.report(found);
        reported = Some((found.counters.nodes, found.pv.clone()));
        if reporter.is_enough(found.score) {
            signals.stop.set();
        }
    };
    let SearchTask { lines, met, position, .. } = task;
    let (stop, on_depth) = (&signals.stop, Some(&mut on_depth as &mut dyn FnMut(&AnyReport)));
    let report = engine.search_lines(lines, met, position, &limits, stop, on_depth);
    // An iteration that was cut short may have found a better move; and all nodes count.
    if reported != Some((report.counters.nodes, report.pv.clone())) {
        reporter.report(&report);
    }
    report
}

/// Writes the `info` lines of a search.
struct Reporter<'a> {
    task: &'a SearchTask,
    fill: Fill,
    /// The score of a piece.
    unit: Score,
}

impl Reporter<'_> {
    fn report(&self, found: &AnyReport) {
        let Counters { seldepth, nodes, .. } = found.counters;
        let hashfull = self.fill.permille();
        for (index, AnyLine { depth, score, pv }) in found.lines().into_iter().enumerate() {
            self.task.output.say(SearchInfo {
                depth,
                seldepth,
                multi_pv: (self.task.lines.count() > 1).then_some(index + 1),
                score,
                unit: self.unit,
                nodes,
                hashfull,
                time: found.elapsed,
                pv: self.task.protocol.line_text(&self.task.position, &pv),
            });
        }
    }

    /// Whether the requested win is found or cannot come, since the side to move loses; or the
    /// output is closed.
    fn is_enough(&self, score: Score) -> bool {
        let is_wanted = |moves: u32| {
            plies_to_win(score)
                .is_some_and(|plies| plies < 0 || plies.unsigned_abs().div_ceil(2) <= moves)
        };
        self.task.mate.is_some_and(is_wanted) || self.task.output.is_closed()
    }
}

/// Writes the result of a finished game as a score, which is all that the protocol has for it.
fn report_outcome(task: &SearchTask, outcome: Outcome) {
    let score = match outcome {
        Outcome::Win(winner) if winner != task.position.side_to_move() => -WIN,
        Outcome::Win(_) => WIN,
        Outcome::Draw => 0,
    };
    task.output.say(SearchInfo {
        depth: 0,
        seldepth: 0,
        multi_pv: None,
        score,
        unit: 1,
        nodes: 0,
        hashfull: 0,
        time: Duration::ZERO,
        pv: String::new(),
    });
}

/// The other side's expected answer, if it is known and the turn is over.
fn ponder_move(task: &SearchTask, report: &AnyReport) -> Option<String> {
    let [best, answer, ..] = report.pv.as_slice() else { return None };
    let next = task.position.after(*best);
    let is_answer = next.side_to_move() != task.position.side_to_move() && next.is_legal(*answer);
    is_answer.then(|| task.protocol.move_text(&next, *answer))
}
