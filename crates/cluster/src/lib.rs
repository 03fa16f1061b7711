//! A run played by workers on other machines, over NATS JetStream.
//!
//! ```text
//! arena::Queue --RemoteJob--> Coordinator --JobMessage--> stream of jobs --> worker
//!      ^                         |    ^                                        |
//!      `------ in order ---------'    `------- ResultMessage, confirmed -------'
//! ```
//!
//! The coordinator is the process of the run. It publishes jobs to a stream. The server gives each
//! message to one worker at a time, and to another one when the first stays away. A worker plays,
//! sends the result straight to the coordinator, and takes the job off the stream only once the
//! coordinator has confirmed the result: if any of them dies in between, the job is played again.
//! The coordinator rejects a result that contradicts the rules of the game. It counts results by
//! their identities, never by how empty the stream is. So a run does not depend on who played what,
//! or how often.
//!
//! Weight sets travel once, in the object store of the server, under the digest of their bytes.
//! Nothing in a job is code, and neither side opens a port.
//!
//! External engines never travel. A job names one and its identity, and goes only to workers whose
//! own engine of that name has proven this identity; while there is none, the coordinator plays.

use sparring_lab::{
    arena, error, files, game, games, player, protocol, report, run, search, shell, tune, weights,
};

mod connect;
mod coordinator;
mod credentials;
mod delivery;
mod events;
mod issue;
mod lost;
mod message;
mod outstanding;
mod session;
mod roster;
mod sets;
mod signature;
mod stage;
mod status;
mod worker;

pub use coordinator::{Coordinator, CoordinatorConfig};
pub use credentials::Credentials;
pub use events::ClusterEvent;
pub use message::{EngineProven, PROTOCOL, WorkerPresence};
pub use signature::{EngineTrial, engine_trial};
pub use status::{ClusterStatus, RunPresence, status};
pub use worker::{WorkerConfig, WorkerEngine, work};
