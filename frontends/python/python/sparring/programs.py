"""The program `spar`, from Python: tunes and matches."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import warnings
from typing import Any, Callable, Dict, Iterator, List, Optional, Union

from .weights import Weights

Event = Dict[str, Any]


class ProgramError(RuntimeError):
    """What `spar` says when it fails; `code` is its exit code."""

    def __init__(self, message: str, code: int) -> None:
        super().__init__(message)
        self.code = code


class Run:
    """A tune that has ended."""

    def __init__(self, events: List[Event]) -> None:
        #: The events, as `spar tune --json-events` tells them.
        self.events = events
        #: The last event's document: the result, as `spar tune --json` prints it.
        self.document: Dict[str, Any] = next(
            (event["document"] for event in reversed(events) if event["event"] == "result"), {}
        )

    @property
    def directory(self) -> str:
        """The directory of the run, for `spar report`, `spar resume` and the like."""
        return str(next(event["run"] for event in self.events if event["event"] == "run"))

    @property
    def accepted(self) -> bool:
        """Whether the tuned weights passed their validation."""
        return bool(self.document.get("accepted", False))

    @property
    def weights(self) -> Weights:
        """The best weights that are proven: the tuned ones if the run was accepted, else, with a
        `UserWarning`, those that it started from."""
        if not self.accepted:
            warnings.warn(
                f"run {self.directory} was not accepted: these are the weights that it started "
                "from; `candidate` has the tuned ones",
                stacklevel=2,
            )
        return Weights(os.path.join(self.directory, "weights.json"))

    @property
    def candidate(self) -> Weights:
        """The tuned weights, accepted or not."""
        # A tune that changed nothing has no file of its candidate.
        rejected = os.path.join(self.directory, "candidate.json")
        is_rejected = not self.accepted and os.path.exists(rejected)
        return Weights(rejected if is_rejected else os.path.join(self.directory, "weights.json"))

    @property
    def batches(self) -> List[Event]:
        """The batches of the tune itself: games so far, the knobs, and the estimate of the answer's
        Elo over the start with its error."""
        return [
            event
            for event in self.events
            if event["event"] == "batch" and event.get("stage") == "tune"
        ]

    def plot(self, axes: Any = None) -> Any:
        """Draws Elo over the start against the games played, with its 95 % band; needs Matplotlib.

        :returns: the axes.
        """
        from matplotlib import pyplot

        if axes is None:
            _, axes = pyplot.subplots()
        known = [batch for batch in self.batches if batch.get("elo") is not None]
        games = [batch["games"] for batch in known]
        axes.plot(games, [batch["elo"] for batch in known])
        low, high = ([batch[key] for batch in known] for key in ("elo_low", "elo_high"))
        axes.fill_between(games, low, high, alpha=0.2)
        settled = len(known) // 2  # the first batches know next to nothing
        if known:
            axes.set_ylim(min(low[settled:]) - 20, max(high[settled:]) + 20)
        axes.axhline(0, color="gray", linewidth=0.8)
        axes.set_xlabel("games")
        axes.set_ylabel("Elo over the start, 95 % band")
        return axes

    def __repr__(self) -> str:
        return f"<Run {self.directory!r}, {len(self.batches)} batches>"


def _words(options: Dict[str, Any]) -> Iterator[str]:
    """Options of the command line: ``round_pairs=5`` is ``--round-pairs 5``."""
    for name, value in options.items():
        flag = "--" + name.replace("_", "-")
        if value is True:
            yield flag
        elif value is None or value is False:
            continue
        elif isinstance(value, (list, tuple)):
            for one in value:
                yield from (flag, str(one))
        else:
            yield from (flag, str(value))


def _error(line: str, code: int) -> ProgramError:
    """The error that a document or the last lines of the program tell."""
    try:
        error = json.loads(line)["error"]
        return ProgramError(error if isinstance(error, str) else error["message"], code)
    except (ValueError, KeyError, TypeError):
        return ProgramError(line.strip() or f"spar ended with exit code {code}", code)


def tune(
    *,
    on_event: Optional[Callable[[Event], object]] = None,
    program: Union[str, "os.PathLike[str]"] = "spar",
    **options: Any,
) -> Run:
    """Runs `spar tune`, and gives the run when it has ended.

    Options are those of the command line: ``tune(game="ataxx", board="5x5", games=2000)``. Ctrl-C
    ends the tune as it does in a terminal: what is finished is kept.

    :param on_event: called with each event as it happens.
    :param program: the program, where it is not on the path.
    :raises ProgramError: when the program fails.
    """
    command = [os.fspath(program), "tune", "--json-events", *_words(options)]
    events: List[Event] = []
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, encoding="utf-8"
    ) as process:
        try:
            assert process.stdout is not None
            for line in process.stdout:
                events.append(json.loads(line))
                if on_event is not None:
                    on_event(events[-1])
        except BaseException:
            process.send_signal(signal.SIGINT)
            process.communicate()
            raise
        code = process.wait()
    if code != 0:
        last = events[-1] if events else {}
        raise _error(json.dumps(last), code)
    return Run(events)


def match(
    a: Union[str, "os.PathLike[str]"],
    b: Union[str, "os.PathLike[str]"],
    *,
    program: Union[str, "os.PathLike[str]"] = "spar",
    **options: Any,
) -> Dict[str, Any]:
    """Runs `spar match` between two weight sets, runs or engines, and gives its document: Elo with
    its error, pair counts and more. ``f"{run.directory}:candidate"`` names the tuned weights of a
    run, accepted or not.

    :raises ProgramError: when the program fails.
    """
    command = [os.fspath(program), "match", os.fspath(a), os.fspath(b), "--json"]
    done = subprocess.run(
        [*command, *_words(options)], capture_output=True, text=True, encoding="utf-8"
    )
    if done.returncode != 0:
        raise _error(done.stdout or done.stderr, done.returncode)
    document: Dict[str, Any] = json.loads(done.stdout)
    return document
