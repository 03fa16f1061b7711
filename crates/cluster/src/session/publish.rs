//! Jobs on their way into the stream.

use super::super::connect::Store;
use super::super::events::ClusterEvent;
use super::super::issue::{MOST_BYTES, jobs_of_a_message, sent_job};
use super::super::lost::Found;
use super::super::message::{SentJob, to_bytes};
use super::engines::JobPlace;
use super::{ClusterSession, PublishedJob, SessionCommand, TaskHandle};
use crate::arena::seed::derive;
use crate::arena::{RemoteJob, SharedSet};
use std::collections::HashMap;
use std::time::{Duration, Instant};

/// How long a job waits that could not be published, or that a worker could not do.
pub(super) const RETRY_AFTER: Duration = Duration::from_secs(1);
/// A job published this many times without a result is played here.
const MOST_ISSUED: u32 = 5;

/// A message in the making.
struct Draft {
    ids: Vec<u64>,
    jobs: Vec<SentJob>,
    sets: HashMap<String, SharedSet>,
    bytes: usize,
    not_for: Option<String>,
    place: JobPlace,
}

impl Draft {
    /// A message without jobs yet, for this place.
    fn new(place: JobPlace) -> Self {
        let (ids, jobs, sets) = (Vec::new(), Vec::new(), HashMap::new());
        Self { ids, jobs, sets, bytes: 0, not_for: None, place }
    }
}

impl ClusterSession {
    /// Takes a job from the arena.
    pub(super) fn submit(&mut self, id: u64, job: RemoteJob, task: TaskHandle) {
        if !job.is_repeatable && !self.told_of_time {
            self.told_of_time = true;
            self.config.tell(&ClusterEvent::TimeLimits { speed: self.sender.speed });
        }
        let share = self.config.check_share;
        let draw = derive(id, &[0xc4ec]) as f64 / u64::MAX as f64;
        self.jobs.add(id, task, draw < share, job.is_repeatable);
        self.data.insert(id, job);
        self.enqueue(id);
    }

    /// Queues a job to be published.
    pub(super) fn enqueue(&mut self, id: u64) {
        self.published.remove(&id);
        self.queue.push_back(id);
        self.waiting_since.get_or_insert_with(tokio::time::Instant::now);
    }

    /// Queues a job to be published after a pause.
    pub(super) fn enqueue_later(&mut self, id: u64) {
        self.published.remove(&id);
        self.delayed.push((Instant::now() + RETRY_AFTER, id));
    }

    pub(super) fn queue_delayed(&mut self, now: Instant) {
        let (due, later) = self.delayed.drain(..).partition(|(at, _)| *at <= now);
        self.delayed = later;
        let due: Vec<(Instant, u64)> = due;
        due.into_iter().for_each(|(_, id)| self.enqueue(id));
    }

    /// Drops jobs that the arena has cancelled.
    pub(super) fn cancel(&mut self, ids: &[u64]) {
        for (id, _) in self.jobs.remove(ids.iter().copied()) {
            self.data.remove(&id);
            if let Some(PublishedJob { place, .. }) = self.published.remove(&id) {
                let store = self.store.clone();
                // The message may hold other jobs too; if they are lost with it, the next look
                // finds that.
                let is_alone = !self.published.values().any(|job| job.place == place);
                if is_alone {
                    tokio::spawn(async move { store.jobs.delete_message(place).await });
                }
            }
        }
    }

    /// Puts the waiting jobs into messages and sends them.
    pub(super) fn publish_queue(&mut self) {
        self.waiting_since = None;
        let cores = self.usable().1;
        let waiting = self.queue.len();
        let mut draft = Draft::new(JobPlace::Workers);
        while let Some(id) = self.queue.pop_front() {
            if !self.jobs.is_awaited(id) {
                continue;
            }
            let Some(place) = self.data.get(&id).map(|job| self.place_of(job)) else { continue };
            match place {
                JobPlace::Later => {
                    self.enqueue_later(id);
                    continue;
                }
                JobPlace::Here => {
                    self.play_here(id, Vec::new());
                    continue;
                }
                JobPlace::Workers | JobPlace::EngineWorkers => {}
            }
            let Some((copy, not_for, issued)) = self.jobs.issue(id) else { continue };
            if issued > MOST_ISSUED {
                self.play_here(id, Vec::new());
                continue;
            }
            let Some(job) = self.data.get(&id) else { continue };
            let most = jobs_of_a_message(job.nodes, waiting, cores);
            let sent = sent_job(id, copy, job);
            let bytes = to_bytes(&sent).len();
            let is_full = draft.jobs.len() >= most || draft.bytes + bytes > MOST_BYTES;
            let is_other = draft.not_for != not_for || draft.place != place;
            if !draft.jobs.is_empty() && (is_full || is_other) {
                self.send(std::mem::replace(&mut draft, Draft::new(place)));
            }
            let Some(job) = self.data.get(&id) else { continue };
            draft.sets.extend(job.sets.iter().map(|set| (set.digest().to_owned(), set.clone())));
            draft.ids.push(id);
            draft.jobs.push(sent);
            draft.bytes += bytes;
            (draft.not_for, draft.place) = (not_for, place);
        }
        if !draft.jobs.is_empty() {
            self.send(draft);
        }
    }

