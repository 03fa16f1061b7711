//! Monte-Carlo tree search: the tree grows one leaf at a time, where the next evaluation is worth
//! most.
//!
//! Two algorithms share the tree and differ in their leaves:
//! - [`Algorithm::Mcts`]: PUCT. Each move of a leaf gets the evaluation of the position after it,
//!   squashed to -1..1 by a logistic function; a softmax of the same values is the prior.
//! - [`Algorithm::Uct`]: UCB1. A leaf gets the result of a random playout, in which each side wins
//!   at once if the rules show how, and answers threats to win.
//!
//! In both, proven wins and losses below a node prove the node (MCTS-Solver). Transpositions share
//! a node, and the subtree of the next root is kept between searches. The value of a move mixes the
//! mean over its visits with its minimax value (implicit minimax backups, Lanctot et al. 2014).
//!
//! Every leaf counts as a node, and so does every evaluation of a position after a leaf's move. The
//! tree takes the memory that the transposition table of the other algorithms would take. A full
//! tree no longer grows, and its leaves are evaluated without being stored.
//!
//! A search has no depth of its own. It completes depth n when the most visited line has n moves,
//! or at the latest after [`LEAST_SIMULATIONS`](driver::LEAST_SIMULATIONS) times 2^n simulations.
//!
//! [`Algorithm::Mcts`]: super::Algorithm::Mcts
//! [`Algorithm::Uct`]: super::Algorithm::Uct

mod backup;
mod driver;
mod expand;
mod lines;
mod playout;
mod proof;
mod select;
mod tree;
mod value;
mod worker;

pub(super) use driver::{TreeMemory, search};
