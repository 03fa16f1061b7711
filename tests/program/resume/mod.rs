//! A run survives everything that can happen to it: the real program is killed, interrupted,
//! started twice, run out of disk, and its files are damaged; the result equals that of an
//! uninterrupted run.
#![cfg(unix)]

mod constants;
mod damage;
mod disk;
#[cfg(target_os = "linux")]
mod faulty_calls;
mod flips;
pub(crate) mod harness;
mod joined;
mod kills;
mod kinds;
#[cfg(unix)]
mod links;
mod lost_lines;
mod phases;
mod places;
mod positions;
mod rounds;
mod matches;
mod signals;
mod trainings;
