//! Work done by many threads, or by workers on other machines; results taken in the order of
//! submission.

use super::affinity;
use super::remote::{RemoteJob, RemoteTask, Workers};
use crate::error::{Error, Result};
use crate::search::STACK_BYTES;
use parking_lot::{Condvar, Mutex};
use rayon::iter::{IndexedParallelIterator, IntoParallelIterator, ParallelIterator};
use serde_json::Value;
use std::collections::{BTreeMap, VecDeque};
use std::path::Path;
use std::sync::Arc;

/// Threads that work on submitted tasks, and the workers on other machines who play in their place,
/// if there are any.
#[derive(Clone)]
pub struct Threads {
    pool: Arc<rayon::ThreadPool>,
    workers: Option<Arc<dyn Workers>>,
}

/// The processors that this process may use, at least 1.
pub fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// The error for a thread that the system refuses.
pub fn no_thread(error: std::io::Error) -> Error {
    Error::failed("threads", error)
        .remedy("raise the limits of threads and memory (ulimit -u, ulimit -v)")
}

impl Threads {
    /// Starts `count` threads, at least one.
    ///
    /// # Errors
    /// When the system does not give that many.
    pub fn new(count: usize) -> Result<Self> {
        Self::started_by(rayon::ThreadPoolBuilder::new(), count)
    }

    /// As [`new`](Self::new); with `affinity` each thread stays on a processor of its own as long as
    /// there are some, with the engines that it plays with.
    ///
    /// # Errors
    /// As there, and where the system cannot keep a thread on a processor.
    pub fn with_affinity(count: usize, affinity: bool) -> Result<Self> {
        if !affinity {
            return Self::new(count);
        }
        let processors = affinity::allowed()?;
        let stay = move |thread| affinity::stay(thread, &processors);
        Self::started_by(rayon::ThreadPoolBuilder::new().start_handler(stay), count)
    }

    fn started_by(builder: rayon::ThreadPoolBuilder, count: usize) -> Result<Self> {
        let pool = builder
            .num_threads(count.max(1))
            .stack_size(STACK_BYTES)
            .build()
            .map_err(|e| Error::failed("threads", e).remedy("ask for fewer with --threads"))?;
        Ok(Self { pool: Arc::new(pool), workers: None })
    }

    /// The same threads, with workers who play whatever can be sent to them.
    #[must_use]
    pub fn with_workers(mut self, workers: Arc<dyn Workers>) -> Self {
        self.workers = Some(workers);
        self
    }

    /// Whether workers on other machines play.
    pub fn have_workers(&self) -> bool {
        self.workers.is_some()
    }

    /// Makes workers, if any, publish their status in this run's directory from now on.
    pub fn show_workers_in(&self, run: &Path) {
        if let Some(workers) = &self.workers {
            workers.show_in(run);
        }
    }

    /// Calls `work` with 0 to `count` - 1, on all threads, and returns the results in order.
    pub fn map_ordered<R: Send>(
        &self,
        count: usize,
        work: impl Fn(usize) -> R + Sync + Send,
    ) -> Vec<R> {
        let results: Vec<Mutex<Option<R>>> = (0..count).map(|_| Mutex::new(None)).collect();
        self.for_each(count, &|index| *results[index].lock() = Some(work(index)));
        results.iter().filter_map(|result| result.lock().take()).collect()
    }

    /// Calls `work` with each item, on all threads.
    pub fn for_items<T: Send>(
        &self,
        items: impl IntoIterator<Item = T>,
        work: impl Fn(T) + Sync + Send,
    ) {
        let items: Vec<Mutex<Option<T>>> =
            items.into_iter().map(|item| Mutex::new(Some(item))).collect();
        self.for_each(items.len(), &|index| {
            let item = items[index].lock().take();
            item.into_iter().for_each(&work);
        });
    }

    /// Runs `work` on one of the threads, from which the others get their share soonest.
    pub fn within<R: Send>(&self, work: impl FnOnce() -> R + Send) -> R {
        self.pool.install(work)
    }

    /// Calls `work` with 0 to `count` - 1, on all threads. Rayon's part is compiled once, not for
    /// each kind of work in each game, which saves a quarter of a megabyte.
    fn for_each(&self, count: usize, work: &(dyn Fn(usize) + Sync)) {
        self.pool.install(|| (0..count).into_par_iter().with_max_len(1).for_each(work));
    }

