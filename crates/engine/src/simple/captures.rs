//! Whether captures are the rule in a game or the exception, measured on random games.

use super::hints::taken;
use super::{Rules, Simple};
use crate::game::openings::below;
use crate::game::{MoveList, Position};
use rand_mt::Mt64;
use std::any::TypeId;
use std::cell::Cell;
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

/// The random games of the measurement.
const GAMES: u64 = 10;
/// Plies of a random game at most.
const MOST_PLIES: usize = 60;

/// The answer for each game that was asked about.
static KNOWN: Mutex<BTreeMap<TypeId, bool>> = Mutex::new(BTreeMap::new());

thread_local! {
    /// The last answer of this thread: a search asks for each move.
    static LAST: Cell<Option<(TypeId, bool)>> = const { Cell::new(None) };
}

/// Whether most legal moves of random games take pieces, as in Othello. Captures are then no sign of
/// a forced answer, and a search that spared all of them would prune nothing.
pub(super) fn abound<R: Rules>() -> bool {
    let game = TypeId::of::<R>();
    if let Some((last, answer)) = LAST.get()
        && last == game
    {
        return answer;
    }
    let known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner).get(&game).copied();
    let answer = known.unwrap_or_else(measure::<R>);
    KNOWN.lock().unwrap_or_else(PoisonError::into_inner).insert(game, answer);
    LAST.set(Some((game, answer)));
    answer
}

fn measure<R: Rules>() -> bool {
    let Ok(start) = Simple::<R>::start(R::BOARD) else { return false };
    let (mut moves_seen, mut captures) = (0, 0);
    for seed in 0..GAMES {
        let (mut generator, mut position) = (Mt64::new(seed), start.clone());
        for _ in 0..MOST_PLIES {
            let mut moves = MoveList::new();
            position.moves(&mut moves);
            let Some(&mv) = moves.get(below(&mut generator, moves.len() as u64) as usize) else {
                break;
            };
            moves_seen += moves.len();
            captures += moves.iter().filter(|&&mv| taken(position.rules(), mv) > 0).count();
            position = position.play_unchecked(mv);
        }
    }
    2 * captures > moves_seen
}
