//! The options of an engine: algorithm, table size, constants and threads.

use super::constants::{ConstantInfo, SearchConstants};
use super::limits::Limits;
use super::switches::Switches;
use serde::{Deserialize, Serialize};

/// A way of searching.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Algorithm {
    /// Alpha-beta to a fixed depth and nothing else (A1 of the 2009 article)
    Plain,
    /// Iterative deepening, table, static ordering, null move (A2 of the 2009 article).
    Enhanced,
    /// Everything that makes the engine stronger.
    #[default]
    Full,
    #[cfg(feature = "tree-search")]
    /// Monte-Carlo tree search: PUCT, with the evaluation as value and prior
    Mcts,
    #[cfg(feature = "tree-search")]
    /// Monte-Carlo tree search: UCB1, with random playouts that see wins and threats
    Uct,
}

impl Algorithm {
    /// Every algorithm.
    #[cfg(not(feature = "tree-search"))]
    pub const ALL: [Algorithm; 3] = Self::ALPHA_BETA;
    /// Every algorithm.
    #[cfg(feature = "tree-search")]
    pub const ALL: [Algorithm; 5] =
        [Algorithm::Plain, Algorithm::Enhanced, Algorithm::Full, Algorithm::Mcts, Algorithm::Uct];

    /// The algorithms that search to a depth with alpha-beta.
    pub const ALPHA_BETA: [Algorithm; 3] = [Algorithm::Plain, Algorithm::Enhanced, Algorithm::Full];

    /// The name in commands.
    pub fn name(self) -> &'static str {
        match self {
            Algorithm::Plain => "plain",
            Algorithm::Enhanced => "enhanced",
            Algorithm::Full => "full",
            #[cfg(feature = "tree-search")]
            Algorithm::Mcts => "mcts",
            #[cfg(feature = "tree-search")]
            Algorithm::Uct => "uct",
        }
    }

    /// Whether the algorithm grows a search tree in memory.
    pub fn is_tree_search(self) -> bool {
        !Self::ALPHA_BETA.contains(&self)
    }

    /// Whether one search can use several threads.
    pub fn uses_threads(self) -> bool {
        self == Algorithm::Full || self.is_tree_search()
    }

    /// The constants that the algorithm reads.
    pub fn constants(self) -> &'static [ConstantInfo] {
        match self {
            Algorithm::Plain | Algorithm::Enhanced => &[],
            Algorithm::Full => SearchConstants::LIST,
            #[cfg(feature = "tree-search")]
            Algorithm::Mcts | Algorithm::Uct => SearchConstants::TREE_LIST,
        }
    }

    /// The constants that affect the algorithm's search on one thread.
    pub fn constants_of_one_thread(self) -> impl Iterator<Item = &'static ConstantInfo> {
        let is_read = move |name: &str| match self.name() {
            "mcts" => name.starts_with("tree_") && name != "tree_virtual_loss",
            "uct" => !name.starts_with("tree_"),
            _ => true,
        };
        self.constants().iter().filter(move |info| is_read(info.name))
    }
}

impl std::fmt::Display for Algorithm {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

/// The options of an engine's search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// The algorithm.
    pub algorithm: Algorithm,
    /// The size of the transposition table or of the search tree, in bytes.
    pub table_bytes: usize,
    /// The constants of the full search and of the tree searches.
    pub constants: SearchConstants,
    /// The enabled parts of the full search.
    pub switches: Switches,
    /// The number of threads of one search, at least 1. The algorithms of the article use one. With
    /// more than one, node counts and sometimes the answer differ between runs.
    pub threads: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            algorithm: Algorithm::default(),
            table_bytes: 64 << 20,
            constants: SearchConstants::default(),
            switches: Switches::ALL,
            threads: 1,
        }
    }
}

impl Options {
    /// The largest transposition table, in MiB.
    pub const MAX_TABLE_MIB: u64 = 1 << 16;

    /// The size of a table that suits a limit, in bytes. Large tables cost time to clear, which
    /// short searches cannot make up for.
    pub fn table_for(limits: &Limits) -> usize {
        const LARGEST: u64 = 64 << 20;
        const SMALLEST: u64 = 1 << 20;
        /// Up to this depth the smallest table is enough. Each further ply multiplies the nodes
        /// visited.
        const SHALLOW: u32 = 5;
        // A side makes about forty searches in a game; an entry takes 16 bytes.
        let by_nodes = limits.nodes.map_or(LARGEST, |nodes| nodes.saturating_mul(40 * 16));
        let by_depth = limits
            .depth
            .map_or(LARGEST, |depth| SMALLEST << (2 * depth.saturating_sub(SHALLOW)).min(6));
        by_nodes.min(by_depth).clamp(SMALLEST, LARGEST) as usize
    }
}