    /// Does a job once a thread is free, first in, first out. In rayon's usual order the oldest
    /// job, which the caller waits for, would come last.
    pub fn spawn(&self, job: Box<dyn FnOnce() + Send>) {
        self.pool.spawn_fifo(job);
    }

    /// The number of threads.
    pub fn count(&self) -> usize {
        self.pool.current_num_threads()
    }

    /// How many can play at once: the threads, or the processors of the workers.
    pub fn players(&self) -> usize {
        self.workers.as_ref().map_or_else(|| self.count(), |workers| workers.cores().max(1))
    }
}

/// Something to be done, here or by a worker on another machine.
pub trait Task: Send + Sync + 'static {
    /// The result that the task sends back.
    type Outcome: Send + 'static;

    /// Does it on the calling thread.
    fn run(&self) -> Self::Outcome;

    /// The task as data, if another machine can do it.
    fn remote_job(&self) -> Option<RemoteJob> {
        None
    }

    /// Reads the result that a worker sent.
    ///
    /// # Errors
    /// When it cannot be the result of this task.
    fn read(&self, result: &Value) -> Result<Self::Outcome> {
        let _ = result;
        Err(Error::failed("task", "it is not one for workers"))
    }

    /// An outcome as a worker would send it; `None` if the task was stopped.
    fn write(&self, _: &Self::Outcome) -> Option<Value> {
        None
    }

    /// Whether an outcome is an error, which ends what the task is a part of.
    fn has_failed(&self, _: &Self::Outcome) -> bool {
        false
    }

    /// The outcome when the task is left undone.
    fn given_up(&self) -> Self::Outcome;

    /// Whether the user wants to end.
    fn is_interrupted(&self) -> bool {
        false
    }
}

/// A queue of tasks whose results come back in the order in which the tasks were submitted, whoever
/// is done first.
pub struct Queue<R> {
    threads: Threads,
    results: Arc<Results<R>>,
    submitted: u64,
    taken: u64,
    /// The tasks that workers do: their places in the queue, and the workers' numbers for them.
    remote: VecDeque<(u64, u64)>,
}

/// The results that have not been taken, by the number of their task.
struct Results<R> {
    done: Mutex<BTreeMap<u64, R>>,
    /// Wakes whoever waits for a result.
    news: Condvar,
}

impl<R> Results<R> {
    /// Puts a result in its place, unless there is one.
    fn put(&self, index: u64, result: R) {
        self.done.lock().entry(index).or_insert(result);
        self.news.notify_one();
    }
}

/// A task that workers do, with the place of its result.
struct Awaited<T: Task> {
    task: Arc<T>,
    index: u64,
    results: Arc<Results<T::Outcome>>,
}

impl<T: Task> RemoteTask for Awaited<T> {
    fn accept(&self, result: &Value) -> Result<()> {
        self.task.read(result).map(|outcome| self.results.put(self.index, outcome))
    }

    fn give_up(&self) {
        self.results.put(self.index, self.task.given_up());
    }

    fn play_here(&self) -> Result<Value> {
        let outcome = self.task.run();
        if let Some(written) = self.task.write(&outcome) {
            return Ok(written);
        }
        if self.task.has_failed(&outcome) {
            self.results.put(self.index, outcome);
        }
        Err(Error::interrupted("task", "stopped before it was done"))
    }

    fn is_interrupted(&self) -> bool {
        self.task.is_interrupted()
    }
}

impl<R: Send + 'static> Queue<R> {
    /// A queue without tasks that works with these threads.
    pub fn new(threads: &Threads) -> Self {
        let results = Results { done: Mutex::new(BTreeMap::new()), news: Condvar::new() };
        Self {
            threads: threads.clone(),
            results: Arc::new(results),
            submitted: 0,
            taken: 0,
            remote: VecDeque::new(),
        }
    }

    /// Adds a task; it begins once a thread is free.
    pub fn submit<T: Task<Outcome = R>>(&mut self, task: T) {
        let (index, results) = (self.submitted, Arc::clone(&self.results));
        self.submitted += 1;
        let task = Arc::new(task);
        let workers = self.threads.workers.as_ref();
        if let Some((workers, job)) =
            workers.and_then(|workers| Some((workers, task.remote_job()?)))
        {
            let number = workers.submit(job, Arc::new(Awaited { task, index, results }));
            self.remote.push_back((index, number));
            return;
        }
        self.threads.spawn(Box::new(move || results.put(index, task.run())));
    }

    /// The number of tasks whose results have not been taken.
    pub fn pending(&self) -> u64 {
        self.submitted - self.taken
    }

    /// Whether the next result in order is there.
    pub fn is_ready(&self) -> bool {
        self.results.done.lock().contains_key(&self.taken)
    }

    /// Waits for the next result in order; `None` when no task is pending.
    pub fn take(&mut self) -> Option<R> {
        if self.pending() == 0 {
            return None;
        }
        let mut done = self.results.done.lock();
        loop {
            if let Some(result) = done.remove(&self.taken) {
                self.remote.pop_front_if(|(index, _)| *index <= self.taken);
                self.taken += 1;
                return Some(result);
            }
            self.results.news.wait(&mut done);
        }
    }
}

