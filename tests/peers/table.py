#!/usr/bin/env python3
"""The table of tests/peers/run.sh: TOURNAMENT.json ANSWERS. Elo is over the start; the error of a
method's mean is the greater one of what its seeds' scatter says and of the matches' own."""

import json
import statistics
import sys
from pathlib import Path

tournament = json.loads(Path(sys.argv[1]).read_text())
players = {Path(player["name"]).stem: player for player in tournament["players"]}
start = next(p for name, p in players.items() if name == "hand")
methods = {}
for log in sorted(Path(sys.argv[2]).glob("*.log")):
    made = json.loads(log.read_text())
    player = players[Path(log.stem).stem]
    methods.setdefault(made["method"], []).append((player, made))


def row(method, entries):
    elos = [player["elo"] - start["elo"] for player, _ in entries]
    errors = [player.get("elo_error", player.get("error")) for player, _ in entries]
    matches = (sum(error**2 for error in errors) ** 0.5) / len(errors)
    seeds = 1.96 * statistics.stdev(elos) / len(elos) ** 0.5 if len(elos) > 1 else 0.0
    minutes = statistics.mean(made["minutes"] for _, made in entries)
    games = round(statistics.mean(made["games"] for _, made in entries))
    each = ", ".join(f"{elo:+.0f}" for elo in elos)
    return statistics.mean(elos), max(matches, seeds), method, games, minutes, each


print("| method | games | minutes | Elo over the start | each seed |\n| --- | --- | --- | --- | --- |")
for elo, error, method, games, minutes, each in sorted(
    (row(method, entries) for method, entries in methods.items()), reverse=True
):
    print(f"| {method} | {games:,} | {minutes:.1f} | {elo:+.0f} +- {error:.0f} | {each} |")
