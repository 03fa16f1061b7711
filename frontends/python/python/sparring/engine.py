"""Searches."""

from __future__ import annotations

import numbers
import os
from typing import Any, Callable, Iterable, List, NamedTuple, Optional, Tuple, Union

from . import _native
from ._arguments import MOST_DEPTH, MOST_NODES, count
from .board import Board, game_of
from .weights import Explanation, Weights


#: The longest time of a search, in seconds: a year.
_LONGEST = 31_536_000


class Line(NamedTuple):
    """One of the lines that a search has found."""

    #: The score from the side to move, in units of the weights.
    score: int
    #: The depth that it was searched to, in plies.
    depth: int
    #: Its moves.
    pv: List[str]
    #: As in `Found`.
    win_in: Optional[int]

    @property
    def best(self) -> str:
        """Its first move."""
        return self.pv[0]


class Found(NamedTuple):
    """What a search has found."""

    #: The move to play; ``None`` only when the game is over.
    best: Optional[str]
    #: The score from the side to move, in units of the weights; a proven win or loss is far beyond
    #: what weights give.
    score: int
    #: The last depth finished, in plies.
    depth: int
    #: The positions visited.
    nodes: int
    #: The time since the search began.
    seconds: float
    #: The best line, beginning with the move.
    pv: List[str]
    #: The plies until a proven win, or, negative, until a proven loss; ``None`` while neither is.
    win_in: Optional[int]
    #: Every line that was asked for, best first, the best one among them.
    lines: List[Line]

    @property
    def move(self) -> Optional[str]:
        """The older name of `best`."""
        return self.best

    @property
    def line(self) -> List[str]:
        """The older name of `pv`."""
        return self.pv

    @classmethod
    def _told(cls, *found: Any) -> Found:
        """The engine's report of a depth."""
        *fields, lines = found
        return cls._make([*fields, [Line(*line) for line in lines]])


class Engine:
    """An engine for one game and board, with its weights and its table of positions.

    :param weights: a weight set, or the name of a shipped one, a file or a run.
    :param game: the game, where ``weights`` is a name that does not say it.
    :param size: the board; without it the board of the weights, else the game's usual one.
    :param hash: the size of the table of positions, in MiB; ``table`` is its older name.

    >>> engine = Engine("7x7", game="ataxx")
    >>> engine.search(Board("ataxx"), depth=3).depth
    3

    :raises ValueError: when there are no such weights, they are not for the board, or the size of the
        table is out of range.
    """

    def __init__(
        self,
        weights: Union[Weights, str, "os.PathLike[str]"] = "8x8",
        *,
        game: str = "breakthrough",
        size: Optional[str] = None,
        hash: int = 16,
        table: Optional[int] = None,
    ) -> None:
        if not isinstance(weights, Weights):
            weights = Weights(weights, game=game)
        self.weights = weights.copy()
        self.size = size or weights.size or Board(weights.game).size
        name, size_of_table = ("hash", hash) if table is None else ("table", table)
        self._hash = count(name, size_of_table, 1, _native.MAX_HASH)
        self._engine = _native.Engine(self.weights._set, self.size, self._hash)

    def __reduce__(self) -> Tuple[Any, ...]:
        return _engine, (self.weights, self.size, self._hash)

    @property
    def game(self) -> str:
        """The name of the game."""
        return self.weights.game

    def search(
        self,
        board: Board,
        *,
        nodes: Optional[int] = None,
        depth: Optional[int] = None,
        movetime: Optional[float] = None,
        multipv: int = 1,
        searchmoves: Iterable[str] = (),
        on_depth: Optional[Callable[[Found], object]] = None,
    ) -> Found:
        """Searches until the first limit that it reaches.

        Other threads run meanwhile, and Ctrl-C ends it. What the table holds from earlier searches
        helps; `clear` it for results that depend on nothing else.

        :param nodes: positions visited.
        :param depth: plies.
        :param movetime: seconds.
        :param multipv: how many of the best lines to report, each beginning with another move.
        :param searchmoves: the moves to choose from; all by default.
        :param on_depth: called with what each finished depth has found.

        >>> depths = []
        >>> found = Engine("piece").search(Board(), depth=3, on_depth=depths.append)
        >>> [found.depth for found in depths]
        [1, 2, 3]
        >>> [line.best for line in Engine("piece").search(Board(), depth=2, multipv=2).lines] != []
        True

        :raises ValueError: when no limit is given, a number is out of range, a move is illegal, or the
            board is not the engine's.
        :raises RuntimeError: when another thread is searching with this engine.
        """
        told = None if on_depth is None else lambda *found: on_depth(Found._told(*found))
        _check_limits(nodes, depth, movetime)
        game = game_of(board)
        lines = count("multipv", multipv, 1, MOST_DEPTH)
        if isinstance(searchmoves, str):
            raise TypeError(f"searchmoves: a single text; give a list, such as [{searchmoves!r}]")
        moves = list(searchmoves)
        search = self._engine.search
        return Found._told(*search(game, nodes, depth, movetime, told, lines, moves))

    def stop(self) -> None:
        """Ends the search that another thread has begun; it gives the best move so far."""
        self._engine.stop()

    def clear(self) -> None:
        """Forgets everything: before each game."""
        self._engine.clear()

    def explain(self, board: Board) -> Explanation:
        """The static value of a position, term by term: see `Weights.explain`."""
        return self.weights.explain(board)

    def __repr__(self) -> str:
        return f"<Engine of {self.game} on {self.size} with {self.weights.name!r}>"


def _check_limits(
    nodes: Optional[int], depth: Optional[int], movetime: Optional[float]
) -> None:
    """Raises a `ValueError` unless a limit is set, and each is in its range."""
    if nodes is None and depth is None and movetime is None:
        raise ValueError("limits: none is set; give nodes, depth or movetime")
    for name, value, most in (("nodes", nodes, MOST_NODES), ("depth", depth, MOST_DEPTH)):
        if value is not None:
            count(name, value, 1, most)
    is_number = isinstance(movetime, numbers.Real) and not isinstance(movetime, bool)
    if movetime is not None and not is_number:
        raise TypeError(f"movetime: {type(movetime).__name__} is not a number; give seconds")
    if movetime is not None and not 0 < movetime <= _LONGEST:
        raise ValueError(f"movetime={movetime}: not a time; give seconds from 0 to {_LONGEST}")


def _engine(weights: Weights, size: str, hash: int) -> Engine:
    """An engine as it was pickled, without what its table held."""
    return Engine(weights, size=size, hash=hash)
