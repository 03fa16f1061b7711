#!/usr/bin/env bash
# Builds the wheel, with the program in it, into a folder (default: target/wheels of this folder).
# SPAR says where the program is, of the same version (default: target/release/spar of the
# repository); what else is named goes to maturin.
set -euo pipefail
cd "$(dirname "$0")"
out="target/wheels"
case "${1:-}" in "" | -*) ;; *) out="$1" && shift ;; esac
spar="${SPAR:-../../target/release/spar}"
mkdir -p sparring.data/scripts
trap 'rm -rf sparring.data' EXIT
cp "$spar" sparring.data/scripts/spar
# What it says for debuggers is three times the rest.
strip sparring.data/scripts/spar 2>/dev/null || true
maturin build --locked --quiet --out "$out" "$@"
