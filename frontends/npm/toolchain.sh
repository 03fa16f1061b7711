#!/usr/bin/env bash
# Installs the tools of wasm.sh into target/tools of this folder, for systems whose rustup lacks the
# target wasm32-unknown-unknown: wasm-bindgen and Debian's compiler for WebAssembly. The compiler is
# only unpacked, since its package conflicts with others. For Debian 12 and newer; takes ten
# minutes, once.
set -euo pipefail
here="$(cd "$(dirname "$0")" && pwd)"
tools="$here/target/tools"
version="$(sed -n '/^name = "wasm-bindgen"$/{n;s/version = "\(.*\)"/\1/p}' "$here/Cargo.lock")"
mkdir -p "$tools/packages"

if [ ! -x "$tools/rust/usr/bin/rustc" ]; then
    # The newest compiler with its libraries; the package lists may be out of date.
    sudo=""
    [ "$(id -u)" -eq 0 ] || sudo="sudo"
    $sudo apt-get update -qq
    release="$(apt-cache show rustc-web | sed -n 's/^Version: //p' | sort -V | tail -n 1)"
    compiler="libstd-rust-web-$(cut -d. -f1,2 <<<"$release")"
    llvm="$(apt-cache depends "$compiler" | sed -n 's/.*Depends: \(libllvm[0-9]*\)$/\1/p')"
    (
        cd "$tools/packages"
        apt-get download "rustc-web=$release" "libstd-rust-web-dev=$release" \
            "rust-web-src=$release" "$compiler=$release" "$llvm"
        for package in *.deb; do dpkg -x "$package" "$tools/rust" && rm "$package"; done
    )
fi

if [ "$("$tools/bindgen/bin/wasm-bindgen" --version 2>/dev/null)" != "wasm-bindgen $version" ]; then
    cargo install --no-default-features --root "$tools/bindgen" \
        --target-dir "$tools/bindgen-target" wasm-bindgen-cli --version "$version"
    rm -rf "$tools/bindgen-target"
fi
