#!/usr/bin/env bash
# Builds a release and packs it with its licence and completions into target/dist, with a checksum.
# On x86-64 Linux the programs are linked statically, with musl, so that they run on any distribution:
# `spar` for x86-64-v3, and `spar-x86-64`, which it starts where the processor is older.
# `tests/release.sh dev` packs unoptimised programs, to test this script.
set -euo pipefail
cd "$(dirname "$0")/.."

profile=${1:-release}
built=$([ "$profile" = dev ] && echo debug || echo "$profile")
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)
system=$(rustc -vV | sed -n 's/^host: //p')
[ "$system" != x86_64-unknown-linux-gnu ] || system=x86_64-unknown-linux-musl
name=sparring-$version-$system
dist=${CARGO_TARGET_DIR:-target}/dist
folder=$dist/$name
binary=${CARGO_TARGET_DIR:-target}/$system/$built/spar

if [ "$system" = x86_64-unknown-linux-musl ]; then
    rustup target add --toolchain "$(rustc -vV | sed -n 's/^release: //p')" "$system" 2>/dev/null ||
        rustup target add "$system"
    command -v musl-gcc >/dev/null || { echo "install musl-gcc (Debian: musl-tools)" >&2; exit 1; }
fi

build() {
    cargo build --profile "$profile" --locked --target "$system"
}

rm -rf "$folder"
mkdir -p "$folder/completions"
if [ "$system" = x86_64-unknown-linux-musl ]; then
    RUSTFLAGS="-C target-cpu=x86-64" build
    cp "$binary" "$folder/spar-x86-64"
fi
build
# The profile of releases strips it already.
cp "$binary" LICENSE README.md CHANGELOG.md "$folder"
for shell in bash zsh fish; do
    "$binary" completions "$shell" > "$folder/completions/spar.$shell"
done
# The same files give the same archive.
time=$(git log -1 --format=%cI 2>/dev/null || echo 1970-01-01)
tar --sort=name --mtime="$time" --owner=0 --group=0 --numeric-owner \
    -C "$dist" -cf - "$name" | gzip -n9 > "$folder.tar.gz"
(cd "$dist" && sha256sum "$name.tar.gz" > "$name.tar.gz.sha256")
echo "$folder.tar.gz"
echo "$folder.tar.gz.sha256"
