//! The order of the positions in the passes of a training: a function of the seed and of the epoch.
//!
//! ```text
//! portions -> shuffled -> buffers of portions -> the positions of a buffer, shuffled -> batches
//! ```
//!
//! A buffer holds the positions in memory at a time. If all positions fit into one buffer, any
//! order is possible. Otherwise the positions of a game stay in the same buffer of some millions,
//! but not next to each other.

use super::config::TrainConfig;
use crate::arena::queue::Threads;
use crate::arena::seed::generator;
use crate::game::openings::below;
use rand_mt::Mt64;

/// The streams below the seed: the order of the portions, which older ones an epoch takes, the order
/// within a portion, and that within a group.
const PORTIONS: u64 = 0x4e2;
const OLDER: u64 = 0x4e3;
const WITHIN: u64 = 0x4e4;
const GROUP: u64 = 0x4e5;
/// Positions that one thread shuffles.
const GROUP_POSITIONS: usize = 1 << 15;
/// Bits of the number of an image.
const IMAGE_BITS: u32 = 3;

/// Some positions of a portion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Pick {
    /// The number of the portion.
    pub(super) portion: usize,
    /// The training positions of the portion.
    all: usize,
    /// How many of them are taken.
    take: usize,
}

/// A position of a buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PassPlace {
    /// The place of its portion in the buffer.
    portion: u32,
    /// Its place in the portion, and its image.
    position: u32,
}

impl PassPlace {
    /// The place of the portion in the buffer.
    pub(super) fn portion(self) -> usize {
        self.portion as usize
    }

    /// The place in the portion.
    pub(super) fn index(self) -> usize {
        (self.position >> IMAGE_BITS) as usize
    }

    /// The number of the image.
    pub(super) fn image(self) -> u64 {
        u64::from(self.position & ((1 << IMAGE_BITS) - 1))
    }
}

/// Which positions the passes take: the newer ones, and a part of the older ones.
pub(super) struct PassOrder {
    newer: Vec<Pick>,
    older: Vec<Pick>,
    seed: u64,
    /// The older positions of a pass.
    pub(super) older_in_pass: usize,
    /// The approximate number of positions in a buffer.
    buffer: usize,
}

impl PassOrder {
    /// The passes over portions with these numbers of training positions. Portions from number
    /// `newer` on are older ones.
    pub(super) fn new(
        config: &TrainConfig,
        (counts, newer): (&[usize], usize),
        buffer: usize,
        seed: u64,
    ) -> Self {
        let pick = |(portion, &all): (usize, &usize)| Pick { portion, all, take: all };
        let picks: Vec<Pick> =
            counts.iter().enumerate().map(pick).filter(|pick| pick.all > 0).collect();
        let (mut newer, older): (Vec<Pick>, Vec<Pick>) =
            picks.into_iter().partition(|pick| pick.portion < newer);
        let [new, old] = [&newer, &older].map(|picks| positions(picks));
        if config.newer_in_pass(new, old) == 0 {
            newer.clear();
        }
        let older_in_pass = config.older_in_pass(new, old);
        Self { newer, older, seed, older_in_pass, buffer: buffer.max(1) }
    }

    /// The positions of a pass.
    pub(super) fn len(&self) -> usize {
        positions(&self.newer) + self.older_in_pass
    }

    /// The buffers of an epoch, in its order.
    pub(super) fn buffers(&self, epoch: u64) -> Vec<Vec<Pick>> {
        let mut older = self.older.clone();
        shuffle(&mut older, &mut generator(self.seed, &[OLDER, epoch]));
        let mut left = self.older_in_pass;
        for pick in &mut older {
            pick.take = pick.all.min(left);
            left -= pick.take;
        }
        older.retain(|pick| pick.take > 0);
        let mut picks = [self.newer.as_slice(), &older].concat();
        shuffle(&mut picks, &mut generator(self.seed, &[PORTIONS, epoch]));
        let count = self.len().div_ceil(self.buffer).max(1);
        let (mut buffers, mut seen) = (vec![Vec::new(); count], 0);
        for pick in picks {
            buffers[(seen * count / self.len()).min(count - 1)].push(pick);
            seen += pick.take;
        }
        buffers.retain(|buffer| !buffer.is_empty());
        buffers
    }

