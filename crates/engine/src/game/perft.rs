//! Perft: counting the leaves of the game tree.

use super::{MoveList, Position};

/// The greatest depth, in plies. Lines that repeat have no end, and each ply takes stack space.
pub const MAX_PERFT_DEPTH: u32 = 1000;

/// The number of lines of exactly `depth` plies from a position. A finished position has no moves,
/// so a line that ends early counts only at its own depth.
///
/// ```
/// use sparring_engine::game::{perft, Position};
/// use sparring_engine::games::Breakthrough;
/// let start = Breakthrough::start(Breakthrough::default_board()).unwrap();
/// assert_eq!(perft(&start, 3), 11132);
/// ```
pub fn perft<P: Position>(position: &P, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => position.count_moves(),
        _ => {
            let mut moves = MoveList::new();
            position.moves(&mut moves);
            moves.iter().map(|&mv| perft(&position.play_unchecked(mv), depth - 1)).sum()
        }
    }
}
