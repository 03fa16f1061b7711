//! The inverse Hessian of a fit to rows, laid out for products with many sparse rows.

use super::RowTerm;
use crate::tune::logistic::linear::add_multiple;

/// Columns of the inverse that are multiplied together: their sums fit into a processor's registers,
/// and all their entries for a thousand weights into its cache.
const LANES: usize = 16;

/// A row at the minimum.
pub(super) struct FittedRow<'a> {
    pub(super) terms: &'a [RowTerm],
    /// The derivative of its loss by the logit.
    pub(super) error: f64,
    /// The second derivative.
    pub(super) curvature: f64,
}

/// A symmetric matrix.
pub(super) struct Inverse {
    pub(super) rows: Vec<Vec<f64>>,
    /// The same in blocks of columns: all rows of the first block, all of the second, and so on,
    /// with zeros after the last column.
    blocks: Vec<[f64; LANES]>,
}

/// The products of rows with the inverse, reused for other rows.
pub(super) struct Reached {
    /// The weights.
    pub(super) width: usize,
    /// The blocks of the first row, of the second, and so on.
    blocks: Vec<[f64; LANES]>,
}

impl Inverse {
    pub(super) fn new(rows: Vec<Vec<f64>>) -> Self {
        let mut blocks = Vec::with_capacity(rows.len() * rows.len().div_ceil(LANES));
        for first in (0..rows.len()).step_by(LANES) {
            blocks.extend(rows.iter().map(|row| {
                let mut block = [0.0; LANES];
                block.iter_mut().zip(&row[first..]).for_each(|(to, from)| *to = *from);
                block
            }));
        }
        Self { rows, blocks }
    }

    /// Computes the products of these rows with the inverse.
    pub(super) fn reach(&self, rows: &[FittedRow], reached: &mut Reached) {
        let (height, count) = (self.rows.len(), reached.blocks_of_row());
        reached.blocks.resize(rows.len() * count, [0.0; LANES]);
        for (place, block) in self.blocks.chunks_exact(height.max(1)).enumerate() {
            for (row, reach) in rows.iter().zip(reached.blocks.chunks_exact_mut(count)) {
                let mut sums = [0.0; LANES];
                for term in row.terms {
                    let entries = &block[usize::from(term.column)];
                    add_multiple(&mut sums, f64::from(term.value), entries);
                }
                reach[place] = sums;
            }
        }
    }
}

impl Reached {
    pub(super) fn new(width: usize) -> Self {
        Self { width, blocks: Vec::new() }
    }

    fn blocks_of_row(&self) -> usize {
        self.width.div_ceil(LANES).max(1)
    }

    /// The product of the row at this place.
    pub(super) fn row(&self, place: usize) -> &[f64] {
        let stride = self.blocks_of_row() * LANES;
        &self.blocks.as_flattened()[place * stride..][..self.width]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_are_those_of_the_plain_matrix() {
        for width in [1, 15, 16, 17, 40] {
            let entry = |i: usize, j: usize| ((i * j + i + j) % 7) as f64 - 3.0;
            let matrix: Vec<Vec<f64>> =
                (0..width).map(|i| (0..width).map(|j| entry(i, j)).collect()).collect();
            let inverse = Inverse::new(matrix.clone());
            let mut reached = Reached::new(width);
            for columns in [vec![0, width - 1], vec![width / 2], vec![]] {
                let terms: Vec<RowTerm> = columns
                    .iter()
                    .map(|&column| RowTerm { column: column as u16, value: 2.0 })
                    .collect();
                let row = || FittedRow { terms: &terms, error: 0.0, curvature: 0.0 };
                inverse.reach(&[row(), row()], &mut reached);
                let wanted: Vec<f64> = (0..width)
                    .map(|place| columns.iter().map(|&column| 2.0 * matrix[column][place]).sum())
                    .collect();
                assert_eq!([reached.row(0), reached.row(1)], [&wanted[..], &wanted[..]]);
            }
        }
    }
}
