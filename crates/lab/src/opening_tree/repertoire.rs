//! A repertoire for both sides: lines in which one side plays only its best moves.
//!
//! A side with the book never plays a line in which both sides deviate, and each of its own
//! positions needs one search instead of one for each move. So the same work reaches about twice as
//! deep. The search of a position says which move is the best one, until the move's value, backed
//! up from the deeper tree, falls below the search's score. Then the alternatives are searched too,
//! as a simple form of deviations (Buro 1999, "Toward opening book learning"). A chosen move stays
//! until another one is clearly better. Otherwise, where many moves are nearly equal, the tree
//! would start over with each of them.

use super::node::{BookEdge, BookNode, Expansion};
use super::tree::{OpeningTree, Successor, successors, value_after, value_before};
use crate::eval::Score;
use crate::search::score::is_proven;
use std::collections::{HashMap, HashSet};

impl BookNode {
    /// The cost of the cheapest line in which one side plays only its chosen moves; `i64::MAX` if
    /// there is none.
    pub fn repertoire_cost(&self) -> i64 {
        self.side_costs[0].min(self.side_costs[1])
    }
}

impl OpeningTree {
    /// The expansions of a repertoire that cost least, at most one batch.
    pub(super) fn next_of_repertoire(&self) -> Vec<Expansion> {
        let nodes = self.nodes().iter().enumerate();
        let open: Vec<(i64, u64, usize)> = nodes
            .filter_map(|(number, node)| Some((self.next_expansion(node)?.0, node.tie, number)))
            .collect();
        let expansion = |number: usize| {
            let node = &self.nodes()[number];
            match (self.next_expansion(node), node.answer.best) {
                (Some((_, false)), Some(best)) => {
                    Expansion { node: number, moves: vec![best], is_whole: false }
                }
                _ => self.whole(number),
            }
        };
        self.cheapest(open).map(expansion).collect()
    }

    /// The cost of the next expansion of a node, and whether it adds all moves. `None` if there is
    /// nothing to add.
    fn next_expansion(&self, node: &BookNode) -> Option<(i64, bool)> {
        if node.is_whole || !node.is_undecided() || is_proven(node.value) {
            return None;
        }
        let mover = node.position.side_to_move().index();
        let (own, other) = (node.side_costs[mover], node.side_costs[1 - mover]);
        if node.is_leaf() && own < other {
            return Some((own, false));
        }
        let cost = if self.has_dropped(node) { own.min(other) } else { other };
        (cost < i64::MAX).then_some((cost, true))
    }

    /// Whether the best move of a node is clearly worse than its search said.
    fn has_dropped(&self, node: &BookNode) -> bool {
        !node.is_leaf() && self.is_clear(i64::from(node.answer.score) - i64::from(node.value))
    }

    /// Whether a loss of value is more than the drop up to which a move is kept.
    fn is_clear(&self, loss: i64) -> bool {
        let drop = self.settings().repertoire.map_or(0, |repertoire| repertoire.drop);
        100 * loss > i64::from(drop) * i64::from(self.settings().unit)
    }

    /// The move to play: the same as before unless another one is better by more than the drop.
    fn choice(&self, node: &BookNode) -> Option<usize> {
        let is_close = |&place: &usize| {
            let value = self.edge_value(&node.edges[place]);
            !self.is_clear(i64::from(node.value) - i64::from(value))
        };
        let best = || node.edges.iter().position(|edge| self.edge_value(edge) == node.value);
        node.plays.filter(is_close).or_else(best)
    }

    /// Chooses the moves to play, and hands the costs of either side's lines down from the start.
    /// `numbers` lists the nodes layer by layer.
    pub(super) fn refresh_side_costs(&mut self, numbers: impl Iterator<Item = usize>) {
        for number in 0..self.nodes().len() {
            let plays = self.choice(&self.nodes()[number]);
            let node = &mut self.nodes_mut()[number];
            node.plays = plays;
            node.side_costs = if node.ply == 0 { [0; 2] } else { [i64::MAX; 2] };
        }
        for number in numbers {
            for place in 0..self.nodes()[number].edges.len() {
                let node = &self.nodes()[number];
                let to = node.edges[place].child;
                let costs = [0, 1].map(|side| self.side_cost_after(node, place, side));
                let child = &mut self.nodes_mut()[to];
                for (known, cost) in child.side_costs.iter_mut().zip(costs) {
                    *known = cost.min(*known);
                }
            }
        }
    }

