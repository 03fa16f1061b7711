//! The systemd units and the recipes of containers in `docs/recipes`.

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

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// They build with the toolchain that the sources ask for, copy what the build makes and the
/// sources have, and call commands of the program.
#[test]
fn recipes_of_containers_fit_the_sources() {
    let manifest = fs::read_to_string(format!("{ROOT}/Cargo.toml")).unwrap();
    let version = manifest.lines().find_map(|line| line.strip_prefix("rust-version = \""));
    let toolchain = format!("library/rust:{}-slim-", version.unwrap().trim_end_matches('"'));
    for (file, feature, verbs) in
        [("Containerfile", "", ""), ("Containerfile.worker", " --features cluster", "worker")]
    {
        let recipe = fs::read_to_string(format!("{ROOT}/docs/recipes/{file}")).unwrap();
        let has = |line: &str| recipe.lines().any(|known| known == line);
        assert!(recipe.contains(&toolchain), "{file} builds with another toolchain: {toolchain}");
        assert!(has(&format!("RUN cargo build --release --locked{feature}")), "{recipe}");
        let copied =
            recipe.lines().filter_map(|line| line.strip_prefix("COPY --from=build /source/"));
        for source in copied.map(|line| line.split(' ').next().unwrap()) {
            let exists = fs::exists(format!("{ROOT}/{source}")).unwrap();
            assert!(exists || source == "target/release/spar", "{file}: {source}");
        }
        let words: Vec<String> = ["spar", verbs]
            .iter()
            .filter(|word| !word.is_empty())
            .map(|w| format!("{w:?}"))
            .collect();
        assert!(has(&format!("ENTRYPOINT [{}]", words.join(", "))), "{recipe}");
        assert!(has("STOPSIGNAL SIGTERM"), "{recipe}");
        if cfg!(feature = "cluster") || verbs.is_empty() {
            assert!(text(&format!("{verbs} --help")).contains("Usage"), "{file}");
        }
    }
    // It leaves out the gigabytes of a build.
    let ignored = fs::read_to_string(format!("{ROOT}/.containerignore")).unwrap();
    for folder in ["target", ".git", "runs"] {
        assert!(ignored.lines().any(|line| line == folder), "{ignored}");
    }
}
