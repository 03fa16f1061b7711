//! The file of a tree: JSON, one position a line, with a checksum of all before it.

use super::compact::{check_has_lines, without_lines};
use super::node::{BookEdge, LeafAnswer, MOST_PLIES};
use super::settings::TreeSettings;
use super::shipped::ShippedBook;
use super::tree::{MOST_POSITIONS, OpeningTree, over_answer, successors};
use crate::error::{Error, Result};
use crate::eval::Score;
use crate::files::{self, Links};
use crate::game::Board;
use crate::games::GameId;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::path::Path;

/// The largest file that is read, in bytes: 2048 for each position of the largest tree.
pub const MOST_BYTES: u64 = (MOST_POSITIONS as u64) << 11;
/// The version of the format.
const FORMAT: u32 = 1;
/// The `kind` with which the file of every tree begins.
const KIND: &str = "opening-tree";
/// The text before the checksum.
const BEFORE_CHECKSUM: &str = "\n\"checksum\": \"";

/// Everything except the positions.
#[derive(Serialize, Deserialize)]
struct Head {
    kind: String,
    format: u32,
    game: String,
    board: String,
    /// The version of the program that wrote it.
    program: String,
    settings: TreeSettings,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    merged: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    fewest_nodes: Option<u64>,
}

#[derive(Deserialize)]
struct TreeDocument {
    #[serde(flatten)]
    head: Head,
    positions: Vec<PositionRow>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct PositionRow {
    fen: String,
    ply: u16,
    /// The minimax value, from the side to move.
    value: Score,
    /// The score of its own search.
    score: Score,
    /// The best move of its own search.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    best: Option<String>,
    /// Each legal move with the number of the position that it leads to, once expanded.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    moves: BTreeMap<String, usize>,
    /// The move that is played, in a repertoire.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    plays: Option<String>,
}

/// Whether bytes begin like the file of a tree.
pub fn is_tree(bytes: &[u8]) -> bool {
    let start = &bytes[..bytes.len().min(64)];
    let start: String = String::from_utf8_lossy(start).split_whitespace().collect();
    start.starts_with(&format!("{{\"kind\":\"{KIND}\""))
}

/// The SHA-256 of a text, in hexadecimal digits.
pub(super) fn digest(text: &[u8]) -> String {
    Sha256::digest(text).iter().map(|byte| format!("{byte:02x}")).collect()
}

impl OpeningTree {
    /// The text of the tree's file.
    ///
    /// # Errors
    /// When it cannot be written as JSON.
    pub fn to_json(&self) -> Result<String> {
        let failed = |error: serde_json::Error| Error::failed("opening tree", error);
        let head = Head {
            kind: KIND.into(),
            format: FORMAT,
            game: self.game().name.into(),
            board: self.board().to_string(),
            program: env!("CARGO_PKG_VERSION").into(),
            settings: self.settings().clone(),
            merged: self.merged.clone(),
            fewest_nodes: self.fewest_nodes,
        };
        let head = serde_json::to_string_pretty(&head).map_err(failed)?;
        let mut text = format!("{},\n  \"positions\": [", head.trim_end_matches("\n}"));
        for (number, _) in self.nodes().iter().enumerate() {
            text += if number == 0 { "\n" } else { ",\n" };
            text += &serde_json::to_string(&self.row(number)).map_err(failed)?;
        }
        text += "\n],";
        let checksum = digest(text.as_bytes());
        Ok(format!("{text}{BEFORE_CHECKSUM}{checksum}\"\n}}\n"))
    }

    fn row(&self, number: usize) -> PositionRow {
        let node = &self.nodes()[number];
        let text = |mv| node.position.move_text(mv);
        PositionRow {
            fen: node.position.fen(),
            ply: node.ply,
            value: node.value,
            score: node.answer.score,
            best: node.answer.best.map(text),
            moves: node.edges.iter().map(|edge| (text(edge.mv), edge.child)).collect(),
            plays: node.plays.map(|place| text(node.edges[place].mv)),
        }
    }

    /// Reads a file and checks all of it: the checksum, every position and move, and that every
    /// value is the minimax of the values below.
    ///
    /// # Errors
    /// When it cannot be read or something in it is wrong; the error names the position.
    pub fn load(path: &Path) -> Result<Self> {
        if ShippedBook::is_name(path) {
            return Err(without_lines().within(path.display()));
        }
        let bytes = files::read(path, Links::Followed, MOST_BYTES)?;
        Self::from_bytes(&bytes).map_err(|error| error.within(path.display()))
    }

