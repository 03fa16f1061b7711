//! The control of a tree search from start to end.

use super::backup::refresh;
use super::expand::Expander;
use super::lines::best_lines;
use super::playout::PlayoutRandom;
use super::select::SelectionRule;
use super::tree::{NodeId, Tree};
use super::worker::{Simulated, TreeRoot, TreeWorker, lock};
use crate::eval::{Accumulators, Evaluator, Game, Score};
use crate::game::{MoveCode, MoveList};
use crate::search::budget::SearchBudget;
use crate::search::clock::Pace;
use crate::search::fill::TreeFill;
use crate::search::limits::Limits;
use crate::search::line_keys::{LineKeys, Root};
use crate::search::lines::Lines;
use crate::search::options::{Algorithm, Options};
use crate::search::parallel::{FinishOnDrop, STACK_BYTES};
use crate::search::report::{DepthReport, Line, Report};
use crate::search::score::{MAX_PLY, is_proven};
use std::sync::Mutex;
use std::thread::{Builder, scope};

/// Depth n is complete after this number times 2^n simulations, whatever the length of the most
/// visited line.
pub(super) const LEAST_SIMULATIONS: u64 = 512;

/// The number of simulations between two checks of the most visited line. Until there are as many,
/// each simulation is followed by a check.
const SIMULATIONS_PER_REPORT: u64 = 16;

/// The memory that a tree search keeps between moves.
pub(in crate::search) struct TreeMemory<G: Game> {
    tree: Mutex<Tree>,
    /// The root whose visits were directed by a request, with the least number of lines that may
    /// reuse them: the number requested if there were several, or `usize::MAX` if only some moves
    /// were allowed.
    asked: Option<(u64, usize)>,
    fill: TreeFill,
    /// The accumulators of each thread.
    accumulators: Vec<Accumulators<G::NetworkView>>,
}

impl<G: Game> TreeMemory<G> {
    /// An empty tree, with memory for each thread.
    pub(in crate::search) fn new(options: &Options) -> Self {
        Self {
            tree: Mutex::new(Tree::new(options.table_bytes)),
            asked: None,
            fill: TreeFill::default(),
            accumulators: (0..options.threads.max(1)).map(|_| Accumulators::default()).collect(),
        }
    }

    /// Clears the tree and its records.
    pub(in crate::search) fn clear(&mut self) {
        lock(&self.tree).clear();
        self.asked = None;
        self.fill.set(0);
    }

    /// How full the tree is.
    pub(in crate::search) fn fill(&self) -> &TreeFill {
        &self.fill
    }

    /// Keeps the subtree of a position with these moves, for a search for this many lines. Clears
    /// the tree if repetitions in the game cause draws that the tree does not know, or if the
    /// earlier search sought more lines, or only some of the moves.
    fn keep(
        &mut self,
        position: &G,
        moves: &MoveList<G::Move>,
        lines: usize,
        forget: bool,
    ) -> Option<NodeId> {
        let was_asked = |(key, least)| key == position.key() && lines < least;
        let forget = forget || self.asked.is_some_and(was_asked);
        let mut tree = lock(&self.tree);
        let is_whole = |&id: &NodeId| {
            let edges = tree.edges(id);
            edges.len() == moves.len()
                && edges.iter().zip(moves).all(|(edge, mv)| edge.code == mv.code())
        };
        match tree.find(position.key()).filter(|id| !forget && is_whole(id)) {
            Some(id) => Some(tree.keep_below(id)),
            None => {
                tree.clear();
                None
            }
        }
    }
}

/// Searches until a limit is reached or the result is proven. On a clock an only legal move gets no
/// time.
pub(in crate::search) fn search<G: Game>(
    mut root: Root<'_, G>,
    evaluator: &G::Evaluator,
    options: &Options,
    memory: &mut TreeMemory<G>,
    mut budget: SearchBudget,
    (lines, limits): (&Lines, &Limits),
    on_depth: &mut dyn FnMut(&DepthReport<G>),
) -> Report<G> {
    let position = root.position;
    if position.outcome().is_some() {
        return Report::empty();
    }
    let mut moves = MoveList::new();
    position.moves(&mut moves);
    let chosen = root.root_moves.begin(position);
    let allowed: Vec<bool> = moves.iter().map(|mv| chosen.contains(mv)).collect();
    let wanted = lines.count().min(chosen.len());
    let kept = memory.keep(position, &moves, wanted, root.line_keys.has_game_draws());
    let least = if chosen.len() < moves.len() { usize::MAX } else { wanted };
    memory.asked = (least > 1).then(|| (position.key(), least));
    let is_uct = options.algorithm == Algorithm::Uct;
    let selection = SelectionRule::new(&options.constants, is_uct);
    let (tree, fill) = (&memory.tree, &memory.fill);
    let random = |thread| is_uct.then(|| PlayoutRandom::new(position.key(), thread));
    let mut expanders = memory.accumulators.iter_mut().enumerate().map(|(thread, accumulators)| {
        evaluator.begin(MAX_PLY + 2, accumulators);
        Expander::new(evaluator, accumulators, &options.constants, random(thread))
    });
    let Some(mut expander) = expanders.next() else { return Report::empty() };
    let squash = expander.squash;
    let mut is_partial = false;
    let node = kept.or_else(|| {
        let (id, partial) =
            expand_root(position, tree, &root.line_keys, &mut expander, &mut budget)?;
        is_partial = partial;
        Some(id)
    });
    let Some(node) = node else { return unsearched(&chosen, &budget) };
    let tree_root = TreeRoot { position, node, allowed: &allowed, wanted };
    let keys = &root.line_keys;
    let worker = |expander, budget| TreeWorker {
        root: &tree_root,
        tree,
        selection,
        expander,
        budget,
        line_keys: LineKeys::clone(keys),
        line: Vec::new(),
        unchecked: 0,
    };
    let helpers: Vec<TreeWorker<G>> =
        expanders.map(|expander| worker(expander, budget.for_helper())).collect();
    let first = worker(expander, budget);
    let lines_of = |depth| {
        let tree = lock(tree);
        fill.set(tree.permille_full());
        best_lines(&tree, (position, node), &allowed, (&selection, squash), (wanted, depth))
    };
    let unit = evaluator.unit();
    let only_one = limits.clock.is_some() && moves.len() == 1;
    let pace = TreePace { unit, limits, only_one, pace: Pace::default(), percent: 100 };
    let report = run(first, helpers, pace, &lines_of, on_depth);
    if is_partial {
        memory.clear();
    }
    report
}

