#!/usr/bin/env python3
"""An engine for Breakthrough whose strength is a known function of its options, with faults on demand.

    knob_engine.py [KIND [LOG]]

It takes the best move of a look one ply ahead unless a digest of the position is below the loss, which is 0 at Aim=70 and
Nerve=0.4. Dead changes nothing. With Trap above 6 the process ends in each game; KIND `crashes` ends it in half of
all games, and KIND `mute` gives no move. KIND `lines` prints OpenBench's lines of its knobs at its start, as any kind does
when it is asked for them by `spsa`. KIND `probe` has two more knobs: Side changes the play above 5 only, and Dice above
0 makes it random. KIND `busy` is late with its first move by time, as LOG tells. KIND `once` takes no option after its
first game has begun. KIND `bare` has no knobs, and `fickle` and `forgets` do not offer Dead from the second and the third
process on, as LOG tells. KIND `remembers` plays by its searches so far. KIND `mates` scores each position as a mate, and
`blind` from White's view, by chance and Aim. KIND `names` has options with odd names, that change nothing. With LOG it appends each command that it reads.
"""
import random
import sys
import time
import zlib

KIND = sys.argv[1] if len(sys.argv) > 1 else "good"
LOG = sys.argv[2] if len(sys.argv) > 2 else None
VALUES = {"Trap": 3, "Aim": 20, "Nerve": 0.1, "Dead": 5, "Side": 5, "Dice": 0}


def say(text):
    print(text, flush=True)


def name(square):
    return chr(97 + square[0]) + str(square[1] + 1)


def square(text):
    return ord(text[0]) - 97, int(text[1:]) - 1


def start(width, height):
    rows = {0: "P", 1: "P", height - 2: "p", height - 1: "p"}
    return {(col, row): sign for row, sign in rows.items() for col in range(width)}


def moves(squares, size, white):
    own, step = ("P", 1) if white else ("p", -1)
    for (col, row), sign in sorted(squares.items()):
        for to in (col - 1, col, col + 1):
            there = squares.get((to, row + step))
            if sign == own and 0 <= to < size[0] and 0 <= row + step < size[1]:
                if there is None or (there != own and to != col):
                    yield (col, row), (to, row + step)


def loss():
    side = 0.2 if VALUES["Side"] > 5 else 0.0
    return min(1.0, side + ((VALUES["Aim"] - 70) / 100) ** 2 * 1.2 + (VALUES["Nerve"] - 0.4) ** 2 * 2)


def chosen(squares, size, white, key):
    def value(move):
        (_, _), (col, row) = move
        home = row if white else size[1] - 1 - row
        return 10 * (squares.get((col, row)) is not None) + home + 100 * (home == size[1] - 1), name(move[0]), name(move[1])

    found = sorted(moves(squares, size, white), key=value)
    if VALUES["Dice"] > 0:
        return random.choice(found)
    if KIND == "remembers":
        SEARCHES.append(key)
        key += str(len(SEARCHES))
    luck = zlib.crc32(key.encode()) / 2 ** 32
    return found[-1] if luck >= loss() else found[zlib.crc32(b"x" + key.encode()) % len(found)]


def play(words):
    text = words[words.index("moves") + 1:] if "moves" in words else []
    squares, white = start(*SIZE), True
    if words[1] == "fen":
        lines, white = words[2].split("/"), words[3] == "w"
        squares = {}
        for row, signs in zip(range(len(lines) - 1, -1, -1), lines):
            signs = "".join("." * int(sign) if sign.isdigit() else sign for sign in signs)
            squares.update({(col, row): sign for col, sign in enumerate(signs) if sign != "."})
    for move in text:
        cut = 2 if move[2].isalpha() else 3
        squares[square(move[cut:])] = squares.pop(square(move[:cut]))
        white = not white
    game = zlib.crc32(" ".join(text[:6]).encode())
    falls = VALUES["Trap"] > 6 or (KIND == "crashes" and game % 2 == 0)
    if falls:
        print("info string something is broken", flush=True)
        sys.exit(3)
    return squares, white, " ".join(text) or (words[2] if KIND == "probe" else "")


SIZE = (8, 8)
position = ["position", "startpos"]
LINES = ["Aim, int, 20, 0, 100, 10, 0.002", "Nerve, float, 0.1, 0, 1, 0.1, 0.002"]
SETTLED = False
SEARCHES = []
FORGETS = {"fickle": 1, "forgets": 2}
if KIND == "lines":
    say("Knob Engine, by nobody, 2026")
    for knob in LINES:
        say(knob)
for line in sys.stdin:
    line = line.strip()
    words = line.split()
    if LOG:
        with open(LOG, "a") as file:
            file.write(line + "\n")
    if line == "uci":
        say("id name Knob Engine")
        say("option name Hash type spin default 1 min 1 max 64")
        say("option name UCI_Variant type combo default breakthrough var breakthrough var breakthrough5x5")
        if KIND != "bare":
            say("option name Trap type spin default 3 min 0 max 9")
            say("option name Aim type spin default 20 min 0 max 100")
            say("option name Nerve type string default 0.1")
            if KIND not in FORGETS or open(LOG).read().count("uci\n") <= FORGETS[KIND]:
                say("option name Dead type spin default 5 min 0 max 10")
        if KIND == "probe":
            say("option name Side type spin default 5 min 0 max 10")
            say("option name Dice type spin default 0 min 0 max 3")
        if KIND == "names":
            say("option name A, B type spin default 5 min 0 max 10")
            say("option name Fixed type spin default 5 min 5 max 5")
            sys.stdout.buffer.write(b"option name Gr\xf6\xdfe type spin default 5 min 0 max 10\n")
            sys.stdout.flush()
        say("uciok")
    elif line == "spsa":
        for knob in LINES:
            say(knob)
    elif line == "isready":
        say("readyok")
    elif words[:2] == ["setoption", "name"]:
        key, value = words[2], words[-1]
        if key == "UCI_Variant":
            SIZE = (5, 5) if value == "breakthrough5x5" else (8, 8)
        elif key in VALUES and not (SETTLED and KIND == "once"):
            VALUES[key] = float(value)
    elif words[:1] == ["position"]:
        position = words
    elif words[:1] == ["go"] and KIND != "mute":
        if KIND == "busy" and "movetime" in words and open(LOG).read().count("movetime") == 1:
            time.sleep(0.5)
        board, white, key = play(position)
        one, two = chosen(board, SIZE, white, key)
        SETTLED = True
        seen = (zlib.crc32(b"s" + key.encode()) % 400 - 200 + int(VALUES["Aim"])) * (1 if white else -1)
        score = {"mates": " score mate 5", "blind": f" score cp {seen}"}
        say("info depth 1 nodes 1" + score.get(KIND, ""))
        say("bestmove " + name(one) + name(two))
    elif line == "quit":
        break
