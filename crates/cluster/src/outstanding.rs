//! The open jobs, their results, and which workers to trust. This file uses no clock and no
//! network.

use serde_json::Value;
use std::collections::{BTreeMap, HashMap, VecDeque};

/// The most done jobs that are remembered, so that a late second result can be compared with the
/// first.
const REMEMBERED: usize = 5_000;

/// A result, by its sender and the digest of its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ResultClaim {
    pub(super) worker: String,
    pub(super) digest: u64,
    /// Whether an external engine forfeited a game, which may happen by chance.
    pub(super) has_forfeit: bool,
}

impl ResultClaim {
    pub(super) fn new(worker: &str, result: &Value) -> Self {
        let (digest, has_forfeit) = (digest_of(result), has_forfeit(result));
        Self { worker: worker.into(), digest, has_forfeit }
    }
}

/// Whether a game of the result was forfeited.
pub(super) fn has_forfeit(result: &Value) -> bool {
    let games = result.get("games").and_then(Value::as_array);
    games.into_iter().flatten().any(|game| game.get("forfeit").is_some())
}

/// A digest of a result's text.
pub(super) fn digest_of(result: &Value) -> u64 {
    crate::tune::logistic::samples::digest(result.to_string().as_bytes())
}

/// A job that is not done.
struct OpenJob<T> {
    task: T,
    /// Whether it is played twice.
    is_checked: bool,
    /// Whether two results must be the same.
    is_repeatable: bool,
    state: OpenJobState,
    /// How often it was published.
    issued: u32,
    /// How often workers said that they could not do it.
    failures: u32,
}

enum OpenJobState {
    Waiting,
    /// The first of two results of a job has come.
    Once(ResultClaim, Value),
    /// A result has come and is being read.
    Reading(ResultClaim),
    /// It is being played here.
    Judging,
}

/// The action for a result.
#[derive(Debug, PartialEq)]
pub(super) enum Arrival<T> {
    /// Nothing: the job is not open, or the result is known.
    Nothing,
    /// The worker is quarantined for this reason; the job must be issued again.
    Refused(String),
    /// The task must read it.
    Read(T, Value),
    /// The job must be issued a second time, for another worker.
    Repeat,
    /// It differs from another one: the job must be played here.
    Judge(T, [ResultClaim; 2]),
}

/// The action for a job that was played here.
#[derive(Debug, PartialEq)]
pub(super) struct Judgement<T> {
    /// Workers that were wrong.
    pub(super) wrong: Vec<String>,
    /// The task, where it still waits for the result.
    pub(super) task: Option<T>,
    /// Whether a wrong result was counted before.
    pub(super) is_counted: bool,
}

/// Everything that the coordinator knows about its jobs.
pub(super) struct Outstanding<T> {
    open: BTreeMap<u64, OpenJob<T>>,
    /// Done jobs: their tasks, and the accepted claims.
    done: HashMap<u64, (T, ResultClaim)>,
    done_order: VecDeque<u64>,
    /// Quarantined workers, and the reasons.
    quarantined: BTreeMap<String, String>,
    /// Results of each worker that count although no other worker checked them.
    unchecked: HashMap<String, u64>,
}

impl<T: Clone> Outstanding<T> {
    pub(super) fn new() -> Self {
        Self {
            open: BTreeMap::new(),
            done: HashMap::new(),
            done_order: VecDeque::new(),
            quarantined: BTreeMap::new(),
            unchecked: HashMap::new(),
        }
    }

    /// Adds a job and returns its new number.
    pub(super) fn add(&mut self, id: u64, task: T, is_checked: bool, is_repeatable: bool) {
        let state = OpenJobState::Waiting;
        let job = OpenJob { task, is_checked, is_repeatable, state, issued: 0, failures: 0 };
        self.open.insert(id, job);
    }

    pub(super) fn len(&self) -> usize {
        self.open.len()
    }

    /// Whether a job is open.
    #[cfg(test)]
    pub(super) fn is_open(&self, id: u64) -> bool {
        self.open.contains_key(&id)
    }