/// Adds the root to the tree. The second value tells whether some of its moves were not evaluated.
/// `None` if the search is over before it begins.
fn expand_root<G: Game>(
    position: &G,
    tree: &Mutex<Tree>,
    keys: &LineKeys,
    expander: &mut Expander<'_, G>,
    budget: &mut SearchBudget,
) -> Option<(NodeId, bool)> {
    if budget.enter(0) {
        return None;
    }
    let expanded = expander.expand(position, 0, true, keys, budget);
    let mut tree = lock(tree);
    let id = tree.insert(position.key(), expanded.base, expanded.edges)?;
    refresh(&mut tree, id);
    Some((id, expanded.is_partial))
}

/// The report of a search that was over before it began: any legal move is better than none.
fn unsearched<G: Game>(moves: &MoveList<G::Move>, budget: &SearchBudget) -> Report<G> {
    let best = moves.first().copied();
    let (pv, elapsed) = (best.into_iter().collect(), budget.elapsed());
    Report { best, pv, counters: budget.total(), elapsed, ..Report::empty() }
}

/// Time management of a tree search.
struct TreePace<'a> {
    unit: Score,
    limits: &'a Limits,
    /// Whether the search is on a clock and has only one legal move.
    only_one: bool,
    pace: Pace,
    percent: u32,
}

impl TreePace<'_> {
    /// The share of the soft time that the search should get, in percent.
    fn share(&mut self, code: u16, score: Score, is_new_depth: bool) -> u32 {
        if self.only_one {
            return 0;
        }
        if is_new_depth {
            self.percent = self.pace.note(code, score, self.unit);
        }
        self.percent
    }
}

/// Runs all threads; the first one reports.
fn run<G: Game>(
    mut first: TreeWorker<'_, G>,
    helpers: Vec<TreeWorker<'_, G>>,
    pace: TreePace<'_>,
    lines_of: &dyn Fn(u32) -> Vec<Line<G>>,
    on_depth: &mut dyn FnMut(&DepthReport<G>),
) -> Report<G> {
    let depth = if helpers.is_empty() {
        lead(&mut first, pace, lines_of, on_depth)
    } else {
        scope(|scope| {
            let _ending = FinishOnDrop(first.budget.shared().clone());
            for mut helper in helpers {
                let help = move || {
                    while helper.simulate() == Simulated::Done {}
                    helper.budget.flush_counters();
                };
                // If a thread cannot start, the others do its work.
                let _ = Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, help);
            }
            lead(&mut first, pace, lines_of, on_depth)
        })
    };
    let mut lines = lines_of(depth).into_iter();
    let Some(Line { score, pv, .. }) = lines.next() else { return Report::empty() };
    Report {
        best: pv.first().copied(),
        score,
        depth,
        pv,
        alternatives: lines.collect(),
        counters: first.budget.total(),
        elapsed: first.budget.elapsed(),
    }
}

/// Simulates until a limit is reached or the result is proven. Reports each completed depth and
/// returns the last one.
fn lead<G: Game>(
    worker: &mut TreeWorker<'_, G>,
    mut pace: TreePace<'_>,
    lines_of: &dyn Fn(u32) -> Vec<Line<G>>,
    on_depth: &mut dyn FnMut(&DepthReport<G>),
) -> u32 {
    let last = pace.limits.depth.unwrap_or(u32::MAX).min(MAX_PLY as u32 - 1);
    let (mut depth, mut simulations) = (0, 0_u64);
    while depth < last {
        let simulated = worker.simulate();
        if simulated == Simulated::Stopped {
            break;
        }
        simulations += 1;
        let is_over = simulated == Simulated::Proven;
        if !is_over
            && simulations > SIMULATIONS_PER_REPORT
            && !simulations.is_multiple_of(SIMULATIONS_PER_REPORT)
        {
            continue;
        }
        let lines = lines_of(depth + 1);
        let Some((best, alternatives)) = lines.split_first() else { break };
        let most = LEAST_SIMULATIONS.saturating_mul(1 << (depth + 1).min(50));
        let is_proven = is_over || lines.iter().all(|line| is_proven(line.score));
        let is_new = is_proven || best.pv.len() > depth as usize || simulations >= most;
        if is_new {
            depth += 1;
            let (score, pv, counters) = (best.score, &best.pv, worker.budget.total());
            let elapsed = worker.budget.elapsed();
            on_depth(&DepthReport { depth, score, pv, alternatives, counters, elapsed });
        }
        let code = best.pv.first().map_or(0, |mv| mv.code());
        if is_proven || worker.budget.is_enough(pace.share(code, best.score, is_new)) {
            break;
        }
    }
    depth
}
