"""Features and patterns of many positions, as NumPy arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, Iterable, List, NamedTuple, Tuple

from . import _native

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


def _texts(fens: Iterable[str]) -> List[str]:
    """The positions as a list. A single text would count as a position for each of its letters."""
    if isinstance(fens, str):
        raise TypeError(f"positions: a single text; give a list, such as [{fens!r}]")
    return list(fens)


def features(fens: Iterable[str], game: str = "breakthrough") -> "numpy.ndarray[Any, Any]":
    """The features of positions: a row for each position, a column for each name of
    `feature_names`.

    >>> features(["pp3/5/5/5/3PP w - - 0 1"])[0, :2].tolist()
    [0, 0]

    :raises ValueError: when a text is not a position of the game; the error names its place.
    """
    from ._needed import numpy

    fens = _texts(fens)
    counted = numpy.frombuffer(_native.features(game, fens), dtype="<i4")
    return counted.reshape(-1, len(feature_names(game)))


def patterns(
    fens: Iterable[str], table: str = "windows_3x3", game: str = "breakthrough"
) -> Patterns:
    """The patterns of a table that positions show.

    >>> shown = patterns(["x5o/7/7/7/7/7/o5x x 0 1"], game="ataxx")
    >>> int(shown.counts.sum())
    25

    :raises ValueError: when a text is not a position of the game, the positions are on different
        boards, or the game has no such table.
    """
    from ._needed import numpy

    fens = _texts(fens)
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
