#!/usr/bin/env bash
# Makes the tables of docs/measurements again with the present version, and writes them to a dated
# file in its archive. By hand, on an idle machine: everything takes some hours, --quick some minutes.
#
#     bash tests/figures.sh [--quick] [--threads N] [PART...]
#
# Parts: speed article turns solve sets partners tune fit search worth (default: all; with --quick
# all up to tune). SPAR=PROGRAM measures that program instead of building one; VERSION then says
# which commit it was built from.
set -euo pipefail
cd "$(dirname "$0")/.."

quick="" threads=2 parts=()
while [ $# -gt 0 ]; do
    case "$1" in
    --quick) quick=1 ;;
    --threads) threads="$2" && shift ;;
    speed | article | turns | solve | sets | partners | tune | fit | search | worth) parts+=("$1") ;;
    *) sed -n '2,9s/^# \{0,1\}//p' "$0" >&2 && exit 2 ;;
    esac
    shift
done
if [ ${#parts[@]} -eq 0 ]; then
    parts=(speed article turns solve sets partners tune)
    [ -n "$quick" ] || parts+=(fit search worth)
fi
if [ -z "${SPAR:-}" ]; then
    cargo build --release --locked --quiet
    SPAR="${CARGO_TARGET_DIR:-target}/release/spar"
fi
SPAR="$(realpath "$SPAR")"
version="${VERSION:-$(git describe --always --dirty)}"
scratch="$(mktemp -d)"
trap 'rm -rf "$scratch"' EXIT

base="docs/measurements/archive/$(date -u +%F)-$version${quick:+-quick}" number=1 file=""
until file="$base$([ "$number" -eq 1 ] || echo "-$number").md" && [ ! -e "$file" ]; do number=$((number + 1)); done

# pick EXPRESSION...: formats the JSON document `d` from standard input as cells of a table row,
# with the helpers `elo(d)` and `pairs(d)`.
pick() {
    python3 -c '
import json, sys
d = json.load(sys.stdin)
def elo(m):
    if m["elo"] is not None and m["elo_error"] is not None:
        return "%+.1f +- %.1f" % (m["elo"], m["elo_error"])
    low, high = (("%+.1f" % m[end] if m[end] is not None else None) for end in ("elo_low", "elo_high"))
    if low and high:
        return "from %s to %s" % (low, high)
    return "above " + low if low else "below " + high if high else "-"
def pairs(m):
    return ", ".join(str(m["pairs"][kind]) for kind in ("ll", "ld", "mid", "wd", "ww"))
print(" | ".join(str(eval(cell)) for cell in sys.argv[1:]), "|")
' "$@"
}
# run FILE ARGUMENTS...: writes a command's JSON to a file, and shows its stderr if it fails.
run() {
    local output="$1" && shift
    "$SPAR" "$@" --json >"$output" 2>"$scratch/errors" || { cat "$scratch/errors" >&2 && return 1; }
}
table() { printf '\n%s\n' "$1" && sed 's/[^|]\+/ --- /g' <<<"$1"; }
# row LABEL CELLS... -- ARGUMENTS...: prints a table row from a command's JSON.
row() {
    local label="$1" cells=() && shift
    while [ "$1" != -- ]; do cells+=("$1") && shift; done
    shift
    run "$scratch/row.json" "$@"
    printf '| %s | %s\n' "$label" "$(pick "${cells[@]}" <"$scratch/row.json")"
}
played=('pairs(d)' 'elo(d)')
# by_mode QUICK FULL: prints the argument for the current mode.
by_mode() { if [ -n "$quick" ]; then echo "$1"; else echo "$2"; fi; }

speed() {
    printf '\n## Speed\n\n`spar bench` and `spar perft`, one thread.\n'
    table '| game | bench nodes (signature) | million nodes/s | perft depth | million nodes/s |'
    local game depth
    for game in $(by_mode "breakthrough:6 ataxx:5 breakthru:3" "breakthrough:7 ataxx:6 breakthru:4"); do
        depth="${game#*:}" game="${game%:*}"
        run "$scratch/perft.json" perft --game "$game" --depth "$depth"
        row "\`$game\`" '"{:,}".format(d["nodes"])' '"%.2f" % (d["nps"] / 1e6)' "$depth" \
            "'%.0f' % (lambda p: p['nodes'] / p['seconds'] / 1e6)(json.load(open('$scratch/perft.json')))" \
            -- bench --game "$game"
    done
}

article() {
    printf '\n## Nodes after a2a3\n\n`spar analyze --moves a2a3 --weights atachiants --depth D --algorithm A`.\n'
    table '| depth | plain | enhanced | full |'
    local depth algorithm
    for depth in 2 3 4 5 6 7; do
        printf '| %s |' "$depth"
        for algorithm in plain enhanced full; do
            run "$scratch/row.json" analyze --moves a2a3 --weights atachiants --depth "$depth" --algorithm "$algorithm"
            pick '" {:,}".format(d["nodes"])' <"$scratch/row.json" | tr -d '\n'
        done
        echo
    done
}

turns() {
    printf '\n## Breakthru by turns\n\n`spar analyze --game breakthru --depth D --algorithm A` from the usual layout.\n'
    table '| depth, search | nodes | seconds |'
    local search
    for search in 4:full 6:full 4:enhanced $(by_mode "" 6:enhanced); do
        row "${search/:/, }" '"{:,}".format(d["nodes"])' '"%.3f" % d["seconds"]' \
            -- analyze --game breakthru --depth "${search%:*}" --algorithm "${search#*:}"
    done
}

solve() {
    printf '\n## Solved boards\n\n`spar solve --board B`, one thread.\n'
    table '| board | winner | nodes | seconds |'
    local board
    for board in 3x5 4x5 5x5 3x6 3x7 $(by_mode "" "4x6 3x8 6x5"); do
        row "$board" 'd["winner"]' '"{:,}".format(d["nodes"])' '"%.1f" % d["seconds"]' -- solve --board "$board"
    done
}

sets() {
    local pairs set game name board hand other nodes
    pairs="$(by_mode 200 500)"
    printf '\n## Shipped sets\n\n`spar match A B --pairs %s --seed 1`; pairs are LL, LD, mid, WD, WW.\n' "$pairs"
    table '| set against set, nodes a move | pairs | Elo (95 %) |'
    for set in breakthrough:8x8-network:8x8:atachiants breakthrough:7x7-network:7x7:atachiants \
        breakthrough:6x6-network:6x6:atachiants breakthrough:5x5-network:5x5:atachiants \
        breakthrough:8x8:8x8:atachiants breakthrough:7x7:7x7:atachiants \
        breakthrough:6x6:6x6:atachiants breakthrough:5x5:5x5:atachiants ataxx:7x7-network:7x7:hand \
        ataxx:7x7:7x7:hand \
        breakthru:11x11-network:11x11:hand breakthru:11x11:11x11:hand; do
        IFS=: read -r game name board hand <<<"$set"
        for other in "$hand" piece; do
            for nodes in 1000 $(by_mode "" 5000); do
                row "$game \`$name\` against \`$other\`, $nodes" "${played[@]}" -- match "$name" "$other" \
                    --game "$game" --board "$board" --pairs "$pairs" --nodes "$nodes" --seed 1 --threads "$threads"
            done
        done
    done
    for set in spsa atachiants; do
        row "breakthrough \`$set\` against \`piece\`, 1000" "${played[@]}" -- match "$set" piece --pairs "$pairs" \
            --nodes 1000 --seed 1 --threads "$threads"
    done
}

partners() {
    local pairs partner
    pairs="$(by_mode 20 100)"
    printf "\n## The 2022 article's partners\n\n"
    printf '`spar match zhu PARTNER --board 6x6 --algorithm plain --depth-a 5 --depth-b 3 --pairs %s --seed 1`.\n' "$pairs"
    table '| partner | pairs | Elo (95 %) |'
    for partner in piece mobility own-mobility greedy reckless defensive defensive-reckless proximity random; do
        row "\`$partner\`" "${played[@]}" -- match zhu "$partner" --board 6x6 --algorithm plain --depth-a 5 --depth-b 3 \
            --pairs "$pairs" --seed 1 --threads "$threads"
    done
}

# tuned NAME ARGUMENTS...: tunes, stores the result as NAME.json, and prints its row.
tuned() {
    local name="$1" && shift
    run "$scratch/tune.json" tune "$@" --threads "$threads" --run "$scratch/$name"
    # The JSON leaves out a candidate with tables.
    pick 'json.dumps(d["candidate"])' <"$scratch/tune.json" | sed 's/ |$//' >"$scratch/$name.json"
    [ "$(cat "$scratch/$name.json")" != null ] || cp "$scratch/$name/weights.json" "$scratch/$name.json"
    run "$scratch/piece.json" match "$scratch/$name.json" piece --pairs "$(by_mode 50 300)" \
        --nodes 1000 --threads "$threads"
    printf '| `spar tune %s` | %s\n' "$*" "$(pick '"{:,}".format(d["games"])' 'elo(d)' '"yes" if d["accepted"] else "no"' \
        "elo(json.load(open('$scratch/piece.json')))" '"%.0f s" % d["seconds"]' <"$scratch/tune.json")"
}
tunes='| command | games | Elo over the start (95 %) | accepted | Elo over `piece` | time |'

tune() {
    printf '\n## The default tune\n'
    table "$tunes"
    local seed
    if [ -n "$quick" ]; then
        tuned short-1 --games 2000 --nodes 300 --seed 1
    else
        for seed in 1 2 3; do tuned "default-$seed" --seed "$seed"; done
    fi
}

fit() {
    printf '\n## Tune by fitting\n'
    table "$tunes"
    tuned logistic --method logistic --seed 1
    table '| fitted set against, 1,200 nodes a move | pairs | Elo (95 %) |'
    local other
    for other in spsa 8x8; do
        row "\`$other\`" "${played[@]}" -- match "$scratch/logistic.json" "$other" --pairs 200 --nodes 1200 --seed 77 \
            --threads "$threads"
    done
}

search() {
    printf '\n## The parts of the search\n\n`bash tests/heuristics.sh 5 500`.\n\n'
    SPAR="$SPAR" bash tests/heuristics.sh 5 500
}

# worth_of GAME SET: prints a row for each feature with a weight, greatest loss first.
worth_of() {
    local game="$1" set="$2" feature weight
    python3 -c '
import json, sys
for name, weight in json.load(open(sys.argv[1]))["weights"].items():
    if isinstance(weight, int) and weight != 0: print(name, weight)' "$set" |
        while read -r feature weight; do
            python3 -c '
import json, sys
d = json.load(open(sys.argv[1])); d["weights"][sys.argv[2]] = 0; d["name"] = "without"
json.dump(d, open(sys.argv[3], "w"))' "$set" "$feature" "$scratch/without.json"
            run "$scratch/row.json" match "$scratch/without.json" "$set" --game "$game" \
                --pairs "$(by_mode 50 400)" --nodes 1000 --seed 1 --threads "$threads"
            printf '%s | `%s` | %s | %s\n' "$(pick 'd["elo"] if d["elo"] is not None else -9999' \
                <"$scratch/row.json" | tr -d ' |')" "$feature" "$weight" \
                "$(pick "${played[@]}" <"$scratch/row.json")"
        done | sort -g | sed 's/^[^|]*//'
}

worth() {
    printf '\n## Features left out\n\nThe answer of `spar tune --game G --seed 1`, with one weight set to 0, against '
    printf 'the whole answer: `spar match --pairs %s --nodes 1000 --seed 1`.\n' "$(by_mode 50 400)"
    local game games
    games="$(by_mode "--games 2000" "")"
    for game in breakthrough ataxx breakthru; do
        # shellcheck disable=SC2086
        run "$scratch/tune.json" tune --game "$game" $games --seed 1 --threads "$threads" --run "$scratch/worth-$game"
        pick 'json.dumps(d["candidate"])' <"$scratch/tune.json" | sed 's/ |$//' >"$scratch/worth-$game.json"
        table "| $game without | its weight | pairs | Elo (95 %) |"
        worth_of "$game" "$scratch/worth-$game.json"
    done
}

{
    printf '# Figures of %s, %s\n\n' "$version" "$(date -u +'%-d %B %Y')"
    processor="$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo 2>/dev/null | head -n 1)"
    printf 'Made by `bash tests/figures.sh%s %s` with %s.\n' "${quick:+ --quick}" "${parts[*]}" \
        "$("$SPAR" --version)"
    printf 'Machine: %s, %s processors, threads: %s.\n' "$processor" \
        "$(getconf _NPROCESSORS_ONLN)" "$threads"
    [ -z "$quick" ] || printf '\nA quick run: the samples are small, so mind the errors.\n'
} >"$file"
for part in "${parts[@]}"; do
    echo "$part ..." >&2
    "$part" >>"$file"
done
echo "$file"
