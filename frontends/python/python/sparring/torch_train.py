"""Trains a network with PyTorch, on any device, from the positions of `spar generate`.

``python -m sparring.torch_train games.pos -o network.json`` trains the network that `spar train`
trains and writes the same weight file. It needs torch, which the package does not install.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import sys
import time
from pathlib import Path
from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple

from .networks import Network, Scheme, scores
from .samples import Samples
from .targets import read_targets
from .torch_network import Learner, Trainer, cross_entropy, import_torch
from .weights import Weights

#: The score of a logit of a network that stands alone.
SCORE_PER_LOGIT = 100.0
#: Positions whose values the written file must have to the integer.
_CHECKED = 1000

def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m sparring.torch_train",
        description="Trains a network with PyTorch on positions of `spar generate --positions "
        "all`, as `spar train` does, on any device.",
    )
    parser.add_argument("files", nargs="+", metavar="FILE", help="positions, all of one board")
    parser.add_argument("-o", "--output", required=True, metavar="FILE", help="the file to write")
    parser.add_argument("--force", action="store_true", help="overwrite that file if it exists")
    parser.add_argument(
        "--device", default="auto", help="auto, cpu, cuda, cuda:1, mps [default: auto]"
    )
    parser.add_argument("--seed", type=int, default=1, help="[default: 1]")
    network = parser.add_argument_group("network")
    network.add_argument(
        "--start", metavar="SET", help="begin with the network of this set instead of random weights"
    )
    network.add_argument(
        "--beside",
        metavar="SET",
        help="keep the single weights and tables of this set, and train the network beside them",
    )
    network.add_argument(
        "--window", choices=("2x2", "2x3", "3x2"), help="[default: as in the start, else 2x2]"
    )
    network.add_argument(
        "--units", type=int, metavar="N", help="hidden units [default: as in the start, else 128]"
    )
    training = parser.add_argument_group("training")
    training.add_argument("--epochs", type=int, default=12, metavar="N", help="[default: 12]")
    training.add_argument(
        "--step-positions", "--batch", type=int, default=1024, metavar="N", dest="step_positions",
        help="positions per training step [default: 1024]",
    )  # fmt: skip
    training.add_argument(
        "--rate", type=float, default=0.002, help="falls to 0 along a cosine [default: 0.002]"
    )
    training.add_argument(
        "--blend",
        type=float,
        metavar="SHARE",
        help="weight of the search score in the training target; the rest is the game result "
        "[default: as `spar train` chooses]",
    )
    training.add_argument(
        "--validation-folds", type=int, default=6, metavar="N", help="of 64 [default: 6]"
    )
    return parser


def _check(args: argparse.Namespace) -> None:
    ranges = [
        ("--units", args.units, 1, 1024),
        ("--epochs", args.epochs, 1, 10_000),
        ("--step-positions", args.step_positions, 1, 1 << 20),
        ("--validation-folds", args.validation_folds, 1, 63),
        ("--blend", args.blend, 0, 1),
        ("--seed", args.seed, 0, 2**63 - 1),
    ]
    for name, number, least, most in ranges:
        if number is not None and not least <= number <= most:
            raise ValueError(f"{name} {number} is out of range; give {least} to {most}")
    if not 0 < args.rate <= 1:
        raise ValueError(f"--rate {args.rate} is out of range; give a number above 0, at most 1")
    folder = Path(args.output).parent
    if not folder.is_dir():
        raise ValueError(f"{args.output}: there is no folder {folder}; make it first")
    if os.path.exists(args.output) and not args.force:
        raise ValueError(f"{args.output} exists; overwrite it with --force, or name another file")


def _read(args: argparse.Namespace) -> List[Samples]:
    files = [Samples(path) for path in args.files]
    boards = {f"{samples.game} {samples.size}" for samples in files}
    if len(boards) > 1:
        raise ValueError(f"positions of {' and '.join(sorted(boards))}; name files of one board")
    return files


def _set(name: str, samples: Samples, option: str) -> Weights:
    weights = Weights(name, game=samples.game)
    if weights.game != samples.game or weights.size not in (None, samples.size):
        raise ValueError(
            f"{option} {name}: made for {weights.game} {weights.size or ''}, the positions are of "
            f"{samples.game} {samples.size}"
        )
    return weights


def _device(torch: Any, name: str) -> Any:
    if name == "auto":
        mps = getattr(torch.backends, "mps", None)
        if torch.cuda.is_available():
            name = "cuda"
        else:
            name = "mps" if mps is not None and mps.is_available() else "cpu"
    try:
        device = torch.device(name)
        torch.zeros(1, device=device)
    except (RuntimeError, AssertionError) as error:
        reason = str(error).splitlines()[0]
        raise ValueError(f"--device {name}: {reason}; give auto, cpu, cuda or mps") from None
    return device


def train(args: argparse.Namespace, say: Callable[[str], object] = print) -> Weights:
    """Trains a network as the arguments say, and writes its file."""
    torch = import_torch()
    _check(args)
    device = _device(torch, args.device)
    files = _read(args)
    start = _set(args.start, files[0], "--start") if args.start else None
    beside = _set(args.beside, files[0], "--beside") if args.beside else None
    begin = Network.of_file(json.loads(start.to_json())) if start else None
    window = args.window or (begin.scheme.window if begin else "2x2")
    units = args.units or (len(begin.output_weights) if begin else 128)
    scheme = Scheme(files[0].game, files[0].size, window)
    if begin and (begin.scheme.window, len(begin.output_weights)) != (window, units):
        raise ValueError(
            f"--start {args.start} has {len(begin.output_weights)} units and windows of "
            f"{begin.scheme.window}; leave --units and --window out"
        )
    data = read_targets(
        files,
        scheme,
        blend=args.blend,
        validation_folds=args.validation_folds,
        beside=beside,
        units_per_logit=SCORE_PER_LOGIT,
    )
    units_per_logit = data.units_per_logit * (beside.scale if beside else 1)
    learner = Learner(scheme, units, device, args.seed)
    if begin and start:
        own = units_per_logit / (beside.scale if beside else 1) * start.scale
        learner.begin_with(begin, own)
    learner.prepare(data.training)
    say(
        f"{len(data.training.points):,} training and {len(data.validation.points):,} validation "
        f"positions of {scheme.game} {scheme.size}, blend {data.blend:.3f}, K "
        f"{', '.join(f'{k:.1f}' for k in data.k)}, on {device}"
    )
    network = _best(Trainer(learner, data, args), args.epochs, units_per_logit, say)
    weights = Weights.from_json(json.dumps(_document(args, files, network, beside, start)))
    check_values(weights, network, files)
    values = network.values(data.validation.packed) * scheme.signs(data.validation.packed)
    logits = values / units_per_logit + data.validation.beside
    say(f"in whole numbers: validation {cross_entropy(logits, data.validation.points):.6f}")
    weights.save(args.output)
    say(f"{args.output}: {weights!r}")
    return weights


def _best(
    trainer: Trainer, epochs: int, units_per_logit: float, say: Callable[[str], object]
) -> Network:
    """Trains, and gives the network of the epoch with the least validation loss."""
    best: Tuple[float, Optional[Network]] = (math.inf, None)
    for number in range(1, epochs + 1):
        begin = time.monotonic()
        training = trainer.epoch(number)
        seconds = time.monotonic() - begin
        validation, accurate = trainer.validate()
        speed = len(trainer.data.training.points) / max(seconds, 1e-9)
        say(
            f"epoch {number}: training {training:.6f}, validation {validation:.6f}, "
            f"accuracy {100 * accurate:.1f} %, {speed:,.0f} positions/s"
        )
        if validation < best[0]:
            best = (validation, trainer.learner.whole(units_per_logit))
    if best[1] is None:
        raise ValueError("the training diverged: the loss is not a number; give a smaller --rate")
    return best[1]


def _document(
    args: argparse.Namespace,
    files: List[Samples],
    network: Network,
    beside: Optional[Weights],
    start: Optional[Weights],
) -> Dict[str, Any]:
    """The weight file. It keeps the search constants of the start."""
    kept = json.loads(beside.to_json()) if beside else {"scale": 1, "weights": {}}
    search = json.loads(start.to_json()).get("search") if start else None
    configs = [samples.header.get("source", {}).get("config", {}) for samples in files]
    limits = configs[0].get("limits", {}) if configs else {}
    count = sum(map(len, files))
    of_start = f", which began with {args.start}" if args.start else ""
    return {
        "format": 5,
        "game": files[0].game,
        "board": files[0].size,
        "name": Path(args.output).stem or "network",
        "description": f"A network trained with PyTorch on {count} positions of self-play{of_start}. "
        "Its strength was not measured.",
        "scale": kept["scale"],
        "weights": kept["weights"],
        "network": network.to_file(),
        **({"search": search} if search else {}),
        "provenance": {
            "run": " ".join(args.files),
            "method": "network",
            "games": sum(int(config.get("games", 0)) for config in configs),
            "baseline": args.start or args.beside or "",
            "elo": None,
            "elo_error": None,
            "limits": ", ".join(f"{number} {name}" for name, number in limits.items()),
            "seed": args.seed,
            "version": str(files[0].header.get("source", {}).get("version", "")),
        },
    }


def check_values(weights: Weights, network: Network, files: Sequence[Samples]) -> int:
    """Checks that the engine's scores under a set equal the scores that NumPy computes, on positions
    spread over the files; gives how many were checked.

    :raises ValueError: with the first position whose values differ.
    """
    from ._needed import numpy

    from .board import Board

    checked = 0
    for samples in files:
        count = min(len(samples), -(-_CHECKED // len(files)))
        places = numpy.unique(numpy.linspace(0, len(samples) - 1, count).astype("i8"))
        expected = scores(weights, network, samples, places)
        for fen, score in zip(samples.fens(places), expected):
            found = weights.explain(Board.from_fen(fen, samples.game)).score
            if found != score:
                raise ValueError(f"{fen}: the engine says {found}, NumPy says {score}: report this")
        checked += len(places)
    return checked


def main(words: Optional[Sequence[str]] = None) -> int:
    """Runs the command, and gives its exit code."""
    args = _parser().parse_args(words)
    try:
        train(args)
    except (ValueError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("error: interrupted; nothing was written", file=sys.stderr)
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
