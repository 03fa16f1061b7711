//! The public state of a run.

use super::super::events::ClusterEvent;
use super::super::message::to_bytes;
use super::super::status::RunPresence;
use super::ClusterSession;
use crate::run::RunWorkers;
use async_nats::Message;
use std::collections::VecDeque;
use std::path::PathBuf;
use std::time::{Duration, Instant};
use tokio::task::{JoinHandle, spawn_blocking};

/// Time between two writes of the file in a run's directory.
const WRITE_EVERY: Duration = Duration::from_secs(2);
/// The most recent errors that the file lists.
const ERRORS_KEPT: usize = 5;

/// The file in a run's directory that lists the workers.
#[derive(Default)]
pub(super) struct Showing {
    pub(super) run: Option<PathBuf>,
    written: Option<Instant>,
    writing: Option<JoinHandle<()>>,
    errors: VecDeque<String>,
}

impl Showing {
    /// Keeps an error for the file.
    pub(super) fn note(&mut self, error: &ClusterEvent) {
        if self.errors.len() == ERRORS_KEPT {
            self.errors.pop_front();
        }
        self.errors.push_back(error.to_string());
    }

    /// The directory, if the file is due and no write is in progress.
    fn is_due(&mut self, now: Instant) -> Option<PathBuf> {
        let run = self.run.clone()?;
        let is_idle = self.writing.as_ref().is_none_or(JoinHandle::is_finished);
        let is_old = self.written.is_none_or(|at| now.duration_since(at) >= WRITE_EVERY);
        (is_idle && is_old).then(|| {
            self.written = Some(now);
            run
        })
    }

    /// Removes the file when the session ends.
    pub(super) async fn end(self) {
        if let Some(writing) = self.writing {
            // An error here changes nothing: the run is over.
            let _ = writing.await;
        }
        if let Some(run) = self.run {
            RunWorkers::remove(&run);
        }
    }
}

impl ClusterSession {
    /// The public state of the run.
    pub(super) fn show(&mut self) {
        let (workers, cores) = self.usable();
        self.rate.see(self.done, Instant::now());
        let standing = RunPresence {
            session: self.sender.session.clone(),
            title: self.config.title.clone(),
            program: env!("CARGO_PKG_VERSION").into(),
            signature: self.sender.signature.clone(),
            workers,
            cores,
            open: self.jobs.len() as u64,
            done: self.done,
            rate: self.rate.rate(),
            seconds: self.begun.elapsed().as_secs_f64(),
            quarantined: self.jobs.quarantined().clone(),
        };
        *self.standing.lock() = standing;
    }

    /// Writes the workers into the directory of the run, every [`WRITE_EVERY`].
    pub(super) fn write_workers(&mut self, now: Instant) {
        let Some(run) = self.showing.is_due(now) else { return };
        let workers = RunWorkers {
            workers: self.roster.workers(),
            open: self.jobs.len() as u64,
            done: self.done,
            rate: self.rate.rate(),
            errors: u64::from(self.told_errors),
            latest_errors: self.showing.errors.iter().cloned().collect(),
            quarantined: self.jobs.quarantined().clone(),
        };
        self.showing.writing = Some(spawn_blocking(move || {
            // Only pages show the file; the run does not need it.
            let _ = workers.write(&run);
        }));
    }

    pub(super) async fn answer_about_run(&mut self, message: Message) {
        self.show();
        let standing = self.standing.lock().clone();
        if let Some(reply) = message.reply {
            let _ = self.client.publish(reply, to_bytes(&standing).into()).await;
        }
    }
}
