"""Weight sets."""

from __future__ import annotations

import difflib
import errno
import json
import operator
import os
import tempfile
import warnings
from pathlib import Path
from collections.abc import Mapping
from typing import Any, Dict, Iterator, List, NamedTuple, Optional, Tuple, Union

from . import _native
from ._arguments import count, not_bool
from .board import Board, game_of


#: The file that makes a directory that of a run.
_MANIFEST = "manifest.json"
#: The file with the best proven set of a run.
BEST = "weights.json"
#: The file with the candidate of a run that was not accepted.
CANDIDATE = "candidate.json"


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
    #: The phase of the position, 0 to 16; ``None`` unless the set has weights by phase.
    phase: Optional[int] = None


class Weights:
    """The numbers that an engine evaluates positions with: a mapping from the names of features to
    a number, or to an array of them for a table of patterns.

    :param name: a shipped set, as `sparring.shipped()` lists them, with or without its game, the
        path of a file, or a run: the set that it made, or, with a `UserWarning`, its start set. A run
        is its directory or, as in a terminal, ``last``, its name or a part of it; with ``:candidate``
        after it, its tuned weights, accepted or not.
    :param game: the game, where the name does not say it.

    >>> weights = Weights("piece")
    >>> weights["piece"]
    1
    >>> weights["danger"] = -7
    >>> weights["danger"]
    -7

    An array is a copy that refuses to be written: change a copy of it, and assign that.

    >>> table = Weights("breakthrough/8x8")["windows_3x3"].copy()
    >>> Weights("breakthrough/8x8").size
    '8x8'

    :raises ValueError: when the game is unknown, there is no such set, or no engine can play with it.
    """

    __slots__ = ("_set",)

    def __init__(self, name: Union[str, "os.PathLike[str]"], *, game: str = "breakthrough") -> None:
        _native.check_game(game)
        self._set = _found(os.fspath(name), game)

    @classmethod
    def _of(cls, found: _native.Weights) -> Weights:
        weights = cls.__new__(cls)
        weights._set = found
        return weights

    @classmethod
    def _read(cls, path: str) -> Weights:
        """The set in a file."""
        return cls._of(_native.Weights.find(path, "breakthrough"))

    @classmethod
    def strongest(cls, game: str = "breakthrough", size: Optional[str] = None) -> Weights:
        """The shipped set that plays a board best; without a board, the usual one of the game.

        >>> Weights.strongest("ataxx").name
        '7x7-network'

        :raises ValueError: when there is no such game, or it is not played on that board.
        """
        return cls._of(_native.Weights.strongest(game, size or Board(game).size))

    @classmethod
    def from_json(cls, text: str) -> Weights:
        """The set that the text of a file holds.

        :raises ValueError: when no engine can play with it, with the place of what is wrong.
        """
        return cls._of(_native.Weights.from_json(text, "text"))

    def to_json(self) -> str:
        """The set as the text of a file."""
        return self._set.to_json()

    def save(self, path: Union[str, "os.PathLike[str]"]) -> None:
        """Writes the set to a file of JSON: all of it, or nothing.

        :raises OSError: when the file cannot be written.
        :raises ValueError: when it is named ``.bin``, as the compact form is.
        """
        path = Path(path)
        if path.suffix == ".bin":
            remedy = "name it .json; `spar weights export FILE --to bin` makes the compact form of it"
            raise ValueError(f"{path}: a set is saved as JSON; {remedy}")
        if not path.parent.is_dir():
            raise FileNotFoundError(errno.ENOENT, "no such folder", str(path.parent))
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

    __copy__ = copy

    def __deepcopy__(self, memo: object) -> Weights:
        return self.copy()

    def __reduce__(self) -> Tuple[Any, ...]:
        return type(self).from_json, (self.to_json(),)

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

    @scale.setter
    def scale(self, scale: int) -> None:
        self._set.scale = count("scale", scale, 1, _native.MAX_SCALE)

    @property
    def unit(self) -> int:
        """What a piece is worth, in units of the score: a score divided by it is in pieces."""
        return self._set.score_units()[0]

    @property
    def win_scale(self) -> float:
        """The units of the score that make one logit: the chance to win of the side to move is about
        ``1 / (1 + exp(-score / win_scale))``."""
        return self._set.score_units()[1]

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
        numbers = self._set.get(self._known(name))
        if dict(self._set.shapes())[name] is None:
            return int.from_bytes(numbers, "little", signed=True)
        from ._needed import numpy

        return numpy.frombuffer(numbers, dtype="<i4")

    def _known(self, name: str) -> str:
        """The name, if there is such a weight."""
        names = self.keys()
        if name not in names:
            near = difflib.get_close_matches(str(name), names, 3)
            remedy = f"near it: {', '.join(near)}" if near else "`keys()` lists all"
            raise KeyError(f"there is no weight `{name}`; {remedy}")
        return name

    def __setitem__(self, name: str, value: Any) -> None:
        known = self._known(name)
        if hasattr(value, "tolist"):
            value = value.tolist()
        is_list = hasattr(value, "__len__") and not isinstance(value, (str, bytes, bytearray))
        self._set.set(known, [_whole(known, number) for number in (value if is_list else [value])])

    def update(self, other: Optional[Union[Mapping[str, Any], Weights]] = None, **named: Any) -> None:
        """Assigns several weights: all of them, or, if one cannot be assigned, none.

        >>> weights = Weights("piece")
        >>> weights.update({"danger": 3}, protection=-2)
        >>> weights["danger"], weights["protection"]
        (3, -2)
        """
        changed = self.copy()
        for name, value in {**dict(other.items() if other else ()), **named}.items():
            changed[name] = value
        self._set = changed._set

    def __iter__(self) -> Iterator[str]:
        return iter(self.keys())

    def __len__(self) -> int:
        return len(self._set.shapes())

    def __contains__(self, name: object) -> bool:
        return name in self.keys()

    def keys(self) -> List[str]:
        """The names of the weights."""
        return [name for name, _ in self._set.shapes()]

    def values(self) -> List[Any]:
        """The weights, in the order of `keys`."""
        return [self[name] for name in self]

    def items(self) -> List[Tuple[str, Any]]:
        """Each name with its weight."""
        return [(name, self[name]) for name in self]

    def get(self, name: str, default: Any = None) -> Any:
        """A weight, or the default where the game has no such feature.

        >>> Weights("piece").get("no_such_feature", 0)
        0
        """
        return self[name] if name in self else default

    def explain(self, board: Board) -> Explanation:
        """The static value of a position, term by term.

        >>> explained = Weights("piece").explain(Board())
        >>> explained.score
        0
        >>> explained.terms[0]["name"]
        'piece'

        :raises ValueError: when the set is for another game or board.
        """
        explained = json.loads(game_of(board).explain(self._set))
        return Explanation(**{name: explained.get(name) for name in Explanation._fields})

    def __eq__(self, other: object) -> bool:
        """Whether every number is the same, whatever the sets are called.

        >>> Weights("piece") == Weights("piece"), Weights("piece") == Weights("hand")
        (True, False)
        """
        if not isinstance(other, Weights):
            return NotImplemented
        mine, others = ((one.game, one.size, one.fingerprint) for one in (self, other))
        return mine == others

    # Its numbers can change.
    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        on = f" on {self.size}" if self.size else ""
        return f"<Weights {self.name!r} of {self.game}{on}, {self.fingerprint}>"


