#!/usr/bin/env bash
# Builds the npm package into a folder (default: target/npm of the repository), for `npm pack`.
# Needs the target wasm32-unknown-unknown (rustup target add), wasm-bindgen-cli of the version in
# Cargo.lock, and `spar` for the weight sets.
#
# WASM says where a module is that was built otherwise, BINDGEN the program that makes its glue,
# SPAR the program.
set -euo pipefail
here="$(cd "$(dirname "$0")" && pwd)"
root="$(cd "$here/../.." && pwd)"
out="${1:-$root/target/npm}"
bindgen="${BINDGEN:-wasm-bindgen}"
spar="${SPAR:-$root/target/release/spar}"

if [ -z "${WASM:-}" ]; then
    # Searches recurse deeply; networks take half the time with vectors of 128 bits.
    export RUSTFLAGS="${RUSTFLAGS:-} -C link-arg=-zstack-size=16777216 -C target-feature=+simd128"
    cargo build --locked --release --target wasm32-unknown-unknown \
        --manifest-path "$here/Cargo.toml"
    WASM="$here/target/wasm32-unknown-unknown/release/sparring_wasm.wasm"
fi

rm -rf "$out"
mkdir -p "$out/js/wasm" "$out/sets"
cp "$here"/js/*.js "$here"/js/*.d.ts "$out/js/"
cp "$here/package.json" "$here/README.md" "$root/LICENSE" "$out/"
"$bindgen" --target web --out-dir "$out/js/wasm" --no-typescript "$WASM"
if command -v wasm-opt >/dev/null; then
    module="$out/js/wasm/sparring_wasm_bg.wasm"
    # What the compiler uses, and no more: newer features are not known to every browser.
    wasm-opt -O3 --enable-bulk-memory --enable-multivalue --enable-mutable-globals \
        --enable-nontrapping-float-to-int --enable-reference-types --enable-sign-ext --enable-simd \
        "$module" -o "$module"
fi

node "$here/sets.mjs" "$spar" "$out/sets"
echo "$out"
