//! Retrograde analysis.
//!
//! In each group every position first gets the value that its captures and finishing moves decide.
//! Then the distances are taken in ascending order. Positions at a distance become final, and their
//! predecessors get values: wins at once, losses when every move is known to lose.

use super::plan::EndgamePlan;
use super::tables::value_by_moves;
use super::{DRAW, LONGEST, NONE, is_win, seen_by_mover};
use crate::game::endgames::{Endgames, Placement};
use crate::search::Stop;
use std::ops::Range;
use std::sync::atomic::{AtomicU8, AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::thread::scope;

/// The number of indices that a thread takes at once.
const CHUNK: usize = 1 << 14;

/// The values of a database under construction.
pub(super) struct Builder<'a, G> {
    plan: &'a EndgamePlan<G>,
    values: Vec<Vec<AtomicU8>>,
    threads: usize,
    stop: &'a Stop,
    /// The number of positions initialized plus the number made final.
    done: AtomicU64,
    /// The greatest distance found in the group so far, in turns.
    longest: AtomicU8,
}

impl<'a, G: Endgames> Builder<'a, G> {
    pub(super) fn new(plan: &'a EndgamePlan<G>, threads: usize, stop: &'a Stop) -> Self {
        let values = |(_, size)| (0..size).map(|_| AtomicU8::new(NONE)).collect();
        Self {
            plan,
            values: plan.sizes().map(values).collect(),
            threads,
            stop,
            done: AtomicU64::new(0),
            longest: AtomicU8::new(0),
        }
    }

    /// Computes all values; `None` when stopped.
    pub(super) fn run(self, on_progress: &mut dyn FnMut(u64)) -> Option<Vec<Vec<u8>>> {
        let mut finished = 0;
        for group in &self.plan.groups {
            self.longest.store(0, Relaxed);
            for class in group.clone() {
                self.for_each(class, on_progress, |number| self.begin(group, class, number));
            }
            for distance in 1..=LONGEST {
                if distance > self.longest.load(Relaxed) || self.stop.is_set() {
                    break;
                }
                self.finish_distance(group, distance, on_progress);
            }
            if self.stop.is_set() {
                return None;
            }
            finished += group.clone().map(|class| 2 * self.values[class].len() as u64).sum::<u64>();
            self.done.store(finished, Relaxed);
            on_progress(finished);
        }
        let plain = |values: Vec<AtomicU8>| values.into_iter().map(AtomicU8::into_inner).collect();
        Some(self.values.into_iter().map(plain).collect())
    }

    /// Initializes a position's value from its captures and finishing moves.
    fn begin(&self, group: &Range<usize>, class: usize, number: usize) {
        if let Some(position) = self.plan.position(class, number) {
            let value = self.value_at(group, &position, 0);
            self.values[class][number].store(value, Relaxed);
            self.longest.fetch_max(value, Relaxed);
        }
        self.done.fetch_add(1, Relaxed);
    }

    /// Makes the positions at a distance final. Later plies of a turn come first, since they pass
    /// their values on within the turn.
    fn finish_distance(
        &self,
        group: &Range<usize>,
        distance: u8,
        on_progress: &mut dyn FnMut(u64),
    ) {
        for plies in (0..G::TURN_PLIES).rev() {
            let is_due = |class: &usize| G::plies_made_in(self.plan.classes[*class].class) == plies;
            for class in group.clone().filter(is_due) {
                self.for_each(class, on_progress, |number| {
                    if self.values[class][number].load(Relaxed) == distance {
                        self.pass_back(group, class, number, distance);
                    }
                });
            }
        }
    }

    /// Passes a position's final value on to its predecessors.
    fn pass_back(&self, group: &Range<usize>, class: usize, number: usize, value: u8) {
        self.done.fetch_add(1, Relaxed);
        let Some(position) = self.plan.position(class, number) else { return };
        let seen = seen_by_mover(value, position.plies_made() == 0);
        position.predecessors(&mut |placement| {
            let Some((class, number)) = self.plan.locate(&placement) else { return };
            let known = self.values[class][number].load(Relaxed);
            if known == NONE || seen == DRAW {
                return;
            }
            let value = match is_win(seen) {
                true => seen,
                false if known == DRAW => self.value_before(group, &placement, value),
                false => return,
            };
            self.improve(class, number, value);
        });
    }

    /// The value of a position of which every move may lose.
    fn value_before(&self, group: &Range<usize>, placement: &Placement, distance: u8) -> u8 {
        let position = G::of_placement(self.plan.board(), placement);
        position.map_or(DRAW, |position| self.value_at(group, &position, distance))
    }

    /// The value of a position while its group is final up to this distance.
    fn value_at(&self, group: &Range<usize>, position: &G, distance: u8) -> u8 {
        value_by_moves(self.plan, position, |class, number| {
            let value = self.values[class][number].load(Relaxed);
            (!group.contains(&class) || value <= distance).then_some(value)
        })
    }

    /// Stores a value for a position unless its value is already quicker.
    fn improve(&self, class: usize, number: usize, value: u8) {
        if value == DRAW {
            return;
        }
        let better = |known| (known == DRAW || known > value).then_some(value);
        if self.values[class][number].fetch_update(Relaxed, Relaxed, better).is_ok() {
            self.longest.fetch_max(value, Relaxed);
        }
    }

    /// Visits all indices of a class on all threads.
    fn for_each(
        &self,
        class: usize,
        on_progress: &mut dyn FnMut(u64),
        visit: impl Fn(usize) + Sync,
    ) {
        let (next, len) = (AtomicUsize::new(0), self.values[class].len());
        let chunk = || {
            let first = next.fetch_add(CHUNK, Relaxed);
            (first < len && !self.stop.is_set()).then(|| first..len.min(first + CHUNK))
        };
        scope(|scope| {
            for _ in 1..self.threads.min(len.div_ceil(CHUNK)) {
                scope.spawn(|| {
                    while let Some(numbers) = chunk() {
                        numbers.for_each(&visit);
                    }
                });
            }
            while let Some(numbers) = chunk() {
                numbers.for_each(&visit);
                on_progress(self.done.load(Relaxed));
            }
        });
    }
}