    /// Whether a job still needs a worker.
    pub(super) fn is_awaited(&self, id: u64) -> bool {
        let state = self.open.get(&id).map(|job| &job.state);
        matches!(state, Some(OpenJobState::Waiting | OpenJobState::Once(..)))
    }

    /// The jobs that still need a worker.
    pub(super) fn awaited(&self) -> Vec<u64> {
        self.open.keys().copied().filter(|&id| self.is_awaited(id)).collect()
    }

    /// The oldest open job.
    pub(super) fn oldest(&self) -> Option<&T> {
        self.open.first_key_value().map(|(_, job)| &job.task)
    }

    /// The copy of a job to publish next, and the worker that should not take it; counts the
    /// publication and returns its number, from 1.
    pub(super) fn issue(&mut self, id: u64) -> Option<(u8, Option<String>, u32)> {
        let job = self.open.get_mut(&id)?;
        let (copy, not_for) = match &job.state {
            OpenJobState::Waiting => (0, None),
            OpenJobState::Once(claim, _) => (1, Some(claim.worker.clone())),
            OpenJobState::Reading(_) | OpenJobState::Judging => return None,
        };
        job.issued += 1;
        Some((copy, not_for, job.issued))
    }

    /// Takes back the count of a publication that failed.
    pub(super) fn take_back(&mut self, id: u64) {
        if let Some(job) = self.open.get_mut(&id) {
            job.issued = job.issued.saturating_sub(1);
        }
    }

    /// Counts a worker's failure at a job and returns the failures so far, or 0 if the job needs no
    /// worker.
    pub(super) fn fail(&mut self, id: u64) -> u32 {
        if !self.is_awaited(id) {
            return 0;
        }
        self.open.get_mut(&id).map_or(0, |job| {
            job.failures += 1;
            job.failures
        })
    }

    /// Takes in a result and returns the action for it.
    pub(super) fn arrive(&mut self, id: u64, copy: u8, worker: &str, result: Value) -> Arrival<T> {
        if let Some(reason) = self.quarantined.get(worker) {
            return match self.is_awaited(id) {
                true => Arrival::Refused(reason.clone()),
                false => Arrival::Nothing,
            };
        }
        let claim = ResultClaim::new(worker, &result);
        let Some(job) = self.open.get_mut(&id) else { return self.compare_late(id, claim) };
        let (arrival, state) = match std::mem::replace(&mut job.state, OpenJobState::Judging) {
            OpenJobState::Waiting if job.is_checked && job.is_repeatable => {
                (Arrival::Repeat, OpenJobState::Once(claim, result))
            }
            OpenJobState::Waiting => {
                (Arrival::Read(job.task.clone(), result), OpenJobState::Reading(claim))
            }
            // The worker repeats its result, since it heard no answer.
            OpenJobState::Once(first, kept) if copy == 0 && first == claim => {
                (Arrival::Nothing, OpenJobState::Once(first, kept))
            }
            OpenJobState::Once(first, kept) if first.digest == claim.digest => {
                (Arrival::Read(job.task.clone(), kept), OpenJobState::Reading(first))
            }
            OpenJobState::Once(first, _) => {
                (Arrival::Judge(job.task.clone(), [first, claim]), OpenJobState::Judging)
            }
            OpenJobState::Reading(first) if first.digest == claim.digest || !job.is_repeatable => {
                (Arrival::Nothing, OpenJobState::Reading(first))
            }
            OpenJobState::Reading(first) => (
                Arrival::Judge(job.task.clone(), [first.clone(), claim]),
                OpenJobState::Reading(first),
            ),
            OpenJobState::Judging => (Arrival::Nothing, OpenJobState::Judging),
        };
        job.state = state;
        arrival
    }

    /// Compares a result with the result of a finished job.
    fn compare_late(&self, id: u64, claim: ResultClaim) -> Arrival<T> {
        match self.done.get(&id) {
            Some((task, first)) if first.digest != claim.digest => {
                Arrival::Judge(task.clone(), [first.clone(), claim])
            }
            _ => Arrival::Nothing,
        }
    }

