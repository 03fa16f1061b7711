//! The lines of a tree for reports.

use super::proof::Proven;
use super::select::SelectionRule;
use super::tree::{NO_NODE, NodeId, Tree, TreeEdge};
use super::value::Squash;
use crate::eval::Game;
use crate::game::MoveCode;
use crate::search::report::Line;
use crate::search::score::MAX_PLY;
use std::cmp::Reverse;

/// The indices of the moves, best first: wins, the quickest first; then the most visited moves,
/// with a proven draw before worse moves; then losses, the slowest first.
pub(super) fn ranked(
    edges: &[TreeEdge],
    selection: &SelectionRule,
    allowed: impl Fn(usize) -> bool,
) -> Vec<usize> {
    let places: Vec<usize> = (0..edges.len()).filter(|&place| allowed(place)).collect();
    let of = |is_wanted: fn(Proven) -> bool| {
        let wanted = places.iter().copied().filter(move |&place| is_wanted(edges[place].proof));
        wanted.collect::<Vec<_>>()
    };
    let mut decided = of(|proof| matches!(proof, Proven::Win(_) | Proven::Loss(_)));
    decided.sort_by_key(|&place| Reverse(edges[place].proof.score()));
    let wins = decided.partition_point(|&place| !edges[place].proof.is_loss());
    let mut open = of(|proof| proof == Proven::None);
    open.sort_by(|&a, &b| {
        let (one, two) = (&edges[a], &edges[b]);
        let by_worth = selection.worth(two).total_cmp(&selection.worth(one));
        two.visits.cmp(&one.visits).then(by_worth).then(two.prior.total_cmp(&one.prior))
    });
    let better = open.iter().take_while(|&&place| selection.worth(&edges[place]) >= 0.0).count();
    open.splice(better..better, of(|proof| proof == Proven::Draw));
    decided.splice(wins..wins, open);
    decided
}

/// The best lines from the root, each with a different first move.
pub(super) fn best_lines<G: Game>(
    tree: &Tree,
    (root, id): (&G, NodeId),
    allowed: &[bool],
    (selection, squash): (&SelectionRule, Squash),
    (count, depth): (usize, u32),
) -> Vec<Line<G>> {
    let edges = tree.edges(id);
    let line = |place: usize| {
        let edge = &edges[place];
        let score = edge.proof.score().unwrap_or_else(|| squash.score(selection.worth(edge)));
        Line { depth, score, pv: principal_variation(tree, root, edge, selection) }
    };
    ranked(edges, selection, |place| allowed[place]).into_iter().take(count).map(line).collect()
}

/// A root move followed by the best moves after it, as far as they were visited.
fn principal_variation<G: Game>(
    tree: &Tree,
    root: &G,
    first: &TreeEdge,
    selection: &SelectionRule,
) -> Vec<G::Move> {
    let mut pv = vec![G::Move::from_code(first.code)];
    let mut position = root.play_unchecked(pv[0]);
    let mut keys = vec![root.key()];
    let mut child = first.child;
    while child != NO_NODE && pv.len() < MAX_PLY && !keys.contains(&position.key()) {
        keys.push(position.key());
        let edges = tree.edges(child);
        let Some(&place) = ranked(edges, selection, |_| true).first() else { break };
        let edge = &edges[place];
        let mv = G::Move::from_code(edge.code);
        if edge.visits == 0 && !edge.proof.is_some() || !position.is_legal(mv) {
            break;
        }
        pv.push(mv);
        position = position.play_unchecked(mv);
        child = edge.child;
    }
    pv
}
