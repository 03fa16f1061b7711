"""Networks in NumPy: the inputs that positions show, and values to the last digit.

weights/FEATURES.md of the repository defines all of it. `sparring.torch_train` trains with this module.
"""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING, Any, Dict, List, NamedTuple, Tuple

if TYPE_CHECKING:
    import numpy

    from .samples import Samples
    from .weights import Weights

    Array = numpy.ndarray[Any, Any]

#: The limit of a hidden unit: the whole number that a sum of 1 becomes.
LIMIT = 127
#: The greatest whole number that an output of 1 can become, as a power of two.
_MOST_OUTPUT_BITS = 13
#: Positions that are evaluated at once.
_CHUNK = 1024


class _Rules(NamedTuple):
    """How the networks of a game see a position."""

    #: The contents of a square.
    states: int
    #: The inputs that tell the turn, of which a position shows one; they follow the windows.
    turns: int
    #: The largest bias of a hidden unit.
    most_bias: int
    windows: Tuple[str, ...]
    #: Whether rows can be mirrored and exchanged with columns too.
    turned: bool


_SIDES = ("2x2", "2x3", "3x2")
_RULES = {
    "breakthrough": _Rules(3, 0, 24_000, _SIDES, False),
    "ataxx": _Rules(3, 0, 24_000, _SIDES, True),
    "breakthru": _Rules(4, 4, 19_000, ("2x2",), True),
}


class Scheme:
    """The inputs of the networks of a game on a board, with windows of ``rows x columns``.

    >>> scheme = Scheme("ataxx", "7x7")
    >>> scheme.inputs, scheme.shown, scheme.images
    (2916, 36, 8)

    :raises ValueError: when the game has no networks, or none with such windows.
    """

    def __init__(self, game: str, size: str, window: str = "2x2") -> None:
        rules = _RULES.get(game)
        if rules is None:
            raise ValueError(f"{game} has no networks; games with networks: {', '.join(_RULES)}")
        if window not in rules.windows:
            known = ", ".join(rules.windows)
            raise ValueError(f"networks of {game} have no windows of {window}; choose {known}")
        self.game, self.size, self.window = game, size, window
        self.cols, self.rows = map(int, size.split("x"))
        self.height, self.width = map(int, window.split("x"))
        self.states, self.turns, self.most_bias = rules.states, rules.turns, rules.most_bias
        places = max(self.rows + 1 - self.height, 0) * max(self.cols + 1 - self.width, 0)
        #: The patterns of a window.
        self.patterns = int(rules.states ** (self.height * self.width))
        #: The inputs, and how many of them a position shows.
        self.inputs = places * self.patterns + rules.turns
        self.shown = places + (rules.turns > 0)
        square = self.cols == self.rows
        #: The images of a board that are the same to the game.
        self.images = (8 if square else 4) if rules.turned else 2

    def image_squares(self) -> "Array":
        """For each image of the board, the square that each of its squares comes from: row times
        columns plus column."""
        from ._needed import numpy

        squares = numpy.arange(self.rows * self.cols).reshape(self.rows, self.cols)
        images = []
        for image in range(self.images):
            turned = squares[:, ::-1] if image & 1 else squares
            turned = turned[::-1] if image & 2 else turned
            images.append((turned.T if image & 4 else turned).ravel())
        return numpy.stack(images)

    def inputs_of(self, boards: Any, turns: Any, zeros: Any) -> Any:
        """The inputs that positions show, a column for each; arrays of NumPy and tensors alike.

        :param boards: the digits of the squares, positions x rows x columns, 32 bits or more.
        :param turns: the turn of each position, 0 where the game has no such input.
        :param zeros: makes an array or a tensor of that shape.
        """
        down, across = self.rows + 1 - self.height, self.cols + 1 - self.width
        shown = zeros((len(boards), self.shown))
        for row in range(down):
            for col in range(across):
                place = row * across + col
                pattern = shown[:, place]
                pattern += place * self.patterns
                for k in range(self.height * self.width):
                    y, x = divmod(k, self.width)
                    pattern += boards[:, row + y, col + x] * self.states**k
        if self.turns:
            shown[:, -1] = turns + (self.inputs - self.turns)
        return shown

    def shown_inputs(self, packed: "Array") -> "Array":
        """The inputs that packed positions show, a column for each."""
        from ._needed import numpy

        boards, turns = self.boards(packed)
        shown: "Array" = self.inputs_of(
            boards.astype("i4"), turns, lambda shape: numpy.zeros(shape, dtype="i4")
        )
        return shown

    def boards(self, packed: "Array") -> Tuple["Array", "Array"]:
        """The digits of the squares of packed positions, positions x rows x columns, and the turns.

        :param packed: the bytes of a position in each row, as `packed_positions` gives them.
        """
        from ._needed import numpy

        if self.game == "breakthru":
            return self._ships(packed)
        count = len(packed)
        first = numpy.unpackbits(packed[:, :8], axis=1, bitorder="little")
        if self.game == "ataxx":
            second = numpy.unpackbits(packed[:, 8:16], axis=1, bitorder="little")
            digits = (first & ~second & 1) + 2 * (second & ~first & 1)
        else:
            owners = numpy.unpackbits(packed[:, 8:12], axis=1, bitorder="little")
            places = numpy.cumsum(first, axis=1, dtype="i8") - 1
            digits = first + (numpy.take_along_axis(owners, places.clip(0, 31), axis=1) & first)
        boards = digits.reshape(count, 8, 8)[:, : self.rows, : self.cols]
        return boards, numpy.zeros(count, dtype="i4")

    def _ships(self, packed: "Array") -> Tuple["Array", "Array"]:
        from ._needed import numpy

        count, squares = len(packed), self.rows * self.cols
        sets = numpy.unpackbits(packed[:, :48], axis=1, bitorder="little").reshape(count, 3, 128)
        flagship, escorts, ships = (sets[:, kind, :squares] for kind in range(3))
        digits = escorts + 2 * ships + 3 * flagship
        has_moved = (packed[:, 48] | packed[:, 49]) != 0
        turns = 2 * sets[:, 0, 127].astype("i4") + has_moved
        return digits.reshape(count, self.rows, self.cols), turns

    def signs(self, packed: "Array") -> "Array":
        """1 where a network's value is for the side to move, -1 where it is the other side's."""
        from ._needed import numpy

        if self.turns:
            return numpy.where(packed[:, 15] >> 7 == 1, -1, 1)
        return numpy.ones(len(packed), dtype="i8")

    def __repr__(self) -> str:
        return f"<{self.inputs:,} inputs of {self.game} on {self.size}, windows {self.window}>"


