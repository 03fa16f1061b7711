#!/usr/bin/env bash
# Measures how far the errors that `spar fit` prints are true: fits the same weights to independent
# sets of games, and compares how the fitted weights scatter with their errors. Prints a table for
# each blend: the mean of each weight over the sets, its standard deviation, the mean printed error,
# and in how many of the sets the mean lies within 1.96 printed errors. A set whose scores happen not
# to predict its results has no fit, and is left out. Some minutes by hand.
#
#     bash tests/coverage.sh [--sets N] [--games N] [--first SEED] [--threads N] [BLEND...]
#
# SPAR=PROGRAM measures that program instead of building one.
set -euo pipefail
cd "$(dirname "$0")/.."

sets=20 games=700 first=5001 threads=2 blends=()
while [ $# -gt 0 ]; do
    case "$1" in
    --sets) sets="$2" && shift ;;
    --games) games="$2" && shift ;;
    --first) first="$2" && shift ;;
    --threads) threads="$2" && shift ;;
    0 | 0.* | 1) blends+=("$1") ;;
    *) sed -n '2,10s/^# \{0,1\}//p' "$0" >&2 && exit 2 ;;
    esac
    shift
done
[ ${#blends[@]} -gt 0 ] || blends=(0 0.65 0.9)
if [ -z "${SPAR:-}" ]; then
    cargo build --release --locked --quiet
    SPAR="${CARGO_TARGET_DIR:-target}/release/spar"
fi
SPAR="$(realpath "$SPAR")"
scratch="$(mktemp -d)"
trap 'rm -rf "$scratch"' EXIT

# The nonzero weights of the article's set, and some others.
only=piece,danger,high_danger,attack,protection,connection_horizontal,connection_vertical,mobility
only+=,column_hole,home_ground,almost_win,advance,attacked,empty_column,tempo
# Too small to move any weight that occurs often.
penalty=0.5

for set in $(seq "$sets"); do
    "$SPAR" generate "$scratch/$set.pos" --board 8x8 --weights breakthrough/atachiants \
        --games "$games" --nodes 60 --seed $((first + set - 1)) --threads "$threads" --json \
        >"$scratch/$set.json" 2>/dev/null
done
for blend in "${blends[@]}"; do
    for set in $(seq "$sets"); do
        "$SPAR" fit "$scratch/$set.pos" -o "$scratch/fitted.json" --force --json \
            --start breakthrough/atachiants --clear-rest --only "$only" --blend "$blend" \
            --penalties "$penalty" --threads "$threads" >"$scratch/$set.fit.json" \
            2>"$scratch/error" || {
            echo "set $set is left out: $(grep -m1 error: "$scratch/error")" >&2
            rm "$scratch/$set.fit.json"
        }
    done
    printf '\nblend %s, %s sets of %s games\n\n' "$blend" "$sets" "$games"
    python3 - "$scratch" <<'PYTHON'
import glob, json, statistics, sys

fits = [json.load(open(file)) for file in sorted(glob.glob(f"{sys.argv[1]}/*.fit.json"))]


def row(name, shown, found):
    """A line of the table; `found` has the value and the error of each set, if it has one."""
    found = [(value, error) for value, error in found if error is not None]
    if len(found) < 2:
        return print(f"| {name} | {shown} | - | - | - | - | - |")
    values = [value for value, _ in found]
    mean, deviation = statistics.mean(values), statistics.stdev(values)
    printed = statistics.mean(error**2 for _, error in found) ** 0.5
    # The mean is computed from these values, so they are nearer to it than to the truth.
    wider = (len(found) / (len(found) - 1)) ** 0.5
    inside = sum(abs(value - mean) * wider < 1.96 * error for value, error in found)
    cells = f"{mean:.4g} | {deviation:.3g} | {printed:.3g} | {deviation / printed:.2f}"
    print(f"| {name} | {shown} | {cells} | {100 * inside / len(found):.0f} % |")
    return inside, len(found)


print("| weight | positions | mean | SD | printed | ratio | within 1.96 |\n|" + " --- |" * 7)
# 1 / K, on which the targets depend.
row("1000 / K", "", [(1e3 / f["k"][0], 1e3 * f["k_errors"][0] / f["k"][0] ** 2) for f in fits])
all_inside = []
for place, weight in enumerate(fits[0]["features"]):
    of = [fit["features"][place] for fit in fits]
    shown = round(statistics.mean(one["shown"] for one in of))
    all_inside.append(row(weight["name"], shown, [(one["weight"], one["error"]) for one in of]))
inside = [sum(part) for part in zip(*filter(None, all_inside))]
print(f"\nall: {100 * inside[0] / inside[1]:.1f} % of {inside[1]}")
PYTHON
done
