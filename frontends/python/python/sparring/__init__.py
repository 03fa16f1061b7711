"""Breakthrough, Ataxx and Breakthru: rules, a strong engine, and tuned weights.

>>> import sparring
>>> board = sparring.Board()
>>> board.push("d2d3")
'd2d3'
>>> engine = sparring.Engine("8x8")
>>> found = engine.search(board, depth=4)
>>> found.move in board.legal_moves
True

`Board` has the rules, in the manner of python-chess; `Engine` searches; `Weights` are the numbers
that it plays with. `features`, `patterns` and `Samples` give NumPy arrays for experiments, and
`tune` and `match` run the program `spar`.
"""

from ._native import shipped
from .arrays import Patterns, feature_names, features, patterns, tables
from .board import GAMES, Board
from .engine import Engine, Found
from .programs import ProgramError, Run, match, tune
from .samples import Samples
from .weights import Explanation, Weights

__all__ = [
    "GAMES",
    "Board",
    "Engine",
    "Explanation",
    "Found",
    "Patterns",
    "ProgramError",
    "Run",
    "Samples",
    "Weights",
    "feature_names",
    "features",
    "match",
    "patterns",
    "shipped",
    "tables",
    "tune",
]
