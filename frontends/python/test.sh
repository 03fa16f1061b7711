#!/usr/bin/env bash
# Builds the Python package, installs it into an environment of its own, and tests it from an empty
# folder. Usage: frontends/python/test.sh PROGRAM, where PROGRAM is `spar` of the same version.
set -euo pipefail
spar="$(realpath "$1")"
cd "$(dirname "$0")"
export CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-../../target}/python"
mkdir -p "$CARGO_TARGET_DIR"
CARGO_TARGET_DIR="$(realpath "$CARGO_TARGET_DIR")"
environment="$CARGO_TARGET_DIR/environment"

packages="maturin==1.16.0 numpy==2.4.6 matplotlib mypy==2.4.1"
if [ "$(cat "$environment/packages" 2>/dev/null)" != "$packages" ]; then
    echo "frontends/python/test.sh installs into $environment: $packages (pip)" >&2
    python3 -m venv --clear "$environment"
    # shellcheck disable=SC2086
    "$environment/bin/pip" install --quiet --disable-pip-version-check $packages
    echo "$packages" >"$environment/packages"
fi
export VIRTUAL_ENV="$environment" PATH="$environment/bin:$PATH"

cargo fmt --check
cargo clippy --locked --quiet -- -D warnings
mypy --no-error-summary python/sparring
rm -rf "$CARGO_TARGET_DIR/wheels"
SPAR="$spar" ./build.sh "$CARGO_TARGET_DIR/wheels" --profile dev
pip install --quiet --disable-pip-version-check --force-reinstall --no-deps \
    "$CARGO_TARGET_DIR"/wheels/*.whl
tests="$(realpath tests)"
cd "$(mktemp -d)"
SPAR="$spar" python -m unittest discover --start-directory "$tests"
