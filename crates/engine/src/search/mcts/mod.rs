//! Monte-Carlo tree search: a tree that grows one leaf at a time where the next evaluation is
//! worth most.
//!
//! Two algorithms share the tree and differ in its leaves:
//! - [`Algorithm::Mcts`]: PUCT. A leaf's moves get the evaluation of the positions after them,
//!   squashed to -1..1 by a logistic; a softmax of the same values is their prior.
//! - [`Algorithm::Uct`]: UCB1. A leaf gets the result of a random playout, in which each side wins
//!   at once where the rules show how and answers a threat to win.
//!
//! In both, wins and losses that are proven below a node prove the node (MCTS-Solver), positions
//! that several lines reach are one node, and the part of the tree below the position of the next
//! search is kept. The value of a line is a mixture of the mean over its visits and of its minimax
//! value (implicit minimax backups, Lanctot et al. 2014).
//!
//! Every leaf counts as a node, and so does every evaluation of a position after one of its moves.
//! The tree takes as much memory as the transposition table of the other algorithms would. Once it
//! is full, it grows no more, and its leaves are evaluated without being kept.
//!
//! A search has no depth of its own. Depth n is finished when the most visited line has n moves, at
//! the latest after [`LEAST_SIMULATIONS`](driver::LEAST_SIMULATIONS) times 2^n simulations.
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
