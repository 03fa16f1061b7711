#!/usr/bin/env bash
# Compares the methods of `spar tune` with other tuners: the same weights, start, box,
# limits and games for each, several seeds; the answers meet in a tournament. Prints a table. An hour
# or more on two cores, by hand.
#
#     bash tests/peers/run.sh [--games N] [--nodes N] [--seeds N] [--pairs N] [METHOD...]
#
# Answers that are in target/peers/answers already are not made again. The other tuners are
# installed from PyPI into target/peers; chess-tuning-tools needs Python 3.9, and is left out without
# it. SPAR=PROGRAM measures that program instead of building one.
set -euo pipefail
cd "$(dirname "$0")/../.."

games=12000 nodes=1000 seeds=3 pairs=60 methods=()
while [ $# -gt 0 ]; do
    case "$1" in
    --games) games="$2" && shift ;;
    --nodes) nodes="$2" && shift ;;
    --seeds) seeds="$2" && shift ;;
    --pairs) pairs="$2" && shift ;;
    -*) sed -n '2,11s/^# \{0,1\}//p' "$0" >&2 && exit 2 ;;
    *) methods+=("$1") ;;
    esac
    shift
done
ours=(joined spsa logistic)
peers=(optuna-tpe optuna-cmaes nevergrad-tbpsa fishtest-spsa chess-tuning-tools)
[ ${#methods[@]} -gt 0 ] || methods=("${ours[@]}" "${peers[@]}")

if [ -z "${SPAR:-}" ]; then
    cargo build --release --locked --quiet
    SPAR="${CARGO_TARGET_DIR:-target}/release/spar"
fi
SPAR="$(realpath "$SPAR")"
folder="${CARGO_TARGET_DIR:-target}/peers"
answers="$folder/answers"
mkdir -p "$answers"

# Makes a Python environment with these packages, unless it exists.
python_with() { # NAME PYTHON PACKAGE...
    local place="$folder/$1" python="$2"
    shift 2
    if [ ! -x "$place/bin/python" ]; then
        "$python" -m venv "$place"
        "$place/bin/pip" install --quiet --disable-pip-version-check "$@"
    fi
}
python_with optimizers python3 optuna==5.0.0 cmaes==0.13.1 nevergrad==1.0.12
old="$(command -v python3.9 || true)"
[ -z "$old" ] || python_with gaussian "$old" chess-tuning-tools==0.9.5 numpy==1.23.5 scipy==1.10.1

for seed in $(seq "$seeds"); do
    for method in "${methods[@]}"; do
        answer="$answers/$method-$seed.json"
        python="$folder/optimizers/bin/python"
        if [ "$method" = chess-tuning-tools ]; then
            [ -n "$old" ] || continue
            python="$folder/gaussian/bin/python"
        fi
        [ -e "$answer" ] || "$python" tests/peers/answer.py "$method" "$answer" --spar "$SPAR" \
            --games "$games" --nodes "$nodes" --seed "$seed" 2>/dev/null | tee "$answer.log"
    done
done

"$SPAR" tournament breakthrough/hand "$answers"/*.json --pairs "$pairs" --nodes "$nodes" \
    --seed 4242 --no-run --json >"$folder/tournament.json"
python3 tests/peers/table.py "$folder/tournament.json" "$answers"
