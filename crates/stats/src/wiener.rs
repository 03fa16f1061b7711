//! A Wiener process between two boundaries: the limit of a sequential test for many pairs.
//!
//! The sums come from the method of images: each boundary reflects the other, so that the start
//! has images at every even multiple of the corridor's width (Cox and Miller, *The Theory of
//! Stochastic Processes*, 1965, section 5.7; the drift by the change of measure given there).

use super::quantile::los_of_z;

/// Images beyond this many standard deviations add nothing to a double.
const REACH: f64 = 8.0;

/// The most images on either side, enough for every test that is long for its width.
const MOST_IMAGES: f64 = 100.0;

/// A process of variance 1 per step that starts at 0 and is absorbed at `above` or at minus
/// `below`, both positive.
#[derive(Clone, Copy, Debug)]
pub(super) struct Corridor {
    pub(super) above: f64,
    pub(super) below: f64,
}

impl Corridor {
    /// The same corridor with its sides exchanged.
    pub(super) fn mirrored(self) -> Self {
        Self { above: self.below, below: self.above }
    }

    fn width(&self) -> f64 {
        self.above + self.below
    }

    /// The numbers of the images that contribute at `time`.
    fn images(&self, time: f64) -> impl Iterator<Item = f64> {
        let most = (REACH * time.sqrt() / (2.0 * self.width())).ceil().min(MOST_IMAGES) as i32 + 1;
        (-most..=most).map(f64::from)
    }

    /// The probability that the process with this drift a step is absorbed above within `time`.
    pub(super) fn reaches_above(&self, drift: f64, time: f64) -> f64 {
        let root = time.sqrt();
        let term = |image: f64| {
            let place = self.above + 2.0 * image * self.width();
            let distance = place.abs();
            let early = tilted(drift * (self.above - distance), (drift * time - distance) / root);
            let late = tilted(drift * (self.above + distance), -(drift * time + distance) / root);
            place.signum() * (early + late)
        };
        self.images(time).map(term).sum()
    }

    /// The probability that it is not absorbed within `time`, and above `place` at its end.
    pub(super) fn ends_above(&self, place: f64, drift: f64, time: f64) -> f64 {
        let between = |image: f64| {
            let z = |end: f64| (image + drift * time - end) / time.sqrt();
            let (low, high) = (z(self.above), z(place));
            // The smaller tails: otherwise both terms may overflow, and their difference is lost.
            match low > 0.0 {
                true => tilted(drift * image, -low) - tilted(drift * image, -high),
                false => tilted(drift * image, high) - tilted(drift * image, low),
            }
        };
        let term = |image: f64| {
            let shift = 2.0 * image * self.width();
            between(shift) - between(2.0 * self.above + shift)
        };
        self.images(time).map(term).sum()
    }
}

/// e^`exponent` times the normal distribution function at `z`; each factor alone may overflow or
/// underflow.
fn tilted(exponent: f64, z: f64) -> f64 {
    (exponent + los_of_z(z).ln()).exp()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Absorption on a fine lattice: an independent count of paths.
    fn on_a_lattice(corridor: Corridor, place: f64, drift: f64, time: f64) -> [f64; 2] {
        const STEPS_A_UNIT: f64 = 40.0;
        let cells = |distance: f64| (distance * STEPS_A_UNIT).round() as usize;
        let (above, below) = (cells(corridor.above), cells(corridor.below));
        let up = (1.0 + drift / STEPS_A_UNIT) / 2.0;
        let mut shares = vec![0.0; above + below + 1];
        shares[below] = 1.0;
        let mut absorbed = 0.0;
        for _ in 0..cells(time * STEPS_A_UNIT) {
            let last = shares.len() - 1;
            let mut next = vec![0.0; shares.len()];
            for cell in 1..last {
                next[cell + 1] += up * shares[cell];
                next[cell - 1] += (1.0 - up) * shares[cell];
            }
            absorbed += std::mem::take(&mut next[last]);
            next[0] = 0.0;
            shares = next;
        }
        let position = |cell: usize| (cell as f64 - below as f64) / STEPS_A_UNIT;
        let beyond = (0..shares.len()).filter(|&cell| position(cell) > place);
        [absorbed, beyond.map(|cell| shares[cell]).sum()]
    }

    #[test]
    fn probabilities_are_those_of_paths_on_a_lattice() {
        let corridor = Corridor { above: 2.0, below: 1.5 };
        for (place, drift, time) in [(0.51, 0.0, 1.0), (-1.01, 0.7, 3.0), (0.01, -0.9, 6.0)] {
            let [absorbed, beyond] = on_a_lattice(corridor, place, drift, time);
            let reaches = corridor.reaches_above(drift, time);
            let ends = corridor.ends_above(place, drift, time);
            assert!((reaches - absorbed).abs() < 3e-3, "{reaches} {absorbed}");
            assert!((ends - beyond).abs() < 2e-2 * (0.1 + beyond), "{ends} {beyond}");
        }
    }

    #[test]
    fn in_the_end_one_of_the_boundaries_absorbs() {
        let corridor = Corridor { above: 3.0, below: 2.0 };
        for drift in [-0.5, 0.0, 0.5] {
            let (up, down) = (
                corridor.reaches_above(drift, 60.0),
                corridor.mirrored().reaches_above(-drift, 60.0),
            );
            assert!((up + down - 1.0).abs() < 1e-4, "{up} {down}");
            let left = corridor.ends_above(-corridor.below, drift, 60.0);
            // The normal distribution function is good to 4e-8.
            assert!((up + down + left - 1.0).abs() < 1e-6, "{left}");
        }
    }
}
