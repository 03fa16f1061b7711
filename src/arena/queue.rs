//! Work done by many threads, results taken in the order of submission.

use crate::error::{Error, Result};
use crate::search::STACK_BYTES;
use rayon::iter::{IndexedParallelIterator, IntoParallelIterator, ParallelIterator};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};

/// Threads that work on submitted jobs.
#[derive(Clone)]
pub struct Threads {
    pool: Arc<rayon::ThreadPool>,
}

impl Threads {
    /// A number of threads, at least one.
    ///
    /// # Errors
    /// When the system does not give that many.
    pub fn new(count: usize) -> Result<Self> {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(count.max(1))
            .stack_size(STACK_BYTES)
            .build()
            .map_err(|e| Error::failed("threads", e).remedy("ask for fewer with --threads"))?;
        Ok(Self { pool: Arc::new(pool) })
    }

    /// Calls `work` with 0 to `count` - 1, on all threads, and gives the results in order.
    pub fn map_ordered<R: Send>(
        &self,
        count: usize,
        work: impl Fn(usize) -> R + Sync + Send,
    ) -> Vec<R> {
        self.pool.install(|| (0..count).into_par_iter().with_max_len(1).map(work).collect())
    }

    /// The number of threads.
    pub fn count(&self) -> usize {
        self.pool.current_num_threads()
    }
}

/// A queue of jobs whose results come back in the order in which the jobs were submitted, whichever
/// thread is done first.
pub struct Queue<R> {
    threads: Threads,
    sender: Sender<(u64, R)>,
    receiver: Receiver<(u64, R)>,
    submitted: u64,
    taken: u64,
    early: BTreeMap<u64, R>,
}

impl<R: Send + 'static> Queue<R> {
    /// An empty queue.
    pub fn new(threads: &Threads) -> Self {
        let (sender, receiver) = channel();
        Self {
            threads: threads.clone(),
            sender,
            receiver,
            submitted: 0,
            taken: 0,
            early: BTreeMap::new(),
        }
    }

    /// Adds a job.
    pub fn submit(&mut self, job: impl FnOnce() -> R + Send + 'static) {
        let (index, sender) = (self.submitted, self.sender.clone());
        self.submitted += 1;
        // First in, first out: with rayon's usual order the oldest job, which is waited for, would
        // come last.
        self.threads.pool.spawn_fifo(move || {
            // The receiver is gone when the result is no longer wanted.
            let _ = sender.send((index, job()));
        });
    }

    /// The number of jobs whose results have not been taken.
    pub fn pending(&self) -> u64 {
        self.submitted - self.taken
    }

    /// Waits for the next result in order; `None` when no job is pending.
    pub fn take(&mut self) -> Option<R> {
        if self.pending() == 0 {
            return None;
        }
        loop {
            if let Some(result) = self.early.remove(&self.taken) {
                self.taken += 1;
                return Some(result);
            }
            let (index, result) = self.receiver.recv().ok()?;
            self.early.insert(index, result);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_order_on_any_number_of_threads() {
        for count in [1, 2, 5] {
            let mut queue = Queue::new(&Threads::new(count).unwrap());
            for i in 0..200u64 {
                queue.submit(move || {
                    // Uneven work, so that jobs finish out of order.
                    (0..(i * 7919) % 20_000).fold(i, |a, b| a ^ std::hint::black_box(b) ^ b)
                });
            }
            assert_eq!(queue.pending(), 200);
            for i in 0..200 {
                assert_eq!(queue.take(), Some(i));
            }
            assert_eq!(queue.take(), None);
        }
    }
}
