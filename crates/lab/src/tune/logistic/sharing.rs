//! Weights shared by the cells of tables, or by the two weights of a feature by phase. The weight
//! of a cell is a weight of its own plus the weights of the parts of its pattern.
//!
//! Most patterns are rare, and a fit alone would know little about their weights. Their parts are
//! seen often. With a weight w = u + F v, where u belongs to the cell and v to its parts (F has a 1
//! for each), and one penalty on the squares of both, the weights have a prior under which patterns
//! with common parts are alike. The data decides how far a pattern departs from the sum of its
//! parts. A set still holds only w. Efficiently updatable networks (NNUE) do the same under the
//! name of factorization: shared features help to train the real ones.

use super::columns::Columns;
use super::linear::{add_multiple, dot};
use super::prior::SinglePrior;
use crate::eval::SubPattern;
use crate::game::Board;
use crate::games::GameId;

/// The most steps of conjugate gradients for the start of a fit, which need not be exact.
const STEPS: usize = 50;

/// The parts of all columns. Coordinates are the columns' own weights, and after them the parts'.
pub struct Sharing {
    columns: usize,
    parts: usize,
    /// The first link of each column, and the number of links at the end.
    first: Vec<u32>,
    /// The parts of the columns: twice their numbers, plus 1 if the sign is the opposite.
    links: Vec<u32>,
    /// For each part, the mean number of windows that show it at once.
    windows: Vec<f64>,
    /// The columns of the weights by phase that share a part.
    phase_pairs: Vec<[usize; 2]>,
}

impl Sharing {
    /// Nothing is shared: coordinates are columns.
    pub fn none(columns: &Columns) -> Self {
        Self {
            columns: columns.len(),
            parts: 0,
            first: vec![0; columns.len() + 1],
            links: Vec::new(),
            windows: Vec::new(),
            phase_pairs: Vec::new(),
        }
    }

    /// The parts of the fitted tables on a board, and one for each feature with an early and a late
    /// weight: both are pulled toward what they have in common.
    pub fn new(game: GameId, board: Board, columns: &Columns) -> Self {
        let mut cells: Vec<Vec<SubPattern>> = vec![Vec::new(); columns.len()];
        for (table, column, cell) in columns.cells() {
            cells[column] = (game.tables[table].parts)(board, cell);
        }
        let mut keys: Vec<u64> = cells.iter().flatten().map(|part| part.key).collect();
        keys.sort_unstable();
        // A part of one cell alone would only be that cell's weight once more.
        let keys: Vec<u64> = keys
            .chunk_by(|a, b| a == b)
            .filter(|same| same.len() > 1)
            .map(|same| same[0])
            .collect();
        let pairs = columns.phase_pairs();
        let parts = keys.len() + pairs.len();
        let mut sharing = Self { parts, phase_pairs: pairs.clone(), ..Self::none(columns) };
        sharing.windows = vec![0.0; sharing.parts];
        for (column, parts) in cells.iter().enumerate() {
            let pair = pairs.iter().position(|pair| pair.contains(&column));
            sharing.links.extend(pair.map(|pair| 2 * (keys.len() + pair) as u32));
            for part in parts {
                let Ok(number) = keys.binary_search(&part.key) else { continue };
                sharing.links.push(2 * number as u32 + u32::from(part.opposite));
                sharing.windows[number] += 3_f64.powi(-i32::from(part.rest));
            }
            sharing.first[column + 1] = sharing.links.len() as u32;
        }
        sharing
    }

    /// The prior of the single weights that follows from this penalty on the coordinates.
    pub fn single_prior(&self, penalty: f64) -> SinglePrior {
        SinglePrior { penalty, pairs: self.phase_pairs.clone() }
    }

    /// The parts of a column, with their signs.
    fn of(&self, column: usize) -> impl Iterator<Item = (usize, f64)> {
        let links = &self.links[self.first[column] as usize..self.first[column + 1] as usize];
        links.iter().map(|&link| ((link / 2) as usize, if link % 2 == 0 { 1.0 } else { -1.0 }))
    }

    /// The columns of some coordinates: w = u + F v.
    pub fn columns(&self, coordinates: &[f64]) -> Vec<f64> {
        let (own, parts) = coordinates.split_at(self.columns);
        let shared = |column| self.of(column).map(|(part, sign)| sign * parts[part]).sum::<f64>();
        own.iter().enumerate().map(|(column, own)| own + shared(column)).collect()
    }

    /// The derivatives by coordinates, from those by columns.
    pub fn gradient(&self, gradient: Vec<f64>) -> Vec<f64> {
        let mut out = gradient;
        let parts = self.gathered(&out);
        out.extend(parts);
        out
    }

    /// The transposed product, F^T w.
    fn gathered(&self, columns: &[f64]) -> Vec<f64> {
        let mut parts = vec![0.0; self.parts];
        for (column, value) in columns.iter().enumerate().filter(|(_, value)| **value != 0.0) {
            self.of(column).for_each(|(part, sign)| parts[part] += sign * value);
        }
        parts
    }

    /// Approximate second derivatives by coordinates, from those by columns. The windows that show
    /// a part at once count together.
    pub fn curvature(&self, curvature: &[f64]) -> Vec<f64> {
        let mut parts = vec![0.0; self.parts];
        for (column, value) in curvature.iter().enumerate().filter(|(_, value)| **value != 0.0) {
            self.of(column)
                .for_each(|(part, _)| parts[part] += value * self.windows[part].max(1.0));
        }
        curvature.iter().copied().chain(parts).collect()
    }

