//! The library by its public interface, all in one crate, so that what the tests share is compiled
//! once: rules and features against second implementations, the search against searches without
//! pruning, statistics, tunes, files and reports.

mod common;
mod bless;
mod tuning;

mod article;
mod book;
mod decisions;
mod endgames;
mod english;
mod features;
mod fit_faults;
mod frontend;
mod fuzz;
mod games;
mod json_docs;
mod logistic;
mod move_order;
mod networks;
mod opening_tree;
mod perft;
mod phases;
mod report;
mod rules;
mod run_dir;
mod runs;
mod search;
mod search_lines;
mod search_limits;
mod search_truth;
mod solve;
mod source;
mod tournament;
mod tree_search;
mod tune;
mod weights;
mod weights_fuzz;
