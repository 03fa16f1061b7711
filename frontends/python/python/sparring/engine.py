"""Searches."""

from __future__ import annotations

from typing import Callable, List, NamedTuple, Optional, Union

from . import _native
from .board import Board
from .weights import Explanation, Weights


class Found(NamedTuple):
    """What a search has found."""

    #: The move to play; ``None`` only when the game is over.
    move: Optional[str]
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
    line: List[str]
    #: The plies until a proven win, or, negative, until a proven loss; ``None`` while neither is.
    win_in: Optional[int]


class Engine:
    """An engine for one game and board, with its weights and its table of positions.

    :param weights: a weight set, or the name of a shipped one or a file.
    :param game: the game, where ``weights`` is a name that does not say it.
    :param size: the board; without it that of the weights, else the usual one of the game.
    :param table: the size of the table, in MiB.

    >>> engine = Engine("7x7", game="ataxx")
    >>> engine.search(Board("ataxx"), depth=3).depth
    3

    :raises ValueError: when there are no such weights, or they are not for the board.
    """

    def __init__(
        self,
        weights: Union[Weights, str] = "8x8",
        *,
        game: str = "breakthrough",
        size: Optional[str] = None,
        table: int = 16,
    ) -> None:
        if not isinstance(weights, Weights):
            weights = Weights(weights, game=game)
        self.weights = weights.copy()
        self.size = size or weights.size or Board(weights.game).size
        self._engine = _native.Engine(self.weights._set, self.size, table)

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
        on_depth: Optional[Callable[[Found], object]] = None,
    ) -> Found:
        """Searches until the first limit that it reaches.

        Other threads run meanwhile, and Ctrl-C ends it. What the table holds from earlier searches
        helps; `clear` it for results that depend on nothing else.

        :param nodes: positions visited.
        :param depth: plies.
        :param movetime: seconds.
        :param on_depth: called with what each finished depth has found.

        >>> depths = []
        >>> found = Engine("piece").search(Board(), depth=3, on_depth=depths.append)
        >>> [found.depth for found in depths]
        [1, 2, 3]

        :raises ValueError: when no limit is given, or the board is not the engine's.
        :raises RuntimeError: when another thread is searching with this engine.
        """
        told = None if on_depth is None else lambda *found: on_depth(Found(*found))
        return Found(*self._engine.search(board._game, nodes, depth, movetime, told))

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
