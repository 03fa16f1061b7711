//! The two graph computations that ratings need: who can be compared, and equations on a network.

/// The strongly connected components of a directed graph: two players belong together if a path
/// leads from each to the other. `arcs[i]` holds the ends of the arcs from `i`. Components and
/// members are in ascending order.
pub(super) fn components(arcs: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let mut reversed = vec![Vec::new(); arcs.len()];
    for (from, ends) in arcs.iter().enumerate() {
        ends.iter().for_each(|&to| reversed[to].push(from));
    }
    let mut seen = vec![false; arcs.len()];
    let mut finished = Vec::with_capacity(arcs.len());
    for start in 0..arcs.len() {
        visit(arcs, start, &mut seen, &mut finished);
    }
    seen.fill(false);
    let mut components = Vec::new();
    for &start in finished.iter().rev() {
        let mut members = Vec::new();
        visit(&reversed, start, &mut seen, &mut members);
        if !members.is_empty() {
            members.sort_unstable();
            components.push(members);
        }
    }
    components.sort_unstable();
    components
}

/// Depth-first search from `start`; appends each unseen node after all nodes behind it.
fn visit(arcs: &[Vec<usize>], start: usize, seen: &mut [bool], finished: &mut Vec<usize>) {
    if std::mem::replace(&mut seen[start], true) {
        return;
    }
    let mut path = vec![(start, 0)];
    while let Some((node, next)) = path.last_mut() {
        match arcs[*node].get(*next) {
            Some(&to) => {
                *next += 1;
                if !std::mem::replace(&mut seen[to], true) {
                    path.push((to, 0));
                }
            }
            None => {
                finished.push(*node);
                path.pop();
            }
        }
    }
}

/// A connected network of nodes joined by springs, factored so that the positions under any
/// balanced forces are found quickly: L x = f, where L is the weighted Laplacian.
///
/// The elimination replaces a node by springs between its neighbours (the star-mesh transform). It
/// adds, multiplies and divides positive numbers only, never subtracts, so springs of 1e19 and of
/// 1e-3 in one network lose no digits to each other.
#[derive(Clone, Debug)]
pub(super) struct SpringNetwork {
    size: usize,
    /// Row k holds the springs from node k to the nodes above k, at the time k was eliminated.
    springs: Vec<f64>,
    /// The sum of row k.
    stiffness: Vec<f64>,
}

impl SpringNetwork {
    /// The network of `size` nodes with springs (`a`, `b`, strength), several of which add up. It
    /// must be connected, and the strengths positive.
    pub(super) fn new(size: usize, edges: impl IntoIterator<Item = (usize, usize, f64)>) -> Self {
        let mut springs = vec![0.0; size * size];
        for (a, b, strength) in edges {
            springs[a.min(b) * size + a.max(b)] += strength;
        }
        let mut network = Self { size, springs, stiffness: vec![0.0; size] };
        for node in 0..size {
            network.eliminate(node);
        }
        network
    }

    fn eliminate(&mut self, node: usize) {
        let size = self.size;
        let (done, below) = self.springs.split_at_mut((node + 1) * size);
        let row = &done[node * size..];
        self.stiffness[node] = row[node + 1..].iter().sum();
        for i in (node + 1..size).filter(|&i| row[i] > 0.0) {
            let share = row[i] / self.stiffness[node];
            let target = &mut below[(i - node - 1) * size..][..size];
            for j in i + 1..size {
                target[j] += share * row[j];
            }
        }
    }

    /// The positions, with mean zero, under `forces`, which must add up to zero.
    pub(super) fn solve(&self, mut forces: Vec<f64>) -> Vec<f64> {
        let row = |node: usize| &self.springs[node * self.size..][..self.size];
        for node in 0..self.size.saturating_sub(1) {
            let unit = forces[node] / self.stiffness[node];
            for (other, &spring) in row(node).iter().enumerate().skip(node + 1) {
                forces[other] += spring * unit;
            }
        }
        let mut positions = forces;
        if let Some(last) = positions.last_mut() {
            *last = 0.0;
        }
        for node in (0..self.size.saturating_sub(1)).rev() {
            let pull: f64 =
                row(node).iter().zip(&positions).skip(node + 1).map(|(k, x)| k * x).sum();
            positions[node] = (positions[node] + pull) / self.stiffness[node];
        }
        centre(&mut positions);
        positions
    }

    /// The positions under a unit force that pulls `a` up and `b` down.
    pub(super) fn pull(&self, a: usize, b: usize) -> Vec<f64> {
        let mut forces = vec![0.0; self.size];
        forces[a] += 1.0;
        forces[b] -= 1.0;
        self.solve(forces)
    }
}

/// Shifts the values so that their mean is zero.
fn centre(values: &mut [f64]) {
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    values.iter_mut().for_each(|value| *value -= mean);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn components_are_the_players_on_common_circles() {
        // 0 -> 1 -> 2 -> 0 -> 3 -> 4 -> 3, and 5 alone.
        let arcs = [vec![1, 3], vec![2], vec![0], vec![4], vec![3], vec![]];
        assert_eq!(components(&arcs), [vec![0, 1, 2], vec![3, 4], vec![5]]);
        assert_eq!(components(&[vec![1], vec![2], vec![]]), [[0], [1], [2]]);
        assert!(components(&[]).is_empty());
        let long = (0..100_000).map(|i| vec![(i + 1) % 100_000]).collect::<Vec<_>>();
        assert_eq!(components(&long).len(), 1);
    }

    #[test]
    fn positions_balance_the_forces() {
        let edges = [(0, 1, 2.0), (2, 1, 0.5), (0, 2, 3.0), (3, 0, 7.0), (1, 3, 1.0), (1, 0, 1.0)];
        let forces = vec![3.0, -1.0, -4.0, 2.0];
        let positions = SpringNetwork::new(4, edges).solve(forces.clone());
        assert!(positions.iter().sum::<f64>().abs() < 1e-12);
        for (node, force) in forces.iter().enumerate() {
            let pull: f64 = edges
                .iter()
                .map(|&(a, b, k)| match node {
                    n if n == a => k * (positions[a] - positions[b]),
                    n if n == b => k * (positions[b] - positions[a]),
                    _ => 0.0,
                })
                .sum();
            assert!((pull - force).abs() < 1e-12, "{pull} {force}");
        }
    }

    #[test]
    fn weak_springs_keep_their_digits_beside_strong_ones() {
        for edges in [
            [(0, 1, 1e-3), (1, 2, 1e19)],
            [(0, 1, 1e19), (1, 2, 1e-3)],
            [(0, 2, 1e19), (1, 2, 1e-3)],
        ] {
            let weak = if edges[0].2 < 1.0 { edges[0] } else { edges[1] };
            let positions = SpringNetwork::new(3, edges).pull(weak.0, weak.1);
            assert!((positions[weak.0] - positions[weak.1] - 1000.0).abs() < 1e-9, "{positions:?}");
        }
    }
}
