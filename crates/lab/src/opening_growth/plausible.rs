//! Chooses the replies of a repertoire: the best ones by quick searches.

use super::{GrowthTask, Searched, Searcher};
use crate::arena::queue::Queue;
use crate::opening_tree::{Expansion, OpeningTree, Successor};
use crate::search::score::WIN;
use std::cmp::Reverse;
use std::collections::HashSet;

/// The nodes of a quick search, where a whole search has `nodes`.
pub(super) fn quick_nodes(nodes: u64) -> u64 {
    /// A quick search has one in this many of a whole search's nodes.
    const PART: u64 = 16;
    (nodes / PART).max(1)
}

/// Keeps the best new replies to each position, as many as the settings of a repertoire allow; the start
/// keeps all. Replies that are in the tree already cost nothing and stay. `None` when it was stopped.
pub(super) fn choose(
    tree: &OpeningTree,
    expansions: &mut [Expansion],
    queue: &mut Queue<Option<Searched>>,
    searcher: &Searcher,
) -> Option<()> {
    let Some(repertoire) = tree.settings().repertoire else { return Some(()) };
    let most = repertoire.replies as usize;
    let is_limited = |expansion: &&mut Expansion| expansion.is_whole && expansion.node > 0;
    for expansion in expansions.iter_mut().filter(is_limited) {
        let replies = tree.new_replies(expansion);
        if replies.len() <= most {
            continue;
        }
        let left_out = ranked(replies, queue, searcher)?.split_off(most);
        tree.without(expansion, &left_out.into_iter().collect::<HashSet<u128>>());
    }
    Some(())
}

/// The keys of the replies, best first for their mover.
fn ranked(
    replies: Vec<Successor>,
    queue: &mut Queue<Option<Searched>>,
    searcher: &Searcher,
) -> Option<Vec<u128>> {
    let is_open = |reply: &&Successor| reply.position.outcome().is_none();
    for Successor { position, .. } in replies.iter().filter(is_open) {
        queue.submit(GrowthTask { searcher: searcher.clone(), position: position.clone() });
    }
    let mut found = Vec::with_capacity(replies.len());
    while let Some(outcome) = queue.take() {
        found.push(outcome?.answer.score);
    }
    let mut scores = found.into_iter();
    let mut valued = Vec::with_capacity(replies.len());
    for reply in &replies {
        let value = match reply.position.outcome() {
            // Nothing is left to search, so the move costs nothing.
            Some(_) => WIN,
            None if reply.keeps_turn => scores.next()?,
            None => -scores.next()?,
        };
        valued.push((value, reply.key));
    }
    valued.sort_by_key(|&(value, _)| Reverse(value));
    Some(valued.into_iter().map(|(_, key)| key).collect())
}
