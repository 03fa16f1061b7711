#!/usr/bin/env bash
# Builds a release and packs it with its licence and completions into target/dist, with a checksum.
# On x86-64 Linux the programs are linked statically with musl, so that they run on any
# distribution: `spar` for x86-64-v3, and `spar-x86-64`, which it starts on older processors.
#
# tests/release.sh [PROFILE [PROGRAM OPTION...]]
#
# To test this script, name another profile (dev) or another program: its path among the build
# outputs and the cargo options that build it. SPARRING_TARGET sets another target system.
set -euo pipefail
cd "$(dirname "$0")/.."

profile=${1:-release}
program=${2:-spar}
options=("${@:3}")
# Releases also serve workers on other machines.
[ $# -ge 2 ] || options=(--features cluster)
built=$([ "$profile" = dev ] && echo debug || echo "$profile")
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)
musl=x86_64-unknown-linux-musl
host=$(rustc -vV | sed -n 's/^host: //p')
system=${SPARRING_TARGET:-${host/%x86_64-unknown-linux-gnu/$musl}}
target=${CARGO_TARGET_DIR:-target}
name=sparring-$version-$system
dist=$target/dist
folder=$dist/$name

if [ "$system" = "$musl" ]; then
    rustup target list --installed | grep -qx "$musl" || rustup target add "$musl"
    command -v musl-gcc >/dev/null || { echo "install musl-gcc (Debian: musl-tools)" >&2; exit 1; }
fi

build() { # NAME
    cargo build --profile "$profile" --locked --target "$system" "${options[@]}"
    cp "$target/$system/$built/$program" "$folder/$1"
}

rm -rf "$folder"
mkdir -p "$folder/completions"
[ "$system" != "$musl" ] || RUSTFLAGS="-C target-cpu=x86-64" build spar-x86-64
# Release profiles strip the program already.
build spar
cp LICENSE README.md CHANGELOG.md "$folder"
for shell in bash zsh fish; do
    "$folder/spar" completions "$shell" > "$folder/completions/spar.$shell"
done
# Equal files give an identical archive.
time=$(git log -1 --format=%cI 2>/dev/null || echo 1970-01-01)
tar --sort=name --mtime="$time" --owner=0 --group=0 --numeric-owner \
    -C "$dist" -cf - "$name" | gzip -n9 > "$folder.tar.gz"
(cd "$dist" && sha256sum "$name.tar.gz" > "$name.tar.gz.sha256")
echo "$folder.tar.gz"
echo "$folder.tar.gz.sha256"
