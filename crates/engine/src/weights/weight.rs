//! A single weight, and an ordered list of named weights.

use serde::{Serialize, Serializer};

/// The weight of a feature: a whole number, or one for each pattern of a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Weight {
    /// The weight of a feature with one value.
    One(i32),
    /// The weights of a table, one for each pattern, in the order documented by the evaluator.
    Table(Vec<i32>),
}

impl Weight {
    /// The numbers of this weight: one, or all cells of the table.
    pub fn cells(&self) -> &[i32] {
        match self {
            Weight::One(value) => std::slice::from_ref(value),
            Weight::Table(values) => values,
        }
    }

    /// The numbers of this weight, mutable. The set can be saved only if they stay within
    /// ±[`MAX_WEIGHT`](super::MAX_WEIGHT).
    pub fn cells_mut(&mut self) -> &mut [i32] {
        match self {
            Weight::One(value) => std::slice::from_mut(value),
            Weight::Table(values) => values,
        }
    }
}

/// Named weights in the order of the file. No name occurs twice.
///
/// ```
/// use sparring_engine::weights::{Weight, Weights};
/// let mut weights = Weights::new();
/// weights.insert("piece", Weight::One(10));
/// weights.insert("ring", Weight::Table(vec![1, 2, 3]));
/// assert_eq!(weights.insert("piece", Weight::One(12)), Some(Weight::One(10)));
/// assert_eq!(weights.iter().map(|(name, _)| name).collect::<Vec<_>>(), ["piece", "ring"]);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Weights(Vec<(String, Weight)>);

impl Weights {
    /// An empty list of weights.
    pub fn new() -> Self {
        Self::default()
    }

    /// The weight of a feature.
    pub fn get(&self, name: &str) -> Option<&Weight> {
        self.iter().find(|&(known, _)| known == name).map(|(_, weight)| weight)
    }

    /// The weight of a feature, mutable.
    pub fn get_mut(&mut self, name: &str) -> Option<&mut Weight> {
        self.0.iter_mut().find(|(known, _)| known == name).map(|(_, weight)| weight)
    }

    /// Replaces a weight, or adds it at the end if the name is new. Returns the old weight.
    pub fn insert(&mut self, name: &str, weight: Weight) -> Option<Weight> {
        match self.get_mut(name) {
            Some(old) => Some(std::mem::replace(old, weight)),
            None => {
                self.0.push((name.to_owned(), weight));
                None
            }
        }
    }

    /// Replaces a weight by two others, or adds them at the end if there is no such name.
    pub(super) fn replace(&mut self, name: &str, with: [(String, Weight); 2]) {
        let place = self.0.iter().position(|(known, _)| known == name);
        let (start, end) = place.map_or((self.0.len(), self.0.len()), |place| (place, place + 1));
        self.0.splice(start..end, with);
    }

    /// The names and weights, in order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Weight)> {
        self.0.iter().map(|(name, weight)| (name.as_str(), weight))
    }

    /// The names and mutable weights, in order.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = (&str, &mut Weight)> {
        self.0.iter_mut().map(|(name, weight)| (name.as_str(), weight))
    }

    /// The number of names.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are no names.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Sorts by the position of each name in `order`. Other names go to the end and keep their
    /// order.
    pub fn sort_by_names(&mut self, order: &[&str]) {
        let place =
            |name: &str| order.iter().position(|&known| known == name).unwrap_or(order.len());
        self.0.sort_by_cached_key(|(name, _)| place(name));
    }

    /// Takes a list that is known to have no duplicate names.
    pub(super) fn from_unique(list: Vec<(String, Weight)>) -> Self {
        Self(list)
    }
}

impl<S: AsRef<str>> FromIterator<(S, Weight)> for Weights {
    /// Collects names and weights; the last weight of a duplicate name counts.
    fn from_iter<I: IntoIterator<Item = (S, Weight)>>(list: I) -> Self {
        let mut weights = Self::new();
        for (name, weight) in list {
            weights.insert(name.as_ref(), weight);
        }
        weights
    }
}

impl Serialize for Weights {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.iter())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sorting_follows_the_given_names_and_keeps_the_rest() {
        let mut weights: Weights =
            ["x", "b", "y", "a"].map(|name| (name, Weight::One(0))).into_iter().collect();
        weights.sort_by_names(&["a", "b", "c"]);
        assert_eq!(weights.iter().map(|(name, _)| name).collect::<String>(), "abxy");
    }

    #[test]
    fn cells_are_the_numbers_in_order() {
        let mut table = Weight::Table(vec![4, 5]);
        table.cells_mut()[1] = 6;
        assert_eq!(table.cells(), [4, 6]);
        assert_eq!(Weight::One(7).cells(), [7]);
    }
}
