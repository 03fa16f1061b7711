#!/usr/bin/env bash
# Builds the npm package into a folder (default: target/npm of the repository), for `npm pack`.
# Needs only `spar`, which contains the WebAssembly module and the weight sets.
#
# SPAR is the path of the program. MODULE may name a folder with another module and its glue code,
# made by wasm.sh, to use instead of the program's.
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
