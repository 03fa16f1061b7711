#!/usr/bin/env bash
# Builds everything that a release publishes from a clean clone of HEAD: the workspace's crates, the
# archive, the wheel and the npm package. Installs each into an empty folder and uses it there.
# Prints sizes and digests as a table for the release notes. Publishes nothing. Takes half an hour
# on two idle cores.
#
#     bash tests/release-all.sh [FOLDER]     (default: target/release-all)
#
# FOLDER then has the files, and FOLDER/build the compiled code.
set -euo pipefail
cd "$(dirname "$0")/.."

mkdir -p "${1:-target/release-all}"
out="$(cd "${1:-target/release-all}" && pwd)"
rm -f "$out"/*.crate "$out"/*.tar.gz* "$out"/*.whl "$out"/*.tgz
scratch="$(mktemp -d)"
trap 'rm -rf "$scratch"' EXIT
[ -z "$(git status --porcelain)" ] || echo "tests/release-all.sh takes HEAD: changes that are not committed are left out" >&2
git clone --quiet . "$scratch/sources"
cd "$scratch/sources"
export CARGO_TARGET_DIR="$out/build"
version="$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)"
# The size limit of crates.io in bytes.
limit=10485760

step() { echo "== $*" >&2; }
fail() { echo "tests/release-all.sh: $*" >&2 && exit 1; }
empty() { mkdir -p "$scratch/$1" && cd "$scratch/$1"; }

# use PROGRAM FOLDER: prints the version, then tunes and exports without the user's defaults.
use() {
    empty "$2"
    [ "$("$1" --version)" = "spar $version" ] || fail "$1 says $("$1" --version), not $version"
    "$1" --no-config tune --board 5x5 --games 200 --nodes 20 --validation-pairs 10 --yardstick-pairs 0 --run run >/dev/null 2>&1 ||
        fail "$1 cannot tune"
    "$1" --no-config weights export run --to json -o set.json >/dev/null
    "$1" --no-config bench --depth 6 --json | python3 -c 'import json, sys; print(json.load(sys.stdin)["nodes"])'
}

step "crates"
# A crate with packed sets is a sixth of one with the weight files. Git does not track the folder,
# hence --allow-dirty.
SPARRING_PACK_SETS=1 cargo build --quiet --package sparring-engine --locked
# Crates that depend on each other are packed together, since none is on the registry yet.
cargo package --quiet --workspace --exclude connect-four --no-verify --allow-dirty --locked 2>"$scratch/said" || fail "$(cat "$scratch/said")"
mkdir "$scratch/crates"
patches=()
for crate in "$CARGO_TARGET_DIR"/package/*-"$version".crate; do
    cp "$crate" "$out"
    tar -xzf "$crate" -C "$scratch/crates"
    name="$(basename "$crate" "-$version.crate")"
    [ "$(stat -c %s "$crate")" -le "$limit" ] || fail "$name is above 10 MiB, the limit of crates.io"
    [ "$name" = sparring ] || patches+=(--config "patch.crates-io.$name.path='$scratch/crates/$name-$version'")
done
# Builds the program from the packed crates, and nothing else of this repository.
cd "$scratch/crates/sparring-$version"
cargo build --quiet --release --features cluster "${patches[@]}"
nodes="$(use "$CARGO_TARGET_DIR/release/spar" from-crates)"

step "archive"
cd "$scratch/sources"
archive="$(bash tests/release.sh | sed -n 1p)"
cp "$archive" "$archive.sha256" "$out"
mkdir "$scratch/archive" && cd "$scratch/archive"
(cd "$out" && sha256sum --quiet -c "$(basename "$archive").sha256")
tar -xzf "$archive" --strip-components 1
spar="$PWD/spar"
[ "$(use "$spar" from-archive)" = "$nodes" ] || fail "the program of the archive plays otherwise"

step "wheel"
python3 -m venv "$scratch/maturin"
"$scratch/maturin/bin/pip" install --quiet --disable-pip-version-check maturin==1.16.0
PATH="$scratch/maturin/bin:$PATH" SPAR="$spar" "$scratch/sources/frontends/python/build.sh" "$out" --release
empty from-wheel
python3 -m venv python
python/bin/pip install --quiet --disable-pip-version-check "$out"/*.whl
python/bin/python - <<'END'
import sparring

board = sparring.Board()
board.push("d2d3")
found = sparring.Engine("8x8").search(board, nodes=10_000)
assert found.best in board.legal_moves, found
END
[ "$(use "$PWD/python/bin/spar" from-wheel-program)" = "$nodes" ] || fail "the program of the wheel plays otherwise"

step "npm package"
cd "$scratch/sources"
SPAR="$spar" frontends/npm/build.sh "$scratch/npm" >/dev/null
(cd "$scratch/npm" && npm pack --silent --pack-destination "$out" >/dev/null)
empty from-npm
echo '{ "private": true, "type": "module" }' >package.json
npm install --silent --no-audit --no-fund --ignore-scripts "$out"/*.tgz
cat >use.js <<'END'
import { load } from "sparring";

const { Board, Weights, Engine } = await load();
const board = new Board({ game: "breakthrough" });
board.push("d2d3");
const found = new Engine(await Weights.strongest("breakthrough", "8x8")).search(board, { depth: 6 });
if (!board.moves().includes(found.best)) throw new Error(JSON.stringify(found));
END
node use.js

step "all files of $version, from $(git -C "$scratch/sources" rev-parse --short HEAD)"
echo "| file | bytes | SHA-256 |"
echo "| --- | ---: | --- |"
cd "$out"
for file in *.crate *.tar.gz *.whl *.tgz; do
    printf '| %s | %s | `%s` |\n' "$file" "$(stat -c %s "$file")" "$(sha256sum "$file" | cut -d " " -f 1)"
done
