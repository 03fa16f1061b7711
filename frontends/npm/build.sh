#!/usr/bin/env bash
# Builds the npm package into a folder (default: target/npm of the repository), for `npm pack`. Needs
# `spar` only, which has the WebAssembly module and the weight sets in it.
#
# SPAR says where the program is; MODULE names a folder with another module and its glue, as wasm.sh
# makes it, to be taken in place of the program's.
set -euo pipefail
here="$(cd "$(dirname "$0")" && pwd)"
root="$(cd "$here/../.." && pwd)"
out="${1:-$root/target/npm}"
spar="${SPAR:-$root/target/release/spar}"

folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
"$spar" export web "$folder/page" --json >/dev/null

rm -rf "$out"
mkdir -p "$out"
cp -r "$folder/page/assets/engine/js" "$folder/page/assets/engine/sets" "$out/"
cp "$here"/js/*.js "$here"/js/*.d.ts "$out/js/"
cp "$here/package.json" "$here/README.md" "$root/LICENSE" "$out/"
if [ -n "${MODULE:-}" ]; then
    cp "$MODULE"/* "$out/js/wasm/"
fi
echo "$out"
