//! The WebAssembly module that is committed: made from the sources as they are, as its manifest says.

use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use sparring::weights::shipped;
use std::fs;
use std::path::{Path, PathBuf};

/// What the core is made of, below `src`: [`sparring`] without the feature `full`, and what the
/// module adds to it. Of `lib.rs` it needs the list of these.
const CORE: [&str; 10] = [
    "src/any",
    "src/error.rs",
    "src/eval",
    "src/files.rs",
    "src/game",
    "src/games",
    "src/player.rs",
    "src/search",
    "src/weights",
    "frontends/npm/src",
];
/// Parts of them that only the program has.
const FULL: [&str; 3] =
    ["src/games/conformance.rs", "src/games/document.rs", "src/games/source.rs"];
const MANIFEST: &str = "frontends/npm/built/manifest.json";
const MADE: [&str; 2] = ["sparring_wasm.js", "sparring_wasm_bg.wasm.zst"];
/// How to make it anew.
const REMEDY: &str = "frontends/npm/wasm.sh";

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The files below a path, or the file itself.
fn files_of(path: &Path) -> Vec<PathBuf> {
    if path.is_file() {
        return vec![path.to_owned()];
    }
    let mut paths: Vec<PathBuf> =
        fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths.iter().flat_map(|path| files_of(path)).collect()
}

/// What of a source decides what is built: neither comments nor tests do.
fn code(text: &str) -> String {
    let text = text.split("\n#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    let lines = text.lines().map(str::trim);
    lines
        .filter(|line| !line.is_empty() && !line.starts_with("//"))
        .fold(String::new(), |code, line| code + line + "\n")
}

/// The digest of all that the module is made from.
fn digest_of_sources() -> String {
    let mut digest = Sha256::new();
    let mut take = |name: &str, text: &str| {
        digest.update(format!("{name}\n{}\n{text}", text.len()));
    };
    for path in CORE.iter().flat_map(|path| files_of(&root().join(path))) {
        let name = path.strip_prefix(root()).unwrap().to_str().unwrap().replace('\\', "/");
        if FULL.contains(&name.as_str()) {
            continue;
        }
        let text = fs::read_to_string(&path).unwrap();
        take(&name, &if name.ends_with(".rs") { code(&text) } else { text });
    }
    for name in ["frontends/npm/Cargo.toml", "frontends/npm/Cargo.lock"] {
        take(name, &fs::read_to_string(root().join(name)).unwrap());
    }
    // The sets without tables and networks are in the module.
    for shipped in shipped().iter().filter(|set| set.tables().next().is_none()) {
        let set = shipped.read().unwrap();
        if set.network.is_none() {
            take(shipped.name, &set.to_json());
        }
    }
    hex(&digest.finalize())
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The manifest that a module made from the sources as they are has.
fn manifest() -> Value {
    let file = |name: &&str| {
        let bytes = fs::read(root().join("frontends/npm/built").join(name)).unwrap();
        ((*name).to_owned(), Value::from(hex(&Sha256::digest(bytes))))
    };
    let files: serde_json::Map<String, Value> = MADE.iter().map(file).collect();
    json!({ "made_by": REMEDY, "sources": digest_of_sources(), "files": files })
}

/// With SPARRING_BLESS=artefact the manifest is written, as the last step of making the module.
#[test]
fn the_artefact_is_made_from_the_sources_as_they_are() {
    let path = root().join(MANIFEST);
    let expected = manifest();
    if std::env::var_os("SPARRING_BLESS").is_some_and(|value| value == "artefact") {
        fs::write(&path, format!("{expected:#}\n")).unwrap();
    }
    let found: Value = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
    assert_eq!(found["files"], expected["files"], "{MANIFEST} is of other files; run {REMEDY}");
    assert_eq!(
        found["sources"], expected["sources"],
        "the sources of the WebAssembly module have changed since it was built; run {REMEDY} \
         (frontends/npm/README.md says what it needs) and commit frontends/npm/built"
    );
}

#[test]
fn neither_comments_nor_tests_are_code() {
    let text = "//! Docs.\nfn a() {} // kept\n    // gone\n\n#[cfg(test)]\nmod tests {\n    b\n}\n";
    assert_eq!(code(text), "fn a() {} // kept\n");
    assert_ne!(code("fn a() {}"), code("fn b() {}"));
}
