//! A line of play that illustrates a proof.

use super::worker::{ProofNode, Worker};
use crate::game::SearchHints;

/// The line from a solved position to the end of the game. The winner plays the quickest proven
/// win, and the loser plays the longest proven resistance. Proofs lost from the table are searched
/// again. `None` when stopped.
pub(super) fn proof_line<P: SearchHints>(
    worker: &mut Worker<'_, P>,
    root: &P,
    solved: ProofNode<P>,
) -> Option<Vec<P::Move>> {
    let (mut position, mut node, mut pv) = (root.clone(), solved, Vec::new());
    loop {
        let win = node.numbers().win;
        let proven = node.children.iter().filter(|child| child.numbers.win == win);
        let child = match win {
            0 => proven.min_by_key(|child| child.numbers.plies),
            _ => proven.rev().max_by_key(|child| child.numbers.plies),
        }?;
        pv.push(child.mv);
        position = position.play_unchecked(child.mv);
        if position.outcome().is_some() {
            return Some(pv);
        }
        node = worker.solve(&position)?;
    }
}
