"""Weight sets."""

from __future__ import annotations

import json
import os
import tempfile
from pathlib import Path
from typing import Any, Dict, Iterator, List, NamedTuple, Optional, Union

from . import _native
from .board import Board


class Explanation(NamedTuple):
    """The static value of a position, taken apart: ``score = sum / scale``, toward zero."""

    #: For each feature its name, value, weight and product.
    terms: List[Dict[str, Any]]
    #: For each table of patterns its name, cells, weights and product.
    tables: List[Dict[str, Any]]
    #: What the network sees and says; ``None`` without one.
    network: Optional[Dict[str, Any]]
    #: The sum of the products.
    sum: int
    #: The divisor of the weights.
    scale: int
    #: The value, from the side to move.
    score: int


class Weights:
    """The numbers that an engine evaluates positions with: a mapping from the names of features to
    a number, or to an array of them for a table of patterns.

    :param name: a shipped set, as `sparring.shipped()` lists them, with or without its game, or the
        path of a file.
    :param game: the game, where the name does not say it.

    >>> weights = Weights("piece")
    >>> weights["piece"]
    1
    >>> weights["danger"] = -7
    >>> weights["danger"]
    -7
    >>> Weights("breakthrough/8x8").size
    '8x8'

    :raises ValueError: when there is no such set, or the file is none.
    """

    __slots__ = ("_set",)

    def __init__(self, name: Union[str, "os.PathLike[str]"], *, game: str = "breakthrough") -> None:
        self._set = _native.Weights.find(os.fspath(name), game)

    @classmethod
    def _of(cls, found: _native.Weights) -> Weights:
        weights = cls.__new__(cls)
        weights._set = found
        return weights

    @classmethod
    def from_json(cls, text: str) -> Weights:
        """The set that the text of a file holds.

        :raises ValueError: when it is none, with the place of what is wrong.
        """
        return cls._of(_native.Weights.from_json(text, "text"))

    def to_json(self) -> str:
        """The set as the text of a file."""
        return self._set.to_json()

    def save(self, path: Union[str, "os.PathLike[str]"]) -> None:
        """Writes the set to a file: all of it, or nothing.

        :raises OSError: when the file cannot be written.
        """
        path = Path(path)
        handle, written = tempfile.mkstemp(dir=path.parent, prefix=path.name, suffix=".part")
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                file.write(self.to_json())
                file.flush()
                os.fsync(file.fileno())
            os.chmod(written, 0o644)
            os.replace(written, path)
        except BaseException:
            os.unlink(written)
            raise

    def copy(self) -> Weights:
        """The same set once more."""
        return type(self)._of(self._set.copy())

    @property
    def name(self) -> str:
        """The name of the set."""
        return self._set.name

    @name.setter
    def name(self, name: str) -> None:
        self._set.name = name

    @property
    def game(self) -> str:
        """The name of the game."""
        return self._set.game

    @property
    def size(self) -> Optional[str]:
        """The board that the set is for; ``None`` for any."""
        return self._set.size

    @property
    def scale(self) -> int:
        """What the sum of all products is divided by."""
        return self._set.scale

    @property
    def has_network(self) -> bool:
        """Whether the set has a network beside its weights."""
        return self._set.has_network

    @property
    def fingerprint(self) -> str:
        """A digest of every number of the set."""
        return self._set.fingerprint()

    def __getitem__(self, name: str) -> Any:
        """A number, or a NumPy array of them for a table."""
        numbers = self._set.get(name)
        if dict(self._set.shapes())[name] is None:
            return int.from_bytes(numbers, "little", signed=True)
        import numpy

        return numpy.frombuffer(numbers, dtype="<i4").copy()

    def __setitem__(self, name: str, value: Any) -> None:
        is_table = hasattr(value, "__len__")
        numbers = [int(number) for number in (value if is_table else [value])]
        self._set.set(name, numbers)

    def __iter__(self) -> Iterator[str]:
        return iter(self.keys())

    def __len__(self) -> int:
        return len(self._set.shapes())

    def __contains__(self, name: object) -> bool:
        return name in self.keys()

    def keys(self) -> List[str]:
        """The names of the weights."""
        return [name for name, _ in self._set.shapes()]

    def explain(self, board: Board) -> Explanation:
        """The static value of a position, term by term.

        >>> explained = Weights("piece").explain(Board())
        >>> explained.score
        0
        >>> explained.terms[0]["name"]
        'piece'

        :raises ValueError: when the set is for another game or board.
        """
        explained = json.loads(board._game.explain(self._set))
        return Explanation(**{name: explained.get(name) for name in Explanation._fields})

    def __repr__(self) -> str:
        on = f" on {self.size}" if self.size else ""
        return f"<Weights {self.name!r} of {self.game}{on}, {self.fingerprint}>"
