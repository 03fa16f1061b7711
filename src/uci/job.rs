//! A job on a thread of its own, which can be stopped.

use crate::search::{STACK_BYTES, Stop};
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread::{self, Builder, JoinHandle};
use std::time::{Duration, Instant};

/// The signals between a job and the server.
#[derive(Clone, Debug)]
pub(super) struct JobSignals {
    pub(super) stop: Stop,
    is_answered: Arc<AtomicBool>,
}

impl JobSignals {
    /// Announces that the job has only its answer left to give, so the next command can wait for
    /// its end.
    pub(super) fn announce_answer(&self) {
        self.is_answered.store(true, Relaxed);
    }

    /// Waits while the answer must not be given yet: for ever if `endless`, otherwise until the
    /// ponder hit; and in any case until the job is stopped.
    pub(super) fn wait_to_answer(&self, endless: bool) {
        while !self.stop.is_set() && (endless || self.stop.is_pondering()) {
            // `Job::stop` and `Job::ponder_hit` wake this thread.
            thread::park();
        }
    }
}

/// A running job; [join](Job::join) it.
#[derive(Debug)]
pub(super) struct Job<T> {
    handle: JoinHandle<T>,
    signals: JobSignals,
}

impl<T: Send + 'static> Job<T> {
    /// Starts a job.
    ///
    /// # Errors
    /// When the system refuses a thread.
    pub(super) fn begin(
        stop: Stop,
        work: impl FnOnce(&JobSignals) -> T + Send + 'static,
    ) -> io::Result<Self> {
        let signals = JobSignals { stop, is_answered: Arc::default() };
        let own = signals.clone();
        let handle = Builder::new().stack_size(STACK_BYTES).spawn(move || work(&own))?;
        Ok(Self { handle, signals })
    }

    /// Asks the job to end.
    pub(super) fn stop(&self) {
        self.signals.stop.set();
        self.handle.thread().unpark();
    }

    /// Starts the clock of a search that was pondering.
    pub(super) fn ponder_hit(&self) {
        self.signals.stop.ponder_hit();
        self.handle.thread().unpark();
    }

    /// Waits at most this time until the job ends without being stopped.
    pub(super) fn wait(&self, patience: Duration) {
        const POLL: Duration = Duration::from_millis(1);
        let start = Instant::now();
        while !self.is_answered() && start.elapsed() < patience {
            thread::sleep(POLL);
        }
    }

    /// Whether only the answer is left to give.
    pub(super) fn is_answered(&self) -> bool {
        self.signals.is_answered.load(Relaxed) || self.handle.is_finished()
    }

    /// Waits for the end of the job; `None` when it failed.
    pub(super) fn join(self) -> Option<T> {
        self.handle.join().ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::channel;

    /// Starts a job that waits to answer, and returns a function that says whether it has answered.
    fn waiting(stop: Stop, endless: bool) -> (Job<()>, impl Fn() -> bool) {
        let (sender, receiver) = channel();
        let work = move |signals: &JobSignals| {
            signals.wait_to_answer(endless);
            signals.announce_answer();
            let _ = sender.send(());
        };
        let job = Job::begin(stop, work).unwrap();
        (job, move || receiver.recv_timeout(Duration::from_millis(60)).is_ok())
    }

    #[test]
    fn answers_wait_to_answer() {
        let (job, came) = waiting(Stop::default(), false);
        assert!(came() && job.is_answered());
        let (job, came) = waiting(Stop::default(), true);
        assert!(!came() && !job.is_answered());
        job.ponder_hit();
        assert!(!came());
        job.stop();
        assert!(came() && job.join().is_some());
        let (job, came) = waiting(Stop::pondering(), false);
        assert!(!came());
        job.ponder_hit();
        assert!(came());
        let (job, came) = waiting(Stop::pondering(), true);
        job.stop();
        assert!(came());
        drop(job);
    }
}
