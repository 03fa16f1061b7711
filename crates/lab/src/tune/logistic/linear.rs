//! Small dense matrices and vectors.

use rayon::prelude::*;

/// Columns of an inverse that are computed together.
const TOGETHER: usize = 16;
/// With a pivot below this share of the diagonal the matrix counts as singular: some weights cannot
/// be distinguished.
const LEAST_PIVOT: f64 = 1e-10;

pub(in crate::tune) fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// Adds a multiple of a vector.
pub(in crate::tune) fn add_multiple(total: &mut [f64], factor: f64, vector: &[f64]) {
    total.iter_mut().zip(vector).for_each(|(total, value)| *total += factor * value);
}

/// The product x' M x with a symmetric matrix, given by its lower triangle.
pub(in crate::tune) fn quadratic_form(triangle: &[f64], x: &[f64]) -> f64 {
    let mut rest = triangle;
    let mut sum = 0.0;
    for (i, value) in x.iter().enumerate() {
        let (row, others) = rest.split_at(i + 1);
        sum += value * (2.0 * dot(&row[..i], &x[..i]) + row[i] * value);
        rest = others;
    }
    sum
}

/// The inverse of a symmetric matrix, given by its lower triangle, with `ridge` added to the
/// diagonal; empty when it is singular or nearly so.
pub(in crate::tune) fn inverse(triangle: &[f64], ridge: f64) -> Vec<Vec<f64>> {
    let Some(factor) = factor(triangle, ridge) else { return Vec::new() };
    let n = factor.len();
    let firsts: Vec<usize> = (0..n).step_by(TOGETHER).collect();
    let columns = |first: &usize| {
        let mut x = vec![[0.0; TOGETHER]; n];
        x[*first..].iter_mut().take(TOGETHER).enumerate().for_each(|(unit, row)| row[unit] = 1.0);
        substitute(&factor, &mut x);
        let units = 0..TOGETHER.min(n - first);
        units.map(|unit| x.iter().map(|row| row[unit]).collect()).collect::<Vec<Vec<f64>>>()
    };
    firsts.par_iter().map(columns).collect::<Vec<_>>().into_iter().flatten().collect()
}

/// The solution of a symmetric system, given by its lower triangle, with `ridge` added to the
/// diagonal; `None` when it is singular or nearly so.
pub(in crate::tune) fn solve(triangle: &[f64], ridge: f64, right: Vec<f64>) -> Option<Vec<f64>> {
    let mut x: Vec<[f64; 1]> = right.into_iter().map(|value| [value]).collect();
    substitute(&factor(triangle, ridge)?, &mut x);
    Some(x.into_iter().flatten().collect())
}

/// Cholesky's factor of a symmetric matrix, its rows with zeros after the diagonal.
fn factor(triangle: &[f64], ridge: f64) -> Option<Vec<Vec<f64>>> {
    let n = size(triangle);
    let at = |i: usize, j: usize| triangle[i * (i + 1) / 2 + j] + if i == j { ridge } else { 0.0 };
    let mut factor = vec![vec![0.0; n]; n];
    for i in 0..n {
        for j in 0..=i {
            let rest = at(i, j) - dot(&factor[i][..j], &factor[j][..j]);
            if i == j
                && rest.partial_cmp(&(LEAST_PIVOT * at(i, i))) != Some(std::cmp::Ordering::Greater)
            {
                return None;
            }
            factor[i][j] = if i == j { rest.sqrt() } else { rest / factor[j][j] };
        }
    }
    Some(factor)
}

/// Turns the right sides of systems with this factor into their solutions.
fn substitute<const N: usize>(factor: &[Vec<f64>], x: &mut [[f64; N]]) {
    let n = factor.len();
    let close = |x: &mut [f64; N], known: &[f64; N], pivot: f64| {
        x.iter_mut().zip(known).for_each(|(x, known)| *x = (*x - known) / pivot);
    };
    for i in 0..n {
        let mut known = [0.0; N];
        factor[i][..i].iter().zip(&*x).for_each(|(&part, x)| add_multiple(&mut known, part, x));
        close(&mut x[i], &known, factor[i][i]);
    }
    for i in (0..n).rev() {
        let mut known = [0.0; N];
        let later = factor[i + 1..].iter().zip(&x[i + 1..]);
        later.for_each(|(row, x)| add_multiple(&mut known, row[i], x));
        close(&mut x[i], &known, factor[i][i]);
    }
}

fn size(triangle: &[f64]) -> usize {
    ((2.0 * triangle.len() as f64).sqrt()) as usize
}

