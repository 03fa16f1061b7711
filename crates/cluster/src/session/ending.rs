//! The end of a session: it waits for the jobs in progress and gives up the rest.

use super::ClusterSession;
use super::engines::JobPlace;
use std::time::{Duration, Instant};

/// How long workers may take to say which jobs they are playing.
const ANSWER: Duration = Duration::from_millis(1500);
/// How long to wait for jobs in progress.
const GRACE: Duration = Duration::from_secs(30);

/// The stage of the end of a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ending {
    /// The session has not been asked to end.
    No,
    /// The user asked at this time; the workers are asked what they are playing.
    Asked(Instant),
    /// The time when the wait for the pairs in progress began.
    Waiting(Instant),
}

impl ClusterSession {
    /// Ends the session in stages, if the user has asked for the end.
    pub(super) async fn end_if_asked(&mut self, now: Instant) {
        let is_asked = self.jobs.oldest().is_some_and(|task| task.is_interrupted());
        if !is_asked {
            self.ending = Ending::No;
            return;
        }
        match self.ending {
            Ending::No => {
                self.ending = Ending::Asked(now);
                let waiting: Vec<u64> = self.queue.drain(..).collect();
                let delayed: Vec<u64> = self.delayed.drain(..).map(|(_, id)| id).collect();
                self.give_up([waiting, delayed].concat());
                self.purge().await;
                self.ping().await;
            }
            Ending::Asked(since) if now.duration_since(since) >= ANSWER => {
                self.ending = Ending::Waiting(now);
                let in_hand = self.roster.in_hand(since);
                let not_begun = |id: &u64| !in_hand.contains(id);
                self.give_up(self.jobs.awaited().into_iter().filter(not_begun).collect());
            }
            Ending::Waiting(since) if now.duration_since(since) >= GRACE => {
                self.give_up(self.jobs.awaited());
            }
            Ending::Asked(_) | Ending::Waiting(_) => {}
        }
    }

    pub(super) fn give_up(&mut self, ids: Vec<u64>) {
        for (id, task) in self.jobs.remove(ids) {
            self.data.remove(&id);
            self.published.remove(&id);
            task.give_up();
        }
    }

    /// Takes the jobs of this session off the stream.
    async fn purge(&self) {
        for place in [JobPlace::Workers, JobPlace::EngineWorkers] {
            let subject = self.subject_of(place);
            // If the server is away, the workers will find out that nobody waits.
            let purge = async { self.store.jobs.purge().filter(subject).await };
            let _ = tokio::time::timeout(ANSWER, purge).await;
        }
    }

    pub(super) async fn tidy_up(mut self) {
        self.give_up(self.jobs.awaited());
        self.purge().await;
        let _ = tokio::time::timeout(ANSWER, self.client.flush()).await;
        self.showing.end().await;
    }
}
