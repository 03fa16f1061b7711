//! Results from workers, and which workers to trust.

use super::super::events::ClusterEvent;
use super::super::message::{
    CoordinatorReply, MOST_JOBS, PROTOCOL, ResultMessage, SentOutcome, SentResult, check_alike,
    from_bytes, to_bytes,
};
use super::super::outstanding::{Arrival, ResultClaim, digest_of, has_forfeit};
use super::{ClusterSession, SessionCommand, TaskHandle};
use crate::error::shorten;
use async_nats::Message;
use serde_json::Value;

/// After this many failures of workers, a job is played here.
const MOST_FAILURES: u32 = 5;

impl ClusterSession {
    /// Takes the results of a message, and confirms them to the worker.
    pub(super) async fn take_results(&mut self, message: Message) {
        let refused = match from_bytes::<ResultMessage>(&message.payload, "result") {
            Ok(results) => self.take_all(results).await,
            Err(error) => {
                self.tell_error(ClusterEvent::BadMessage(error.to_string()));
                Some(error.to_string())
            }
        };
        if let Some(reply) = message.reply {
            // If the confirmation is lost, the worker sends the results again.
            let _ =
                self.client.publish(reply, to_bytes(&CoordinatorReply { refused }).into()).await;
        }
    }

    /// Takes the results; returns the reason if they are refused.
    async fn take_all(&mut self, message: ResultMessage) -> Option<String> {
        let ResultMessage { protocol, signature, worker, results } = message;
        let worker = shorten(&worker);
        let own = (PROTOCOL, self.sender.signature.as_str());
        let place = format!("worker {worker}");
        let alike = check_alike(own, (protocol, &signature), &place, "unknown");
        let mut refused = match alike {
            Ok(()) if results.len() <= MOST_JOBS => None,
            Ok(()) => Some(format!("{} results at once: too many", results.len())),
            Err(error) => Some(error.to_string()),
        };
        for SentResult { id, copy, outcome } in results.into_iter().take(MOST_JOBS) {
            let reason = match (&refused, outcome) {
                (Some(_), _) => {
                    self.again(id);
                    None
                }
                (None, SentOutcome::Done(result)) => self.take(id, copy, &worker, result).await,
                (None, SentOutcome::Failed(reason)) => {
                    self.job_failed(id, &worker, &reason).await;
                    None
                }
            };
            refused = refused.or(reason);
        }
        if let Some(reason) = &refused {
            self.refuse(&worker, reason).await;
        }
        refused
    }

    /// Takes a result; returns the reason if it is refused.
    async fn take(&mut self, id: u64, copy: u8, worker: &str, result: Value) -> Option<String> {
        match self.jobs.arrive(id, copy, worker, result) {
            Arrival::Nothing => {}
            Arrival::Refused(reason) => {
                self.again(id);
                return Some(reason);
            }
            Arrival::Read(task, result) => self.have_read(id, worker, task, result),
            Arrival::Repeat => self.enqueue(id),
            Arrival::Judge(task, claims) => self.judge(id, task, claims.into()),
        }
        None
    }

    /// Issues a job again that is not done.
    fn again(&mut self, id: u64) {
        if self.jobs.is_awaited(id) {
            self.enqueue_later(id);
        }
    }

    async fn job_failed(&mut self, id: u64, worker: &str, reason: &str) {
        let (name, reason) = (worker.to_owned(), shorten(reason));
        self.tell_error(ClusterEvent::JobFailed { worker: name, reason });
        // The store may have lost a set.
        self.sets.forget().await;
        match self.jobs.fail(id) {
            0 => {}
            failures if failures >= MOST_FAILURES => self.play_here(id, Vec::new()),
            _ => self.enqueue_later(id),
        }
    }

    /// Lets the threads read a result, which checks every move against the rules.
    fn have_read(&self, id: u64, worker: &str, task: TaskHandle, result: Value) {
        let (worker, commands) = (worker.to_owned(), self.commands.clone());
        self.config.threads.spawn(Box::new(move || {
            let error = task.accept(&result).err().map(|error| error.to_string());
            let _ = commands.send(SessionCommand::Read { id, worker, error });
        }));
    }

    /// Takes in the verdict on a result that the task has read.
    pub(super) async fn read(&mut self, id: u64, worker: &str, error: Option<String>) {
        match error {
            None => self.finish(id),
            Some(error) => {
                let reason = format!("a result is wrong: {error}");
                if self.jobs.rejected(id, worker, &reason) {
                    self.enqueue(id);
                }
                self.tell_quarantined(worker).await;
            }
        }
    }

    /// Removes a job that is done.
    fn finish(&mut self, id: u64) {
        self.jobs.accepted(id);
        self.data.remove(&id);
        self.published.remove(&id);
        self.done += 1;
    }

    /// Lets this process's threads play a job.
    pub(super) fn play_here(&mut self, id: u64, claims: Vec<ResultClaim>) {
        if let Some(task) = self.jobs.play_here(id) {
            self.engines.iter_mut().for_each(|engines| _ = engines.here.insert(id));
            self.judge(id, task, claims);
        }
    }

    fn judge(&self, id: u64, task: TaskHandle, claims: Vec<ResultClaim>) {
        let commands = self.commands.clone();
        self.config.threads.spawn(Box::new(move || {
            let truth = task.play_here().ok();
            let _ = commands.send(SessionCommand::Judged { id, claims, truth });
        }));
    }

    /// Settles a job that was played here.
    pub(super) async fn judged(&mut self, id: u64, claims: &[ResultClaim], truth: Option<Value>) {
        self.engines.iter_mut().for_each(|engines| _ = engines.here.remove(&id));
        let Some(truth) = truth else {
            // The user has asked to end.
            return self.give_up(vec![id]);
        };
        // Whether an external engine fails may depend on chance, not just on the job.
        let is_sure = |claim: &&ResultClaim| !claim.has_forfeit && !has_forfeit(&truth);
        let claims: Vec<ResultClaim> = claims.iter().filter(is_sure).cloned().collect();
        let judgement = self.jobs.judge(id, digest_of(&truth), &claims);
        if let Some(task) = judgement.task {
            self.data.remove(&id);
            self.published.remove(&id);
            self.done += 1;
            if task.accept(&truth).is_err() {
                task.give_up();
            }
        }
        for worker in &judgement.wrong {
            self.tell_quarantined(worker).await;
        }
        if judgement.is_counted && !judgement.wrong.is_empty() {
            self.config.tell(&ClusterEvent::WrongResultCounted { workers: judgement.wrong });
        }
    }

    /// Announces the quarantine of a worker.
    async fn tell_quarantined(&mut self, worker: &str) {
        let reason = self.jobs.reason(worker).unwrap_or_default().to_owned();
        if self.refused.insert(worker.into()) {
            let unchecked = self.jobs.unchecked(worker);
            let (worker, reason) = (worker.into(), reason.clone());
            self.config.tell(&ClusterEvent::Quarantined { worker, reason, unchecked });
        }
        self.refuse(worker, &reason).await;
    }
}
