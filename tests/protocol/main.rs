//! Engines of others as players: a scripted one plays along and misbehaves in every way.

mod faults;
mod matches;
mod processes;
mod support;
