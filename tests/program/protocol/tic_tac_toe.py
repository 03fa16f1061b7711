#!/usr/bin/env python3
"""Tic-tac-toe over UCI: a player, and a referee that lists the legal moves (`go perft 1`) and shows the position (`d`).

    tic_tac_toe.py KIND SEED

A move is the square that gets a stone, a1 to c3. Who has three in a row has won. The player takes a square by its
seed and its option Taste. As a referee it misbehaves as KIND says, each time it is asked about a position of three
stones: it `dies`, `hangs`, `lies` (calls a square free that is not, and does not play there), `keeps` the turn, shows a `long` FEN, or `counts` wrongly.
With KIND `usi` it speaks USI alone, as a player, with `resigns` it also gives up at five stones, and with `declares`
it says then that it has won.
With KIND `once` it dies the first time only, of all processes. With `misere` three in a row lose. With `mates` its
scores say how its move ends the game, and with `biased` whoever has a stone on a3 is ahead. With `signs` its FENs call
the sides x and o.
"""
import os
import sys
import time

KIND = sys.argv[1] if len(sys.argv) > 1 else "good"
SEED = int(sys.argv[2]) if len(sys.argv) > 2 else 1
MARK = sys.argv[3] if len(sys.argv) > 3 else None
SQUARES = [file + rank for rank in "321" for file in "abc"]
LINES = ["012", "345", "678", "036", "147", "258", "048", "246"]


def say(text):
    print(text, flush=True)


class Game:
    def __init__(self, fen):
        rows, side = fen.split()[:2]
        self.cells = "".join("." * int(sign) if sign.isdigit() else sign for sign in rows if sign != "/")
        self.white = side in ("w", "x")

    def winner(self):
        """Whose stones stand in a row, where some do."""
        for line in LINES:
            signs = {self.cells[int(place)] for place in line}
            if len(signs) == 1 and "." not in signs:
                return signs.pop()
        return None

    def moves(self):
        if self.winner():
            return []
        return [square for square, cell in zip(SQUARES, self.cells) if cell == "."]

    def play(self, square):
        place = SQUARES.index(square)
        if self.cells[place] != ".":
            return
        self.cells = self.cells[:place] + ("X" if self.white else "o") + self.cells[place + 1:]
        self.white = not self.white

    def fen(self):
        rows = []
        for row in range(3):
            text = ""
            for cell in self.cells[3 * row:3 * row + 3]:
                if cell == "." and text[-1:].isdigit():
                    text = text[:-1] + str(int(text[-1]) + 1)
                else:
                    text += "1" if cell == "." else cell
            rows.append(text)
        stones = 9 - self.cells.count(".")
        return f"{'/'.join(rows)} {'w' if self.white else 'b'} - - 0 {1 + stones // 2}"

    def score(self):
        """The score of a game that is over, from the side to move."""
        if not self.winner():
            return "cp 0"
        return "mate 0"


START = "3/3/3 w - - 0 1"
USI = KIND in ("usi", "resigns", "declares")


def turned(square):
    """A square of UCI as USI has it, or the other way round, if this engine speaks USI."""
    if not USI:
        return square
    if square[0].isdigit():
        return "cba"[int(square[0]) - 1] + str(3 - "abc".index(square[1]))
    return str(3 - "abc".index(square[0])) + "cba"[int(square[1]) - 1]


def position(words):
    moves = words[words.index("moves") + 1:] if "moves" in words else []
    game = Game(START if words[1] == "startpos" else " ".join(words[2:4]))
    if USI and words[1] == "sfen":
        # Black is the first side here, and "-" its hand.
        assert words[4] == "-" and words[5].isdigit(), words
        game.white = words[3] == "b"
    for move in moves:
        game.play(turned(move))
    return game


def is_fault(game):
    return game.cells.count(".") == 6


def perft(game):
    moves = game.moves()
    if is_fault(game):
        if KIND == "dies" or (KIND == "once" and not os.path.exists(MARK)):
            if MARK:
                open(MARK, "w").close()
            say("I cannot go on")
            sys.exit(3)
        if KIND == "hangs":
            time.sleep(600)
        if KIND == "lies":
            moves = [square for square in SQUARES if square not in moves]
    for move in moves:
        say(f"{move}: 1")
    say("")
    say(f"Nodes searched: {len(moves) + (KIND == 'counts' and is_fault(game))}")


def search(game, words, taste):
    moves = game.moves()
    if not moves:
        say(f"info depth 0 score {game.score()}")
        say("bestmove (none)")
        return
    score = "cp 5"
    if "searchmoves" in words:
        move = words[-1]
        game.play(move)
        if game.winner():
            score = "mate -1" if KIND == "misere" else "mate 1"
    else:
        stones = game.cells.count(".")
        move = moves[(SEED * 7 + taste * stones + sum(map(ord, game.cells)) // 3) % len(moves)]
    if KIND == "mates":
        game.play(move)
        score = "mate 1" if game.winner() else "cp 5" if game.moves() else "cp 0"
    if KIND == "biased" and game.cells[0] != ".":
        score = "cp 300" if (game.cells[0] == "X") == game.white else "cp -300"
    move = turned(move)
    if KIND in ("resigns", "declares") and game.cells.count(".") <= 4:
        move = "resign" if KIND == "resigns" else "win"
    say(f"info depth 1 nodes 1 score {score} pv {move}")
    say(f"bestmove {move}")


def main():
    game, taste = Game(START), 0
    for line in sys.stdin:
        words = line.split()
        if line == ("usi\n" if USI else "uci\n"):
            say("id name Stones")
            say("option name Taste type spin default 2 min 0 max 9")
            say("option name UCI_Variant type combo default tictactoe var tictactoe")
            say("usiok" if USI else "uciok")
        elif words[:1] == ["isready"]:
            say("readyok")
        elif words[:3] == ["setoption", "name", "Taste"]:
            taste = int(words[-1])
        elif words[:1] == ["position"]:
            game = position(words)
        elif words[:1] == ["d"]:
            fen = game.fen()
            if KIND == "keeps" and is_fault(game):
                fen = fen.replace(" b ", " w ")
            if KIND == "signs":
                fen = fen.replace(" w ", " x ").replace(" b ", " o ")
            if KIND == "long" and is_fault(game):
                fen = "1" * 100_000 + fen
            say(f"Fen: {fen}\nKey: 123")
        elif words[:2] == ["go", "perft"]:
            perft(game)
        elif words[:1] == ["go"]:
            search(Game(game.fen()), words, taste)
        elif words[:1] == ["quit"]:
            return


main()
