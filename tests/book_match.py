#!/usr/bin/env python3
"""Plays Breakthrough with an opening book against the same engine without one, by hand:

    tests/book_match.py PROGRAM BOOK PAIRS [--board 8x8] [--nodes 10000-30000] [--seed 1]

PROGRAM is spar; BOOK is a file, or `shipped`. Each search draws its number of nodes, so games
differ although all begin at the start position. Games of a pair have the sides exchanged.
"""

import argparse
import math
import random
import subprocess


class Engine:
    """A process that speaks UCI."""

    def __init__(self, program, board, options):
        command = [program, "uci", "--board", board]
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )
        self.send("uci")
        for name, value in options:
            self.send(f"setoption name {name} value {value}")
        self.send("isready")
        self.lines_until("readyok")

    def send(self, command):
        self.process.stdin.write(command + "\n")

    def lines_until(self, word):
        lines = []
        while not lines or not lines[-1].startswith(word):
            line = self.process.stdout.readline()
            if not line:
                raise SystemExit("the engine has ended")
            lines.append(line)
        return lines

    def choose(self, moves, nodes):
        """Its move after these, `None` when the game is over, and whether the book gave it."""
        self.send("position startpos" + (" moves " + " ".join(moves) if moves else ""))
        self.send(f"go nodes {nodes}")
        lines = self.lines_until("bestmove")
        move = lines[-1].split()[1]
        is_known = any(line.startswith("info string book move") for line in lines)
        return (None if move in ("(none)", "0000") else move), is_known


def play(engines, book_side, nodes, generator):
    """Whether the book's side wins, its moves from the book, and the moves of the game."""
    moves, known = [], 0
    for engine in engines:
        engine.send("ucinewgame")
    while True:
        side = len(moves) % 2
        has_book = side == book_side
        move, is_known = engines[0 if has_book else 1].choose(moves, generator.randint(*nodes))
        if move is None:
            return not has_book, known, moves
        known += is_known
        moves.append(move)


def elo(score):
    return 400 * math.log10(score / (1 - score)) if 0 < score < 1 else math.copysign(math.inf, score - 0.5)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("book")
    parser.add_argument("pairs", type=int)
    parser.add_argument("--board", default="8x8")
    parser.add_argument("--nodes", default="10000-30000", type=lambda text: tuple(map(int, text.split("-"))))
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    book = [("OwnBook", "true")] + ([] if given.book == "shipped" else [("BookFile", given.book)])
    engines = [Engine(given.program, given.board, options) for options in (book, [])]
    generator = random.Random(given.seed)
    scores, known, games = [], 0, set()
    for _ in range(given.pairs):
        wins = 0
        for book_side in (0, 1):
            is_won, book_moves, moves = play(engines, book_side, given.nodes, generator)
            wins += is_won
            known += book_moves
            games.add(" ".join(moves))
        scores.append(wins / 2)
    mean = sum(scores) / len(scores)
    variance = sum((score - mean) ** 2 for score in scores) / max(1, len(scores) - 1)
    error = 1.96 * math.sqrt(variance / len(scores))
    slope = 400 / math.log(10) / (mean * (1 - mean)) if 0 < mean < 1 else math.inf
    counts = ", ".join(f"{scores.count(score)} {word}" for score, word in ((0, "lost"), (0.5, "even"), (1, "won")))
    print(
        f"{len(scores)} pairs ({counts}), score {mean:.1%}, Elo {elo(mean):+.0f} +- {error * slope:.0f}, "
        f"{known / (2 * len(scores)):.1f} book moves a game, {len(games)} different games"
    )


if __name__ == "__main__":
    main()
