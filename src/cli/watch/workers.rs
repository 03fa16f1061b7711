//! The workers on other machines that play a run, in one line.

use crate::report::units::{self, count};
use crate::run::RunWorkers;

/// The workers of a run in a line.
pub(super) fn workers_text(workers: &RunWorkers) -> String {
    let mut parts = vec![
        units::counted(workers.workers.len() as u64, "worker"),
        units::counted(workers.threads() as u64, "thread"),
        format!("{} jobs/s", units::scaled(workers.rate)),
        format!("{} open", count(workers.open)),
    ];
    if workers.errors > 0 {
        parts.push(units::counted(workers.errors, "error"));
    }
    if !workers.quarantined.is_empty() {
        parts.push(format!("{} quarantined", workers.quarantined.len()));
    }
    parts.join("  ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn workers_are_told_in_a_line() {
        let mut workers = RunWorkers { open: 1200, rate: 3.5, ..RunWorkers::default() };
        assert_eq!(workers_text(&workers), "0 workers  0 threads  3.50 jobs/s  1,200 open");
        workers.errors = 1;
        workers.quarantined.insert("liar".into(), "it lies".into());
        assert!(workers_text(&workers).ends_with("  1 error  1 quarantined"));
    }
}
