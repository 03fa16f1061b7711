//! One thread's depth-first proof-number search.

use super::proof_numbers::{INFINITE, ProofNumbers, ProofSum};
use super::report::{MOST_SOLVED_PLIES, SolveProgress};
use super::table::{Key, ProofTable};
use crate::game::{Foresight, KnownValue, KnownValues, MoveList, Outcome, SearchHints, Side};
use crate::search::in_progress::{Claim, InProgress};
use crate::search::limits::Stop;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

/// The number of expanded positions between two checks of the stop flag.
const EXPANSIONS_PER_CHECK: u64 = 2048;
/// A child is left when its number exceeds the second best by more than a `PATIENCE`th of that,
/// which avoids frequent switches (the 1 + epsilon trick, Pawlewicz and Lew 2006).
const PATIENCE: u32 = 4;
/// With several threads: the number of positions expanded below a node after which its other
/// children are read again, since other threads may have changed them.
const STALE: u64 = 256;

/// The state shared by the threads of a solver.
pub(super) struct Shared<'k, P> {
    pub(super) table: ProofTable,
    /// Known values, which need no proof.
    pub(super) known: Option<&'k dyn KnownValues<P>>,
    /// The moves that threads are searching, if there are several threads.
    pub(super) in_progress: Option<InProgress>,
    /// The side for which a draw counts as a win.
    pub(super) draws_for: Side,
    pub(super) stop: Stop,
    /// Set once the position is solved.
    pub(super) done: AtomicBool,
    /// Set once a line has become too long.
    pub(super) is_endless: AtomicBool,
    pub(super) nodes: AtomicU64,
}

impl<P> Shared<'_, P> {
    /// Whether the solver gives up without a proof.
    pub(super) fn is_given_up(&self) -> bool {
        self.stop.is_set() || self.is_endless.load(Relaxed)
    }
}

/// A move with the numbers of the position after it.
pub(super) struct Child<P: SearchHints> {
    pub(super) mv: P::Move,
    /// The numbers from the side that makes the move.
    pub(super) numbers: ProofNumbers,
    key: Key,
    turns: bool,
}

/// A position with its generated moves.
pub(super) struct ProofNode<P: SearchHints> {
    position: P,
    key: Key,
    pub(super) children: Vec<Child<P>>,
    /// The number of positions expanded in and below the node.
    expanded: u64,
}

impl<P: SearchHints> ProofNode<P> {
    /// Its numbers from the side to move.
    pub(super) fn numbers(&self) -> ProofNumbers {
        summary(&self.children).0
    }
}

/// The limits of a node's numbers: its search ends when either number reaches its limit.
#[derive(Clone, Copy)]
struct Bounds {
    win: u32,
    loss: u32,
}

/// The child to search next.
struct ChildChoice {
    index: usize,
    /// The least work to win by another move.
    second: u32,
}

/// One thread of a solver.
pub(super) struct Worker<'a, P> {
    shared: &'a Shared<'a, P>,
    on_progress: Option<&'a mut dyn FnMut(&SolveProgress)>,
    /// The number of positions visited that are not yet in the shared count.
    nodes: u64,
    until_check: u64,
    stopped: bool,
    root: ProofNumbers,
}

impl<'a, P: SearchHints> Worker<'a, P> {
    pub(super) fn new(
        shared: &'a Shared<'a, P>,
        on_progress: Option<&'a mut dyn FnMut(&SolveProgress)>,
    ) -> Self {
        let root = ProofNumbers::open(1, 1);
        Self {
            shared,
            on_progress,
            nodes: 0,
            until_check: EXPANSIONS_PER_CHECK,
            stopped: false,
            root,
        }
    }

    /// Searches a position until it is solved; `None` when stopped before.
    pub(super) fn solve(&mut self, position: &P) -> Option<ProofNode<P>> {
        let key = self.key(position);
        let mut node = self.expand(position.clone(), key);
        let numbers = self.search(&mut node, Bounds { win: INFINITE, loss: INFINITE }, 0);
        self.flush_nodes();
        numbers.is_solved().then_some(node)
    }