def packed_positions(samples: "Samples") -> "Array":
    """The bytes of the packed positions of samples, a row for each."""
    from ._needed import numpy

    records = samples._records
    raw = records.view(numpy.uint8).reshape(len(records), records.itemsize)
    return raw[:, : records.itemsize - 4]


class Network(NamedTuple):
    """A network in whole numbers, as weight files have it."""

    scheme: Scheme
    divisor: int
    hidden_biases: "Array"
    output_bias: int
    output_weights: "Array"
    #: Inputs x units.
    hidden_weights: "Array"
    limit: int = LIMIT

    @classmethod
    def of_file(cls, weights: Dict[str, Any]) -> "Network":
        """The network of a weight file, given as the document that it is.

        :raises ValueError: when the set has no network.
        """
        from ._needed import numpy

        found = weights.get("network")
        if found is None:
            raise ValueError(f"weight set `{weights['name']}` has no network; name one that has")
        units = found["units"]
        rows = numpy.frombuffer(base64.b64decode(found["hidden_weights"]), dtype="i1")
        return cls(
            Scheme(weights["game"], weights["board"], found["window"]),
            found["divisor"],
            numpy.array(found["hidden_biases"], dtype="i4"),
            found["output_bias"],
            numpy.array(found["output_weights"], dtype="i8"),
            rows.reshape(-1, units),
            found["limit"],
        )

    def to_file(self) -> Dict[str, Any]:
        """The network as weight files have it."""
        return {
            "window": self.scheme.window,
            "units": len(self.output_weights),
            "activation": "screlu",
            "limit": self.limit,
            "divisor": self.divisor,
            "hidden_biases": self.hidden_biases.tolist(),
            "output_bias": self.output_bias,
            "output_weights": self.output_weights.tolist(),
            "hidden_weights": base64.b64encode(self.hidden_weights.tobytes()).decode("ascii"),
        }

    def values(self, packed: "Array") -> "Array":
        """The values of packed positions, from the side to move."""
        from ._needed import numpy

        parts: List["Array"] = [numpy.zeros(0, dtype="i8")]
        for begin in range(0, len(packed), _CHUNK):
            chunk = packed[begin : begin + _CHUNK]
            rows = self.hidden_weights[self.scheme.shown_inputs(chunk)]
            hidden = self.hidden_biases + rows.sum(axis=1, dtype="i4")
            active = hidden.clip(0, self.limit).astype("i8") ** 2
            values = toward_zero(active @ self.output_weights + self.output_bias, self.divisor)
            parts.append(values * self.scheme.signs(chunk))
        return numpy.concatenate(parts)


