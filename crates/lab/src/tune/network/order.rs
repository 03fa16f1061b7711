//! The order of the positions in the passes of a training.

use super::config::TrainConfig;
use crate::arena::seed::generator;
use crate::game::openings::below;
use rand_mt::Mt64;

/// The stream that picks the older positions of an epoch, below the seed.
const OLDER: u64 = 0x4e3;

/// Which positions a pass takes: the newer ones, and a part of the older ones behind them.
pub(super) struct PassOrder {
    newer: usize,
    /// Where the older positions begin, and where they end.
    behind: [usize; 2],
    /// The older positions of a pass.
    pub(super) older: usize,
}

impl PassOrder {
    /// The passes over `all` positions, of which the first `newer` ones are not old.
    pub(super) fn new(config: &TrainConfig, newer: usize, all: usize) -> Self {
        let older = all - newer;
        Self {
            newer: config.newer_in_pass(newer, older),
            behind: [newer, all],
            older: config.older_in_pass(newer, older),
        }
    }

    /// The positions of a pass.
    pub(super) fn len(&self) -> usize {
        self.newer + self.older
    }

    /// The places of the positions of an epoch, in its order.
    pub(super) fn of_epoch(&self, random: &mut Mt64, seed: u64, epoch: u64) -> Vec<u32> {
        let [begin, end] = self.behind;
        let mut older: Vec<u32> = (begin as u32..end as u32).collect();
        if self.older < older.len() {
            shuffle(&mut older, &mut generator(seed, &[OLDER, epoch]));
            older.truncate(self.older);
        }
        let mut order: Vec<u32> = (0..self.newer as u32).chain(older).collect();
        shuffle(&mut order, random);
        order
    }
}

fn shuffle(places: &mut [u32], random: &mut Mt64) {
    for last in (1..places.len()).rev() {
        places.swap(last, below(random, last as u64 + 1) as usize);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(share: Option<f64>, newer: usize, older: usize) -> [usize; 2] {
        let config = TrainConfig { older_share: share, ..TrainConfig::default() };
        let passes = PassOrder::new(&config, newer, newer + older);
        let order = passes.of_epoch(&mut Mt64::new(1), 3, 1);
        assert_eq!(order.len(), passes.len());
        let old = order.iter().filter(|&&place| place as usize >= newer).count();
        [order.len() - old, old]
    }

    #[test]
    fn a_pass_takes_its_share_of_older_positions() {
        assert_eq!(counts(None, 100, 0), [100, 0]);
        assert_eq!(counts(None, 100, 1000), [100, 100]);
        assert_eq!(counts(Some(0.75), 100, 1000), [100, 300]);
        assert_eq!(counts(Some(0.75), 100, 50), [100, 50]);
        assert_eq!(counts(Some(0.0), 100, 50), [100, 0]);
        assert_eq!(counts(Some(1.0), 100, 50), [0, 50]);
        assert_eq!(counts(Some(1.0), 100, 0), [100, 0]);
    }
}
