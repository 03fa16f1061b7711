"""Runs of the program `spar`: their results, their sets, and plots."""

from __future__ import annotations

import json
import os
import warnings
from typing import Any, Dict, List, Optional, Tuple

from ._calls import Place, ProgramError, document_of, error_of, program_path, ran, warn_of_starts
from .weights import BEST, CANDIDATE, Weights, no_weights

Event = Dict[str, Any]


class Interrupted(KeyboardInterrupt):
    """Ctrl-C has ended a tune; `run` is what it has come to, for `resume`."""

    def __init__(self, run: Run) -> None:
        super().__init__(f"the tune was interrupted; sparring.resume({run.directory!r}) continues it")
        self.run = run

    def __reduce__(self) -> Tuple[Any, ...]:
        return type(self), (self.run,)


class Run:
    """A tune that has ended, or was interrupted. `open` gives one of any run directory."""

    def __init__(self, events: List[Event]) -> None:
        #: The events, as `spar tune --json-events` tells them.
        self.events = events
        #: The last event's document: the result, as `spar tune --json` prints it.
        self.document: Dict[str, Any] = next(
            (event["document"] for event in reversed(events) if event["event"] == "result"), {}
        )

    @classmethod
    def open(cls, directory: Place, *, program: Optional[Place] = None) -> Run:
        """A run that was made before, by `tune` or in a terminal: ``last``, its name or a part of
        it, or its directory.

        :raises ProgramError: when there is no such run.
        """
        document = document_of(program, "report", directory)
        begin = {"event": "run", "run": document["run"]}
        history = _history(program, document["run"])
        return cls([begin, *history, {"event": "result", "document": document}])

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
        `UserWarning`, those that it started from.

        :raises ValueError: when the run makes no weights, as a match.
        """
        self._need_weights()
        if not self.accepted:
            warnings.warn(_start_words(self.directory, self._is_finished), stacklevel=2)
        return self._weights(BEST)

    @property
    def candidate(self) -> Weights:
        """The tuned weights, accepted or not.

        :raises ValueError: when the run is not finished, so that it has none yet, or makes no weights.
        """
        self._need_weights()
        if self.accepted:
            return self._weights(BEST)
        # A tune that changed nothing has no file of its candidate.
        if os.path.exists(os.path.join(self.directory, CANDIDATE)):
            return self._weights(CANDIDATE)
        if not self._is_finished:
            remedy = "`sparring.resume` finishes it"
            raise ValueError(f"run {self.directory}: not finished, so it has no candidate yet; {remedy}")
        return self._weights(BEST)

    def _need_weights(self) -> None:
        """Refuses matches and the like."""
        if not os.path.exists(os.path.join(self.directory, BEST)):
            raise ValueError(no_weights(self.directory))

    @property
    def _is_finished(self) -> bool:
        return self.document.get("state") in ("accepted", "rejected")

    def _weights(self, file: str) -> Weights:
        return Weights._read(os.path.join(self.directory, file))

    @property
    def batches(self) -> List[Event]:
        """The batches of the tune itself: games so far, the knobs, and the estimate of the answer's
        Elo over the start with its error."""
        return [
            event
            for event in self.events
            if event["event"] == "batch" and event.get("stage") == "tune"
        ]

    @property
    def rounds(self) -> List[Dict[str, Any]]:
        """The rounds of a tune by fitting, each with its match against the best set before. The run of an
        `Interrupted` has none until `open` or `resume` reads it."""
        return list(self.document.get("rounds") or [])

    def plot(self, axes: Any = None) -> Any:
        """Draws Elo over the start against the games played, with its 95 % band; needs Matplotlib.
        Of a tune by fitting, it draws the Elo of each round over the best set before.

        :returns: the axes.
        """
        from matplotlib import pyplot

        if axes is None:
            _, axes = pyplot.subplots()
        axes.set_xlabel("games")
        if self.rounds and not self.batches:
            return self._plot_rounds(axes)
        known = [batch for batch in self.batches if batch.get("elo") is not None]
        games = [batch["games"] for batch in known]
        axes.plot(games, [batch["elo"] for batch in known])
        low, high = ([batch[key] for batch in known] for key in ("elo_low", "elo_high"))
        axes.fill_between(games, low, high, alpha=0.2)
        settled = len(known) // 2  # the first batches know next to nothing
        if known:
            axes.set_ylim(min(low[settled:]) - 20, max(high[settled:]) + 20)
        axes.axhline(0, color="gray", linewidth=0.8)
        axes.set_ylabel("Elo over the start, 95 % band")
        return axes

    def _plot_rounds(self, axes: Any) -> Any:
        """Draws the match of each round; a match without losses has no Elo."""
        played = [(row["games_until"], row["match"]) for row in self.rounds if row["match"] is not None]
        known = [(games, match) for games, match in played if match["elo"] is not None]
        elo = [match["elo"] for _, match in known]
        low = [match["elo"] - match["elo_low"] for _, match in known]
        high = [match["elo_high"] - match["elo"] for _, match in known]
        axes.errorbar([games for games, _ in known], elo, yerr=(low, high), fmt="o", capsize=3)
        axes.axhline(0, color="gray", linewidth=0.8)
        axes.set_ylabel("Elo of a round over the best set before, 95 %")
        return axes

    def __fspath__(self) -> str:
        """The directory: a run can stand where a path is wanted, as in ``sparring.match(run, "piece")``."""
        return self.directory

    def __repr__(self) -> str:
        rounds = len(self.rounds)
        parts = f"{rounds} round" + "s" * (rounds != 1)
        if self.batches or not rounds:
            parts = f"{len(self.batches)} batches"
        return f"<Run {self.directory!r}, {parts}>"


def _history(program: Optional[Place], directory: str) -> List[Event]:
    """The batches of a run, as `export --history` has them."""
    command = [program_path(program), "export", directory, "--history", "json"]
    done = ran(command)
    if done.returncode != 0:
        return []
    batches = []
    for row in json.loads(done.stdout)["rows"]:
        elo, error = row["elo"], row["elo_error"]
        band = (None, None) if elo is None or error is None else (elo - error, elo + error)
        fields = {"stage": "tune", "elo_low": band[0], "elo_high": band[1], **row}
        batches.append({"event": "batch", **fields, "elo": None if band[0] is None else elo})
    return batches


def _start_words(directory: str, is_finished: bool) -> str:
    """The warning that a run's set is the one that it started from."""
    if is_finished:
        state, instead = "was not accepted", "; `Run.open(...).candidate` has the tuned ones"
    else:
        state, instead = "is not finished", ""
    return f"run {directory} {state}: these are the weights that it started from{instead}"


def warning_of(directory: str, file: str) -> Optional[str]:
    """The warning about a set of a run; ``None`` if the run was accepted."""
    try:
        shown = document_of(None, "runs", "show", directory)
    except ProgramError as error:
        return f"cannot tell whether run {directory} was accepted: {error}"
    if shown["accepted"]:
        return None
    if file == CANDIDATE:
        return f"run {directory} was not accepted: this is its candidate, which is not proven to be better"
    return _start_words(directory, shown["accepted"] is not None)


def set_of_run(name: str, game: str) -> Optional[str]:
    """The text of a run's set, which is named as in a terminal; ``None`` without the program.

    :raises ValueError: when there is no such run, or it makes no weights.
    """
    command = [program_path(None), "weights", "show", "--json", "--game", game, "--", name]
    try:
        done = ran(command)
    except ProgramError:
        return None
    if done.returncode != 0:
        raise ValueError(str(error_of(done.stdout or done.stderr, done.returncode)))
    warn_of_starts(done.stderr, stacklevel=5)
    return done.stdout
