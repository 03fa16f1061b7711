//! How jobs are put into messages.

use super::message::{JobMessage, MOST_JOBS, PROTOCOL, SentJob};
use crate::arena::RemoteJob;

/// The nodes that the jobs of a message take together, roughly: a message costs a worker some
/// milliseconds, so its jobs should last some tenths of a second.
const NODES: u64 = 400_000;
/// The most bytes of a message, far below what a server takes.
pub(super) const MOST_BYTES: usize = 400_000;
/// Waiting jobs are spread over at least this many messages for each thread of a worker.
const MESSAGES_A_CORE: usize = 2;

#[derive(Clone, Debug)]
pub(super) struct Sender {
    /// The signature of the engine.
    pub(super) signature: String,
    /// Nodes a second of one thread of this machine.
    pub(super) speed: f64,
    /// The name of the session.
    pub(super) session: String,
}

impl Sender {
    /// A message of jobs.
    pub(super) fn message(&self, jobs: Vec<SentJob>, not_for: Option<String>) -> JobMessage {
        JobMessage {
            protocol: PROTOCOL,
            program: env!("CARGO_PKG_VERSION").into(),
            signature: self.signature.clone(),
            session: self.session.clone(),
            speed: self.speed,
            not_for,
            jobs,
        }
    }
}

/// A job in the form of a message.
pub(super) fn sent_job(id: u64, copy: u8, job: &RemoteJob) -> SentJob {
    SentJob {
        id,
        copy,
        game: job.game.clone(),
        kind: job.kind.into(),
        sets: job.sets.iter().map(|set| set.digest().to_owned()).collect(),
        engines: job.engines.iter().flat_map(|sent| sent.engines.clone()).collect(),
        body: job.body.clone(),
    }
}

/// The number of jobs per message, given the nodes of each and the number waiting.
pub(super) fn jobs_of_a_message(nodes: u64, waiting: usize, cores: usize) -> usize {
    let by_work = NODES.checked_div(nodes).unwrap_or(1);
    let by_work = usize::try_from(by_work).unwrap_or(MOST_JOBS).clamp(1, MOST_JOBS);
    let by_share = waiting / cores.max(1).saturating_mul(MESSAGES_A_CORE).max(1);
    by_work.min(by_share.max(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_jobs_travel_together_while_there_are_enough_for_all() {
        assert_eq!(jobs_of_a_message(20_000, 1_000, 4), 20);
        assert_eq!(jobs_of_a_message(20_000, 25, 4), 3, "every thread gets some");
        assert_eq!(jobs_of_a_message(20_000, 25, 100), 1);
        assert_eq!(jobs_of_a_message(10_000_000, 1_000, 4), 1, "large ones go alone");
        assert_eq!(jobs_of_a_message(0, 1_000, 4), 1, "so do unknown ones");
        assert_eq!(jobs_of_a_message(1, usize::MAX, 0), MOST_JOBS);
    }
}
