use crate::opening_tree::{OpeningTree, TreeSettings};
use serde::Serialize;
use std::path::Path;

/// The part that the documents of `build` and `show` share.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct BookFacts {
    /// The path of the book.
    pub file: String,
    pub game: &'static str,
    pub board: String,
    /// Positions in the book.
    pub positions: u64,
    /// Positions whose moves are in it.
    pub expanded: u64,
    /// Plies of its longest line.
    pub plies: u16,
    pub settings: TreeSettings,
}

impl BookFacts {
    pub(super) fn new(file: &Path, tree: &OpeningTree) -> Self {
        Self {
            file: file.display().to_string(),
            game: tree.game().name,
            board: tree.board().to_string(),
            positions: tree.nodes().len() as u64,
            expanded: tree.expanded() as u64,
            plies: tree.nodes()[0].height,
            settings: tree.settings().clone(),
        }
    }
}
