"""The distinct positions of files of `spar generate`, and the points that each is to expect.

As `spar train` has them: mirror images are one position, games are split by fold, and scores become
chances to win by a scale of their own for each file.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, List, NamedTuple, Optional, Sequence, Tuple

from .networks import Scheme, linear_sums, packed_positions

if TYPE_CHECKING:
    import numpy

    from .samples import Samples
    from .weights import Weights

    Array = numpy.ndarray[Any, Any]

#: Folds that games are dealt to.
_FOLDS = 64
#: The greatest score of a record, in percent of a piece.
_MOST_SCORE = 32_000
#: The least share of the score that a game's networks learn, with very many positions.
_LEAST_BLEND = {"breakthrough": 0.65, "ataxx": 0.95, "breakthru": 0.9}
#: The positions at which that share is midway between the least and 1.
_EVEN_POSITIONS = 500e3
#: Positions whose hashes are taken at once.
_CHUNK = 1 << 14


class Examples(NamedTuple):
    """Distinct positions of a split, a row each."""

    #: The bytes of the packed positions.
    packed: "Array"
    #: The points that the side whose value the network's is should expect, 0 to 1.
    points: "Array"
    #: The points that this side got in the end, in the mean.
    results: "Array"
    #: The logits that the weights beside the network give; 0 where there are none.
    beside: "Array"


class Targets(NamedTuple):
    """The positions of a training."""

    training: Examples
    validation: Examples
    #: The divisor that makes a logit of the scores of each file, in percent of a piece.
    k: List[float]
    #: The share of the score in the points; the rest is the result.
    blend: float
    #: The units of the set's values in a logit.
    units_per_logit: float


def read_targets(
    files: Sequence["Samples"],
    scheme: Scheme,
    *,
    blend: Optional[float] = None,
    validation_folds: int = 6,
    beside: Optional["Weights"] = None,
    units_per_logit: float = 100.0,
) -> Targets:
    """Reads the positions of files.

    :param units_per_logit: the units of a logit where nothing stands beside the network.
    :raises ValueError: when there are too few positions, or scores or weights predict nothing.
    """
    from ._needed import numpy

    packed = numpy.concatenate([packed_positions(samples) for samples in files])
    hashes = _hashes(scheme, packed)
    _, first, places = numpy.unique(hashes, return_index=True, return_inverse=True)
    if blend is None:
        least = _LEAST_BLEND[scheme.game]
        blend = least + (1 - least) / (1 + len(first) / _EVEN_POSITIONS)
    fold = numpy.concatenate([samples.fold for samples in files])
    is_validation = fold < validation_folds
    # A position belongs to the split of its first record; records of the other split say nothing.
    agrees = is_validation == is_validation[first[places]]
    splits = [_Split.of(hashes, agrees & mask) for mask in (~is_validation, is_validation)]
    if not all(len(split.first) for split in splits):
        raise ValueError("too few positions for a training and a validation part; generate more")
    part = numpy.repeat(numpy.arange(len(files)), [len(samples) for samples in files])
    score = numpy.concatenate([samples.score for samples in files])
    result = numpy.concatenate([samples.result for samples in files])
    seen = splits[0].records
    shares = splits[0].shares
    k = _score_scales(part[seen], score[seen], result[seen], fold[seen], shares, len(files))
    aims = (1 - blend) * result + blend * sigmoid(score / numpy.array(k)[part])
    sums = None
    if beside is not None:
        begins = numpy.cumsum([0] + [len(samples) for samples in files])
        sums = lambda first: _values(beside, files, begins, first)  # noqa: E731
    examples = [_examples(scheme, packed, split, aims, result, sums) for split in splits]
    if beside is not None:
        units_per_logit = _units_per_logit(examples[0])
        examples = [each._replace(beside=each.beside / units_per_logit) for each in examples]
    training, validation = examples
    return Targets(training, validation, k, blend, units_per_logit)


class _Split(NamedTuple):
    """The records of a split, those with one position together."""

    #: The records.
    records: "Array"
    #: The first record with each position.
    first: "Array"
    #: For each record, the place of its position.
    places: "Array"
    #: For each record, 1 over the number of records with its position.
    shares: "Array"

    @classmethod
    def of(cls, hashes: "Array", mask: "Array") -> "_Split":
        from ._needed import numpy

        records = numpy.flatnonzero(mask)
        _, first, places, counts = numpy.unique(
            hashes[records], return_index=True, return_inverse=True, return_counts=True
        )
        return cls(records, records[first], places, 1.0 / counts[places])

    def means(self, numbers: "Array") -> "Array":
        """The means of numbers of all records, by position."""
        from ._needed import numpy

        means: "Array" = numpy.bincount(self.places, self.shares * numbers[self.records])
        return means


def _examples(
    scheme: Scheme, packed: "Array", split: _Split, aims: "Array", result: "Array", sums: Any
) -> Examples:
    from ._needed import numpy

    rows = packed[split.first]
    signs = scheme.signs(rows)
    points, results = (split.means(numbers) for numbers in (aims, result))
    points, results = (numpy.where(signs < 0, 1 - each, each) for each in (points, results))
    beside = numpy.zeros(len(rows)) if sums is None else signs * sums(split.first)
    return Examples(rows, points.astype("f4"), results.astype("f4"), beside.astype("f4"))


def _hashes(scheme: Scheme, packed: "Array") -> "Array":
    """Hashes of 64 bits, equal for all images of a position."""
    from ._needed import numpy

    random = numpy.random.default_rng(0x5EED)
    size = scheme.rows * scheme.cols
    most = numpy.iinfo("u8").max
    squares = random.integers(0, most, (size, scheme.states), dtype="u8")
    # What a record says beside the board: a clock, or the turn and its first move.
    others = random.integers(0, most, (packed.shape[1], 256), dtype="u8")
    rest = {"breakthrough": [], "ataxx": [16], "breakthru": [50]}[scheme.game]
    images = scheme.image_squares()
    parts: List["Array"] = []
    for begin in range(0, len(packed), _CHUNK):
        rows = packed[begin : begin + _CHUNK]
        boards, turns = scheme.boards(rows)
        flat = boards.reshape(len(rows), size)
        moved = _first_moves(scheme, rows)
        found = None
        for image in images:
            digits = flat[:, image]
            hashes = numpy.bitwise_xor.reduce(squares[numpy.arange(size), digits], axis=1)
            if moved is not None:
                hashes = hashes + _move_hashes(image, moved, squares)
            found = hashes if found is None else numpy.minimum(found, hashes)
        assert found is not None
        for column in rest:
            found = found ^ others[column, rows[:, column]]
        parts.append(found ^ others[0, turns])
    return numpy.concatenate(parts) if parts else numpy.zeros(0, dtype="u8")


def _first_moves(scheme: Scheme, packed: "Array") -> Optional["Array"]:
    """From where and to where the first ship of the turn has moved, -1 where none has."""
    from ._needed import numpy

    if scheme.game != "breakthru":
        return None
    codes = packed[:, 48].astype("i4") + 256 * packed[:, 49].astype("i4") - 1
    size = scheme.rows * scheme.cols
    squares = numpy.divmod(codes, size)
    moved: "Array" = numpy.stack([numpy.where(codes < 0, -1, side) for side in squares])
    return moved


def _move_hashes(image: "Array", moved: "Array", squares: "Array") -> "Array":
    """Hashes of first moves, as an image has them; 0 where there is none."""
    from ._needed import numpy

    place = numpy.argsort(image)
    begin, end = place[moved]
    hashes = squares[begin, 0] * numpy.uint64(3) + squares[end, 0] * numpy.uint64(5)
    found: "Array" = numpy.where(moved[0] < 0, numpy.uint64(0), hashes)
    return found


def _values(
    weights: "Weights", files: Sequence["Samples"], begins: "Array", first: "Array"
) -> "Array":
    """The values of records under a set without a network, from the side to move."""
    from ._needed import numpy

    from .networks import toward_zero

    values = numpy.zeros(len(first))
    of_file = numpy.searchsorted(begins, first, side="right") - 1
    for number, samples in enumerate(files):
        places = numpy.flatnonzero(of_file == number)
        for chunk in numpy.array_split(places, len(places) // _CHUNK + 1):
            sums = linear_sums(weights, samples, first[chunk] - begins[number])
            values[chunk] = toward_zero(sums, weights.scale)
    return values


def sigmoid(logits: "Array") -> "Array":
    """The chances to win."""
    from ._needed import numpy

    chances: "Array" = 0.5 * (1.0 + numpy.tanh(0.5 * logits))
    return chances


def _bisect(steps: int, low: float, high: float, function: Any) -> Optional[float]:
    """The zero of a rising function between bounds above 0; none at a bound or beyond."""
    begin, end = low, high
    for _ in range(steps):
        middle = math.sqrt(begin * end)
        if function(middle) < 0:
            begin = middle
        else:
            end = middle
    found = math.sqrt(begin * end)
    return found if low * 2 <= found < high / 2 else None


def _units_per_logit(examples: Examples) -> float:
    """The divisor with which the values beside the network predict the points best."""
    values = examples.beside.astype("f8")
    slope = _bisect(
        40, 1e-7, 10.0, lambda slope: ((sigmoid(values * slope) - examples.points) * values).sum()
    )
    if slope is None:
        raise ValueError(
            "the weights beside the network do not predict the positions' scores; train the "
            "network alone, or beside other weights"
        )
    return 1 / slope


def _score_scales(
    part: "Array", score: "Array", result: "Array", fold: "Array", shares: "Array", parts: int
) -> List[float]:
    """The divisor K of each file that makes sigmoid(score / K) fit the results best. Each 1 / K is
    drawn to the mean of all files by its error, a random-effects model."""
    from ._needed import numpy

    all_scores = numpy.arange(-_MOST_SCORE, _MOST_SCORE + 1, dtype="f8")
    slopes, moves = [], []
    known = [number for number in range(parts) if (part == number).any()]
    for number in known:
        own = part == number
        place, share = score[own].astype("i8") + _MOST_SCORE, shares[own]
        counts = numpy.bincount(place, share, minlength=len(all_scores))
        points = numpy.bincount(place, share * result[own], minlength=len(all_scores))
        slope = _bisect(
            48,
            1e-5,
            1.0,
            lambda slope: ((counts * sigmoid(all_scores * slope) - points) * all_scores).sum(),
        )
        if slope is None:
            raise ValueError(
                "the scores of the positions do not predict the results; play more games, or with "
                "a stronger search"
            )
        scores = score[own].astype("f8")
        chances = sigmoid(scores * slope)
        errors = share * (chances - result[own]) * scores
        curves = share * chances * (1 - chances) * scores**2
        by_fold = [numpy.bincount(fold[own], each, minlength=_FOLDS) for each in (errors, curves)]
        rest = by_fold[1].sum() - by_fold[1]
        slopes.append(slope)
        moves.append(numpy.divide(by_fold[0], rest, out=numpy.zeros(_FOLDS), where=rest > 0))
    pooled = _pooled(numpy.array(slopes), moves)
    # A file without training positions has the mean of the others.
    found = numpy.full(parts, pooled.mean())
    found[known] = pooled
    return [float(1 / slope) for slope in found]


def _pooled(slopes: "Array", moves: List["Array"]) -> "Array":
    """Estimates drawn to their mean (DerSimonian and Laird 1986), by jackknife variances."""
    from ._needed import numpy

    moved = [each[each != 0] for each in moves]
    if len(slopes) < 2 or any(len(each) < 2 for each in moved):
        return slopes
    variances = numpy.array(
        [((each - each.mean()) ** 2).sum() * (len(each) - 1) / len(each) for each in moved]
    )
    precisions = 1 / variances
    total = precisions.sum()
    mean = (precisions * slopes).sum() / total
    excess = (precisions * (slopes - mean) ** 2).sum() - (len(slopes) - 1)
    between = max(excess, 0.0) / (total - (precisions**2).sum() / total)
    weights = 1 / (variances + between)
    pooled = (weights * slopes).sum() / weights.sum()
    own = between / (between + variances)
    drawn: "Array" = own * slopes + (1 - own) * pooled
    return drawn
