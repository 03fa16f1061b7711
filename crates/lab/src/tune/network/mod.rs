//! Training of networks: weights of a hidden layer under which the value of a position predicts the
//! result of its game and the search's score.
//!
//! ```text
//! records -> dedup, scale (as a logistic fit has them) -> positions -> training (blocks)
//!                                                                   -> whole numbers -> set
//! ```
//!
//! Adam (Kingma and Ba 2015) on the cross-entropy, with a rate that falls along a cosine. The
//! hidden units are dealt to blocks, each with its weights, their gradients and moments; a thread
//! works through all positions of a batch for a block. So no gradients of threads are added up,
//! and the weights do not depend on the number of threads, not even in the last bit.
//!
//! After each epoch everything that the next one depends on is kept: a checkpoint.

mod block;
mod checkpoint;
pub mod config;
mod model;
mod order;
mod positions;
mod sources;
mod training;
mod whole;

pub use checkpoint::{CheckpointStore, NoCheckpoints, check_checkpoint};
pub use config::{OlderFile, TrainConfig};
pub use positions::weights_beside;
pub use sources::sources;
pub use training::{Epoch, NetworkFit, TrainTask, TrainingStep, check_has_networks};
pub use whole::SCORE_PER_LOGIT;
