//! Checks the processor before any Rust code runs.
//!
//! A program built for x86-64-v3 dies of SIGILL on an older processor. It cannot check this itself:
//! every function, including `main` and the runtime's own, may use the missing instructions, and
//! `is_x86_feature_detected!` is a constant `true` there. Instead `check.c`, compiled for any
//! x86-64 processor, runs as a constructor. If the processor lacks instructions of this build, the
//! check of a program `NAME` starts the adjacent program `NAME-x86-64`. If there is none, it prints
//! the missing instruction sets and the remedy to stderr, and exits with code 1.
//!
//! Linking this crate adds the check; there is nothing to call. Builds for other processors and
//! operating systems have no check.