    /// Sends a message in the background.
    fn send(&self, draft: Draft) {
        let Draft { ids, jobs, sets, not_for, place, .. } = draft;
        let payload = to_bytes(&self.sender.message(jobs, not_for));
        let subject = self.subject_of(place);
        let (store, sent, commands) =
            (self.store.clone(), self.sets.clone(), self.commands.clone());
        tokio::spawn(async move {
            let published = async {
                for set in sets.values() {
                    sent.send(&store, set).await.map_err(|error| error.to_string())?;
                }
                let ack = store.context.publish(subject, payload.into()).await;
                let ack = ack.map_err(|error| error.to_string())?.await;
                ack.map(|ack| ack.sequence).map_err(|error| error.to_string())
            };
            // The session may have ended.
            let _ = commands.send(match published.await {
                Ok(place) => SessionCommand::Published { ids, place },
                Err(reason) => SessionCommand::NotPublished { ids, reason },
            });
        });
    }

    pub(super) fn note_published(&mut self, ids: &[u64], place: u64) {
        let at = Instant::now();
        for &id in ids.iter().filter(|id| self.jobs.is_awaited(**id)) {
            self.published.insert(id, PublishedJob { place, at });
        }
    }

    pub(super) fn not_published(&mut self, ids: &[u64], reason: String) {
        self.tell_error(ClusterEvent::Server(format!("the server refuses jobs: {reason}")));
        if self.look_again_at_store() {
            self.reopen();
        }
        for &id in ids {
            if self.jobs.is_awaited(id) {
                // The message never reached the stream.
                self.jobs.take_back(id);
                self.enqueue_later(id);
            }
        }
    }

    /// Whether to look at the store now: no more often than for lost jobs.
    fn look_again_at_store(&mut self) -> bool {
        let now = Instant::now();
        let is_due = now.duration_since(self.last_look) >= RETRY_AFTER && !self.is_looking;
        if is_due {
            self.last_look = now;
        }
        is_due
    }

    /// Acts on the state of the stream.
    pub(super) fn looked(&mut self, found: Found) {
        self.is_looking = false;
        let (lost, is_stuck) = match found {
            Found::Nothing => return,
            Found::NoStream => return self.reopen(),
            Found::Lost(ids) => (ids, false),
            Found::Stuck(ids) => (ids, true),
        };
        let lost: Vec<u64> = lost.into_iter().filter(|&id| self.jobs.is_awaited(id)).collect();
        for &id in &lost {
            if let Some(PublishedJob { place, .. }) = self.published.get(&id).filter(|_| is_stuck) {
                let (store, place) = (self.store.clone(), *place);
                tokio::spawn(async move { store.jobs.delete_message(place).await });
            }
            self.enqueue(id);
        }
        if !lost.is_empty() {
            self.config.tell(&ClusterEvent::Reissued(lost.len()));
        }
    }

    /// Recreates what the server has lost.
    fn reopen(&mut self) {
        self.is_looking = true;
        let (client, commands) = (self.client.clone(), self.commands.clone());
        tokio::spawn(async move {
            let store = Store::open(&client).await.ok().map(Box::new);
            let _ = commands.send(SessionCommand::Reopened(store));
        });
    }

    /// Takes over the recreated store, which has none of the lost store's sets.
    pub(super) async fn reopened(&mut self, store: Option<Store>) {
        self.is_looking = false;
        let Some(store) = store else { return };
        self.store = store;
        self.sets.forget().await;
        self.last_look = Instant::now();
    }
}
