//! Multiple principal variations: the root moves that a search considers, and the lines it reports.

use super::deepening::Iteration;
use super::report::Line;
use super::score::is_proven_within;
use crate::eval::Score;
use crate::game::{MoveCode, MoveList, Position};

/// The lines that a search should report: by default the best line of all moves.
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
    /// The codes of the moves to choose from; empty for all legal moves.
    among: Vec<u16>,
}

impl Default for Lines {
    fn default() -> Self {
        Self::best(1)
    }
}

impl Lines {
    /// The best lines, each with a different first move; at least one. A position with fewer moves
    /// has fewer lines.
    pub fn best(count: usize) -> Self {
        Self { count: count.max(1), among: Vec::new() }
    }

    /// Restricts the lines to these first moves. Illegal moves are ignored, and without any legal
    /// one all moves are allowed.
    #[must_use]
    pub fn among<M: MoveCode>(self, moves: &[M]) -> Self {
        Self::among_codes(self.count, moves.iter().map(|mv| mv.code()).collect())
    }

    pub(crate) fn among_codes(count: usize, among: Vec<u16>) -> Self {
        Self { count: count.max(1), among }
    }

    /// The number of lines requested.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Whether only the best line of all moves is requested.
    pub fn is_default(&self) -> bool {
        self.count == 1 && self.among.is_empty()
    }
}

/// The root moves that the next search may choose from.
#[derive(Clone, Debug, Default)]
pub(super) struct RootMoves {
    /// The codes of the moves that the search was restricted to; empty for all.
    among: Vec<u16>,
    /// The first moves of the lines found in this iteration.
    found: Vec<u16>,
}

impl RootMoves {
    pub(super) fn of(lines: &Lines) -> Self {
        Self { among: lines.among.clone(), found: Vec::new() }
    }

    /// The root moves to choose from, at least one: all legal moves if none of the requested moves
    /// is legal.
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

    /// Whether some moves are excluded. The score is then not the position's.
    #[inline]
    pub(super) fn is_partial(&self) -> bool {
        !self.among.is_empty() || !self.found.is_empty()
    }

    /// Removes the excluded moves from a list.
    pub(super) fn retain<M: MoveCode>(&self, moves: &mut MoveList<M>) {
        let is_asked = |code: &u16| self.among.is_empty() || self.among.contains(code);
        moves.retain(|mv| is_asked(&mv.code()) && !self.found.contains(&mv.code()));
    }
}

/// The lines found by a search, best first.
pub(super) struct FoundLines<P: Position> {
    wanted: usize,
    lines: Vec<Line<P>>,
}

impl<P: Position> FoundLines<P> {
    /// No lines yet; at most one for each move will be found.
    pub(super) fn new(lines: &Lines, position: &P, root_moves: &mut RootMoves) -> Self {
        // Moves are listed only if needed, since short searches are frequent.
        let wanted =
            if lines.is_default() { 1 } else { lines.count.min(root_moves.begin(position).len()) };
        Self { wanted, lines: Vec::new() }
    }

    /// A line's score in the last iteration, as the expectation of the next; 0 if there is none.
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

    /// Takes the best line of an iteration, then searches the remaining moves for the other lines.
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
        // With pruning a later line may be better than an earlier one.
        sort_by_score(&mut lines);
        // If the iteration was stopped, lines of the previous iteration follow.
        for line in std::mem::replace(&mut self.lines, lines) {
            let is_old = self.lines.iter().any(|other| other.code() == line.code());
            if self.lines.len() < self.wanted && !is_old {
                self.lines.push(line);
            }
        }
    }

    /// Whether all lines end with a win or a loss within the depth.
    pub(super) fn are_proven(&self, depth: u32) -> bool {
        self.lines.iter().all(|line| is_proven_within(line.score, depth))
    }
}
/// Sorts lines by falling score; equal scores keep their order. It is an insertion sort for few
/// lines: the standard library's sort takes 4 kB of a WebAssembly module for each type of line.
fn sort_by_score<P: Position>(lines: &mut [Line<P>]) {
    for end in 1..lines.len() {
        let mut place = end;
        while place > 0 && lines[place - 1].score < lines[place].score {
            lines.swap(place - 1, place);
            place -= 1;
        }
    }
}