/// The columns that follow from earlier ones, each after the columns that it follows from: a
/// symmetric matrix of products of columns, given by its lower triangle, tells them. A column of
/// zeros is not among them.
pub(in crate::tune) fn dependent(triangle: &[f64]) -> Vec<Vec<usize>> {
    /// The least part of a column, as a share of its length, that another column in it has.
    const LEAST_PART: f64 = 1e-4;
    let at = |i: usize, j: usize| triangle[i * (i + 1) / 2 + j];
    let mut kept: Vec<usize> = Vec::new();
    let mut factor: Vec<Vec<f64>> = Vec::new();
    let mut found = Vec::new();
    for i in (0..size(triangle)).filter(|&i| at(i, i) > 0.0) {
        let mut row: Vec<f64> = Vec::with_capacity(kept.len() + 1);
        for (known, &j) in factor.iter().zip(&kept) {
            let rest = at(i, j) - dot(&row, known);
            row.push(rest / known[row.len()]);
        }
        let rest = at(i, i) - dot(&row, &row);
        if rest > LEAST_PIVOT * at(i, i) {
            row.push(rest.sqrt());
            factor.push(row);
            kept.push(i);
            continue;
        }
        // The parts of the column, from the last kept column to the first.
        for place in (0..kept.len()).rev() {
            row[place] /= factor[place][place];
            let (part, own) = (row[place], &factor[place]);
            (0..place).for_each(|before| row[before] -= part * own[before]);
        }
        let is_part = |&(&j, part): &(&usize, &f64)| {
            part.abs() * at(j, j).sqrt() > LEAST_PART * at(i, i).sqrt()
        };
        let parts = kept.iter().zip(&row).filter(is_part).map(|(&j, _)| j);
        found.push(parts.chain([i]).collect());
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quadratic_forms_take_each_half_of_the_matrix() {
        // [1 2; 2 4] and [3 1 0; 1 5 2; 0 2 7].
        assert_eq!(quadratic_form(&[1.0, 2.0, 4.0], &[3.0, -1.0]), 9.0 - 12.0 + 4.0);
        let found = quadratic_form(&[3.0, 1.0, 5.0, 0.0, 2.0, 7.0], &[1.0, 2.0, -1.0]);
        assert_eq!(found, 3.0 + 20.0 + 7.0 + 2.0 * (2.0 - 4.0));
        assert_eq!(quadratic_form(&[], &[]), 0.0);
    }

    #[test]
    fn solutions_are_those_of_the_inverse() {
        let (triangle, right) = ([3.5, 2.0, 4.5, 0.6, 1.0, 2.5], [1.0, -2.0, 0.5]);
        let found = solve(&triangle, 0.5, right.to_vec()).unwrap();
        for (row, found) in inverse(&triangle, 0.5).iter().zip(found) {
            assert!((dot(row, &right) - found).abs() < 1e-12);
        }
        assert!(solve(&[1.0, 2.0, 4.0], 0.0, vec![1.0, 1.0]).is_none());
    }

    #[test]
    fn columns_that_follow_from_others_are_found_with_these() {
        // Columns a, 0, b, 2a, c, a - c.
        let columns = [
            [1.0, 2.0, 0.0, 1.0],
            [0.0; 4],
            [0.0, 1.0, 3.0, 1.0],
            [2.0, 4.0, 0.0, 2.0],
            [1.0, 0.0, 1.0, 5.0],
            [0.0, 2.0, -1.0, -4.0],
        ];
        let row = |i: usize| (0..=i).map(move |j| dot(&columns[i], &columns[j]));
        let triangle: Vec<f64> = (0..columns.len()).flat_map(row).collect();
        assert_eq!(dependent(&triangle), [vec![0, 3], vec![0, 4, 5]]);
        assert!(dependent(&[1.0, 0.9999, 1.0]).is_empty());
    }

    #[test]
    fn inverses_multiply_back_and_singular_matrices_have_none() {
        let matrix = [[4.0, 2.0, 0.6], [2.0, 5.0, 1.0], [0.6, 1.0, 3.0]];
        let found = inverse(&[3.5, 2.0, 4.5, 0.6, 1.0, 2.5], 0.5);
        for (i, row) in matrix.iter().enumerate() {
            for (j, column) in found.iter().enumerate() {
                // The inverse is symmetric, too.
                let product: f64 = row.iter().zip(column).map(|(a, b)| a * b).sum();
                assert!((product - f64::from(u8::from(i == j))).abs() < 1e-12);
            }
        }
        assert!(inverse(&[1.0, 2.0, 4.0], 0.0).is_empty());
        assert!(inverse(&[1.0, 0.0, 0.0], 0.0).is_empty());
        assert!(inverse(&[f64::NAN], 0.0).is_empty());
        assert!(inverse(&[], 1.0).is_empty());
        assert_eq!(inverse(&[3.0, 0.0, 0.0], 1.0), [[0.25, 0.0], [0.0, 1.0]]);
    }
}
