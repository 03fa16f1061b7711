#!/usr/bin/env python3
"""A small chess engine: it looks one ply ahead for material, and decides between equal moves by a digest of the position.

    chess_engine.py [SEED [LOG]]

It plays chess and, with UCI_Chess960, Chess960. With LOG it appends each command that it reads.
"""
import sys
import zlib

SEED = sys.argv[1] if len(sys.argv) > 1 else "1"
LOG = sys.argv[2] if len(sys.argv) > 2 else None
START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
VALUES = {"p": 100, "n": 300, "b": 310, "r": 500, "q": 900, "k": 0, ".": 0}
STEPS = {"n": [(1, 2), (2, 1), (-1, 2), (2, -1), (1, -2), (-2, 1), (-1, -2), (-2, -1)],
         "b": [(1, 1), (1, -1), (-1, 1), (-1, -1)], "r": [(1, 0), (-1, 0), (0, 1), (0, -1)]}
STEPS["q"] = STEPS["k"] = STEPS["b"] + STEPS["r"]
FREE = False


def name(square):
    return chr(97 + square[0]) + str(square[1] + 1)


class Board:
    def __init__(self, fen):
        rows, side, rights, passing = fen.split()[:4]
        self.white, self.squares = side == "w", {}
        for row, line in zip(range(7, -1, -1), rows.split("/")):
            col = 0
            for sign in line:
                if sign.isdigit():
                    col += int(sign)
                else:
                    self.squares[col, row] = sign
                    col += 1
        self.passing = (ord(passing[0]) - 97, int(passing[1]) - 1) if passing != "-" else None
        self.rights = {self.rook_of(sign) for sign in rights if sign != "-"}

    def rook_of(self, sign):
        """The square of the rook of a castling right, given as KQkq or as a file."""
        row = 0 if sign.isupper() else 7
        king, rook = ("K", "R") if sign.isupper() else ("k", "r")
        if sign.lower() not in "kq":
            return ord(sign.lower()) - 97, row
        at = next(col for col in range(8) if self.squares.get((col, row)) == king)
        rooks = [col for col in range(8) if self.squares.get((col, row)) == rook]
        return (max if sign.lower() == "k" else min)(col for col in rooks if (col > at) == (sign.lower() == "k")), row

    def own(self, sign):
        return sign is not None and sign.isupper() == self.white

    def attacked(self, square, by_white):
        for kind in "nbrqk":
            for dc, dr in STEPS[kind]:
                at = square
                while True:
                    at = at[0] + dc, at[1] + dr
                    sign = self.squares.get(at)
                    if not (0 <= at[0] < 8 and 0 <= at[1] < 8):
                        break
                    if sign is not None:
                        if sign.isupper() == by_white and sign.lower() == kind:
                            return True
                        break
                    if kind in "nk":
                        break
        back = -1 if by_white else 1
        pawn = "P" if by_white else "p"
        return any(self.squares.get((square[0] + side, square[1] + back)) == pawn for side in (-1, 1))

    def steps(self):
        """The moves but for castling, whether they leave the king in check or not."""
        up, home = (1, 1) if self.white else (-1, 6)
        for (col, row), sign in sorted(self.squares.items()):
            if not self.own(sign):
                continue
            if sign.lower() == "p":
                targets = []
                if (col, row + up) not in self.squares:
                    targets.append((col, row + up))
                    if row == home and (col, row + 2 * up) not in self.squares:
                        targets.append((col, row + 2 * up))
                for to in ((col - 1, row + up), (col + 1, row + up)):
                    there = self.squares.get(to)
                    if (there is not None and not self.own(there)) or to == self.passing:
                        targets.append(to)
                for to in targets:
                    for promotion in "qrbn" if to[1] in (0, 7) else [""]:
                        yield (col, row), to, promotion
                continue
            for dc, dr in STEPS[sign.lower()]:
                to = col + dc, row + dr
                while 0 <= to[0] < 8 and 0 <= to[1] < 8 and not self.own(self.squares.get(to)):
                    yield (col, row), to, ""
                    if to in self.squares or sign.lower() in "nk":
                        break
                    to = to[0] + dc, to[1] + dr

    def castlings(self):
        """Castling, as the king takes its rook."""
        row = 0 if self.white else 7
        king = next(square for square, sign in self.squares.items() if sign.lower() == "k" and self.own(sign))
        for rook in sorted(self.rights):
            if rook[1] != row:
                continue
            to, rook_to = ((6, row), (5, row)) if rook[0] > king[0] else ((2, row), (3, row))
            cols = range(min(king[0], to[0], rook[0], rook_to[0]), max(king[0], to[0], rook[0], rook_to[0]) + 1)
            walk = range(min(king[0], to[0]), max(king[0], to[0]) + 1)
            is_free = all((col, row) in (king, rook) or (col, row) not in self.squares for col in cols)
            if is_free and not any(self.attacked((col, row), not self.white) for col in walk):
                yield king, rook, ""

    def after(self, move):
        source, target, promotion = move
        next_board = Board.__new__(Board)
        squares = dict(self.squares)
        sign, taken = squares.pop(source), squares.get(target)
        if sign.lower() == "k" and taken is not None and self.own(taken):
            del squares[target]
            short = target[0] > source[0]
            squares[6 if short else 2, source[1]], squares[5 if short else 3, source[1]] = sign, taken
        else:
            if sign.lower() == "p" and target == self.passing:
                del squares[target[0], source[1]]
            squares[target] = (promotion.upper() if self.white else promotion) or sign
        is_double = sign.lower() == "p" and abs(target[1] - source[1]) == 2
        next_board.passing = (source[0], (source[1] + target[1]) // 2) if is_double else None
        lost = {source, target} | ({right for right in self.rights if right[1] == source[1]} if sign.lower() == "k" else set())
        next_board.rights, next_board.squares, next_board.white = self.rights - lost, squares, not self.white
        return next_board

    def moves(self):
        for move in [*self.steps(), *self.castlings()]:
            after = self.after(move)
            king = next(square for square, sign in after.squares.items() if sign == ("K" if self.white else "k"))
            if not after.attacked(king, not self.white):
                yield move, after

    def text(self, move):
        source, target, promotion = move
        if not FREE and self.squares[source].lower() == "k" and self.own(self.squares.get(target)):
            target = (6 if target[0] > source[0] else 2), target[1]
        return name(source) + name(target) + promotion

    def material(self):
        value = sum(VALUES[sign.lower()] * (1 if sign.isupper() else -1) for sign in self.squares.values())
        return value if self.white else -value


def position(words):
    moves = words[words.index("moves") + 1:] if "moves" in words else []
    board = Board(START if words[1] == "startpos" else " ".join(words[2:8]))
    for text in moves:
        board = next(after for move, after in board.moves() if board.text(move) == text)
    return board


def go(board):
    def rank(found):
        move, after = found
        digest = zlib.crc32(f"{SEED} {sorted(after.squares.items())}".encode())
        return -after.material(), digest
    moves = list(board.moves())
    best, after = max(moves, key=rank)
    print(f"info depth 1 score cp {-after.material()} nodes {len(moves)} time 1 pv {board.text(best)}")
    print(f"bestmove {board.text(best)}", flush=True)


board = Board(START)
for line in sys.stdin:
    words = line.split()
    if LOG:
        with open(LOG, "a") as file:
            file.write(line)
    match words:
        case ["uci"]:
            print(f"id name Small {SEED}\noption name UCI_Chess960 type check default false\nuciok", flush=True)
        case ["isready"]:
            print("readyok", flush=True)
        case ["setoption", "name", "UCI_Chess960", "value", value]:
            FREE = value == "true"
        case ["position", *_]:
            board = position(words)
        case ["go", *_]:
            go(board)
        case ["quit"]:
            break