impl<R> Drop for Queue<R> {
    fn drop(&mut self) {
        let numbers: Vec<u64> = self.remote.iter().map(|&(_, number)| number).collect();
        if let Some(workers) = self.threads.workers.as_ref().filter(|_| !numbers.is_empty()) {
            workers.cancel(&numbers);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// Counts for a while; a worker gets the number.
    struct Count(u64, bool);

    impl Task for Count {
        type Outcome = Option<u64>;

        fn run(&self) -> Option<u64> {
            // Uneven work, so that tasks are done out of order.
            let turns = (self.0 * 7919) % 20_000;
            Some((0..turns).fold(self.0, |a, b| a ^ std::hint::black_box(b) ^ b))
        }

        fn remote_job(&self) -> Option<RemoteJob> {
            let (game, kind, body) = ("none".into(), "count", json!(self.0));
            let (sets, engines) = (vec![], None);
            let job = RemoteJob { game, kind, body, sets, is_repeatable: true, nodes: 0, engines };
            self.1.then_some(job)
        }

        fn read(&self, result: &Value) -> Result<Option<u64>> {
            let wrong = || Error::input("result", "not the number");
            result.as_u64().filter(|&number| number == self.0).map(Some).ok_or_else(wrong)
        }

        fn write(&self, outcome: &Option<u64>) -> Option<Value> {
            outcome.map(Value::from)
        }

        fn given_up(&self) -> Option<u64> {
            None
        }
    }

    #[test]
    fn results_come_in_order_on_any_number_of_threads() {
        for count in [1, 2, 5] {
            let mut queue = Queue::new(&Threads::new(count).unwrap());
            (0..200).for_each(|i| queue.submit(Count(i, true)));
            assert_eq!(queue.pending(), 200);
            for i in 0..200 {
                assert_eq!(queue.take(), Some(Some(i)));
            }
            assert_eq!(queue.take(), None);
        }
    }

    /// Keeps what it is given.
    #[derive(Default)]
    struct Kept {
        tasks: Mutex<Vec<(Value, Arc<dyn RemoteTask>)>>,
        cancelled: Mutex<Vec<u64>>,
    }

    impl Workers for Kept {
        fn cores(&self) -> usize {
            7
        }

        fn submit(&self, job: RemoteJob, task: Arc<dyn RemoteTask>) -> u64 {
            let mut tasks = self.tasks.lock();
            tasks.push((job.body, task));
            tasks.len() as u64 + 99
        }

        fn cancel(&self, numbers: &[u64]) {
            self.cancelled.lock().extend(numbers);
        }

        fn show_in(&self, _: &Path) {}
    }

    #[test]
    fn workers_do_what_can_be_sent_and_the_order_stays() {
        let workers = Arc::new(Kept::default());
        let threads = Threads::new(2).unwrap().with_workers(workers.clone());
        assert_eq!((threads.count(), threads.players()), (2, 7));
        let mut queue = Queue::new(&threads);
        (0..6).for_each(|i| queue.submit(Count(i, i % 2 == 0)));
        let mut tasks = std::mem::take(&mut *workers.tasks.lock());
        assert_eq!(tasks.iter().map(|(body, _)| body.clone()).collect::<Vec<_>>(), [0, 2, 4]);
        let (_, last) = tasks.pop().unwrap();
        for (body, task) in tasks.iter().rev() {
            assert!(task.accept(&json!("what?")).is_err());
            assert_eq!(task.play_here().unwrap(), *body);
            task.accept(body).unwrap();
        }
        (0..4).for_each(|i| assert_eq!(queue.take(), Some(Some(i))));
        last.give_up();
        assert_eq!(queue.take(), Some(None));
        queue.submit(Count(8, true));
        drop(queue);
        assert_eq!(*workers.cancelled.lock(), [100]);
    }
}
