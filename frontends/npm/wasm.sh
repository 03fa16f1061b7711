#!/usr/bin/env bash
# Builds the WebAssembly module and its glue code into built/, from where the program and the npm
# package take them. It is needed after a change of the module's sources. The result is committed,
# and a test compares the digests in built/manifest.json with the sources (digest.py). With a folder
# as argument it writes the files there instead.
#
# Needs zopfli, npm, Python, wasm-bindgen in the version of Cargo.lock, and the target
# wasm32-unknown-unknown (rustup target add). If the target or wasm-bindgen is missing, toolchain.sh
# installs them.
#
# MODULE may name a module built otherwise, BINDGEN the program that generates the glue code, and
# WASM_OPT the optimizer, which npm installs by default.
set -euo pipefail
here="$(cd "$(dirname "$0")" && pwd)"
root="$(cd "$here/../.." && pwd)"
target="wasm32-unknown-unknown"
optimizer="binaryen@132.0.0"
minifier="esbuild@0.28.2"
version="$(sed -n '/^name = "wasm-bindgen"$/{n;s/version = "\(.*\)"/\1/p}' "$here/Cargo.lock")"
tools="$here/target/tools"
bindgen="${BINDGEN:-wasm-bindgen}"
if [ -z "${BINDGEN:-}" ] && [ -x "$tools/bindgen/bin/wasm-bindgen" ]; then
    bindgen="$tools/bindgen/bin/wasm-bindgen"
fi
if [ "$("$bindgen" --version 2>/dev/null)" != "wasm-bindgen $version" ]; then
    echo "wasm.sh: $bindgen is not wasm-bindgen $version; run" \
        "\`cargo install wasm-bindgen-cli --version $version\` or frontends/npm/toolchain.sh" >&2
    exit 1
fi

command -v zopfli >/dev/null || {
    echo "wasm.sh: zopfli is missing; install the package of that name" >&2
    exit 1
}

module="${MODULE:-$here/target/$target/release/sparring_wasm.wasm}"
if [ -z "${MODULE:-}" ]; then
    # Searches recurse deeply. Networks take half the time with 128-bit vectors.
    export RUSTFLAGS="-C link-arg=-zstack-size=16777216 -C target-feature=+simd128"
    export RUSTFLAGS="$RUSTFLAGS --remap-path-prefix=$root=sparring --remap-path-prefix=${CARGO_HOME:-$HOME/.cargo}=cargo"
    options=(--locked --release --target "$target" --target-dir "$here/target" --manifest-path "$here/Cargo.toml")
    if [ -x "$tools/rust/usr/bin/rustc" ]; then
        # Debian's compiler with the source of its standard library. Panic messages would reach
        # nobody, and leaving them out makes the module a tenth smaller.
        export RUSTFLAGS="$RUSTFLAGS -Z unstable-options -C panic=immediate-abort"
        linker="$(dirname "$(rustup which rustc)")/../lib/rustlib/$(uname -m)-unknown-linux-gnu/bin/rust-lld"
        LD_LIBRARY_PATH="$tools/rust/usr/lib/$(uname -m)-linux-gnu" \
            RUSTC="$tools/rust/usr/bin/rustc" RUSTC_BOOTSTRAP=1 \
            CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER="$linker" \
            cargo build -Z build-std=std,panic_abort "${options[@]}"
    else
        cargo build "${options[@]}"
    fi
fi

folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
"$bindgen" --target web --no-typescript --out-dir "$folder" --out-name sparring_wasm "$module"
optimize=("${WASM_OPT:-}")
if [ -z "${WASM_OPT:-}" ]; then
    npm install --silent --no-audit --no-fund --prefix "$here/target/optimizer" "$optimizer"
    optimize=("$here/target/optimizer/node_modules/.bin/wasm-opt")
fi
# The features that the compiler uses, and no more: some browsers lack newer ones.
"${optimize[@]}" -O3 --enable-bulk-memory --enable-multivalue --enable-mutable-globals \
    --enable-nontrapping-float-to-int --enable-reference-types --enable-sign-ext --enable-simd \
    "$folder/sparring_wasm_bg.wasm" -o "$folder/sparring_wasm_bg.wasm"

# The package always passes the module's address, and bundlers would look for an unpacked module.
sed -i "/module_or_path = new URL('sparring_wasm_bg.wasm', import.meta.url);/d" "$folder/sparring_wasm.js"

out="${1:-$here/built}"
mkdir -p "$out"
# Minified, the glue code takes half the bytes of a first visit.
npm install --silent --no-audit --no-fund --prefix "$here/target/minifier" "$minifier"
"$here/target/minifier/node_modules/.bin/esbuild" --minify --format=esm --log-level=warning \
    "$folder/sparring_wasm.js" --outfile="$out/sparring_wasm.js" --allow-overwrite
zopfli -c "$folder/sparring_wasm_bg.wasm" >"$out/sparring_wasm_bg.wasm.gz"
[ -z "${1:-}" ] || exit 0
python3 "$here/digest.py"
cat "$here/built/manifest.json"
