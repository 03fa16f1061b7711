//! The tree: positions, moves, values and costs.

use super::node::{BookEdge, BookNode, Expansion, LeafAnswer};
use super::settings::TreeSettings;
use crate::any::{AnyMove, AnyPosition};
use crate::error::{Error, Result};
use crate::eval::Score;
use crate::game::{Board, Outcome};
use crate::games::GameId;
use crate::search::score::{WIN, is_proven};
use rand_mt::Mt64;
use std::collections::{BTreeMap, HashMap};

/// The most positions of a tree.
pub(super) const MOST_POSITIONS: usize = 1 << 24;

/// A tree of positions that begins with the start of a game.
#[derive(Clone, Debug)]
pub struct OpeningTree {
    game: GameId,
    board: Board,
    settings: TreeSettings,
    nodes: Vec<BookNode>,
    numbers: HashMap<(u16, u128), usize>,
    /// The digests of the files that it was merged from.
    pub(super) merged: Vec<String>,
    /// In a merged tree, the fewest nodes of the search of a position; files of older versions do not say.
    pub(super) fewest_nodes: Option<u64>,
}

/// A move of a position, and where it leads.
pub(crate) struct Successor {
    pub(super) mv: AnyMove,
    /// The position after the move, and its canonical key.
    pub(crate) position: AnyPosition,
    pub(crate) key: u128,
    /// Whether the mover makes the next ply, too.
    pub(crate) keeps_turn: bool,
}

impl OpeningTree {
    /// A tree without positions.
    pub(super) fn empty(game: GameId, board: Board, settings: TreeSettings) -> Self {
        let (nodes, numbers, merged) = (Vec::new(), HashMap::new(), Vec::new());
        Self { game, board, settings, nodes, numbers, merged, fewest_nodes: None }
    }

    /// A tree of the start alone, with the answer of its search.
    ///
    /// # Errors
    /// When the game is not played on the board, or the settings are out of range.
    pub fn new(
        game: GameId,
        board: Board,
        settings: TreeSettings,
        answer: LeafAnswer,
    ) -> Result<Self> {
        settings.check()?;
        let mut tree = Self::empty(game, board, settings);
        tree.add(game.start(board)?, 0, answer);
        tree.refresh();
        Ok(tree)
    }

    /// The game that the tree is of.
    pub fn game(&self) -> GameId {
        self.game
    }

    /// The board that the tree is of.
    pub fn board(&self) -> Board {
        self.board
    }

    /// The settings that it grew with.
    pub fn settings(&self) -> &TreeSettings {
        &self.settings
    }

    /// The positions, in the order in which they came; the start is the first.
    pub fn nodes(&self) -> &[BookNode] {
        &self.nodes
    }

    pub(super) fn nodes_mut(&mut self) -> &mut Vec<BookNode> {
        &mut self.nodes
    }

    /// The digests of the files that it was merged from; none where it was grown.
    pub fn merged(&self) -> &[String] {
        &self.merged
    }

    /// The positions whose moves are in the tree.
    pub fn expanded(&self) -> usize {
        self.nodes.iter().filter(|node| !node.is_leaf()).count()
    }

    /// The number of the node of a position, or of one of its images, with the fewest plies.
    pub fn find(&self, position: &AnyPosition) -> Option<usize> {
        let key = position.canonical_key();
        let found = self.nodes.iter().enumerate().filter(|(_, node)| node.key == key);
        found.min_by_key(|(_, node)| node.ply).map(|(number, _)| number)
    }

    /// The number of a node by ply and key.
    pub(super) fn number(&self, ply: u16, key: u128) -> Option<usize> {
        self.numbers.get(&(ply, key)).copied()
    }

    /// The leaves to expand next: the cheapest ones, at most one batch. It is empty when every line
    /// is decided.
    pub fn next_leaves(&self) -> Vec<Expansion> {
        if self.settings.repertoire.is_some() {
            return self.next_of_repertoire();
        }
        let is_open = |node: &BookNode| node.is_leaf() && node.is_undecided();
        let open = self.nodes.iter().enumerate().filter(|(_, node)| is_open(node));
        let open = open.map(|(number, node)| (node.cost, node.tie, number)).collect();
        self.cheapest(open).map(|number| self.whole(number)).collect()
    }

