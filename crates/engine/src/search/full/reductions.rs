//! The table of late-move reductions.

use crate::search::constants::SearchConstants;

/// The size of the table. Greater depths and move numbers use the last entry.
const TABLE_SIDE: usize = 64;

/// Late-move reductions by depth and move number, in hundredths of a ply.
pub(super) struct Reductions(Vec<[i32; TABLE_SIDE]>);

impl Reductions {
    pub(super) fn new(constants: &SearchConstants) -> Self {
        let cell = |depth: usize, number: usize| {
            let product = (depth.max(1) as f64).ln() * (number.max(1) as f64).ln();
            constants.reduction_base + (f64::from(constants.reduction_factor) * product) as i32
        };
        let row = |depth| std::array::from_fn(|number| cell(depth, number));
        Self((0..TABLE_SIDE).map(row).collect())
    }

    #[inline]
    pub(super) fn get(&self, depth: i32, number: usize) -> i32 {
        self.0[(depth.max(0) as usize).min(TABLE_SIDE - 1)][number.min(TABLE_SIDE - 1)]
    }
}
