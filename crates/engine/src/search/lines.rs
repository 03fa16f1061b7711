//! Which moves of the root a search looks at, and how many lines it reports.

use super::deepening::Iteration;
use super::report::Line;
use super::score::is_proven_within;
use crate::eval::Score;
use crate::game::{MoveCode, MoveList, Position};

/// The lines that a search reports: one by default, the best of all moves.
///
/// ```
/// use sparring_engine::eval::Game;
/// use sparring_engine::game::Position;
/// use sparring_engine::games::Breakthrough;
/// use sparring_engine::search::{Engine, Limits, Lines, Options, Stop};
/// # let weights = sparring_engine::weights::find("piece", "breakthrough").unwrap();
/// # let evaluator = Breakthrough::evaluator(&weights).unwrap();
/// # let options = Options { table_bytes: 1 << 20, ..Options::default() };
/// let mut engine = Engine::<Breakthrough>::new(evaluator, options);
/// let start = Breakthrough::start(Breakthrough::default_board()).unwrap();
/// let (limits, stop) = (Limits::depth(4), Stop::default());
/// let report = engine.search_lines(&Lines::best(3), &start, &limits, &stop, &mut |_| {});
/// assert_eq!(report.lines().len(), 3);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lines {
    count: usize,
    /// The codes of the moves to choose from; empty for all legal ones.
    among: Vec<u16>,
}

impl Default for Lines {
    fn default() -> Self {
        Self::best(1)
    }
}

impl Lines {
    /// The best lines, each beginning with another move; at least one. A position with fewer moves
    /// has fewer lines.
    pub fn best(count: usize) -> Self {
        Self { count: count.max(1), among: Vec::new() }
    }

    /// Only lines that begin with one of these moves; with any legal move if there is none. Illegal
    /// moves are left out.
    #[must_use]
    pub fn among<M: MoveCode>(self, moves: &[M]) -> Self {
        Self::among_codes(self.count, moves.iter().map(|mv| mv.code()).collect())
    }

    pub(crate) fn among_codes(count: usize, among: Vec<u16>) -> Self {
        Self { count: count.max(1), among }
    }

    /// How many lines are asked for.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Whether this asks for nothing but the best of all moves.
    pub fn is_default(&self) -> bool {
        self.count == 1 && self.among.is_empty()
    }
}

/// The moves of the root that the next search may choose from.
#[derive(Clone, Debug, Default)]
pub(super) struct RootMoves {
    /// The codes of the moves that the search was asked to choose from; empty for all.
    among: Vec<u16>,
    /// The first moves of the lines that this iteration has found.
    found: Vec<u16>,
}

impl RootMoves {
    pub(super) fn of(lines: &Lines) -> Self {
        Self { among: lines.among.clone(), found: Vec::new() }
    }

    /// The moves that a search of the root may choose from, at least one: all of them where none of
    /// those asked for is legal.
    pub(super) fn begin<P: Position>(&mut self, position: &P) -> MoveList<P::Move> {
        let mut moves = MoveList::new();
        position.moves(&mut moves);
        let all = moves.clone();
        self.retain(&mut moves);
        if !moves.is_empty() {
            return moves;
        }
        self.among.clear();
        all
    }

    /// Whether some moves are left out. The score is not that of the position then.
    #[inline]
    pub(super) fn is_partial(&self) -> bool {
        !self.among.is_empty() || !self.found.is_empty()
    }

    /// Leaves out the moves that are not to be searched.
    pub(super) fn retain<M: MoveCode>(&self, moves: &mut MoveList<M>) {
        let is_asked = |code: &u16| self.among.is_empty() || self.among.contains(code);
        moves.retain(|mv| is_asked(&mv.code()) && !self.found.contains(&mv.code()));
    }
}

/// The lines that a search has found, best first.
pub(super) struct FoundLines<P: Position> {
    wanted: usize,
    lines: Vec<Line<P>>,
}

impl<P: Position> FoundLines<P> {
    /// None yet; at most one for each move.
    pub(super) fn new(lines: &Lines, position: &P, root_moves: &mut RootMoves) -> Self {
        // Without a list of moves where it is not needed: short searches are many.
        let wanted =
            if lines.is_default() { 1 } else { lines.count.min(root_moves.begin(position).len()) };
        Self { wanted, lines: Vec::new() }
    }

    /// The score of a line of the last iteration, which the next one expects; 0 where there is none.
    pub(super) fn expected(&self, index: usize) -> Score {
        self.lines.get(index).map_or(0, |line| line.score)
    }

    pub(super) fn best(&self) -> Option<&Line<P>> {
        self.lines.first()
    }

    pub(super) fn alternatives(&self) -> &[Line<P>] {
        self.lines.get(1..).unwrap_or_default()
    }

    pub(super) fn into_lines(self) -> impl Iterator<Item = Line<P>> {
        self.lines.into_iter()
    }

    /// Takes the best line of an iteration, and searches the moves that it leaves for the others.
    pub(super) fn take<I: Iteration<P>>(&mut self, iteration: &mut I, best: Line<P>) {
        if self.wanted == 1 {
            self.lines.clear();
            return self.lines.push(best);
        }
        let depth = best.depth;
        let mut lines = vec![best];
        while lines.len() < self.wanted && !iteration.budget().is_stopped() {
            iteration.root_moves().found = lines.iter().filter_map(Line::code).collect();
            let score = iteration.run(depth, self.expected(lines.len()));
            let pv = iteration.pv();
            if iteration.budget().is_stopped() || pv.is_empty() {
                break;
            }
            lines.push(Line { depth, score, pv });
        }
        iteration.root_moves().found.clear();
        // By searches that prune, a later line may be better than an earlier one.
        sort_by_score(&mut lines);
        // Where the iteration was stopped, lines of the one before it follow.
        for line in std::mem::replace(&mut self.lines, lines) {
            let is_old = self.lines.iter().any(|other| other.code() == line.code());
            if self.lines.len() < self.wanted && !is_old {
                self.lines.push(line);
            }
        }
    }

    /// Whether every line ends with a win or a loss within the depth.
    pub(super) fn are_proven(&self, depth: u32) -> bool {
        self.lines.iter().all(|line| is_proven_within(line.score, depth))
    }
}
/// Sorts lines by falling score and keeps the order of equals. By insertion, as there are few: the
/// sort of the standard library takes 4 kB of a WebAssembly module for each type of line.
fn sort_by_score<P: Position>(lines: &mut [Line<P>]) {
    for end in 1..lines.len() {
        let mut place = end;
        while place > 0 && lines[place - 1].score < lines[place].score {
            lines.swap(place - 1, place);
            place -= 1;
        }
    }
}
