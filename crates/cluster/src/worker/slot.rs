//! A slot of a worker: it fetches a message, has its jobs played, and delivers the results.

use super::super::connect::{ACK_WAIT, Store};
use super::super::delivery::{Delivered, deliver};
use super::super::events::ClusterEvent;
use super::super::message::{
    JobMessage, MOST_JOBS, PROTOCOL, ResultMessage, SentJob, SentOutcome, SentResult, check_alike,
    from_bytes,
};
use super::super::stage::slower;
use super::{Order, WorkerShared};
use crate::arena::Sets;
use crate::error::{Error, Result, shorten};
use async_nats::jetstream::consumer::{Consumer, pull};
use async_nats::jetstream::{AckKind, Message};
use futures_util::StreamExt;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::{Mutex, oneshot, watch};

/// How long a request for a job waits on the server.
const WAIT: Duration = Duration::from_secs(20);
/// Time between two messages to the server that a job is still in progress.
const HEARTBEAT: Duration = Duration::from_secs(ACK_WAIT.as_secs() / 3);
/// The pause after an error of the server.
const PAUSE: Duration = Duration::from_secs(1);
/// Jobs shorter than this many seconds are fetched ahead, since the round trip to the server
/// matters for them.
const SHORT: f64 = 2.0;
/// A job meant for others is passed on this many times before this worker does it after all.
const PASSED_ON: i64 = 5;
const PASS_ON_AFTER: Duration = Duration::from_millis(300);
/// How long a missing session counts as gone before the worker asks again.
const GONE: Duration = Duration::from_secs(60);

/// The source of a slot's jobs.
#[derive(Clone, Debug)]
pub(super) enum SlotSource {
    /// The jobs that any worker can do.
    Common,
    /// The jobs with the external engines of this token.
    Engines(String),
}

pub(super) struct Slot {
    source: SlotSource,
    /// The consumer of its jobs, once the server has given it.
    consumer: Mutex<Option<Consumer<pull::Config>>>,

    /// The slots beyond the number of threads only fetch short jobs.
    number: usize,
    shared: Arc<WorkerShared>,
    order: Arc<watch::Sender<Order>>,
}

impl Slot {
    pub(super) fn new(
        number: usize,
        source: SlotSource,
        shared: Arc<WorkerShared>,
        order: Arc<watch::Sender<Order>>,
    ) -> Self {
        Self { source, consumer: Mutex::default(), number, shared, order }
    }

    /// Does jobs until it is asked to end.
    pub(super) async fn run(
        self,
        mut orders: watch::Receiver<Order>,
        mut reconnected: watch::Receiver<u64>,
    ) {
        while *orders.borrow() == Order::Stay {
            if self.is_spare() {
                tokio::select! {
                    () = tokio::time::sleep(PAUSE) => {}
                    _ = orders.changed() => {}
                }
                continue;
            }
            let message = tokio::select! {
                message = self.fetch() => message,
                _ = orders.changed() => continue,
                // The server has forgotten which workers were waiting.
                _ = reconnected.changed() => continue,
            };
            match message {
                Ok(Some(message)) => self.handle(message).await,
                Ok(None) => {}
                Err(_) => {
                    tokio::time::sleep(PAUSE).await;
                    *self.consumer.lock().await = None;
                    // The server may have lost its streams and stores.
                    if let Ok(store) = Store::open(&self.shared.client).await {
                        *self.shared.store.lock() = store;
                    }
                }
            }
        }
    }

    /// Whether the slot has nothing to do now: jobs are long, or their length is still unknown.
    fn is_spare(&self) -> bool {
        let (seconds, jobs) = self.shared.state().played;
        let is_short = jobs > 0 && seconds / (jobs as f64) < SHORT;
        self.number >= self.shared.threads.count() && !is_short
    }

    async fn fetch(&self) -> Result<Option<Message>> {
        let failed = |error: &dyn std::fmt::Display| Error::failed("NATS server", error);
        let batch = self.consumer().await?.batch().max_messages(1).expires(WAIT).messages().await;
        let mut batch = batch.map_err(|error| failed(&error))?;
        batch.next().await.transpose().map_err(|error| failed(&error))
    }

    /// The consumer of the slot's jobs.
    async fn consumer(&self) -> Result<Consumer<pull::Config>> {
        let store = self.shared.store();
        let SlotSource::Engines(token) = &self.source else { return Ok(store.consumer) };
        let mut known = self.consumer.lock().await;
        if known.is_none() {
            *known = Some(store.engine_consumer(token).await?);
        }
        known.clone().ok_or_else(|| Error::failed("NATS server", "no consumer of jobs"))
    }

    async fn handle(&self, message: Message) {
        let jobs = match from_bytes::<JobMessage>(&message.payload, "job") {
            Ok(jobs) if jobs.jobs.len() <= MOST_JOBS => jobs,
            Ok(jobs) => {
                let reason = format!("{} jobs in a message: too many", jobs.jobs.len());
                return self.discard(&message, reason).await;
            }
            Err(error) => return self.discard(&message, error.to_string()).await,
        };
        let own = (PROTOCOL, self.shared.trial.signature.as_str());
        let theirs = (jobs.protocol, jobs.signature.as_str());
        if let Err(error) = check_alike(own, theirs, "the coordinator", &jobs.program) {
            // Another worker may be able to do it.
            let _ = message.ack_with(AckKind::Nak(Some(PAUSE))).await;
            self.shared.leave.set();
            self.order.send_replace(Order::Refused(error.to_string()));
            return;
        }
        let is_not_for_us = jobs.not_for.as_deref() == Some(&self.shared.name);
        let delivered = message.info().map_or(0, |info| info.delivered);
        if is_not_for_us && delivered < PASSED_ON {
            let _ = message.ack_with(AckKind::Nak(Some(PASS_ON_AFTER))).await;
            return;
        }
        if self.is_gone(&jobs.session).await {
            let _ = message.ack_with(AckKind::Term).await;
            return;
        }
        self.hold(&jobs, true);
        self.play_and_deliver(&message, &jobs).await;
        self.hold(&jobs, false);
    }