    /// Searches a node until one of its numbers reaches its bound.
    fn search(&mut self, node: &mut ProofNode<P>, bounds: Bounds, ply: u32) -> ProofNumbers {
        loop {
            let (numbers, parts) = summary(&node.children);
            if ply == 0 {
                self.root = numbers;
            }
            let over =
                numbers.is_solved() || numbers.win >= bounds.win || numbers.loss >= bounds.loss;
            if over || self.stopped {
                self.shared.table.store(node.key, numbers, node.expanded);
                return numbers;
            }
            if ply == MOST_SOLVED_PLIES {
                self.shared.is_endless.store(true, Relaxed);
                self.stopped = true;
                return numbers;
            }
            let Some(choice) = self.choose(&node.children) else { return numbers };
            let child = &node.children[choice.index];
            let within = child_bounds(child, choice.second, parts, bounds);
            let _taken = self.claim(child.key).map(Claim::take);
            let mut below = self.expand(node.position.play_unchecked(child.mv), child.key);
            let found = self.search(&mut below, within, ply + 1);
            node.expanded += below.expanded;
            let child = &mut node.children[choice.index];
            child.numbers = found.seen_by_mover(child.turns);
            if self.shared.in_progress.is_some() && below.expanded >= STALE {
                self.refresh(&mut node.children);
            }
        }
    }

    /// Generates the moves of a position with their numbers. After a winning move the others are
    /// left out.
    fn expand(&mut self, position: P, key: Key) -> ProofNode<P> {
        self.check();
        let mut moves = MoveList::new();
        // In a decided position the answers to a threat may lack the win or be empty.
        match position.foresight() {
            Foresight::Unknown => position.relevant_moves(&mut moves),
            _ => position.moves(&mut moves),
        }
        let mut children = Vec::with_capacity(moves.len());
        for mv in moves {
            let child = self.evaluate_child(&position, mv);
            let wins = child.numbers.win == 0;
            children.push(child);
            if wins {
                break;
            }
        }
        ProofNode { position, key, children, expanded: 1 }
    }

    /// The numbers of the position after a move.
    #[inline]
    fn evaluate_child(&mut self, parent: &P, mv: P::Move) -> Child<P> {
        self.nodes += 1;
        let position = parent.play_unchecked(mv);
        let side = position.side_to_move();
        let key = self.key(&position);
        let known = match (position.outcome(), position.foresight()) {
            (Some(Outcome::Win(winner)), _) => Some(ProofNumbers::solved(winner == side, 0)),
            (Some(Outcome::Draw), _) => {
                Some(ProofNumbers::solved(self.shared.draws_for == side, 0))
            }
            (None, Foresight::Win(plies)) => Some(ProofNumbers::solved(true, plies.into())),
            (None, Foresight::Loss(plies)) => Some(ProofNumbers::solved(false, plies.into())),
            (None, Foresight::Unknown) => {
                self.known(&position).or_else(|| self.shared.table.probe(key))
            }
        };
        let numbers = known.unwrap_or_else(|| ProofNumbers::guess(&position));
        let turns = side != parent.side_to_move();
        Child { mv, numbers: numbers.seen_by_mover(turns), key, turns }
    }

    /// The numbers of a position with a known value.
    #[inline]
    fn known(&self, position: &P) -> Option<ProofNumbers> {
        let value = self.shared.known?.known_value(position)?;
        Some(match value {
            KnownValue::Win(turns) => ProofNumbers::solved(true, turns),
            KnownValue::Loss(turns) => ProofNumbers::solved(false, turns),
            KnownValue::Draw => {
                ProofNumbers::solved(self.shared.draws_for == position.side_to_move(), 0)
            }
        })
    }

