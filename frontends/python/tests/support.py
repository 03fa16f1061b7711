"""What the tests share: the program `spar` of the same version, whose answers are the reference.

SPAR names it.
"""

import json
import os
import subprocess

import sparring

SPAR = os.environ["SPAR"]
#: Each game with boards on which it is played.
BOARDS = [
    ("breakthrough", ["8x8", "5x5", "6x6"]),
    ("ataxx", ["7x7", "5x5"]),
    ("breakthru", ["11x11"]),
]


def spar(*words):
    """The document that a command prints."""
    done = subprocess.run([SPAR, *words, "--json"], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def random_game(game, size, plies, choose):
    board = sparring.Board(game, size=size)
    while len(board.move_stack) < plies and not board.is_game_over():
        board.push(choose.choice(board.legal_moves))
    return board