    /// The numbers of the first batch, by their costs and then their ties.
    pub(super) fn cheapest(
        &self,
        mut open: Vec<(i64, u64, usize)>,
    ) -> impl Iterator<Item = usize> + use<> {
        let count = open.len().min(self.settings.batch as usize);
        if count < open.len() {
            open.select_nth_unstable(count);
            open.truncate(count);
        }
        open.sort_unstable();
        open.into_iter().map(|(_, _, number)| number)
    }

    /// The expansion of a node with all its moves.
    pub(super) fn whole(&self, node: usize) -> Expansion {
        Expansion { node, moves: self.nodes[node].position.moves(), is_whole: true }
    }

    /// The positions that [`expand`](Self::expand) adds for these leaves and that need a search, in
    /// the order of its answers.
    pub fn unsearched(&self, leaves: &[Expansion]) -> Vec<AnyPosition> {
        let mut known = std::collections::HashSet::new();
        let mut unsearched = Vec::new();
        for leaf in leaves {
            let ply = self.nodes[leaf.node].ply + 1;
            for Successor { position, key, .. } in self.successors(leaf) {
                let is_new = self.number(ply, key).is_none() && known.insert((ply, key));
                if is_new && position.outcome().is_none() {
                    unsearched.push(position);
                }
            }
        }
        unsearched
    }

    fn successors<'a>(&'a self, leaf: &'a Expansion) -> impl Iterator<Item = Successor> + 'a {
        successors(&self.nodes[leaf.node].position).filter(|next| leaf.moves.contains(&next.mv))
    }

    /// Adds the moves of these leaves, with the answers for the positions that
    /// [`unsearched`](Self::unsearched) names.
    ///
    /// # Errors
    /// When the number of answers is not the number of such positions, which leaves the tree as it
    /// was, or when the tree becomes too large.
    pub fn expand(&mut self, leaves: &[Expansion], answers: &[LeafAnswer]) -> Result<()> {
        if answers.len() != self.unsearched(leaves).len() {
            return Err(Error::failed("opening tree", "not one answer for each new position"));
        }
        let mut answers = answers.iter().copied();
        for leaf in leaves {
            let ply = self.nodes[leaf.node].ply + 1;
            let successors: Vec<Successor> = self.successors(leaf).collect();
            if self.nodes.len() + successors.len() > MOST_POSITIONS {
                return Err(Error::input(
                    "opening tree",
                    format!("over {MOST_POSITIONS} positions"),
                )
                .remedy("ask for fewer with --positions"));
            }
            let mut edges = Vec::with_capacity(successors.len());
            for Successor { mv, position, key, keeps_turn } in successors {
                let child = match self.number(ply, key) {
                    Some(child) => child,
                    None => {
                        let answer = over_answer(&position).or_else(|| answers.next());
                        let lacks = || Error::failed("opening tree", "an answer is missing");
                        self.add(position, ply, answer.ok_or_else(lacks)?)
                    }
                };
                edges.push(BookEdge { mv, child, keeps_turn });
            }
            let node = &mut self.nodes[leaf.node];
            // An expansion with all moves includes the move to play.
            node.plays = node.plays.and_then(|place| {
                let played = node.edges[place].mv;
                edges.iter().position(|edge| edge.mv == played)
            });
            (node.edges, node.is_whole) = (edges, leaf.is_whole);
        }
        self.refresh();
        Ok(())
    }

    /// Adds a position, and returns its number.
    pub(super) fn add(&mut self, position: AnyPosition, ply: u16, answer: LeafAnswer) -> usize {
        let (key, number) = (position.canonical_key(), self.nodes.len());
        self.numbers.insert((ply, key), number);
        self.nodes.push(BookNode {
            is_over: position.outcome().is_some(),
            tie: by_chance(self.settings.seed, key),
            position,
            key,
            ply,
            answer,
            edges: Vec::new(),
            value: answer.score,
            cost: 0,
            parent: None,
            side_costs: [i64::MAX; 2],
            plays: None,
            is_whole: false,
            height: 0,
        });
        number
    }

    /// The value of a move for its mover.
    pub fn edge_value(&self, edge: &BookEdge) -> Score {
        value_before(self.nodes[edge.child].value, edge.keeps_turn)
    }