    #[inline]
    fn key(&self, position: &P) -> Key {
        // In a game with draws, the numbers depend on the side that draws count for.
        let variant = u64::from(P::HAS_DRAWS && self.shared.draws_for == position.side_to_move());
        Key::new(position.canonical_key(), variant)
    }

    /// The move that takes the least work to win. Moves that another thread is trying count as
    /// harder.
    #[inline]
    fn choose(&self, children: &[Child<P>]) -> Option<ChildChoice> {
        let (mut best, mut second, mut index) = (INFINITE, INFINITE, None);
        for (i, child) in children.iter().enumerate() {
            let mut effort = child.numbers.win;
            if effort < INFINITE && self.claim(child.key).is_some_and(|claim| claim.is_taken()) {
                effort = (effort + effort / 2 + 1).min(INFINITE - 1);
            }
            if effort < best {
                (second, best, index) = (best, effort, Some(i));
            } else {
                second = second.min(effort);
            }
        }
        index.map(|index| ChildChoice { index, second })
    }

    #[inline]
    fn claim(&self, key: Key) -> Option<Claim<'a>> {
        self.shared.in_progress.as_ref().map(|in_progress| in_progress.claim(key.place, 0, 0))
    }

    /// Reads the table again, since other threads may have found more.
    fn refresh(&self, children: &mut [Child<P>]) {
        for child in children.iter_mut().filter(|child| !child.numbers.is_solved()) {
            if let Some(numbers) = self.shared.table.probe(child.key) {
                child.numbers = numbers.seen_by_mover(child.turns);
            }
        }
    }

    #[inline]
    fn check(&mut self) {
        self.until_check -= 1;
        if self.until_check == 0 {
            self.until_check = EXPANSIONS_PER_CHECK;
            self.poll();
        }
    }

    #[cold]
    fn poll(&mut self) {
        self.flush_nodes();
        self.stopped |= self.shared.is_given_up() || self.shared.done.load(Relaxed);
        if let Some(on_progress) = &mut self.on_progress {
            on_progress(&SolveProgress {
                nodes: self.shared.nodes.load(Relaxed),
                permille_full: self.shared.table.permille_full(),
                win: self.root.win,
                loss: self.root.loss,
            });
        }
    }

    fn flush_nodes(&mut self) {
        self.shared.nodes.fetch_add(std::mem::take(&mut self.nodes), Relaxed);
    }
}

/// A node's numbers, computed from its children's, and the work to refute each of its moves.
#[inline]
fn summary<P: SearchHints>(children: &[Child<P>]) -> (ProofNumbers, ProofSum) {
    let (mut win, mut parts) = (INFINITE, ProofSum::default());
    for child in children {
        win = win.min(child.numbers.win);
        if child.numbers.loss < INFINITE {
            parts.add(child.numbers.loss);
        }
    }
    if win > 0 && win < INFINITE {
        return (ProofNumbers::open(win.into(), parts.value()), parts);
    }
    let won = win == 0;
    let plies =
        children.iter().filter(|child| child.numbers.win == win).map(|child| child.numbers.plies);
    let plies = if won { plies.min() } else { plies.max() };
    (
        ProofNumbers::solved(
            won,
            plies.map_or(0, |plies| plies.saturating_add(1).min(INFINITE - 1)),
        ),
        parts,
    )
}

/// The limits of a child from its own side to move. Its search ends when another move seems much
/// better, or when the node itself reaches a limit.
#[inline]
fn child_bounds<P: SearchHints>(
    child: &Child<P>,
    second: u32,
    parts: ProofSum,
    bounds: Bounds,
) -> Bounds {
    let patient = second.saturating_add(second / PATIENCE).saturating_add(1);
    let win = bounds.win.min(patient).max(child.numbers.win + 1).min(INFINITE);
    let loss = parts.limit_of(child.numbers.loss, bounds.loss);
    if child.turns { Bounds { win: loss, loss: win } } else { Bounds { win, loss } }
}
