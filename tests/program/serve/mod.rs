//! The server of `spar serve`: whom it answers, what it gives away, what it starts, and that no
//! request harms it. The pages themselves are tested by tests/browser.

mod access;
mod copied;
mod hostile;
mod queue;
mod runs;
mod server;
