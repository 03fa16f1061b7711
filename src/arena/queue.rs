//! Work done by many threads, results taken in the order of submission.

use crate::error::{Error, Result};
use crate::search::STACK_BYTES;
use rayon::iter::{IndexedParallelIterator, IntoParallelIterator, ParallelIterator};
use std::collections::BTreeMap;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

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
        let results: Vec<Mutex<Option<R>>> = (0..count).map(|_| Mutex::new(None)).collect();
        self.for_each(count, &|index| *held(&results[index]) = Some(work(index)));
        results.iter().filter_map(|result| held(result).take()).collect()
    }

    /// Calls `work` with 0 to `count` - 1, on all threads. What rayon does for it is compiled once,
    /// not for each kind of work in each game: a quarter of a megabyte.
    fn for_each(&self, count: usize, work: &(dyn Fn(usize) + Sync)) {
        self.pool.install(|| (0..count).into_par_iter().with_max_len(1).for_each(work));
    }

    /// Does a job when a thread is free. First in, first out: with rayon's usual order the oldest
    /// job, which is waited for, would come last.
    fn spawn(&self, job: Box<dyn FnOnce() + Send>) {
        self.pool.spawn_fifo(job);
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
    results: Arc<Results<R>>,
    submitted: u64,
    taken: u64,
}

/// The results that have not been taken, by the number of their job.
struct Results<R> {
    done: Mutex<BTreeMap<u64, R>>,
    /// Wakes whoever waits for a result.
    news: Condvar,
}

impl<R: Send + 'static> Queue<R> {
    /// An empty queue.
    pub fn new(threads: &Threads) -> Self {
        let results = Results { done: Mutex::new(BTreeMap::new()), news: Condvar::new() };
        Self { threads: threads.clone(), results: Arc::new(results), submitted: 0, taken: 0 }
    }

    /// Adds a job.
    pub fn submit(&mut self, job: impl FnOnce() -> R + Send + 'static) {
        let (index, results) = (self.submitted, Arc::clone(&self.results));
        self.submitted += 1;
        self.threads.spawn(Box::new(move || {
            let result = job();
            held(&results.done).insert(index, result);
            results.news.notify_one();
        }));
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
        let mut done = held(&self.results.done);
        loop {
            if let Some(result) = done.remove(&self.taken) {
                self.taken += 1;
                return Some(result);
            }
            done = self.results.news.wait(done).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// What the lock guards. A thread that panics ends the program, so no lock is left poisoned.
fn held<T>(lock: &Mutex<T>) -> MutexGuard<'_, T> {
    lock.lock().unwrap_or_else(PoisonError::into_inner)
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