def scores(weights: "Weights", network: Network, samples: "Samples", indices: Any) -> "Array":
    """The scores of some positions under a set with a network, from the side to move."""
    sums = linear_sums(weights, samples, indices)
    sums += network.values(packed_positions(samples)[indices])
    return toward_zero(sums, weights.scale)


def linear_sums(weights: "Weights", samples: "Samples", indices: Any) -> "Array":
    """The sums of the products of features and tables of some positions, not divided by the scale;
    a network counts nothing."""
    from ._needed import numpy

    from .arrays import feature_names, tables

    names = feature_names(weights.game)
    single = numpy.array([int(weights.get(name, 0)) for name in names], dtype="i8")
    sums: "Array" = numpy.zeros(len(samples), dtype="i8")[indices]
    if single.any():
        sums = sums + samples.features(indices).astype("i8") @ single
    for table in tables(weights.game, samples.size):
        if table in weights and weights[table].any():
            shown = samples.patterns(table, indices)
            products = weights[table].astype("i8")[shown.cells] * shown.counts
            totals = numpy.concatenate([[0], numpy.cumsum(products)])
            sums = sums + totals[shown.starts[1:]] - totals[shown.starts[:-1]]
    return sums


def toward_zero(sums: "Array", divisor: int) -> "Array":
    """Whole numbers over a divisor above 0, rounded toward zero.

    >>> import numpy
    >>> toward_zero(numpy.array([-7, 7]), 2).tolist()
    [-3, 3]
    """
    from ._needed import numpy

    divided: "Array" = numpy.sign(sums) * (numpy.abs(sums) // divisor)
    return divided


def rounded(numbers: Any) -> "Array":
    """The nearest whole numbers, halves away from zero.

    >>> rounded([0.5, 1.5, -2.5, 0.49999999999999994]).tolist()
    [1, 2, -3, 0]
    """
    from ._needed import numpy

    numbers = numpy.asarray(numbers, dtype="f8")
    whole = numpy.trunc(numbers)
    away = numpy.abs(numbers - whole) >= 0.5
    nearest: "Array" = (whole + numpy.where(away, numpy.copysign(1, numbers), 0)).astype("i8")
    return nearest


def whole_network(
    scheme: Scheme,
    hidden_weights: "Array",
    hidden_biases: "Array",
    output_weights: "Array",
    output_bias: float,
    units_per_logit: float,
) -> Network:
    """A trained network in whole numbers, as `spar train` rounds its own.

    :param hidden_weights: inputs x units, from -1 to 1.
    :param output_weights: what a unit adds to the logit when its sum is 1 or more.
    :param units_per_logit: the value that a logit becomes, before the scale of the set divides it.
    """
    from ._needed import numpy

    outputs = numpy.asarray(output_weights, dtype="f8")
    one = _output_unit(outputs, output_bias)
    square = LIMIT * LIMIT
    weights = numpy.asarray(hidden_weights, dtype="f4")
    hidden = numpy.empty(weights.shape, dtype="i1")
    for begin in range(0, len(weights), _CHUNK):
        rows = weights[begin : begin + _CHUNK].astype("f8") * LIMIT
        hidden[begin : begin + _CHUNK] = rounded(rows).clip(-LIMIT, LIMIT)
    biases = rounded(numpy.asarray(hidden_biases, dtype="f8") * LIMIT)
    return Network(
        scheme,
        max(int(rounded(one * square / units_per_logit)), 1),
        biases.clip(-scheme.most_bias, scheme.most_bias),
        int(rounded(output_bias * one * square)),
        rounded(outputs * one),
        hidden,
    )


def _output_unit(outputs: "Array", bias: float) -> float:
    """The whole number for an output of 1: the greatest power of two with which everything fits."""
    from ._needed import numpy

    most = float(numpy.abs(outputs).max(initial=0.0))
    for bits in range(_MOST_OUTPUT_BITS, -1, -1):
        one = float(1 << bits)
        total = float((numpy.abs(outputs) * one + 0.5).sum()) + abs(bias) * one
        if most * one < 2**15 - 1 and total * LIMIT**2 < 2**31 - 1:
            return one
    return 1.0
