"""Networks in PyTorch, during training. `sparring.torch_train` is the command."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, List, Optional, Tuple

from .networks import Network, Scheme, whole_network
from .targets import Examples, Targets

if TYPE_CHECKING:
    import argparse

    import numpy

    Array = numpy.ndarray[Any, Any]

#: Positions that are unpacked at once, in whole steps.
_AT_ONCE = 1 << 17
#: Where there are more inputs than this, those that fewer than one position in `_RAREST` shows are
#: left out.
_MANY_INPUTS = 10_000
_RAREST = 5_000


def import_torch() -> Any:
    """The module torch.

    :raises ValueError: when it is not installed, with the way to get it.
    """
    try:
        import torch
    except ImportError as error:
        raise ValueError(
            f"torch cannot be imported ({error}); install it with `pip install torch` "
            "(pytorch.org has builds for each GPU), or train without it: `spar train`"
        ) from None
    return torch


class Learner:
    """The network during training."""

    def __init__(self, scheme: Scheme, units: int, device: Any, seed: int) -> None:
        torch = import_torch()
        self.torch, self.scheme, self.device = torch, scheme, device
        random = torch.Generator().manual_seed(seed)

        def uniform(shape: Tuple[int, ...], count: int) -> Any:
            return (2 * torch.rand(shape, generator=random) - 1) / math.sqrt(count)

        self.hidden_weights = uniform((scheme.inputs, units), scheme.shown)
        self.hidden_biases = uniform((units,), scheme.shown)
        self.output_weights = uniform((units,), units)
        self.output_bias = torch.zeros(())
        self._images = torch.from_numpy(scheme.image_squares()).to(device)

    def begin_with(self, network: Network, units_per_logit: float) -> None:
        """Takes the weights of a network in place of random ones."""
        tensor, limit = self.torch.tensor, network.limit
        self.hidden_weights = (tensor(network.hidden_weights).float() / limit).clamp(-1, 1)
        self.hidden_biases = tensor(network.hidden_biases).float() / limit
        logit = limit**2 / (network.divisor * units_per_logit)
        self.output_weights = tensor(network.output_weights).float() * logit
        self.output_bias = tensor(float(network.output_bias / (network.divisor * units_per_logit)))

    def prepare(self, examples: Examples) -> None:
        """Moves the network to its device, without the inputs that the positions do not show."""
        torch, scheme = self.torch, self.scheme
        counts = torch.zeros(scheme.inputs, dtype=torch.long, device=self.device)
        for begin in range(0, len(examples.points), _AT_ONCE // 8):
            boards, turns = self._unpack(examples.packed[begin : begin + _AT_ONCE // 8])
            for image in range(scheme.images):
                shown = self._inputs(boards[:, self._images[image]], turns)
                counts += torch.bincount(shown.ravel(), minlength=scheme.inputs)
        images = len(examples.points) * scheme.images
        least = -(-images // _RAREST) if scheme.inputs > _MANY_INPUTS else 1
        self._kept = (counts >= least).cpu()
        kept = int(self._kept.sum())
        # The row of each input; all inputs that are left out share one, which stays 0.
        rows = torch.full((scheme.inputs,), kept, dtype=torch.long)
        rows[self._kept] = torch.arange(kept)
        self._rows, self._none = rows.to(self.device), kept
        weights = torch.cat([self.hidden_weights[self._kept], torch.zeros(1, self.units)])
        names = ("hidden_biases", "output_weights", "output_bias")
        self.parameters = [
            torch.nn.Parameter(each.to(self.device))
            for each in [weights, *(getattr(self, name) for name in names)]
        ]

    @property
    def units(self) -> int:
        """The hidden units."""
        return len(self.output_weights)

    def _unpack(self, packed: "Array") -> Tuple[Any, Any]:
        boards, turns = self.scheme.boards(packed)
        flat = self.torch.from_numpy(boards.reshape(len(packed), -1).astype("i8"))
        return flat.to(self.device), self.torch.from_numpy(turns).to(self.device).long()

    def _inputs(self, flat: Any, turns: Any) -> Any:
        torch = self.torch

        def zeros(shape: Tuple[int, int]) -> Any:
            return torch.zeros(shape, dtype=torch.long, device=self.device)

        boards = flat.reshape(-1, self.scheme.rows, self.scheme.cols)
        return self.scheme.inputs_of(boards, turns, zeros)

    def rows_of(self, packed: "Array", images: Optional[Any] = None) -> Any:
        """The rows of weights that positions show, each turned into one of its images."""
        boards, turns = self._unpack(packed)
        if images is not None:
            boards = boards.gather(1, self._images[images.to(self.device)])
        return self._rows[self._inputs(boards, turns)]

    def logits(self, rows: Any) -> Any:
        """The logits of positions, given by their rows."""
        weights, biases, outputs, output_bias = self.parameters
        bag = self.torch.nn.functional.embedding_bag
        hidden = bag(rows, weights, mode="sum", padding_idx=self._none) + biases
        return hidden.clamp(0, 1).square() @ outputs + output_bias

    def whole(self, units_per_logit: float) -> Network:
        """The network as it is now, in whole numbers."""
        from ._needed import numpy

        weights, biases, outputs, output_bias = (
            each.detach().cpu().numpy() for each in self.parameters
        )
        rows = numpy.zeros((self.scheme.inputs, self.units), dtype="f4")
        rows[self._kept.numpy()] = weights[:-1]
        return whole_network(
            self.scheme, rows, biases, outputs, float(output_bias), units_per_logit
        )


class Trainer:
    """Trains a network on positions, epoch by epoch."""

    def __init__(self, learner: Learner, data: Targets, args: argparse.Namespace) -> None:
        self.learner, self.data, self.torch = learner, data, learner.torch
        self.batch, self.rate, self.seed = args.step_positions, args.rate, args.seed
        steps = -(-len(data.training.points) // self.batch)
        self.all_steps, self.steps = args.epochs * steps, 0
        self.adam = self.torch.optim.Adam(learner.parameters, lr=args.rate)

    def _tensors(self, examples: Examples, places: "Array") -> List[Any]:
        columns = (examples.points, examples.beside)
        return [self.torch.from_numpy(each[places]).to(self.learner.device) for each in columns]

    def epoch(self, number: int) -> float:
        """Goes through all positions once, in random order; gives the mean loss."""
        torch, examples = self.torch, self.data.training
        random = torch.Generator().manual_seed(self.seed + number)
        count = len(examples.points)
        order = torch.randperm(count, generator=random)
        images = torch.randint(self.learner.scheme.images, (count,), generator=random)
        loss = torch.zeros((), device=self.learner.device)
        portion = max(_AT_ONCE // self.batch, 1) * self.batch
        for begin in range(0, count, portion):
            places = order[begin : begin + portion].numpy()
            rows = self.learner.rows_of(examples.packed[places], images[begin : begin + portion])
            points, beside = self._tensors(examples, places)
            for step in range(0, len(places), self.batch):
                part = slice(step, step + self.batch)
                loss += self._step(rows[part], points[part], beside[part])
        return float(loss) / count

    def _step(self, rows: Any, points: Any, beside: Any) -> Any:
        """A step of Adam; gives the sum of the losses."""
        progress = self.steps / self.all_steps
        self.adam.param_groups[0]["lr"] = self.rate * 0.5 * (1 + math.cos(math.pi * progress))
        self.steps += 1
        loss = self._loss(self.learner.logits(rows) + beside, points)
        self.adam.zero_grad()
        loss.backward()
        self.adam.step()
        with self.torch.no_grad():
            self.learner.parameters[0].clamp_(-1, 1)
        return loss.detach() * len(points)

    def _loss(self, logits: Any, points: Any) -> Any:
        return self.torch.nn.functional.binary_cross_entropy_with_logits(logits, points)

    def validate(self) -> Tuple[float, float]:
        """The mean loss over the validation positions, and the share of the decided games among
        them whose winner the sign of the value tells."""
        from ._needed import numpy

        examples, parts = self.data.validation, []
        with self.torch.no_grad():
            for begin in range(0, len(examples.points), _AT_ONCE):
                places = numpy.arange(begin, min(begin + _AT_ONCE, len(examples.points)))
                rows = self.learner.rows_of(examples.packed[places])
                parts.append(self.learner.logits(rows).cpu().numpy())
        logits = numpy.concatenate(parts).astype("f8") + examples.beside
        return cross_entropy(logits, examples.points), accuracy(logits, examples.results)


def cross_entropy(logits: "Array", points: "Array") -> float:
    """The mean loss of logits, in nats."""
    from ._needed import numpy

    return float((numpy.logaddexp(0, logits) - points * logits).mean())


def accuracy(logits: "Array", results: "Array") -> float:
    """The share of the positions whose results are no draws in which the sign of the logit tells the
    winner."""
    decided = results != 0.5
    if not decided.any():
        return 0.0
    return float(((logits > 0) == (results > 0.5))[decided].mean())
