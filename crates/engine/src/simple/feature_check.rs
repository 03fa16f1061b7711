//! Tests on the positions of random games that a game's features are usable with weights.

use super::{Features, SideFeature, Simple};
use crate::eval::check::MOST_OF_FEATURE;
use crate::game::Side;

/// The features of a game with their observed counts.
pub(super) struct FeatureCheck<R: Features> {
    rows: Vec<SeenCounts<R>>,
}

/// A feature with its observed counts.
struct SeenCounts<R: 'static> {
    feature: &'static SideFeature<R>,
    was_counted: bool,
    /// Whether the counts of the two sides ever differed.
    differed: bool,
}

impl<R: Features> FeatureCheck<R> {
    pub(super) fn new() -> Self {
        let row = |feature| SeenCounts { feature, was_counted: false, differed: false };
        Self { rows: R::FEATURES.iter().map(row).collect() }
    }

    /// Counts the features of a position and of its copy read back from text.
    pub(super) fn add(&mut self, position: &Simple<R>, read: &Simple<R>) -> Result<(), String> {
        for SeenCounts { feature, was_counted, differed } in &mut self.rows {
            let count = |of: &Simple<R>| Side::BOTH.map(|side| (feature.count)(of.rules(), side));
            let counts = count(position);
            let name = feature.name;
            if count(read) != counts {
                return Err(format!("the feature `{name}` has other values in an equal position"));
            }
            if let Some(count) = counts.iter().find(|count| count.unsigned_abs() > MOST_OF_FEATURE)
            {
                return Err(format!("the feature `{name}` is {count}, beyond {MOST_OF_FEATURE}"));
            }
            *was_counted |= counts != [0, 0];
            *differed |= counts[0] != counts[1];
        }
        Ok(())
    }

    /// Fails if a two-sided feature never depends on the side: its value would always be 0.
    pub(super) fn result(&self) -> Result<(), String> {
        let is_alike =
            |row: &&SeenCounts<R>| row.feature.is_two_sided && row.was_counted && !row.differed;
        match self.rows.iter().find(is_alike) {
            None => Ok(()),
            Some(SeenCounts { feature, .. }) => Err(format!(
                "`{}` has the same count for both sides in every position, so its value is always \
                 0; count it for the side that its function is given, or make it a `mover`",
                feature.name
            )),
        }
    }
}
