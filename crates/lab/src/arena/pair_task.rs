//! A pair to be played, by a thread or by a worker.

use super::pair::PairRunner;
use super::pair_record::PairRecord;
use super::queue::Task;
use super::remote::{RemoteJob, SharedSet};
use super::sent_engine::SentEngines;
use super::spec::{PairSpec, PlayerBody, Sets};
use crate::error::{Error, Result};
use crate::search::Stop;
use serde::Deserialize;
use serde_json::Value;
use std::sync::Arc;

/// A pair with everything that its games need.
pub struct PairTask {
    /// Plays the pair, here or on a worker.
    pub runner: PairRunner,
    /// The sets that it names, among others.
    pub sets: Arc<Sets>,
    /// The pair to play.
    pub spec: PairSpec,
    /// Once set, the pair is not begun.
    pub interrupt: Stop,
}

impl PairTask {
    /// The sets that the pair names, each once.
    fn named_sets(&self) -> Option<Vec<SharedSet>> {
        let mut named: Vec<SharedSet> = Vec::new();
        for body in self.spec.bodies() {
            let PlayerBody::Set(digest) = body else { continue };
            if !named.iter().any(|known| known.digest() == digest) {
                named.push(self.sets.get(digest)?.clone());
            }
        }
        Some(named)
    }

    /// The external engines of the pair, if it has some; an error if workers cannot have them.
    fn sent_engines(&self) -> std::result::Result<Option<SentEngines>, ()> {
        match self.spec.has_engines() {
            true => self.runner.sent_engines().map(Some).ok_or(()),
            false => Ok(None),
        }
    }
}

impl Task for PairTask {
    type Outcome = Result<PairRecord>;

    fn run(&self) -> Self::Outcome {
        match self.interrupt.is_set() {
            true => Ok(PairRecord::stopped()),
            false => self.runner.play(&self.spec, &self.sets),
        }
    }

    fn remote_job(&self) -> Option<RemoteJob> {
        let engines = self.sent_engines().ok()?;
        Some(RemoteJob {
            game: self.spec.game.clone(),
            kind: PairSpec::KIND,
            body: serde_json::to_value(&self.spec).ok()?,
            sets: self.named_sets()?,
            is_repeatable: self.spec.is_repeatable()
                && engines.as_ref().is_none_or(SentEngines::are_repeatable),
            nodes: self.spec.nodes(),
            engines,
        })
    }

    fn read(&self, result: &Value) -> Result<Self::Outcome> {
        let record =
            PairRecord::deserialize(result).map_err(|error| Error::input("result", error))?;
        record.check(&self.spec.read_opening(self.runner.game())?, &self.spec)?;
        Ok(Ok(record))
    }

    fn write(&self, outcome: &Self::Outcome) -> Option<Value> {
        let record = outcome.as_ref().ok().filter(|record| record.is_complete())?;
        serde_json::to_value(record).ok()
    }

    fn has_failed(&self, outcome: &Self::Outcome) -> bool {
        outcome.is_err()
    }

    fn given_up(&self) -> Self::Outcome {
        Ok(PairRecord::stopped())
    }

    fn is_interrupted(&self) -> bool {
        self.interrupt.is_set()
    }
}
