"""Reads games with python-chess, and plays them again: read_pgn.py FILE GAMES. Each must be whole and end as it says."""
import sys

import chess.pgn

count = 0
with open(sys.argv[1]) as file:
    while (game := chess.pgn.read_game(file)) is not None:
        assert not game.errors, (game.headers, game.errors)
        board = game.end().board()
        played = len(list(game.mainline_moves()))
        assert played == int(game.headers["PlyCount"]), game.headers
        result = game.headers["Result"]
        if game.headers["Termination"] == "normal":
            outcome = board.outcome(claim_draw=True)
            assert outcome is not None and outcome.result() == result, (game.headers, board.fen())
        count += 1
assert count == int(sys.argv[2]), count
print(f"{count} games")
