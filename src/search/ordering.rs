//! The order in which moves are tried: table move, captures, first those that win a piece, killers, then quiet moves by
//! history, rank and whether they lose a piece.

use super::history::{History, LIMIT, Moment};
use super::params::Params;
use crate::game::{MAX_MOVES, MoveCode, MoveList, Position};
use arrayvec::ArrayVec;

/// Moves with the values they are ordered by.
pub(super) type ScoredMoves<M> = ArrayVec<(i32, M), MAX_MOVES>;

const TABLE_MOVE: i32 = 1 << 30;
const CAPTURE: i32 = 1 << 24;
/// What a piece won by an exchange counts among captures: more than any rank.
const EXCHANGE: i32 = 16;
const KILLERS: [i32; 2] = [(1 << 22) + (1 << 21) + 1, (1 << 22) + (1 << 21)];
const _: () = assert!(KILLERS[1] > LIMIT * 32);

/// Gives each move of a list its value. The list is filled in place: moving it about would copy all of its room.
#[inline]
pub(super) fn score_moves<P: Position>(
    position: &P,
    moves: &MoveList<P::Move>,
    table_code: u16,
    history: &History,
    moment: Moment,
    params: &Params,
    scored: &mut ScoredMoves<P::Move>,
) {
    let killers = history.killers(moment.ply);
    let value = |mv: P::Move| {
        let code = mv.code();
        if code == table_code {
            return TABLE_MOVE;
        }
        let rank = i32::from(position.move_rank(mv));
        if position.is_capture(mv) {
            return CAPTURE + EXCHANGE * position.exchange(mv) + rank;
        }
        match killers.iter().position(|&killer| killer == code) {
            Some(index) => KILLERS[index],
            None => {
                let lost = position.exchange(mv) * params.exchange_weight;
                history.value(moment, mv, params.answer_weight) + rank * params.rank_weight + lost
            }
        }
    };
    for &mv in moves {
        scored.push((value(mv), mv));
    }
}

/// Brings the best of the moves from `index` on to that place and returns it.
#[inline]
pub(super) fn pick<M: MoveCode>(moves: &mut ScoredMoves<M>, index: usize) -> Option<M> {
    let best = (index..moves.len()).max_by_key(|&i| (moves[i].0, usize::MAX - i))?;
    moves.swap(index, best);
    Some(moves[index].1)
}
