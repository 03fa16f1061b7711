//! Lines of a tree: openings for matches, lists of positions, text.

use super::tree::OpeningTree;
use crate::any::{AnyMove, AnyOpening};
use crate::eval::Score;

/// A position of a tree with the cheapest line to it.
#[derive(Clone, Debug, PartialEq)]
pub struct BookLine {
    /// The line from the start.
    pub opening: AnyOpening,
    /// The value of the position, from the side to move.
    pub value: Score,
    /// The drop-out cost of the line, in hundredths of a piece.
    pub cost: i64,
}

impl OpeningTree {
    /// The unfinished positions up to ply `plies` whose values are within `margin` hundredths of a
    /// piece of even, cheapest line first. Takes only the ends of lines (leaves, and positions at
    /// ply `plies`), unless `all` is set.
    pub fn lines(&self, plies: u16, margin: Option<u32>, all: bool) -> Vec<BookLine> {
        let margin = margin.map(|margin| i64::from(margin) * i64::from(self.settings().unit));
        let is_near = |value: Score| margin.is_none_or(|most| 100 * i64::from(value).abs() <= most);
        let mut found: Vec<BookLine> = Vec::new();
        for (number, node) in self.nodes().iter().enumerate() {
            let is_last = node.is_leaf() || node.ply == plies;
            if node.is_over || node.ply > plies || !is_near(node.value) || !(all || is_last) {
                continue;
            }
            let opening = self.line_to(number);
            found.push(BookLine {
                opening,
                value: node.value,
                cost: self.settings().in_hundredths(node.cost),
            });
        }
        found.sort_by_key(|line| line.cost);
        found
    }

    /// Openings for matches, one a line: the near-even ends of lines of at most `plies` plies.
    pub(crate) fn openings_text(&self, plies: u32) -> String {
        /// Half a piece, in hundredths of a piece.
        const NEAR_EVEN: u32 = 50;
        let plies = u16::try_from(plies).unwrap_or(u16::MAX);
        let lines = self.lines(plies, Some(NEAR_EVEN), false);
        let line = |line: &BookLine| match line.opening.moves.is_empty() {
            true => format!("{}\n", line.opening.start.fen()),
            false => format!("{} moves {}\n", line.opening.start.fen(), line.opening.text()),
        };
        lines.iter().map(line).collect()
    }

    /// The cheapest line to a node. A node holds one of several symmetric images, so each move is
    /// found by the key of the position after it.
    pub fn line_to(&self, number: usize) -> AnyOpening {
        let nodes = self.nodes();
        let before = |&at: &usize| nodes[at].parent.map(|(before, _)| before);
        let mut numbers: Vec<usize> = std::iter::successors(Some(number), before).collect();
        numbers.reverse();
        let mut opening = AnyOpening::new(nodes[numbers[0]].position.clone());
        for &number in &numbers[1..] {
            let leads =
                |mv: &AnyMove| opening.position.after(*mv).canonical_key() == nodes[number].key;
            let Some(mv) = opening.position.moves().into_iter().find(leads) else { break };
            opening.push(mv);
        }
        opening
    }
}