    /// The positions of a buffer in the order of an epoch, each as one of `images` images.
    ///
    /// Each portion is shuffled and spread over groups, which are then shuffled. So the threads
    /// share the work, and every group has its share of every portion.
    pub(super) fn places(
        &self,
        buffer: &[Pick],
        epoch: u64,
        images: u64,
        threads: &Threads,
    ) -> Vec<PassPlace> {
        let count = positions(buffer).div_ceil(GROUP_POSITIONS).max(1);
        let within = threads.map_ordered(buffer.len(), |at| self.within(buffer[at], epoch));
        let first = buffer.first().map_or(0, |pick| pick.portion as u64);
        let group = |group: usize| {
            let mut places = Vec::with_capacity(GROUP_POSITIONS);
            for (portion, order) in (0..).zip(&within) {
                let cut = |group: usize| order.len() * group / count;
                let dealt = &order[cut(group)..cut(group + 1)];
                places.extend(dealt.iter().map(|&position| PassPlace { portion, position }));
            }
            let mut random = generator(self.seed, &[GROUP, epoch, first, group as u64]);
            shuffle(&mut places, &mut random);
            for place in &mut places {
                place.position = place.position << IMAGE_BITS | below(&mut random, images) as u32;
            }
            places
        };
        threads.map_ordered(count, group).concat()
    }

    /// The positions that are taken of a portion, in random order.
    fn within(&self, pick: Pick, epoch: u64) -> Vec<u32> {
        let mut order: Vec<u32> = (0..pick.all as u32).collect();
        shuffle(&mut order, &mut generator(self.seed, &[WITHIN, epoch, pick.portion as u64]));
        order.truncate(pick.take);
        order
    }
}

/// The positions that are taken.
fn positions(picks: &[Pick]) -> usize {
    picks.iter().map(|pick| pick.take).sum()
}

fn shuffle<T>(items: &mut [T], random: &mut Mt64) {
    for last in (1..items.len()).rev() {
        items.swap(last, below(random, last as u64 + 1) as usize);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    fn order(share: Option<f64>, counts: &[usize], newer: usize, buffer: usize) -> PassOrder {
        let config = TrainConfig { older_share: share, ..TrainConfig::default() };
        PassOrder::new(&config, (counts, newer), buffer, 3)
    }

    /// The positions of an epoch, by portion and place in it.
    fn epoch(order: &PassOrder, epoch: u64, threads: usize) -> Vec<(usize, usize)> {
        let threads = Threads::new(threads).unwrap();
        let buffer = |picks: Vec<Pick>| {
            let places = order.places(&picks, epoch, 8, &threads);
            let found = places.into_iter().map(|at| (picks[at.portion()].portion, at.index()));
            found.collect::<Vec<_>>()
        };
        order.buffers(epoch).into_iter().flat_map(buffer).collect()
    }

    fn counts(share: Option<f64>, newer: usize, older: usize) -> [usize; 2] {
        let order = order(share, &[newer, older], 1, 40);
        let places = epoch(&order, 1, 1);
        assert_eq!(places.len(), order.len());
        assert_eq!(places.iter().collect::<HashSet<_>>().len(), places.len());
        let old = places.iter().filter(|place| place.0 == 1).count();
        [places.len() - old, old]
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

    #[test]
    fn every_position_comes_once_and_buffers_are_bounded() {
        let counts = [64; 200];
        for buffer in [1, 640, 100_000] {
            let order = order(None, &counts, 200, buffer);
            let all: HashSet<(usize, usize)> = epoch(&order, 1, 2).into_iter().collect();
            assert_eq!(all.len(), 64 * 200);
            for picks in order.buffers(1) {
                assert!(positions(&picks) <= buffer.max(1) + 63, "{buffer}");
            }
        }
    }

    #[test]
    fn the_order_depends_on_the_epoch_and_not_on_the_threads() {
        let counts = [5000; 30];
        let order = order(Some(0.4), &counts, 15, 70_000);
        let one = epoch(&order, 1, 1);
        assert_eq!(one, epoch(&order, 1, 3));
        assert_ne!(one, epoch(&order, 2, 1));
    }

    /// Neighbours in a portion are positions of one game.
    #[test]
    fn neighbours_are_far_apart_in_the_order() {
        let counts = [64; 400];
        let order = order(None, &counts, 400, 6400);
        let places = epoch(&order, 1, 1);
        let near = |window: &[(usize, usize)]| {
            let others = window[1..].iter();
            others
                .filter(|other| other.0 == window[0].0 && other.1.abs_diff(window[0].1) < 8)
                .count()
        };
        // Of 32 positions that follow, 14 of 6,400 are neighbours: 0.07 on the average.
        let mean = places.windows(33).map(near).sum::<usize>() as f64 / places.len() as f64;
        assert!(mean < 0.1, "{mean}");
    }
}
