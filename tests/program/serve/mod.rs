//! The server of `spar serve`: which requests it answers, what it reveals, what it starts, and that
//! no request harms it. tests/browser tests the pages themselves.

mod access;
mod copied;
mod hostile;
mod queue;
mod runs;
mod server;
