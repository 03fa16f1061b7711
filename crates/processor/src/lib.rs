//! Checks the processor before any code of Rust runs.
//!
//! A program built for x86-64-v3 dies of SIGILL on an older processor, and cannot check from inside:
//! every function, `main` and the runtime's own included, may use the missing instructions, and
//! `is_x86_feature_detected!` is a constant `true` there. So `check.c`, compiled for any x86-64
//! processor, runs as a constructor. If the processor lacks something that this build uses, it starts
//! the program `NAME-x86-64` beside the program `NAME`; if there is none, it names the missing
//! instruction sets and the remedy on stderr and exits with code 1.
//!
//! A crate that is linked with this one has the check; there is nothing to call. Builds for other
//! processors and systems have none.
