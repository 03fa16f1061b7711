#!/usr/bin/env bash
# Fetches what others made of the page that `spar serve` shows, as published on npm, into vendor/, and
# checks it. The files are committed, so that building and using the program needs neither npm nor a
# network; run this again to take another version: change `package`, and give --accept once, which
# writes the new checksums instead of checking them.
set -euo pipefail
cd "$(dirname "$0")"

package="uplot@1.6.32"
files=(dist/uPlot.iife.min.js dist/uPlot.min.css LICENSE)

folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
npm pack --silent --pack-destination "$folder" "$package" >/dev/null
tar -xzf "$folder"/*.tgz -C "$folder"
mkdir -p vendor
for file in "${files[@]}"; do
    cp "$folder/package/$file" "vendor/$(basename "$file")"
done
mv vendor/LICENSE vendor/uPlot.LICENSE
cd vendor
if [ "${1:-}" = "--accept" ]; then
    sha256sum uPlot.* >SHA256SUMS
fi
sha256sum --check --quiet SHA256SUMS
