#!/usr/bin/env python3
"""The manifest of the committed WebAssembly module: digests of its sources and of the built files.
`digest.py` writes it as the last step of wasm.sh; `digest.py --check` tests whether it is still valid.
A test calls the check, so that no change of the engine is forgotten here.
"""

import hashlib
import json
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
BUILT = HERE / "built"
MADE = ["sparring_wasm.js", "sparring_wasm_bg.wasm.gz"]

ENGINE = ROOT / "crates" / "engine" / "src"
SOURCES = [ROOT / "crates" / "error" / "src", ENGINE, HERE / "src"]
# Parts of the engine that the module does not use.
UNUSED = [ENGINE / "games" / name for name in ("chess", "conformance.rs", "document.rs", "source")]
UNUSED += [ENGINE / "search" / "mcts", ENGINE / "eval" / "check", ENGINE / "simple"]
TESTS = "\n#[cfg(test)]\nmod tests {"


def code(text):
    """The part of a source that affects the build: no comments and no tests."""
    lines = (line.strip() for line in text.split(TESTS)[0].splitlines())
    return "\n".join(line for line in lines if line and not line.startswith("//"))


def sources():
    """Every text that the module is built from, with its file."""
    files = [file for path in SOURCES for file in ([path] if path.is_file() else path.rglob("*.rs"))]
    for file in sorted(files):
        if not any(part in (file, *file.parents) for part in UNUSED):
            yield file, code(file.read_text(encoding="utf-8"))
    for name in ("Cargo.toml", "Cargo.lock"):
        yield HERE / name, (HERE / name).read_text(encoding="utf-8")
    # Sets without tables and networks are in the module.
    for file in sorted((ROOT / "weights").glob("*/*.json")):
        text = file.read_text(encoding="utf-8")
        document = json.loads(text) if file.stem != "conformance" else {}
        weights = document.get("weights", {}).values()
        if weights and not document.get("network") and all(type(w) is int for w in weights):
            yield file, text


def manifest():
    digest = hashlib.sha256()
    for file, text in sources():
        name = file.relative_to(ROOT).as_posix()
        digest.update(f"{name}\n{len(text)}\n{text}".encode())
    files = {name: hashlib.sha256((BUILT / name).read_bytes()).hexdigest() for name in MADE}
    return {"made_by": "frontends/npm/wasm.sh", "sources": digest.hexdigest(), "files": files}


def main():
    path = BUILT / "manifest.json"
    if sys.argv[1:] != ["--check"]:
        path.write_text(json.dumps(manifest(), indent=2) + "\n", encoding="utf-8")
        return
    found, expected = json.loads(path.read_text(encoding="utf-8")), manifest()
    if found["files"] != expected["files"]:
        sys.exit(f"{path}: of other files than those beside it; run frontends/npm/wasm.sh")
    if found["sources"] != expected["sources"]:
        sys.exit(
            f"{path}: the sources of the WebAssembly module have changed since it was built; "
            "run frontends/npm/wasm.sh (frontends/npm/README.md says what it needs) and commit "
            "frontends/npm/built"
        )


main()
