#!/usr/bin/env bash
# Builds a release and packs it with its licence and completions into target/dist, with a checksum.
set -euo pipefail
cd "$(dirname "$0")/.."

version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)
system=$(rustc -vV | sed -n 's/^host: //p')
name=sparring-$version-$system
folder=target/dist/$name

cargo build --release --locked
binary=${CARGO_TARGET_DIR:-target}/release/spar
rm -rf "$folder"
mkdir -p "$folder/completions"
# The profile of releases strips it already.
cp "$binary" LICENSE README.md CHANGELOG.md "$folder"
for shell in bash zsh fish; do
    "$binary" completions "$shell" > "$folder/completions/spar.$shell"
done
# The same files give the same archive.
time=$(git log -1 --format=%cI 2>/dev/null || echo 1970-01-01)
tar --sort=name --mtime="$time" --owner=0 --group=0 --numeric-owner \
    -C target/dist -cf - "$name" | gzip -n9 > "$folder.tar.gz"
(cd target/dist && sha256sum "$name.tar.gz" > "$name.tar.gz.sha256")
echo "$folder.tar.gz"
echo "$folder.tar.gz.sha256"
