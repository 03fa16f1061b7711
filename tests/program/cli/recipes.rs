//! The systemd units of `docs/recipes`.

use super::support::text;
use std::fs;
use std::os::unix::fs::symlink;
use std::process::Command;

/// The units with the instance that a template is tried with.
const UNITS: [(&str, &str); 3] = [
    ("sparring-serve.service", "sparring-serve.service"),
    ("sparring-tune@.service", "sparring-tune@night.service"),
    ("sparring-worker@.service", "sparring-worker@desk.service"),
];

/// They call the program where the book puts it, and systemd, where it is installed, reads them.
#[test]
fn units_call_the_program_where_it_is_installed() {
    let home = tempfile::tempdir().unwrap();
    let bin = home.path().join(".local/bin");
    fs::create_dir_all(&bin).unwrap();
    symlink(assert_cmd::cargo::cargo_bin!("spar"), bin.join("spar")).unwrap();
    for (file, instance) in UNITS {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/recipes");
        let unit = fs::read_to_string(format!("{path}/{file}")).unwrap();
        let command =
            unit.lines().find_map(|line| line.strip_prefix("ExecStart=%h/.local/bin/spar "));
        let verb = command.and_then(|command| command.split_whitespace().next());
        let verb = verb.unwrap_or_else(|| panic!("{file}: {unit}"));
        if cfg!(feature = "cluster") || verb != "worker" {
            assert!(text(&format!("{verb} --help")).contains("Usage"), "{file}");
        }
        let copy = home.path().join(instance);
        fs::write(&copy, unit).unwrap();
        let verify = Command::new("systemd-analyze")
            .args(["--user", "verify"])
            .arg(&copy)
            .env("HOME", home.path())
            .env("XDG_RUNTIME_DIR", home.path())
            .output();
        if let Ok(verify) = verify {
            assert!(verify.status.success(), "{file}: {}", String::from_utf8_lossy(&verify.stderr));
        }
    }
}
