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
need python3 python3 # the scripted engine of tests/protocol

cargo test --locked --quiet