    /// Takes a message off the stream that no worker can use, and reports why.
    async fn discard(&self, message: &Message, reason: String) {
        self.shared.error(&ClusterEvent::BadMessage(shorten(&reason)));
        let _ = message.ack_with(AckKind::Term).await;
    }

    /// Whether nobody waits for the jobs of a session: it was gone and is still gone.
    async fn is_gone(&self, session: &str) -> bool {
        let since = self.shared.state().gone.get(session).copied();
        let Some(since) = since else { return false };
        if since.elapsed() < GONE {
            return true;
        }
        let question = self.result_message(Vec::new());
        let is_gone = deliver(&self.shared.client, session, &question).await == Delivered::Gone;
        let mut state = self.shared.state();
        state.gone.remove(session);
        if is_gone {
            state.gone.insert(session.into(), Instant::now());
        }
        is_gone
    }

    /// Notes which jobs are in progress.
    fn hold(&self, jobs: &JobMessage, is_held: bool) {
        let mut state = self.shared.state();
        let in_hand = state.in_hand.entry(jobs.session.clone()).or_default();
        for job in &jobs.jobs {
            match is_held {
                true => _ = in_hand.insert(job.id),
                false => _ = in_hand.remove(&job.id),
            }
        }
        if in_hand.is_empty() {
            state.in_hand.remove(&jobs.session);
        }
    }

    /// Plays the jobs and delivers the results; meanwhile tells the server that they are in
    /// progress.
    async fn play_and_deliver(&self, message: &Message, jobs: &JobMessage) {
        let work = async {
            let Some(results) = self.play(jobs).await else {
                // The worker leaves before the jobs began: another takes them at once.
                let _ = message.ack_with(AckKind::Nak(None)).await;
                return;
            };
            let results = self.result_message(results);
            let delivered = deliver(&self.shared.client, &jobs.session, &results).await;
            let _ = message.ack().await;
            self.note(jobs, delivered);
        };
        let heartbeat = async {
            loop {
                tokio::time::sleep(HEARTBEAT).await;
                let _ = message.ack_with(AckKind::Progress).await;
            }
        };
        tokio::select! {
            () = work => {}
            () = heartbeat => {}
        }
    }

    fn note(&self, jobs: &JobMessage, delivered: Delivered) {
        match delivered {
            Delivered::Confirmed => self.shared.state().done += jobs.jobs.len() as u64,
            Delivered::Gone => {
                _ = self.shared.state().gone.insert(jobs.session.clone(), Instant::now());
            }
            Delivered::Refused(reason) => {
                self.shared.leave.set();
                self.order.send_replace(Order::Refused(reason));
            }
        }
    }

    fn result_message(&self, results: Vec<SentResult>) -> ResultMessage {
        ResultMessage {
            protocol: PROTOCOL,
            signature: self.shared.trial.signature.clone(),
            worker: self.shared.name.clone(),
            results,
        }
    }

    /// The results of the jobs; `None` if the worker leaves before they begin.
    async fn play(&self, jobs: &JobMessage) -> Option<Vec<SentResult>> {
        let mut with_sets = Vec::new();
        for job in &jobs.jobs {
            with_sets.push((job.clone(), self.sets(job).await));
        }
        let (tell, told) = oneshot::channel();
        let shared = self.shared.clone();
        let slower = slower(jobs.speed, shared.trial.speed);
        self.shared.threads.spawn(Box::new(move || {
            let results = match shared.leave.is_set() {
                true => None,
                false => play_all(&shared, with_sets, slower),
            };
            // The slot waits for this message.
            let _ = tell.send(results);
        }));
        told.await.ok().flatten()
    }

    async fn sets(&self, job: &SentJob) -> Result<Sets> {
        let store = self.shared.store();
        let mut sets = Sets::new();
        for digest in &job.sets {
            sets.insert(digest.clone(), self.shared.sets.find(&store, digest).await?);
        }
        Ok(sets)
    }
}

/// Plays the jobs of a message on this thread; `None` if the worker was stopped.
fn play_all(
    shared: &WorkerShared,
    jobs: Vec<(SentJob, Result<Sets>)>,
    slower: f64,
) -> Option<Vec<SentResult>> {
    let mut results = Vec::new();
    for (job, sets) in jobs {
        let begun = Instant::now();
        let played = sets.and_then(|sets| shared.stage.play(&job, &sets, slower));
        let outcome = match played.transpose()? {
            Ok(result) => SentOutcome::Done(result),
            Err(error) => {
                let (worker, reason) = (shared.name.clone(), shorten(&error.to_string()));
                shared.error(&ClusterEvent::JobFailed { worker, reason: reason.clone() });
                SentOutcome::Failed(reason)
            }
        };
        results.push(SentResult { id: job.id, copy: job.copy, outcome });
        let mut state = shared.state();
        state.played.0 += begun.elapsed().as_secs_f64();
        state.played.1 += 1;
    }
    Some(results)
}
