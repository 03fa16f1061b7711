"""Breakthrough, Ataxx and Breakthru: rules, a strong engine, and tuned weights.

>>> import sparring
>>> board = sparring.Board()
>>> board.push("d2d3")
'd2d3'
>>> engine = sparring.Engine("8x8")
>>> found = engine.search(board, depth=4)
>>> found.best in board.legal_moves
True

`Board` has the rules, in the manner of python-chess; `Engine` searches; `Weights` are the numbers
that it plays with. `features`, `patterns` and `Samples` give NumPy arrays for experiments, and
`tune`, `resume`, `match`, `generate`, `fit` and `train` run the program `spar`, which is in the package.
"""

from importlib.metadata import version as _version

from ._calls import ProgramError
from ._native import shipped
from .arrays import Patterns, feature_names, features, patterns, tables
from .board import GAMES, Board
from .engine import Engine, Found, Line
from .programs import fit, generate, match, resume, train, tune
from .runs import Interrupted, Run
from .samples import Samples
from .weights import Explanation, Weights

__version__ = _version("sparring")

__all__ = [
    "GAMES",
    "Board",
    "Engine",
    "Explanation",
    "Found",
    "Interrupted",
    "Line",
    "Patterns",
    "ProgramError",
    "Run",
    "Samples",
    "Weights",
    "feature_names",
    "features",
    "fit",
    "generate",
    "match",
    "patterns",
    "resume",
    "shipped",
    "tables",
    "train",
    "tune",
]
