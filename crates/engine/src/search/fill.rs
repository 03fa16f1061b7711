//! The fill level of an engine's memory, for observers of a search.

use super::table::TranspositionTable;
use std::sync::Arc;
#[cfg(feature = "tree-search")]
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// The fill level of a tree, in permille; clones share it.
#[cfg(feature = "tree-search")]
#[derive(Clone, Debug, Default)]
pub(super) struct TreeFill(Arc<AtomicU32>);

#[cfg(feature = "tree-search")]
impl TreeFill {
    pub(super) fn set(&self, permille: u32) {
        self.0.store(permille, Relaxed);
    }
}

/// A view of an engine's memory that shows how full it is, also during a search. Drop it before the
/// engine is cleared, or the engine must allocate a new table.
#[derive(Clone)]
pub struct Fill(FillOf);

#[derive(Clone)]
enum FillOf {
    Table(Arc<TranspositionTable>),
    #[cfg(feature = "tree-search")]
    Tree(TreeFill),
}

impl Fill {
    pub(super) fn of_table(table: &Arc<TranspositionTable>) -> Self {
        Self(FillOf::Table(table.clone()))
    }

    #[cfg(feature = "tree-search")]
    pub(super) fn of_tree(fill: &TreeFill) -> Self {
        Self(FillOf::Tree(fill.clone()))
    }

    /// The share of the memory that the current search uses, in permille. For a table it is
    /// estimated from a sample.
    pub fn permille(&self) -> u32 {
        match &self.0 {
            FillOf::Table(table) => table.permille_full(),
            #[cfg(feature = "tree-search")]
            FillOf::Tree(TreeFill(fill)) => fill.load(Relaxed),
        }
    }
}
