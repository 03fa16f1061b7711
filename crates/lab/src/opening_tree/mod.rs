//! Opening books: a tree of positions from the start, with values from searches of its leaves.
//!
//! ```text
//! OpeningTree --next_leaves--> leaves --unsearched--> positions --searches--> LeafAnswer --expand--> OpeningTree
//!      |--to_json, read: the file, checked whole
//!      |--lines: openings of matches, lists of positions
//!      `--OpeningBook: the value of each position; what a player asks, and the compact form
//! ```
//!
//! Drop-out expansion (Lincke 2000, "Strategies for the automatic construction of opening books"):
//! the tree expands the leaves that are nearest to being played. The cost of a line sums, over its
//! moves, a penalty for the ply and the loss of the move against the best one.
//!
//! A repertoire has only lines in which one side plays its best moves. Their cost sums only the
//! losses of the other side.
//!
//! The tree holds a position, together with its symmetric images, once for each ply, whichever
//! moves lead to it. Plies are kept apart so that no line can return to itself.

mod compact;
mod file;
mod lines;
mod merge;
mod node;
mod packed;
mod probe;
mod repertoire;
mod settings;
mod shipped;
mod tree;

pub(crate) use compact::{check_has_lines, without_lines};
pub use file::{MOST_BYTES, is_tree};
pub use lines::BookLine;
pub use node::{BookEdge, BookNode, Expansion, LeafAnswer};
pub use packed::BookHead;
pub use probe::{BookMove, OpeningBook};
pub use settings::{RepertoireSettings, TreeSettings};
pub use shipped::ShippedBook;
pub use tree::OpeningTree;
pub(crate) use tree::Successor;
