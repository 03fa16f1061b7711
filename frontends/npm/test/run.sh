#!/usr/bin/env bash
# Packs the built package, installs it into an empty folder and tests it from there in Node. If
# SPARRING_PEERS has playwright-core, axe-core and the bundlers (as tests/run.sh installs them), it
# also tests it in Chromium, bundled too. PACKAGE is the folder that build.sh wrote (default:
# target/npm), SPAR the program.
set -euo pipefail
here="$(cd "$(dirname "$0")" && pwd)"
root="$(cd "$here/../../.." && pwd)"
package="${PACKAGE:-$root/target/npm}"
export SPAR="${SPAR:-$root/target/release/spar}"
export REPOSITORY="$root"

folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
archive="$(cd "$package" && npm pack --silent --pack-destination "$folder")"
cd "$folder"
echo '{ "private": true, "type": "module" }' >package.json
npm install --silent --no-audit --no-fund --ignore-scripts "./$archive"
cp "$here"/*.mjs .
# A worker left behind by a failed test would keep Node from ending.
node --test --test-force-exit api.mjs native.mjs
driver="${SPARRING_PEERS:-}/node_modules/playwright-core"
if [ -d "$driver" ]; then
    ln -s "$driver" node_modules/playwright-core
    ln -s "$SPARRING_PEERS/node_modules/axe-core" node_modules/axe-core
    node --test --test-force-exit browser.mjs
    for tool in vite webpack esbuild rollup @rollup/plugin-node-resolve; do
        mkdir -p "$(dirname "node_modules/$tool")"
        ln -s "$SPARRING_PEERS/node_modules/$tool" "node_modules/$tool"
    done
    node --test --test-force-exit board.mjs bundlers.mjs
else
    echo "frontends/npm/test/run.sh leaves Chromium out: SPARRING_PEERS has no playwright-core" >&2
fi