    /// The drop-out cost of a line that continues with a move, as [`BookNode::cost`].
    pub fn edge_cost(&self, node: &BookNode, edge: &BookEdge) -> i64 {
        let loss = i64::from(node.value) - i64::from(self.edge_value(edge));
        node.cost.saturating_add(self.settings.ply_cost()).saturating_add(100 * loss)
    }

    /// Backs values and heights up from the leaves, then hands costs down from the start.
    pub(super) fn refresh(&mut self) {
        let mut layers: BTreeMap<u16, Vec<usize>> = BTreeMap::new();
        for (number, node) in self.nodes.iter_mut().enumerate() {
            (node.cost, node.parent) = (if node.ply == 0 { 0 } else { i64::MAX }, None);
            layers.entry(node.ply).or_default().push(number);
        }
        for &number in layers.values().rev().flatten() {
            let node = &self.nodes[number];
            let best = node.edges.iter().map(|edge| self.edge_value(edge)).max();
            let height = node.edges.iter().map(|edge| self.nodes[edge.child].height + 1).max();
            let value = best.unwrap_or(node.answer.score);
            let node = &mut self.nodes[number];
            (node.value, node.height) = (value, height.unwrap_or(0));
        }
        for &number in layers.values().flatten() {
            for place in 0..self.nodes[number].edges.len() {
                let (node, edge) = (&self.nodes[number], self.nodes[number].edges[place]);
                let cost = self.edge_cost(node, &edge);
                let child = &mut self.nodes[edge.child];
                if cost < child.cost {
                    (child.cost, child.parent) = (cost, Some((number, place)));
                }
            }
        }
        if self.settings.repertoire.is_some() {
            self.refresh_side_costs(layers.values().flatten().copied());
        }
    }

    /// The best moves from a node on, to a leaf.
    pub fn best_line(&self, number: usize) -> Vec<AnyMove> {
        self.best_line_in(number, &self.nodes[number].position)
    }

    /// The best moves from a node on, to a leaf, as moves of `position`, which is the node's own or
    /// one of its images.
    pub fn best_line_in(&self, number: usize, position: &AnyPosition) -> Vec<AnyMove> {
        let (mut line, mut node) = (Vec::new(), &self.nodes[number]);
        let mut position = position.clone();
        while let Some(best) = node.edges.iter().find(|edge| self.edge_value(edge) == node.value) {
            let child = &self.nodes[best.child];
            let leads = |mv: &AnyMove| position.after(*mv).canonical_key() == child.key;
            let Some(mv) = position.moves().into_iter().find(leads) else { break };
            line.push(mv);
            position = position.after(mv);
            node = child;
        }
        line
    }
}

/// The legal moves of a position and where they lead.
pub(super) fn successors(position: &AnyPosition) -> impl Iterator<Item = Successor> + use<'_> {
    let mover = position.side_to_move();
    position.moves().into_iter().map(move |mv| {
        let after = position.after(mv);
        let (key, keeps_turn) = (after.canonical_key(), after.side_to_move() == mover);
        Successor { mv, position: after, key, keeps_turn }
    })
}

impl Successor {
    /// The move, the key of the position after it, and whether the mover makes the next ply, too.
    pub(super) fn parts(&self) -> (AnyMove, u128, bool) {
        (self.mv, self.key, self.keeps_turn)
    }
}

/// The exact answer for a position where the game is over.
pub(super) fn over_answer(position: &AnyPosition) -> Option<LeafAnswer> {
    let score = match position.outcome()? {
        Outcome::Draw => 0,
        Outcome::Win(side) if side == position.side_to_move() => WIN,
        Outcome::Win(_) => -WIN,
    };
    Some(LeafAnswer { score, best: None })
}

/// The value of a move for its mover, from the value of the position after it.
pub(super) fn value_before(after: Score, keeps_turn: bool) -> Score {
    let value = if keeps_turn { after } else { -after };
    if is_proven(value) { value - value.signum() } else { value }
}

/// The value of the position after a move, from the value of the move for its mover.
pub(super) fn value_after(before: Score, keeps_turn: bool) -> Score {
    let value = if is_proven(before) { before + before.signum() } else { before };
    if keeps_turn { value } else { -value }
}

/// A random number for a key, which decides ties.
pub(super) fn by_chance(seed: u64, key: u128) -> u64 {
    Mt64::new(seed ^ (key as u64) ^ ((key >> 64) as u64).rotate_left(32)).next_u64()
}
