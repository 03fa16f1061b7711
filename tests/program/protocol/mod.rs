//! Both ends of the protocols: external engines as players, among them a scripted one that
//! misbehaves in every way; and our own engine as frontends see it.

#[cfg(feature = "chess")]
mod chess;
mod clocks;
mod continued;
pub(crate) mod dialogue;
mod fairy;
mod faults;
mod forfeits;
mod fuzz;
mod identity;
mod knobs;
mod limits;
mod matches;
mod option_fit;
mod peers;
mod processes;
mod referees;
mod served;
mod support;
pub(crate) mod trust;
mod tunes;