    /// The cost of a line that continues with the move at this place, for a side that plays only
    /// its chosen moves.
    fn side_cost_after(&self, node: &BookNode, place: usize, side: usize) -> i64 {
        let is_own = node.position.side_to_move().index() == side;
        let loss = match is_own {
            true => 0,
            false => i64::from(node.value) - i64::from(self.edge_value(&node.edges[place])),
        };
        match node.side_costs[side] {
            i64::MAX => i64::MAX,
            _ if is_own && node.plays != Some(place) => i64::MAX,
            cost => cost.saturating_add(self.settings().ply_cost()).saturating_add(100 * loss),
        }
    }

    /// The values, by key, of the positions that either side needs. A move to play that is not the
    /// best by its value is raised above the others, so that it comes first.
    pub(super) fn repertoire_values(&self) -> HashMap<u128, Score> {
        let is_in = |node: &&BookNode| node.repertoire_cost() < i64::MAX;
        let mut nodes: Vec<&BookNode> = self.nodes().iter().filter(is_in).collect();
        nodes.sort_by_key(|node| node.ply);
        let mut values = HashMap::new();
        for node in &nodes {
            values.entry(node.key).or_insert(node.value);
        }
        for node in nodes.iter().filter(|node| self.is_own(node)) {
            let (after, value) = match (node.plays, node.answer.best) {
                (Some(place), _) => {
                    let Some(value) = self.preferred(node, place, &values) else { continue };
                    (self.nodes()[node.edges[place].child].key, value)
                }
                (None, Some(best)) => {
                    let after = node.position.after(best);
                    let keeps_turn = after.side_to_move() == node.position.side_to_move();
                    let key = after.canonical_key();
                    let value = value_after(node.value, keeps_turn);
                    (key, values.get(&key).copied().unwrap_or(value))
                }
                (None, None) => continue,
            };
            values.insert(after, value);
        }
        values
    }

    /// The raised value of the position after the move to play; `None` if the move comes first as
    /// it is.
    fn preferred(
        &self,
        node: &BookNode,
        plays: usize,
        values: &HashMap<u128, Score>,
    ) -> Option<Score> {
        let value = |edge: &BookEdge| {
            let value = values.get(&self.nodes()[edge.child].key)?;
            Some(value_before(*value, edge.keeps_turn))
        };
        let played = &node.edges[plays];
        let is_other =
            |edge: &&BookEdge| self.nodes()[edge.child].key != self.nodes()[played.child].key;
        let best = node.edges.iter().filter(is_other).filter_map(value).max()?;
        let is_behind = value(played)? <= best && !is_proven(best);
        is_behind.then(|| value_after(best + 1, played.keeps_turn))
    }

    /// Whether the side to move can reach the node by its chosen moves.
    fn is_own(&self, node: &BookNode) -> bool {
        node.side_costs[node.position.side_to_move().index()] < i64::MAX
    }

    /// The replies of an expansion that are not in the tree, each position once.
    pub(crate) fn new_replies(&self, expansion: &Expansion) -> Vec<Successor> {
        let node = &self.nodes()[expansion.node];
        let mut met = HashSet::new();
        successors(&node.position)
            .filter(|next| expansion.moves.contains(&next.mv))
            .filter(|next| self.number(node.ply + 1, next.key).is_none() && met.insert(next.key))
            .collect()
    }

    /// Leaves out the moves of an expansion that lead to these positions.
    pub fn without(&self, expansion: &mut Expansion, keys: &HashSet<u128>) {
        let left_out = successors(&self.nodes()[expansion.node].position)
            .filter(|next| keys.contains(&next.key))
            .map(|next| next.mv);
        let left_out: Vec<_> = left_out.collect();
        expansion.moves.retain(|mv| !left_out.contains(mv));
    }
}
