//! Work on a thread of its own, which can be stopped.

use crate::search::{STACK_BYTES, Stop};
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread::{self, Builder, JoinHandle};
use std::time::{Duration, Instant};

/// The work's own view of it.
#[derive(Clone, Debug)]
pub(super) struct JobSignals {
    /// Ends the work.
    pub(super) stop: Stop,
    is_answered: Arc<AtomicBool>,
}

impl JobSignals {
    /// Says that the work is done but for its answer: what is asked from now on can wait for its
    /// end.
    pub(super) fn announce_answer(&self) {
        self.is_answered.store(true, Relaxed);
    }

    /// Waits as long as the answer must not be given yet: for ever if `endless`, otherwise until
    /// the ponder hit; in any case until the work is stopped.
    pub(super) fn wait_for_leave(&self, endless: bool) {
        while !self.stop.is_set() && (endless || self.stop.is_pondering()) {
            // Whoever changes the flag wakes this thread.
            thread::park();
        }
    }
}

/// Work that has begun. It is to be [joined](Job::join).
#[derive(Debug)]
pub(super) struct Job<T> {
    handle: JoinHandle<T>,
    signals: JobSignals,
}

impl<T: Send + 'static> Job<T> {
    /// Begins some work.
    ///
    /// # Errors
    /// When the system gives no thread.
    pub(super) fn begin(
        stop: Stop,
        work: impl FnOnce(&JobSignals) -> T + Send + 'static,
    ) -> io::Result<Self> {
        let signals = JobSignals { stop, is_answered: Arc::default() };
        let own = signals.clone();
        let handle = Builder::new().stack_size(STACK_BYTES).spawn(move || work(&own))?;
        Ok(Self { handle, signals })
    }

    /// Tells the work to end.
    pub(super) fn stop(&self) {
        self.signals.stop.set();
        self.handle.thread().unpark();
    }

    /// Tells a search that its own side's time runs now.
    pub(super) fn ponder_hit(&self) {
        self.signals.stop.ponder_hit();
        self.handle.thread().unpark();
    }

    /// Waits until the work is done by itself, but not longer than this.
    pub(super) fn wait(&self, patience: Duration) {
        const GLANCE: Duration = Duration::from_millis(1);
        let begun = Instant::now();
        while !self.is_answered() && begun.elapsed() < patience {
            thread::sleep(GLANCE);
        }
    }

    /// Whether nothing is left to do but to give the answer.
    pub(super) fn is_answered(&self) -> bool {
        self.signals.is_answered.load(Relaxed) || self.handle.is_finished()
    }

    /// Waits for the end of the work; `None` when it failed.
    pub(super) fn join(self) -> Option<T> {
        self.handle.join().ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::channel;

    /// Begins work that waits for leave, and gives a way to see whether it has it.
    fn waiting(stop: Stop, endless: bool) -> (Job<()>, impl Fn() -> bool) {
        let (sender, receiver) = channel();
        let work = move |signals: &JobSignals| {
            signals.wait_for_leave(endless);
            signals.announce_answer();
            let _ = sender.send(());
        };
        let job = Job::begin(stop, work).unwrap();
        (job, move || receiver.recv_timeout(Duration::from_millis(60)).is_ok())
    }

    #[test]
    fn answers_wait_for_leave() {
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
