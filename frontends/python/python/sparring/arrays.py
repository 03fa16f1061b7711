"""Features and patterns of many positions, as NumPy arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, Iterable, List, NamedTuple, Optional, Tuple, Union

from . import _native
from .board import Board

if TYPE_CHECKING:
    import numpy


class Patterns(NamedTuple):
    """How often positions show each pattern of a table, as compressed sparse rows.

    ``scipy.sparse.csr_matrix((counts, cells, starts), shape)`` and
    ``torch.sparse_csr_tensor(starts, cells, counts, shape)`` take them as they are.
    """

    #: Where each row begins in the other two, and the end.
    starts: "numpy.ndarray[Any, Any]"
    #: The cells of the table that each position shows.
    cells: "numpy.ndarray[Any, Any]"
    #: How often it shows each of them.
    counts: "numpy.ndarray[Any, Any]"
    #: Positions, cells of the table.
    shape: Tuple[int, int]


def feature_names(game: str = "breakthrough") -> List[str]:
    """The names of a game's features with one value: the columns of `features`.

    >>> feature_names()[0]
    'piece'
    """
    return _native.feature_names(game)


def tables(game: str = "breakthrough", size: str = "8x8") -> Dict[str, int]:
    """The tables of patterns, and the number of cells that each has on a board.

    >>> tables("ataxx", "7x7")
    {'windows_3x3': 177147}
    """
    return dict(_native.table_names(game, size))


def _texts(
    fens: "Iterable[Union[str, Board]]", game: Optional[str]
) -> Tuple[List[str], str]:
    """The positions as texts, and their game. A single text would count as a position for each of
    its letters.
    """
    if isinstance(fens, str):
        raise TypeError(f"positions: a single text; give a list, such as [{fens!r}]")
    if isinstance(fens, Board):
        raise TypeError("positions: a single Board; give a list, such as [board]")
    positions = list(fens)
    games = {position.game for position in positions if isinstance(position, Board)}
    if game:
        games.add(game)
    if len(games) > 1:
        named = ", ".join(sorted(games))
        raise ValueError(f"positions of several games: {named}; ask for each game separately")
    texts = [
        position.fen() if isinstance(position, Board) else position for position in positions
    ]
    return texts, next(iter(games), "breakthrough")


def features(
    fens: "Iterable[Union[str, Board]]", game: Optional[str] = None
) -> "numpy.ndarray[Any, Any]":
    """The features of positions: a row for each position, a column for each name of
    `feature_names`.

    :param fens: the positions, as FEN or as :class:`Board`.
    :param game: their game; without it the boards' one, for texts alone Breakthrough.

    >>> features(["pp3/5/5/5/3PP w - - 0 1"])[0, :2].tolist()
    [0, 0]
    >>> features([Board("ataxx")]).shape
    (1, 26)

    :raises ValueError: when a text is not a position of the game; the error names its place. Also
        when a board is of another game.
    """
    from ._needed import numpy

    fens, game = _texts(fens, game)
    counted = numpy.frombuffer(_native.features(game, fens), dtype="<i4")
    return counted.reshape(-1, len(feature_names(game)))


def patterns(
    fens: "Iterable[Union[str, Board]]", table: str = "windows_3x3", game: Optional[str] = None
) -> Patterns:
    """The patterns of a table that positions show. The positions and the game are given as to
    `features`.

    >>> shown = patterns(["x5o/7/7/7/7/7/o5x x 0 1"], game="ataxx")
    >>> int(shown.counts.sum())
    25

    :raises ValueError: when a text is not a position of the game, the positions are on different
        boards or of another game, or the game has no such table.
    """
    from ._needed import numpy

    fens, game = _texts(fens, game)
    sizes = {_native.Game.from_fen(game, fen).size for fen in fens}
    if len(sizes) > 1:
        boards = ", ".join(sorted(sizes))
        raise ValueError(f"positions on different boards: {boards}; ask for each board separately")
    starts, cells, counts = _native.patterns(game, table, fens)
    width = dict(_native.table_names(game, sizes.pop()))[table] if sizes else 0
    return Patterns(
        numpy.frombuffer(starts, dtype="<i8"),
        numpy.frombuffer(cells, dtype="<i4"),
        numpy.frombuffer(counts, dtype="<i4"),
        (len(fens), width),
    )
