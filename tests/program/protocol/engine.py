#!/usr/bin/env python3
"""A scripted engine: it plays the first legal move of Breakthrough, and misbehaves as its argument says, mostly at its
second move.

    engine.py KIND [LOG]

With KIND `sleep=MS` it thinks for so long at each move, with `cp=SCORE` it always reports that score.
With LOG each process appends its id and what happens: `start`, each command that it reads, `end`.
"""
import os
import sys
import threading
import time

KIND = sys.argv[1] if len(sys.argv) > 1 else "good"
LOG = sys.argv[2] if len(sys.argv) > 2 else None
UAI = KIND.startswith("uai")


def log(text):
    if LOG:
        with open(LOG, "a") as file:
            file.write(f"{os.getpid()} {text}\n")


def say(text, end="\n"):
    if KIND == "blanks":
        text = " \t" + text.replace(" ", "\t ") + "\t "
    if KIND == "returns":
        end = "\r"
    sys.stdout.write(text + end)
    sys.stdout.flush()


class Board:
    def __init__(self, fen):
        rows, side = fen.split()[:2]
        self.squares = {}
        lines = rows.split("/")
        self.height = len(lines)
        for index, line in enumerate(lines):
            col = 0
            for char in line:
                if char.isdigit():
                    col += int(char)
                else:
                    self.squares[col, self.height - 1 - index] = char
                    col += 1
            self.width = col
        self.white = side == "w"

    def moves(self):
        own, step = ("P", 1) if self.white else ("p", -1)
        for (col, row), piece in sorted(self.squares.items()):
            if piece != own:
                continue
            for to in (col - 1, col, col + 1):
                there = self.squares.get((to, row + step))
                if 0 <= to < self.width and 0 <= row + step < self.height:
                    if there is None or (there != own and to != col):
                        yield self.name(col, row) + self.name(to, row + step)

    @staticmethod
    def name(col, row):
        return chr(ord("a") + col) + str(row + 1)

    def play(self, text):
        source, target = [(ord(text[i]) - ord("a"), int(text[i + 1]) - 1) for i in (0, 2)]
        self.squares[target] = self.squares.pop(source)
        self.white = not self.white


LAST = []
START = "pppppppp/pppppppp/8/8/8/8/PPPPPPPP/PPPPPPPP w - - 0 1"


def position(words):
    moves = words[words.index("moves") + 1:] if "moves" in words else []
    fen = START if words[1] == "startpos" else " ".join(words[2:4])
    board = Board(fen)
    for move in moves:
        board.play(move)
    return board


def go(board, number):
    """Answers the go command of this number (from 1) of this process."""
    move = next(board.moves())
    second = number == 2
    if KIND == "crash" and second:
        sys.stderr.write("assertion failed: the sky is up\n")
        sys.stderr.flush()
        os._exit(7)
    if KIND == "abort" and second:
        os.abort()
    if KIND == "hang" and second:
        time.sleep(3600)
    if KIND == "close" and second:
        os.close(1)
        time.sleep(3600)
    if KIND == "slow" and second:
        time.sleep(0.6)
    if KIND == "stderr":
        sys.stderr.write("noise noise noise\n" * 20000)
        sys.stderr.flush()
    if KIND == "huge":
        say("info string " + "x" * 3_000_000)
    if KIND == "binary":
        sys.stdout.buffer.write(b"\xff\xfe\x00\x1b[2J\n" * 50)
        sys.stdout.flush()
    if KIND == "flood" and second:
        while True:
            say("info string still here")
    if KIND == "no-newline" and second:
        say(f"bestmove {move}", end="")
        time.sleep(3600)
    if KIND == "endless-line" and second:
        sys.stdout.write("bestmove ")
        while True:
            sys.stdout.write("x" * 65536)
    if KIND in ("orphan", "escaped") and second:
        # The child keeps the pipes open; an escaped one is in a session of its own.
        child = os.fork()
        if child == 0:
            if KIND == "escaped":
                os.setsid()
            log("start")
            time.sleep(20)
        os._exit(7)
    if KIND == "killed" and second:
        os.kill(os.getpid(), 9)
    if KIND == "slow-letters" and second:
        for letter in f"bestmove {move}":
            say(letter, end="")
            time.sleep(0.02)
        say("")
        return
    if KIND == "deaf" and second:
        say(f"bestmove {move}")
        os.close(0)
        time.sleep(3600)
    if KIND == "again" and second:
        # The last search's answer once more, as this one's.
        move = LAST[0]
    LAST[:] = [move]
    if KIND == "opponent" and second:
        board.white = not board.white
        move = next(board.moves())
    if KIND == "leaves":
        say(f"bestmove {move}")
        os._exit(0)
    if KIND == "last-line" and second:
        say(f"bestmove {move}", end="")
        os._exit(0)
    if KIND == "never":
        say("bestmove (none)")
        return
    best = {"illegal": "a1a8", "garbage": "\x00%s{}", "empty": "", "none": "(none)", "null": "0000"}.get(KIND)
    if best is not None and second:
        say(f"bestmove {best}")
        return
    key, _, value = KIND.partition("=")
    if key == "sleep":
        time.sleep(int(value) / 1000)
    score = value if key == "cp" else 15
    say(f"info depth 3 score cp {score} nodes 120 pv {move}")
    say(f"bestmove {move} ponder a1a2")
    if KIND == "double":
        say(f"bestmove {move}")
    if KIND == "late":
        threading.Timer(0.02, lambda: say(f"bestmove {move}")).start()


def main():
    log("start")
    if KIND == "dead":
        sys.stderr.write("no license found\n")
        sys.exit(3)
    if KIND == "mute":
        time.sleep(3600)
    if KIND == "slow-start":
        time.sleep(4)
    board, number = None, 0
    for line in sys.stdin:
        words = line.split()
        if not words:
            continue
        log(line.strip())
        command = words[0]
        if command == ("uai" if UAI else "uci"):
            say("id name Scripted [test build]")
            say("id author nobody")
            say("option name Hash type spin default 16 min 1 max 64")
            say("option name Clear Hash type button")
            if KIND == "chess":
                say("option name UCI_Variant type combo default chess var chess var atomic")
            elif not UAI and KIND != "no-variants":
                say("option name UCI_Variant type combo default chess var chess var breakthrough")
            if not (KIND == "fickle" and LOG and open(LOG).read().count(" start") > 1):
                say("option name Style type combo default Solid var Solid var Wild")
            if KIND == "odd-option":
                say("option type spin name Depth default 1 min 0 max 9")
            say("uaiok" if UAI else "uciok")
        elif command == "uci" and KIND == "uai" or command == "uai" and KIND == "slow-start":
            sys.exit(1)
        elif command == "isready":
            if KIND == "unready":
                time.sleep(3600)
            say("readyok")
            if KIND == "readier":
                say("readyok")
        elif command == "position":
            board = position(words)
        elif command == "go":
            number += 1
            go(board, number)
        elif command in ("ucinewgame", "uainewgame"):
            if KIND == "between" and number or KIND == "no-game":
                os._exit(0)
        elif command == "quit":
            if KIND == "stubborn":
                time.sleep(3600)
            log("end")
            return


main()
