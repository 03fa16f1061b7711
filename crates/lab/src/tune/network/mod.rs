//! Training of networks: weights of a hidden layer with which the value of a position predicts the
//! result of its game and the search's score.
//!
//! ```text
//! records -> dedup, scale (as a logistic fit has them) -> portions -> order -> batches
//!         -> shards (forward and back) -> groups of rows (gradient, step) -> whole numbers -> set
//! ```
//!
//! Adam (Kingma and Ba 2015) on the cross-entropy, with a rate that falls along a cosine. Threads
//! work through shards of a batch, each of a fixed number of positions. Then each thread takes the
//! weights of one window for a block of hidden units, adds up the slopes of all positions in their
//! order, and takes the step. So the weights do not depend on the number of threads, not even in
//! the last bit.
//!
//! Positions are read in portions, and the number in memory is bounded.
//!
//! After each epoch a checkpoint keeps everything that the next epoch depends on.

mod adam;
mod block;
mod checkpoint;
pub mod config;
mod epoch;
mod model;
mod order;
mod portions;
mod positions;
mod shard;
mod sources;
mod training;
mod whole;

pub use checkpoint::{CheckpointStore, NoCheckpoints, check_checkpoint};
pub use config::{OlderFile, TrainConfig};
pub use portions::TrainingMemory;
pub use positions::weights_beside;
pub use sources::sources;
pub use training::{Epoch, NetworkFit, TrainTask, TrainingStep, check_has_networks};
pub use whole::SCORE_PER_LOGIT;
