//! Move ordering: the table's move, captures (those that win a piece first), killers, then quiet
//! moves by history, by rank and by whether they lose a piece.

use super::constants::SearchConstants;
use super::history::{History, LIMIT, MoveContext};
use super::line_keys::LineKeys;
use super::lines::RootMoves;
use crate::game::{MAX_MOVES, MoveCode, MoveList, SearchHints};
use arrayvec::ArrayVec;

/// Moves with their ordering values.
pub(super) type ScoredMoves<M> = ArrayVec<(i32, M), MAX_MOVES>;

const TABLE_MOVE: i32 = 1 << 30;
const CAPTURE: i32 = 1 << 24;
/// The ordering value of each piece that a capture wins by exchange: above any move rank.
const EXCHANGE: i32 = 16;
const KILLERS: [i32; 2] = [(1 << 22) + (1 << 21) + 1, (1 << 22) + (1 << 21)];
const _: () = assert!(KILLERS[1] > LIMIT * 32);

/// Lists the moves of a node. In turns of several moves, moves that only reach the same positions
/// in another order are left out. At the root all moves are listed, except those excluded from the
/// search. All are also listed if repeating a position of the game makes a draw, since this may
/// depend on the order of the moves.
#[inline]
pub(super) fn list_moves<P: SearchHints>(
    position: &P,
    ply: usize,
    line_keys: &LineKeys,
    root_moves: &RootMoves,
    moves: &mut MoveList<P::Move>,
) {
    if ply > 0 && !line_keys.has_game_draws() {
        return position.distinct_moves(moves);
    }
    position.moves(moves);
    if ply == 0 {
        root_moves.retain(moves);
    }
}

/// Gives each move of a list its ordering value; the best move comes first. `scored` is filled in
/// place, since returning it would copy its whole capacity.
#[inline]
pub(super) fn score_moves<P: SearchHints>(
    position: &P,
    moves: &MoveList<P::Move>,
    table_code: u16,
    history: &History,
    context: MoveContext,
    constants: &SearchConstants,
    scored: &mut ScoredMoves<P::Move>,
) {
    let killers = history.killers(context.ply);
    let exchange = position.exchanges();
    let value = |mv: P::Move| {
        let code = mv.code();
        if code == table_code {
            return TABLE_MOVE;
        }
        let rank = i32::from(position.move_rank(mv));
        if position.is_capture(mv) {
            return CAPTURE + EXCHANGE * exchange(mv) + rank;
        }
        match killers.iter().position(|&killer| killer == code) {
            Some(index) => KILLERS[index],
            None => {
                let lost = exchange(mv) * constants.exchange_weight;
                history.value(context, mv, constants.answer_weight)
                    + rank * constants.rank_weight
                    + lost
            }
        }
    };
    let (mut best, mut most) = (0, i32::MIN);
    for (place, &mv) in moves.iter().enumerate() {
        let value = value(mv);
        if value > most {
            (best, most) = (place, value);
        }
        scored.push((value, mv));
    }
    if best > 0 {
        scored.swap(0, best);
    }
}

/// Moves the best of the moves from `index` on to this index and returns it.
#[inline]
fn pick<M: MoveCode>(moves: &mut ScoredMoves<M>, index: usize) -> Option<M> {
    // Takes the first of equals. The plain loop is inlined wherever this function is.
    let (mut best, mut most) = (index, moves.get(index)?.0);
    for (place, &(value, _)) in moves.iter().enumerate().skip(index + 1) {
        if value > most {
            (best, most) = (place, value);
        }
    }
    moves.swap(index, best);
    Some(moves[index].1)
}

/// The value of deferred moves, from which their number is subtracted: below all other values.
const DEFERRED: i32 = -(1 << 28);

/// The moves of a node in order. The table's move comes before the others are even generated,
/// because most often it refutes the node.
pub(super) struct MoveOrder<M> {
    /// The move from the table.
    first: Option<M>,
    scored: ScoredMoves<M>,
    listed: bool,
    /// The number of moves returned so far, without deferred ones.
    given: usize,
    deferred: usize,
}

/// A move of a [`MoveOrder`].
#[derive(Clone, Copy)]
pub(super) struct NextMove<M> {
    pub(super) mv: M,
    /// If it was deferred, the number it had then.
    pub(super) deferred_number: Option<usize>,
}

impl<M: MoveCode> MoveOrder<M> {
    /// An order that begins with this move, if there is one. The move must be legal.
    #[inline]
    pub(super) fn new(first: Option<M>) -> Self {
        Self { first, scored: ScoredMoves::new(), listed: false, given: 0, deferred: 0 }
    }

    /// The next move. `list` generates the moves, the best one first: this is the first move if the
    /// list contains it.
    #[inline]
    pub(super) fn next(&mut self, list: impl FnOnce(&mut ScoredMoves<M>)) -> Option<NextMove<M>> {
        if !self.listed {
            if let Some(mv) = self.first.filter(|_| self.given == 0) {
                self.given = 1;
                return Some(NextMove { mv, deferred_number: None });
            }
            self.listed = true;
            list(&mut self.scored);
            let best = self.scored.first()?.1;
            // A list without transposed move orders may lack the first move.
            if self.given == 0 || Some(best) != self.first {
                self.given = 1;
                return Some(NextMove { mv: best, deferred_number: None });
            }
        }
        let mv = pick(&mut self.scored, self.given)?;
        let value = self.scored[self.given].0;
        self.given += 1;
        Some(NextMove {
            mv,
            deferred_number: (value <= DEFERRED).then(|| (DEFERRED - value) as usize),
        })
    }

    /// Moves the last returned move behind all others. It will be returned again with this
    /// `number`.
    #[inline]
    pub(super) fn defer(&mut self, number: usize) {
        self.given -= 1;
        self.deferred += 1;
        self.scored[self.given].0 = DEFERRED - number as i32;
    }

    /// The number of times that moves were deferred.
    #[inline]
    pub(super) fn deferred_count(&self) -> usize {
        self.deferred
    }
}
