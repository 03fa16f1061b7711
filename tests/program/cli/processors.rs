//! The program on processors that it was and was not built for, emulated by qemu-user.

use super::support::{stderr, stdout};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::{Command, Output};

/// The program to start, from the packed release in the folder `SPARRING_PACKED`.
fn program() -> PathBuf {
    match std::env::var_os("SPARRING_PACKED") {
        Some(folder) => PathBuf::from(folder).join("spar"),
        None => assert_cmd::cargo::cargo_bin!("spar").into(),
    }
}

/// A program's output on a processor of this model.
fn on(model: &str, program: &PathBuf, arguments: &str) -> Output {
    let mut command = Command::new("qemu-x86_64");
    command.args(["-cpu", model]).arg(program).args(arguments.split_whitespace());
    command.output().expect("qemu-x86_64 (Debian: qemu-user)")
}

const WORK: [&str; 3] = [
    "--version",
    "perft --depth 3",
    "match piece hand --board 5x5 --nodes 20 --pairs 1 --threads 1 --no-run",
];

#[test]
#[ignore = "needs qemu-user: tests/run.sh"]
fn processors_of_three_makes_run_the_program() {
    for model in ["Haswell", "Skylake-Client", "EPYC"] {
        for work in WORK {
            let output = on(model, &program(), work);
            assert_eq!(output.status.code(), Some(0), "{model}, {work}: {}", stderr(&output));
        }
    }
}

#[test]
#[ignore = "needs qemu-user: tests/run.sh"]
fn an_older_processor_gets_the_reason_and_the_remedy() {
    let folder = tempfile::tempdir().unwrap();
    let alone = folder.path().join("spar");
    fs::copy(program(), &alone).unwrap();
    for model in ["Nehalem", "SandyBridge"] {
        for work in WORK {
            let output = on(model, &alone, work);
            let text = stderr(&output);
            assert_eq!((output.status.code(), stdout(&output)), (Some(1), String::new()), "{text}");
            let errors: Vec<&str> = text.lines().filter(|line| line.contains("error")).collect();
            let [error] = errors[..] else { panic!("{model}: {text}") };
            assert!(error.contains("avx2") && error.contains("target-cpu=native"), "{error}");
        }
    }
}

#[test]
#[ignore = "needs qemu-user: tests/run.sh"]
fn an_older_processor_starts_the_program_for_any_processor_beside_it() {
    let folder = tempfile::tempdir().unwrap();
    let (fast, plain) = (folder.path().join("spar"), folder.path().join("spar-x86-64"));
    fs::copy(program(), &fast).unwrap();
    fs::write(&plain, "#!/bin/sh\necho \"$#:$1:$2\"\nexit 3\n").unwrap();
    fs::set_permissions(&plain, PermissionsExt::from_mode(0o755)).unwrap();
    let output = Command::new("qemu-x86_64")
        .args(["-cpu", "Nehalem"])
        .arg(&fast)
        .args(["first", "two words", ""])
        .output()
        .unwrap();
    assert_eq!((output.status.code(), stdout(&output).as_str()), (Some(3), "3:first:two words\n"));
}

/// The second program of a packed release.
#[test]
#[ignore = "needs qemu-user and a packed release: tests/run.sh"]
fn the_packed_program_for_any_processor_runs_on_an_older_one() {
    let Some(folder) = std::env::var_os("SPARRING_PACKED") else { return };
    let plain = PathBuf::from(folder).join("spar-x86-64");
    for work in WORK {
        let output = on("Nehalem", &plain, work);
        assert_eq!(output.status.code(), Some(0), "{work}: {}", stderr(&output));
    }
}
