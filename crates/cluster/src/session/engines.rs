//! The external engines of a run: which workers have proven them, and who plays while none has.

use super::super::connect::{CONSUMER, engine_consumer};
use super::super::events::ClusterEvent;
use super::super::lost::Found;
use super::super::message::{WantedEngines, WorkerPresence, engine_subject, own_subject};
use super::{ClusterSession, PublishedJob};
use crate::arena::{RemoteJob, SentEngines};
use crate::error::shorten;
use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

/// How long workers may take to prove the engines before this process plays itself.
const PATIENCE: Duration = Duration::from_secs(5);
/// How often the user hears that no worker has them.
const REMIND_EVERY: Duration = Duration::from_secs(600);

/// The external engines of the run.
pub(super) struct RunEngines {
    pub(super) wanted: WantedEngines,
    token: String,
    since: Instant,
    last_reminder: Option<Instant>,
    /// Engines of workers that differ from the run's, by the names of the worker and the engine.
    refused: BTreeSet<(String, String)>,
    /// The jobs that this process plays.
    pub(super) here: BTreeSet<u64>,
    /// Whether the run also has jobs without external engines.
    has_plain_jobs: bool,
}

/// The place where a job is played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum JobPlace {
    /// Any worker can do it.
    Workers,
    /// A worker with the run's engines.
    EngineWorkers,
    /// This process does it.
    Here,
    /// The place is not decided yet.
    Later,
}

impl ClusterSession {
    /// Takes note of the engines of a job; true for the first job with engines.
    pub(super) fn note_engines(&mut self, job: &RemoteJob) -> bool {
        let Some(SentEngines { wanted, .. }) = &job.engines else {
            self.has_plain_jobs = true;
            self.engines.iter_mut().for_each(|engines| engines.has_plain_jobs = true);
            return false;
        };
        if self.engines.is_some() {
            return false;
        }
        let board = job.body.get("board").and_then(serde_json::Value::as_str).unwrap_or_default();
        let wanted = WantedEngines {
            game: job.game.clone(),
            board: board.to_owned(),
            engines: wanted.to_vec(),
        };
        self.engines = Some(RunEngines {
            token: wanted.token(),
            wanted,
            since: Instant::now(),
            last_reminder: None,
            refused: BTreeSet::new(),
            here: BTreeSet::new(),
            has_plain_jobs: self.has_plain_jobs,
        });
        true
    }

    /// Whether a worker has proven the engines of the run. Reports an engine that differs from the
    /// run's.
    pub(super) fn meet_engines(&mut self, presence: &WorkerPresence) -> bool {
        let Some(engines) = &mut self.engines else { return false };
        if engines.wanted.are_of(presence) {
            return true;
        }
        for engine in &engines.wanted.engines {
            let mut of_worker = engines.wanted.of(presence, &engine.name);
            let Some(other) = of_worker.find(|other| other.identity != engine.identity) else {
                continue;
            };
            let (worker, name) = (shorten(&presence.worker), engine.name.clone());
            if engines.refused.insert((worker.clone(), name.clone())) {
                let reason = format!(
                    "it plays differently there (identity {}) than here (identity {})",
                    shorten(&other.identity),
                    engine.identity
                );
                self.config.tell(&ClusterEvent::EngineRefused { worker, engine: name, reason });
            }
        }
        false
    }

    /// The place for a job that is about to be published.
    pub(super) fn place_of(&self, job: &RemoteJob) -> JobPlace {
        let (Some(engines), Some(_)) = (&self.engines, &job.engines) else {
            return JobPlace::Workers;
        };
        if self.roster.count_with_engines().0 > 0 {
            return JobPlace::EngineWorkers;
        }
        let is_free = engines.here.len() < self.config.threads.count();
        match engines.since.elapsed() >= PATIENCE && is_free {
            true => JobPlace::Here,
            false => JobPlace::Later,
        }
    }

    /// The subject of the jobs of a place.
    pub(super) fn subject_of(&self, place: JobPlace) -> String {
        let session = &self.sender.session;
        match &self.engines {
            Some(engines) if place == JobPlace::EngineWorkers => {
                engine_subject(&engines.token, session)
            }
            _ => own_subject("job", session),
        }
    }

    /// The consumer of the jobs of a place.
    pub(super) fn consumer_of(&self, place: JobPlace) -> String {
        match &self.engines {
            Some(engines) if place == JobPlace::EngineWorkers => engine_consumer(&engines.token),
            _ => CONSUMER.into(),
        }
    }

    /// The workers and threads that can play jobs of the run.
    pub(super) fn usable(&self) -> (usize, usize) {
        match &self.engines {
            Some(engines) if !engines.has_plain_jobs => self.roster.count_with_engines(),
            _ => self.roster.count(),
        }
    }

    /// Reports that no worker has the engines, if so.
    pub(super) fn tell_of_engines(&mut self, now: Instant) {
        let is_none = self.roster.count_with_engines().0 == 0 && self.jobs.len() > 0;
        let Some(engines) = self.engines.as_mut().filter(|_| is_none) else { return };
        let is_due = match engines.last_reminder {
            Some(last) => now.duration_since(last) >= REMIND_EVERY,
            None => now.duration_since(engines.since) >= PATIENCE,
        };
        if is_due {
            engines.last_reminder = Some(now);
            let names = engines.wanted.engines.iter().map(|engine| engine.name.clone());
            let (engines, url) = (names.collect(), self.config.url.clone());
            self.config.tell(&ClusterEvent::NoEngines { engines, url });
        }
    }

    /// Takes back the published jobs with engines once no worker has these any more.
    pub(super) fn take_back_engine_jobs(&mut self, published: BTreeMap<u64, u64>) -> bool {
        let is_lost = self.roster.count_with_engines().0 == 0;
        if is_lost && !published.is_empty() {
            self.looked(Found::Stuck(published.into_keys().collect()));
        }
        is_lost
    }

    /// The jobs of one place that were published a while ago and are awaited.
    pub(super) fn old_jobs(
        &self,
        now: Instant,
        age: Duration,
        of_engines: bool,
    ) -> BTreeMap<u64, u64> {
        let is_old = |job: &PublishedJob| now.duration_since(job.at) >= age;
        let has_engines = |id| self.data.get(id).is_some_and(|job| job.engines.is_some());
        let old = self.published.iter().filter(|(id, job)| {
            self.jobs.is_awaited(**id) && is_old(job) && has_engines(id) == of_engines
        });
        old.map(|(&id, job)| (id, job.place)).collect()
    }
}
