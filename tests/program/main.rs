//! The program as its users meet it, all in one crate: its command line, the protocols that it
//! speaks with other engines and frontends, and runs that are killed and resumed.

mod cli;
mod cluster;
mod protocol;
mod resume;
mod serve;
