#!/usr/bin/env bash
# The value of each part of the full search at a fixed time per move: a sequential test of the
# engine against itself without the part. Takes hours; run it by hand on an idle machine:
#
#     bash tests/heuristics.sh [MILLISECONDS] [PAIRS] [GAME]
#
# SPAR=PROGRAM measures that program instead of building one.
set -euo pipefail
cd "$(dirname "$0")/.."
time="${1:-10}" pairs="${2:-1000}" game="${3:-breakthrough}"
if [ -z "${SPAR:-}" ]; then
    cargo build --release --locked --quiet
    SPAR="${CARGO_TARGET_DIR:-target}/release/spar"
fi
case "$game" in breakthrough) set=8x8 ;; ataxx) set=7x7 ;; *) set=11x11 ;; esac

# The constants that disable a part, or reduce it as far as they allow.
parts=(
    "null move: null_pieces=16"
    "reverse futility: reverse_futility_depth=0"
    "razoring: razor_depth=0"
    "futility: futility_depth=0"
    "late moves left out: late_move_depth=0"
    "late moves reduced: reduction_depth=10 reduction_moves=20"
    "internal reduction: internal_depth=20"
    "singular extension: singular_depth=40"
    "aspiration window: aspiration_depth=20"
    "answer history: answer_weight=0"
    "rank in move order: rank_weight=0"
    "exchanges in move order: exchange_weight=0"
    "threats in quiescence: threat_plies=0"
    "delta margin: delta_margin=1000"
    "history in reductions: reduction_history=30000"
    "captures reduced less: capture_reduction=0"
    "improving reduced less: improving_reduction=0"
    "open windows reduced less: pv_reduction=0"
    "refuted nodes reduced more: cut_reduction=0"
)
row='
import json, sys
found, name = json.load(sys.stdin), sys.argv[1]
elo = "-" if found["elo_error"] is None else "%+.1f +- %.1f" % (found["elo"], found["elo_error"])
print("|", name, "|", found["distinct_pairs"], "|", elo, "| %.2f" % found["llr"], found["verdict"] or "undecided", "|")
'
echo "| with it, against without it | pairs | Elo (95 %) | LLR, SPRT [0, 10] nElo |"
echo "| --- | ---: | --- | --- |"
for part in "${parts[@]}"; do
    without=()
    for constant in ${part#*: }; do without+=(--search-b "$constant"); done
    "$SPAR" match "$set" "$set" --game "$game" "${without[@]}" --movetime "$time" --pairs "$pairs" --sprt 0,10 \
        --threads 2 --seed 7 --json |
        python3 -c "$row" "${part%%:*}"
done
