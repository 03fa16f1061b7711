//! The values with which positions are scored: all starts, and a step to each side of each
//! knob's start.

use crate::tune::knob::Knob;
use std::collections::BTreeMap;

/// A value beside a knob's start.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ProbedSide {
    /// The place of the knob.
    pub(super) knob: usize,
    /// The distance of the value from the start, in steps; negative below it.
    pub(super) offset: f64,
    /// The option that the knob sets.
    pub(super) option: String,
    /// The value, as text for the engine.
    pub(super) value: String,
}

/// The values beside the starts of all knobs.
#[derive(Clone, Debug, Default)]
pub(super) struct KnobProbes {
    /// The sides of each knob that are within its bounds, the lower one first.
    pub(super) sides: Vec<ProbedSide>,
    /// The number of knobs.
    pub(super) knobs: usize,
}

/// A step of a knob: half the distance between the two sides of a pair, but large enough to change
/// an integer.
pub(in crate::tune) fn step_of(knob: &Knob, c: f64) -> f64 {
    knob.step(c).max(2.0 * knob.kind.least_step())
}

/// The options that the knobs set at their starts.
pub(in crate::tune) fn start_options(knobs: &[Knob]) -> BTreeMap<String, String> {
    knobs.iter().map(|knob| (knob.option().to_owned(), knob.kind.text(knob.start))).collect()
}

impl KnobProbes {
    /// A step to each side of each knob, as far as the bounds allow.
    pub(super) fn new(knobs: &[Knob], c: f64) -> Self {
        let sides = knobs.iter().enumerate().flat_map(|(place, knob)| {
            let step = step_of(knob, c);
            [-1.0, 1.0].into_iter().filter_map(move |side| {
                let wanted = (knob.start + side * step).clamp(knob.min, knob.max);
                let value = knob.kind.nearest(wanted, [knob.min, knob.max]);
                let offset = (value - knob.start) / step;
                (offset * side > 0.0).then(|| ProbedSide {
                    knob: place,
                    offset,
                    option: knob.option().to_owned(),
                    value: knob.kind.text(value),
                })
            })
        });
        Self { sides: sides.collect(), knobs: knobs.len() }
    }

    /// The slope of a position's score along a knob, and its bend, the second difference, from the
    /// scores beside the start.
    pub(super) fn difference(
        &self,
        knob: usize,
        start: f64,
        scores: &[f64],
    ) -> Option<(f64, Option<f64>)> {
        let all = self.sides.iter().zip(scores);
        let own: Vec<(f64, f64)> = all
            .filter(|(side, _)| side.knob == knob)
            .map(|(side, score)| (side.offset, score - start))
            .collect();
        match own[..] {
            [(below, lower), (above, upper)] => {
                let slope = (upper - lower) / (above - below);
                // Twice the distance of the start's score from the line between the two sides'
                // scores.
                let line = lower + (upper - lower) * -below / (above - below);
                Some((slope, Some(2.0 * line)))
            }
            [(offset, moved)] => Some((moved / offset, None)),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tune::{KnobKind, Target};

    fn knob(start: f64, range: f64) -> Knob {
        Knob { target: Target::Option, start, max: 100.0, range, ..Knob::default() }
    }

    #[test]
    fn sides_lie_a_step_from_the_start_within_the_bounds() {
        let float = Knob { kind: KnobKind::Float, max: 1.0, ..knob(0.5, 1.0) };
        let probes =
            KnobProbes::new(&[knob(20.0, 50.0), knob(0.0, 50.0), knob(7.0, 1e-9), float], 0.1);
        let found: Vec<(usize, &str, f64)> =
            probes.sides.iter().map(|side| (side.knob, side.value.as_str(), side.offset)).collect();
        let wanted = [
            (0, "15", -1.0),
            (0, "25", 1.0),
            (1, "5", 1.0),
            (2, "6", -1.0),
            (2, "8", 1.0),
            (3, "0.4", -1.0),
            (3, "0.6", 1.0),
        ];
        assert_eq!(found.len(), wanted.len());
        for (found, wanted) in found.iter().zip(wanted) {
            assert_eq!((found.0, found.1), (wanted.0, wanted.1));
            assert!((found.2 - wanted.2).abs() < 1e-9, "{found:?}");
        }
    }

    #[test]
    fn differences_know_lines_from_bends() {
        let probes = KnobProbes::new(&[knob(20.0, 50.0), knob(0.0, 50.0), knob(50.0, 1.0)], 0.1);
        let scores = [-6.0, 6.0, 4.0, 10.0, 10.0];
        assert_eq!(probes.difference(0, 0.0, &scores), Some((6.0, Some(0.0))));
        assert_eq!(probes.difference(1, 0.0, &scores), Some((4.0, None)));
        assert_eq!(probes.difference(2, 0.0, &scores), Some((0.0, Some(20.0))));
        assert_eq!(probes.difference(3, 0.0, &scores), None);
    }
}