    /// Marks a job as done: the task has accepted its result.
    pub(super) fn accepted(&mut self, id: u64) {
        let Some(job) = self.open.remove(&id) else { return };
        let OpenJobState::Reading(claim) = job.state else { return };
        if !(job.is_checked && job.is_repeatable) {
            *self.unchecked.entry(claim.worker.clone()).or_default() += 1;
        }
        if job.is_repeatable {
            self.remember(id, job.task, claim);
        }
    }

    /// Quarantines the worker of a wrong result; returns whether the job must be issued again.
    pub(super) fn rejected(&mut self, id: u64, worker: &str, reason: &str) -> bool {
        self.quarantine(worker, reason);
        let job = self.open.get_mut(&id);
        let Some(job) = job.filter(|job| matches!(job.state, OpenJobState::Reading(_))) else {
            return false;
        };
        job.state = OpenJobState::Waiting;
        true
    }

    /// Marks a job as played here and returns its task, unless its result is known or being read.
    pub(super) fn play_here(&mut self, id: u64) -> Option<T> {
        if !self.is_awaited(id) {
            return None;
        }
        let job = self.open.get_mut(&id)?;
        job.state = OpenJobState::Judging;
        Some(job.task.clone())
    }

    /// Settles differing claims by the digest of the result that was played here.
    pub(super) fn judge(&mut self, id: u64, truth: u64, claims: &[ResultClaim]) -> Judgement<T> {
        let is_wrong = |claim: &&ResultClaim| claim.digest != truth;
        let wrong: Vec<String> =
            claims.iter().filter(is_wrong).map(|claim| claim.worker.clone()).collect();
        for worker in &wrong {
            self.quarantine(worker, "its result does not match the job's games");
        }
        let is_judging = |job: &&OpenJob<T>| matches!(job.state, OpenJobState::Judging);
        if let Some(job) = self.open.get(&id).filter(is_judging) {
            let task = job.task.clone();
            self.open.remove(&id);
            let (worker, has_forfeit) = (String::new(), false);
            let claim = ResultClaim { worker, digest: truth, has_forfeit };
            self.remember(id, task.clone(), claim);
            return Judgement { wrong, task: Some(task), is_counted: false };
        }
        let is_counted = match self.open.get(&id).map(|job| &job.state) {
            Some(OpenJobState::Reading(claim)) => claim.digest != truth,
            _ => self.done.get(&id).is_some_and(|(_, claim)| claim.digest != truth),
        };
        Judgement { wrong, task: None, is_counted }
    }

    pub(super) fn quarantine(&mut self, worker: &str, reason: &str) {
        self.quarantined.entry(worker.into()).or_insert_with(|| reason.into());
    }

    /// The reason for a worker's quarantine.
    pub(super) fn reason(&self, worker: &str) -> Option<&str> {
        self.quarantined.get(worker).map(String::as_str)
    }

    /// Quarantined workers, and the reasons.
    pub(super) fn quarantined(&self) -> &BTreeMap<String, String> {
        &self.quarantined
    }

    /// The results of a worker that count without a second one to confirm them.
    pub(super) fn unchecked(&self, worker: &str) -> u64 {
        self.unchecked.get(worker).copied().unwrap_or(0)
    }

    /// Removes jobs that nobody waits for any more; returns the open ones.
    pub(super) fn remove(&mut self, ids: impl IntoIterator<Item = u64>) -> Vec<(u64, T)> {
        let job = |id| self.open.remove(&id).map(|job| (id, job.task));
        ids.into_iter().filter_map(job).collect()
    }

    fn remember(&mut self, id: u64, task: T, claim: ResultClaim) {
        self.done.insert(id, (task, claim));
        self.done_order.push_back(id);
        if self.done_order.len() > REMEMBERED
            && let Some(oldest) = self.done_order.pop_front()
        {
            self.done.remove(&oldest);
        }
    }
}

#[cfg(test)]
mod tests;
