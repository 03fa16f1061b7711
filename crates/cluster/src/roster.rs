//! The workers that have answered recently.

use super::message::WorkerPresence;
use crate::run::RunWorker;
use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

/// How often the coordinator asks workers whether they are there.
pub(super) const PING_EVERY: Duration = Duration::from_secs(3);
/// How long a silent worker still counts.
const SILENCE: Duration = Duration::from_secs(10);

/// The workers that have answered recently, and their last answers.
#[derive(Default)]
pub(super) struct Roster {
    present: BTreeMap<String, Present>,
    /// The numbers of workers and threads reported last.
    told: (usize, usize),
}

struct Present {
    presence: WorkerPresence,
    seen: Instant,
    /// Whether it has proven the external engines of the run.
    has_engines: bool,
}

impl Roster {
    /// Records the answer of a worker.
    pub(super) fn see(&mut self, presence: WorkerPresence, has_engines: bool, now: Instant) {
        let present = Present { presence, seen: now, has_engines };
        self.present.insert(present.presence.worker.clone(), present);
    }

    /// Removes a worker from the count.
    pub(super) fn leave(&mut self, worker: &str) {
        self.present.remove(worker);
    }

    /// Forgets workers that have been silent too long.
    pub(super) fn expire(&mut self, now: Instant) {
        self.present.retain(|_, present| now.saturating_duration_since(present.seen) < SILENCE);
    }

    /// The workers and their threads.
    pub(super) fn count(&self) -> (usize, usize) {
        let threads = self.present.values().map(|present| present.presence.threads);
        (self.present.len(), threads.fold(0, usize::saturating_add))
    }

    /// The workers with the run's external engines, and their threads.
    pub(super) fn count_with_engines(&self) -> (usize, usize) {
        let present = self.present.values().filter(|present| present.has_engines);
        let threads: Vec<usize> = present.map(|present| present.presence.threads).collect();
        (threads.len(), threads.into_iter().fold(0, usize::saturating_add))
    }

    /// The workers and their last answers, by name.
    pub(super) fn workers(&self) -> Vec<RunWorker> {
        let worker = |present: &Present| {
            let WorkerPresence { worker, threads, speed, done, rate, errors, .. } =
                present.presence.clone();
            RunWorker { name: worker, threads, speed, done, rate, errors }
        };
        self.present.values().map(worker).collect()
    }

    /// The numbers of workers and threads, if they have changed since the last report.
    pub(super) fn news(&mut self) -> Option<(usize, usize)> {
        let now = self.count();
        let is_news = now != self.told;
        self.told = now;
        is_news.then_some(now)
    }

    /// The jobs in the hands of the workers that have answered since then.
    pub(super) fn in_hand(&self, since: Instant) -> BTreeSet<u64> {
        let fresh = self.present.values().filter(|present| present.seen >= since);
        fresh.flat_map(|present| present.presence.in_hand.iter().copied()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn presence(worker: &str, threads: usize, in_hand: &[u64]) -> WorkerPresence {
        let (worker, in_hand) = (worker.into(), in_hand.to_vec());
        WorkerPresence { worker, threads, in_hand, ..WorkerPresence::default() }
    }

    #[test]
    fn the_silent_are_forgotten() {
        let begun = Instant::now();
        let at = |seconds| begun + Duration::from_secs(seconds);
        let mut roster = Roster::default();
        assert_eq!(roster.news(), None);
        roster.see(presence("a", 2, &[1, 2]), true, at(0));
        roster.see(presence("b", usize::MAX, &[3]), false, at(6));
        assert_eq!(roster.count_with_engines(), (1, 2));
        assert_eq!((roster.news(), roster.news()), (Some((2, usize::MAX)), None));
        assert_eq!(roster.in_hand(at(5)), BTreeSet::from([3]));
        roster.expire(at(11));
        assert_eq!(roster.count().0, 1);
        roster.leave("b");
        assert_eq!(roster.news(), Some((0, 0)));
    }
}
