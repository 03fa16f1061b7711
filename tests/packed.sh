#!/usr/bin/env bash
# Runs tests/release.sh with the smallest program in place of spar, and starts the packed programs
# on three processor models. Whole releases are tested by hand: docs/src/releasing.md.
set -euo pipefail
cd "$(dirname "$0")/.."
scratch="$(mktemp -d)"
trap 'rm -rf "$scratch"' EXIT

fail() {
    echo "tests/packed.sh: $*" >&2
    exit 1
}

export CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-target}/packed"
musl=x86_64-unknown-linux-musl
host="$(rustc -vV | sed -n 's/^host: //p')"
is_portable=yes
if [ "$host" != x86_64-unknown-linux-gnu ]; then
    is_portable=no
elif ! rustup target list --installed 2>/dev/null | grep -qx "$musl" || ! command -v musl-gcc >/dev/null; then
    echo "tests/packed.sh leaves out what is linked with musl: rustup target add $musl; apt-get install musl-tools" >&2
    is_portable=no
fi
[ "$is_portable" = yes ] || export SPARRING_TARGET="$host"

pack() {
    bash tests/release.sh dev examples/greeting --quiet --package sparring-processor --example greeting |
        head -n 1
}

archive="$(pack)"
cp "$archive" "$scratch/first"
cmp "$scratch/first" "$(pack)" || fail "the same sources give another archive"
(cd "$(dirname "$archive")" && sha256sum --quiet -c "$(basename "$archive").sha256")
tar -xzf "$archive" -C "$scratch"
folder="$scratch/$(basename "$archive" .tar.gz)"
for file in spar LICENSE README.md CHANGELOG.md completions/spar.{bash,zsh,fish}; do
    [ -s "$folder/$file" ] || fail "no $file is packed"
done
[ "$is_portable" = yes ] || exit 0

for program in spar spar-x86-64; do
    ! readelf -l "$folder/$program" | grep -q INTERP || fail "$program needs a library of the system"
done
says() { # MODEL PROGRAM WANTED
    said="$(qemu-x86_64 -cpu "$1" "$folder/$2" one "two words" 2>"$scratch/said")" ||
        fail "$2 on $1 ends with $?: $(cat "$scratch/said")"
    [ "$said" = "$3: one|two words" ] || fail "$2 on $1 says: $said"
}
for model in Haswell EPYC; do says "$model" spar x86-64-v3; done
# An older processor gets the adjacent program, which runs on any x86-64 processor.
says Nehalem spar any
says qemu64 spar-x86-64 any
mv "$folder/spar-x86-64" "$scratch"
code=0
qemu-x86_64 -cpu Nehalem "$folder/spar" 2>"$scratch/said" || code=$?
[ "$code" = 1 ] && grep -q avx2 "$scratch/said" || fail "spar alone on Nehalem ends with $code: $(cat "$scratch/said")"