    /// The coordinates of these columns with nearly the least sum of squares: v solves (I + F^T F)
    /// v = F^T w, by conjugate gradients with the diagonal as preconditioner, and u is the rest.
    pub fn coordinates(&self, columns: &[f64]) -> Vec<f64> {
        let mut diagonal = vec![1.0; self.parts];
        self.links.iter().for_each(|link| diagonal[(link / 2) as usize] += 1.0);
        let divided =
            |rest: &[f64]| rest.iter().zip(&diagonal).map(|(rest, d)| rest / d).collect::<Vec<_>>();
        let mut parts = vec![0.0; self.parts];
        let mut rest = self.gathered(columns);
        let mut direction = divided(&rest);
        let mut error = dot(&rest, &direction);
        let zeros = vec![0.0; self.columns];
        let of_parts = |parts: &[f64]| self.columns(&[zeros.as_slice(), parts].concat());
        for _ in 0..STEPS {
            if error <= f64::MIN_POSITIVE {
                break;
            }
            let mut image = self.gathered(&of_parts(&direction));
            add_multiple(&mut image, 1.0, &direction);
            let step = error / dot(&direction, &image);
            add_multiple(&mut parts, step, &direction);
            add_multiple(&mut rest, -step, &image);
            let next = divided(&rest);
            let (past, now) = (error, dot(&rest, &next));
            error = now;
            direction
                .iter_mut()
                .zip(&next)
                .for_each(|(direction, next)| *direction = next + now / past * *direction);
        }
        let mut coordinates = columns.to_vec();
        add_multiple(&mut coordinates, -1.0, &of_parts(&parts));
        coordinates.extend(parts);
        coordinates
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn example() -> (Columns, Sharing) {
        let (game, board) = ("breakthrough".parse().unwrap(), Board::new(5, 6));
        let names = ["tempo", "windows_3x3", "windows_5x2"].map(String::from);
        let columns = Columns::new(game, board, &names).unwrap();
        let sharing = Sharing::new(game, board, &columns);
        (columns, sharing)
    }

    /// Numbers from -1 to 1 without a pattern.
    fn noise(count: usize, seed: f64) -> Vec<f64> {
        (0..count).map(|index| (seed + index as f64 * 12.9898).sin()).collect()
    }

    #[test]
    fn coordinates_mean_the_columns_they_came_from_and_are_smaller() {
        let (columns, sharing) = example();
        assert!(sharing.parts > 1000);
        let point = noise(columns.len(), 1.0);
        let coordinates = sharing.coordinates(&point);
        assert_eq!(coordinates.len(), columns.len() + sharing.parts);
        let back = sharing.columns(&coordinates);
        assert!(back.iter().zip(&point).all(|(a, b)| (a - b).abs() < 1e-9));
        assert!(dot(&coordinates, &coordinates) < dot(&point, &point));
        // No step from the least sum of squares along v, with u making up for it, leads further
        // down: v = F^T u.
        let (own, parts) = coordinates.split_at(columns.len());
        let pull = sharing.gathered(own);
        let off: Vec<f64> = parts.iter().zip(&pull).map(|(part, pull)| part - pull).collect();
        let before = sharing.gathered(&point);
        assert!(dot(&off, &off) < 1e-3 * dot(&before, &before));
    }

    #[test]
    fn the_weights_of_a_feature_by_phase_share_one() {
        let (game, board) = ("breakthrough".parse().unwrap(), Board::new(5, 6));
        let names = ["piece", "tempo@early", "tempo@late", "edge@late"].map(String::from);
        let columns = Columns::new(game, board, &names).unwrap();
        assert_eq!(
            (columns.names(), columns.phase_pairs()),
            (names.iter().map(String::as_str).collect(), vec![[1, 2]])
        );
        let sharing = Sharing::new(game, board, &columns);
        // Of 3 and 6 the least squares take (3 + 6) / 3 for what is common.
        let coordinates = sharing.coordinates(&[5.0, 3.0, 6.0, 7.0]);
        for (found, expected) in coordinates.iter().zip([5.0, 0.0, 3.0, 7.0, 3.0]) {
            assert!((found - expected).abs() < 1e-12, "{coordinates:?}");
        }
    }

    #[test]
    fn the_gradient_is_the_transpose() {
        let (columns, sharing) = example();
        let (x, y) = (noise(columns.len() + sharing.parts, 2.0), noise(columns.len(), 3.0));
        let (one, other) = (dot(&sharing.columns(&x), &y), dot(&x, &sharing.gradient(y.clone())));
        assert!((one - other).abs() < 1e-8 * one.abs().max(1.0), "{one} {other}");
    }

    #[test]
    fn where_nothing_is_shared_coordinates_are_columns() {
        let (columns, _) = example();
        let sharing = Sharing::none(&columns);
        let point = noise(columns.len(), 4.0);
        assert_eq!(sharing.coordinates(&point), point);
        assert_eq!(sharing.columns(&point), point);
        assert_eq!(sharing.gradient(point.clone()), point);
        assert_eq!(sharing.curvature(&point), point);
    }
}