    /// The tree of a file's bytes, checked as [`load`](Self::load) does.
    ///
    /// # Errors
    /// As there.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self> {
        check_has_lines(bytes)?;
        let wrong = |reason: &str| match is_tree(bytes) {
            true => damaged(&format!("damaged or cut off: {reason}")),
            false => not_a_book(reason),
        };
        let text = std::str::from_utf8(bytes).map_err(|_| wrong("not UTF-8 text"))?;
        let (body, rest) = text
            .rsplit_once(BEFORE_CHECKSUM)
            .ok_or_else(|| wrong("there is no checksum at its end"))?;
        if rest.trim_end().trim_end_matches(['}', '\n', '"']) != digest(body.as_bytes()) {
            return Err(wrong("the checksum does not match the bytes"));
        }
        let document: TreeDocument = serde_json::from_str(text).map_err(not_a_book)?;
        document.tree()
    }
}

impl TreeDocument {
    fn tree(self) -> Result<OpeningTree> {
        let Self { head, positions } = self;
        if (head.kind.as_str(), head.format) != (KIND, FORMAT) {
            let reason = format!("format {} of `{}`", head.format, head.kind);
            return Err(Error::input("opening book", reason)
                .remedy(format!("this program reads format {FORMAT} of `{KIND}`")));
        }
        head.settings.check()?;
        let game: GameId = head.game.parse()?;
        let board: Board = head.board.parse()?;
        let mut tree = OpeningTree::empty(game, board, head.settings);
        (tree.merged, tree.fewest_nodes) = (head.merged, head.fewest_nodes);
        add_positions(&mut tree, &positions)?;
        for (number, row) in positions.iter().enumerate() {
            let edges = edges(&tree, number, row).map_err(|error| at(number, row, error))?;
            let node = &mut tree.nodes_mut()[number];
            node.edges = edges;
            node.plays = row.plays.as_ref().and_then(|plays| {
                node.edges.iter().position(|edge| node.position.move_text(edge.mv) == *plays)
            });
        }
        tree.refresh();
        let wrong = tree.nodes().iter().zip(&positions).position(|(node, row)| {
            node.value != row.value || (node.parent.is_none() && node.ply > 0)
        });
        match wrong {
            None => Ok(tree),
            Some(number) => Err(at(
                number,
                &positions[number],
                damaged("no move leads to it, or its value is not the best of its moves"),
            )),
        }
    }
}

fn add_positions(tree: &mut OpeningTree, positions: &[PositionRow]) -> Result<()> {
    let (game, start) = (tree.game(), tree.game().start(tree.board())?);
    if positions.is_empty() || positions.len() > MOST_POSITIONS {
        return Err(damaged("no positions, or too many"));
    }
    for (number, row) in positions.iter().enumerate() {
        let position = game.from_fen(&row.fen).map_err(|error| at(number, row, error))?;
        let key = position.canonical_key();
        let is_right_place = match number {
            0 => row.ply == 0 && key == start.canonical_key(),
            _ => (1..=MOST_PLIES).contains(&row.ply) && position.board() == tree.board(),
        };
        if !is_right_place || tree.number(row.ply, key).is_some() {
            return Err(at(number, row, damaged("met before, or at a wrong ply or board")));
        }
        let best = row.best.as_deref().map(|best| position.parse_move(best)).transpose();
        let best = best.map_err(|error| at(number, row, error))?;
        let answer = LeafAnswer { score: row.score, best };
        let is_over = over_answer(&position);
        if is_over.is_some_and(|exact| exact != answer) || (is_over.is_none() && best.is_none()) {
            return Err(at(number, row, damaged("its score or best move cannot be right")));
        }
        tree.add(position, row.ply, answer);
    }
    Ok(())
}

/// The moves of a position: all legal ones or none, or some of them in a repertoire or a merged
/// book.
fn edges(tree: &OpeningTree, number: usize, row: &PositionRow) -> Result<Vec<BookEdge>> {
    if row.moves.is_empty() {
        return Ok(Vec::new());
    }
    let node = &tree.nodes()[number];
    let may_lack = tree.settings().repertoire.is_some() || !tree.merged().is_empty();
    let mut edges = Vec::with_capacity(row.moves.len());
    for successor in successors(&node.position) {
        let (mv, key, keeps_turn) = successor.parts();
        let text = node.position.move_text(mv);
        let child = row.moves.get(&text).copied();
        if child.is_none() && may_lack {
            continue;
        }
        if child.is_none() || tree.number(node.ply + 1, key) != child {
            return Err(damaged(&format!("move `{text}` is missing or leads elsewhere")));
        }
        edges.extend(child.map(|child| BookEdge { mv, child, keeps_turn }));
    }
    match edges.len() == row.moves.len() {
        true => Ok(edges),
        false => Err(damaged("it has a move that is not legal")),
    }
}

fn at(number: usize, row: &PositionRow, error: Error) -> Error {
    error.within(format!("position {number} (`{}`)", crate::error::shorten(&row.fen)))
}

fn damaged(reason: &str) -> Error {
    Error::input("opening book", reason)
        .remedy("restore the file as `book build` wrote it, or build it again")
}

fn not_a_book(reason: impl std::fmt::Display) -> Error {
    Error::input("opening book", format!("not one: {reason}"))
        .remedy("name a file that `book build` or `book merge` wrote")
}
