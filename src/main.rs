//! `spar`, the command line of Sparring.

use std::process::ExitCode;

fn main() -> ExitCode {
    sparring::cli::main()
}
