//! The native half of the Python package `sparring`: games, engines and weight sets, addressed by
//! texts and bytes. `python/sparring` has the part that users see.

mod arrays;
mod engine;
mod errors;
mod game;
mod weights;

/// The native half of `sparring`.
#[pyo3::pymodule]
mod _native {
    #[pymodule_export]
    use super::arrays::{
        feature_names, features, packed_features, packed_fens, packed_size, patterns, table_names,
    };
    #[pymodule_export]
    use super::engine::Engine;
    #[pymodule_export]
    use super::game::{Game, check_game};
    #[pymodule_export]
    use super::weights::{Weights, shipped};
    #[pymodule_export]
    const MAX_HASH: usize = super::engine::MAX_TABLE;
    #[pymodule_export]
    const MAX_SCALE: i32 = sparring::weights::MAX_SCALE;
}
