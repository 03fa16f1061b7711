//! Events of a cluster, for people.

use std::fmt;
use std::sync::Arc;

pub(super) type OnEvent = Arc<dyn Fn(&ClusterEvent) + Send + Sync>;

/// An event that the user should know of.
#[derive(Clone, Debug, PartialEq)]
pub enum ClusterEvent {
    /// No worker is connected to the cluster.
    NoWorkers {
        /// The address of the cluster.
        url: String,
    },
    /// Workers have joined or left.
    Workers {
        /// The number of workers now connected.
        workers: usize,
        /// The threads of all these workers together.
        cores: usize,
    },
    /// The games have time limits.
    TimeLimits {
        /// Nodes a second of one thread here, for which the limits are meant.
        speed: f64,
    },
    /// No worker has the external engines of the run.
    NoEngines {
        /// The names of the engines.
        engines: Vec<String>,
        /// The address of the cluster.
        url: String,
    },
    /// An external engine of a worker differs from the run's.
    EngineRefused {
        /// The name of the worker.
        worker: String,
        /// The name of the engine.
        engine: String,
        /// Why it was refused, in words.
        reason: String,
    },
    /// A worker has proven the external engines of a run.
    EnginesProven {
        /// The names of the engines.
        engines: Vec<String>,
    },
    /// A run wants an external engine that this worker does not have.
    EngineMissing(String),
    /// The server is away; the worker or run keeps trying to reconnect.
    Disconnected,
    /// The server is back.
    Reconnected,
    /// The server refused a request or a subscription.
    Server(String),
    /// The coordinator refuses a worker.
    Refused {
        /// The name of the worker.
        worker: String,
        /// The reason, in words.
        reason: String,
    },
    /// A worker is quarantined from now on.
    Quarantined {
        /// The name of the worker.
        worker: String,
        /// The reason, in words.
        reason: String,
        /// Earlier results of this worker that count although no other worker checked them.
        unchecked: u64,
    },
    /// A counted result turned out to be wrong.
    WrongResultCounted {
        /// The workers that were wrong.
        workers: Vec<String>,
    },
    /// A worker could not do a job.
    JobFailed {
        /// The name of the worker.
        worker: String,
        /// The reason, in words.
        reason: String,
    },
    /// Lost jobs are published again.
    Reissued(usize),
    /// A message arrived that cannot be read.
    BadMessage(String),
    /// A worker is ready.
    Ready {
        /// The name of the worker.
        worker: String,
        /// The threads that play on it.
        threads: usize,
        /// The address of the cluster.
        url: String,
    },
    /// A worker waits for a server.
    Waiting(String),
    /// A worker leaves once the jobs in its hands are done.
    Leaving(usize),
}

impl fmt::Display for ClusterEvent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoWorkers { url } => write!(
                f,
                "no worker is connected, so nothing is played; start one on any machine:\n  \
                 spar worker --cluster {url}"
            ),
            Self::Workers { workers, cores } => {
                let cores = crate::report::units::counted(*cores as u64, "thread");
                write!(f, "workers: {workers}, with {cores}")
            }
            Self::TimeLimits { speed } => write!(
                f,
                "with a time limit the result depends on the workers: each scales the limit by \
                 its speed, measured at its start, to the speed of this machine ({} nodes/s); \
                 with --nodes it would not",
                crate::report::units::count(*speed as u64)
            ),
            Self::NoEngines { engines, url } => {
                let names: Vec<String> = engines.iter().map(|name| format!("`{name}`")).collect();
                let options = engines.iter().map(|name| {
                    format!(" --engine {}", crate::shell::quote(format!("{name}=cmd:PROGRAM")))
                });
                write!(
                    f,
                    "no worker has proven the engine {}; until one does, this process plays with its own \
                     threads. Start one on any machine that has it:\n  spar worker --cluster {url}{}",
                    names.join(", "),
                    options.collect::<String>()
                )
            }
            Self::EngineRefused { worker, engine, reason } => {
                write!(f, "engine `{engine}` of worker {worker} is refused: {reason}")
            }
            Self::EnginesProven { engines } => {
                write!(f, "proven to be the engines of a run: {}", engines.join(", "))
            }
            Self::EngineMissing(engine) => write!(
                f,
                "a run needs the engine `{engine}`, which this worker does not have, so others \
                 play its games (--engine NAME=cmd:PROGRAM adds an engine)"
            ),
            Self::Disconnected => f.write_str("the NATS server does not answer; waiting for it"),
            Self::Reconnected => f.write_str("the NATS server is back"),
            Self::Server(reason) => write!(f, "NATS server: {reason}"),
            Self::Refused { worker, reason } => write!(f, "worker {worker} is refused: {reason}"),
            Self::Quarantined { worker, reason, unchecked } => {
                write!(f, "worker {worker} is quarantined: {reason}; ")?;
                match unchecked {
                    0 => f.write_str("none of its results was counted unchecked"),
                    1 => f.write_str("1 of its results was counted unchecked, and stays so"),
                    _ => {
                        write!(f, "{unchecked} of its results were counted unchecked, and stay so")
                    }
                }
            }
            Self::WrongResultCounted { workers } => write!(
                f,
                "a wrong result of {} was counted before the error was found: this run differs \
                 from the same run on one machine",
                workers.join(", ")
            ),
            Self::JobFailed { worker, reason } => {
                write!(f, "worker {worker} could not do a job: {reason}")
            }
            Self::Reissued(jobs) => write!(f, "lost jobs, issued again: {jobs}"),
            Self::BadMessage(reason) => write!(f, "a message is not understood: {reason}"),
            Self::Ready { worker, threads, url } => {
                let threads = crate::report::units::counted(*threads as u64, "thread");
                write!(f, "worker {worker} plays with {threads} for {url}")
            }
            Self::Waiting(reason) => write!(f, "waiting for the server: {reason}"),
            Self::Leaving(jobs) => {
                write!(f, "finishing the jobs in progress ({jobs}); Ctrl-C again leaves at once")
            }
        }
    }
}
