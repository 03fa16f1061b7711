//! A search that is told of as it goes on, and answered when it may be.

use super::job::JobSignals;
use super::output::Output;
use crate::eval::{Evaluator, Game, Score};
use crate::game::{Outcome, Position, Repetitions};
use crate::protocol::Protocol;
use crate::protocol::server::{SearchInfo, best_move};
use crate::search::score::{WIN, plies_to_win};
use crate::search::table::TranspositionTable;
use crate::search::{Counters, DepthReport, Engine, Limits, Report};
use std::time::{Duration, Instant};

/// What to search, and how to tell of it.
pub(super) struct Task<P> {
    pub(super) position: P,
    /// How often each position of the game before it has been met, where that counts.
    pub(super) met: Repetitions,
    pub(super) limits: Limits,
    /// Whether the answer waits for `stop`.
    pub(super) endless: bool,
    /// End once a win in so many moves is proven.
    pub(super) mate: Option<u32>,
    /// When the command came that asks for it: its time runs since then.
    pub(super) asked: Instant,
    pub(super) protocol: Protocol,
    pub(super) output: Output,
}

/// Does a task: `info` lines, one `bestmove`. Gives the engine back.
pub(super) fn think<G: Game>(
    mut engine: Engine<G>,
    task: &Task<G>,
    signals: &JobSignals,
) -> Engine<G> {
    let report = match task.position.outcome() {
        Some(outcome) => {
            tell_of_the_end(task, outcome);
            None
        }
        None => Some(search(&mut engine, task, signals)),
    };
    signals.wait_for_leave(task.endless);
    signals.announce_answer();
    let best = report
        .as_ref()
        .and_then(|report| report.best)
        .map(|mv| task.protocol.move_text(&task.position, mv));
    let ponder = report.as_ref().and_then(|report| ponder_move(task, report));
    task.output.say(best_move(task.protocol, best.as_deref(), ponder.as_deref()));
    engine
}

fn search<G: Game>(engine: &mut Engine<G>, task: &Task<G>, signals: &JobSignals) -> Report<G> {
    let unit = engine.evaluator().unit();
    let table = engine.table().clone();
    let reporter = Reporter { task, table: &table, unit };
    let limits = task.limits.after(task.asked.elapsed());
    let mut told = None;
    let report =
        engine.search_after(&task.met, &task.position, &limits, &signals.stop, &mut |found| {
            reporter.tell(found);
            told = Some((found.counters.nodes, found.line.to_vec()));
            if reporter.is_enough(found.score) {
                signals.stop.set();
            }
        });
    // An iteration that was cut short may have found a better move; and all nodes count.
    if told != Some((report.counters.nodes, report.line.clone())) {
        reporter.tell(&DepthReport {
            depth: report.depth,
            score: report.score,
            line: &report.line,
            counters: report.counters,
            elapsed: report.elapsed,
        });
    }
    report
}

/// Tells of a search.
struct Reporter<'a, P> {
    task: &'a Task<P>,
    table: &'a TranspositionTable,
    /// The score of a piece.
    unit: Score,
}

impl<P: Position> Reporter<'_, P> {
    fn tell(&self, found: &DepthReport<P>) {
        let Counters { seldepth, nodes, .. } = found.counters;
        self.task.output.say(SearchInfo {
            depth: found.depth,
            seldepth,
            score: found.score,
            unit: self.unit,
            nodes,
            hashfull: self.table.permille_full(),
            time: found.elapsed,
            pv: self.task.protocol.line_text(&self.task.position, found.line),
        });
    }

    /// Whether the win that was asked for is found, or nobody listens.
    fn is_enough(&self, score: Score) -> bool {
        let is_wanted = |moves: u32| {
            plies_to_win(score)
                .is_some_and(|plies| plies > 0 && plies.unsigned_abs().div_ceil(2) <= moves)
        };
        self.task.mate.is_some_and(is_wanted) || self.task.output.is_closed()
    }
}

/// Says how a finished game has ended, as far as the protocol has words for it.
fn tell_of_the_end<P: Position>(task: &Task<P>, outcome: Outcome) {
    let score = match outcome {
        Outcome::Win(winner) if winner != task.position.side_to_move() => -WIN,
        Outcome::Win(_) => WIN,
        Outcome::Draw => 0,
    };
    task.output.say(SearchInfo {
        depth: 0,
        seldepth: 0,
        score,
        unit: 1,
        nodes: 0,
        hashfull: 0,
        time: Duration::ZERO,
        pv: String::new(),
    });
}

/// The other side's expected answer, if it is known and its turn.
fn ponder_move<P: Position>(task: &Task<P>, report: &Report<P>) -> Option<String> {
    let [best, answer, ..] = report.line.as_slice() else { return None };
    let next = task.position.play_unchecked(*best);
    let is_answer = next.side_to_move() != task.position.side_to_move() && next.is_legal(*answer);
    is_answer.then(|| task.protocol.move_text(&next, *answer))
}
