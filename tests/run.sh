#!/usr/bin/env bash
# Runs every test, on any machine with a Rust toolchain; what else is needed is installed when it is missing.
set -euo pipefail
cd "$(dirname "$0")/.."

need() {
    command -v "$1" >/dev/null 2>&1 && return
    echo "installing $2, which the tests need" >&2
    local sudo=""
    [ "$(id -u)" -eq 0 ] || sudo="sudo"
    $sudo apt-get update -qq
    $sudo apt-get install -y -qq "$2" >/dev/null
}

need cc gcc # the zstd crate builds C
need python3 python3 # the scripted engine of tests/program/protocol
need pip3 python3-pip
need node nodejs
need npm npm

# Programs of others that tests/program/protocol/fairy.rs plays against, kept outside the sources.
peers="${CARGO_TARGET_DIR:-target}/peers"
mkdir -p "$peers"
peers="$(cd "$peers" && pwd)"
fairy="fairy-stockfish-nnue.wasm@1.1.12" client="chess==1.11.2"
if [ "$(cat "$peers/fetched" 2>/dev/null)" != "$fairy $client" ]; then
    npm install --silent --no-audit --no-fund --prefix "$peers" "$fairy"
    pip3 install --quiet --disable-pip-version-check --root-user-action ignore --upgrade --target "$peers/python" "$client"
    echo "$fairy $client" >"$peers/fetched"
fi
export SPARRING_PEERS="$peers"

cargo test --locked --quiet
