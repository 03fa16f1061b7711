//! Runs that workers play: they give the same result as on one machine, whatever happens to
//! workers, server and coordinator. `tests/run.sh` installs the server; a bare `cargo test` leaves
//! these tests out.
#![cfg(all(feature = "cluster", unix))]

mod engines;
mod faults;
mod harness;
mod hostile;
mod login;
mod same;
mod signals;
