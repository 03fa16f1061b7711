//! A line of play that shows a proof.

use super::worker::{ProofNode, Worker};
use crate::game::SearchHints;

/// The line from a solved position to the end of the game: the winner takes the quickest of the
/// wins that are proven, the loser resists as long as the proofs take. What the table has lost is
/// proven again. `None` when stopped.
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