def _found(place: str, game: str) -> _native.Weights:
    """A shipped set, or the set in a file or of a run, which may be named as in a terminal."""
    try:
        return _native.Weights.find(_file_of(place), game)
    except ValueError:
        if os.path.exists(place) or place.endswith((".json", ".bin")):
            raise
        from .runs import set_of_run

        text = set_of_run(place, game)
        if text is None:
            raise
    return _native.Weights.from_json(text, place)


def _file_of(place: str) -> str:
    """The file to read at a place, which may be a run directory. Warns if it is a set of a run that
    was not accepted."""
    is_run = os.path.exists(os.path.join(place, _MANIFEST))
    directory, file = (place, BEST) if is_run else os.path.split(place)
    if file not in (BEST, CANDIDATE) or not os.path.exists(os.path.join(directory, _MANIFEST)):
        return place
    path = os.path.join(directory, file)
    if not os.path.exists(path):
        if not is_run:
            return place
        raise ValueError(no_weights(place))
    from .runs import warning_of

    warning = warning_of(directory or os.curdir, file)
    if warning is not None:
        warnings.warn(warning, stacklevel=4)
    return path


def no_weights(run: str) -> str:
    """The words on a run without weights, such as a match."""
    return f"run {run}: it makes no weights; name a tune of weights"


def _whole(name: str, number: Any) -> int:
    """A whole number, also as a float; any other one is an error."""
    if isinstance(number, float) and number.is_integer():
        number = int(number)
    try:
        return operator.index(not_bool(number))
    except TypeError:
        reason = f"weight `{name}`: {number!r} is not a whole number; round it, or raise `scale`"
        raise ValueError(reason) from None


Mapping.register(Weights)
