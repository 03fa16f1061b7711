"""The program `spar`, from Python: tunes, runs, matches, positions and fits."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sysconfig
import tempfile
import warnings
from typing import Any, Callable, Dict, Iterable, Iterator, List, Optional, Tuple, Union

from .samples import Samples
from .weights import BEST, CANDIDATE, Weights, no_weights

#: Bytes that the notes before the first event take at most.
_MOST_NOTES = 1 << 16

Event = Dict[str, Any]
Place = Union[str, "os.PathLike[str]"]


class ProgramError(RuntimeError):
    """The error of `spar`; `code` is its exit code."""

    def __init__(self, message: str, code: int) -> None:
        super().__init__(message)
        self.code = code

    def __reduce__(self) -> Tuple[Any, ...]:
        return type(self), (str(self), self.code)


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
        document = _document(program, "report", directory)
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
        """The rounds of a finished tune by fitting, each with its match against the best set before."""
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
        shown = _document(None, "runs", "show", directory)
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
    command = [_program(None), "weights", "show", "--json", "--game", game, "--", name]
    try:
        done = _ran(command)
    except ProgramError:
        return None
    if done.returncode != 0:
        raise ValueError(str(_error(done.stdout or done.stderr, done.returncode)))
    _warn_of_starts(done.stderr, stacklevel=5)
    return done.stdout


def _words(options: Dict[str, Any]) -> Iterator[str]:
    """Options of the command line: ``round_pairs=5`` is ``--round-pairs 5``. ``for_`` is ``--for``,
    since ``for`` is a word of Python."""
    for name, value in options.items():
        flag = "--" + name.rstrip("_").replace("_", "-")
        if value is True:
            yield flag
        elif value is None or value is False:
            continue
        elif isinstance(value, (list, tuple)):
            for one in value:
                yield from (flag, _text(one))
        else:
            yield from (flag, _text(value))


def _text(value: Any) -> str:
    """A value as text: the counts of the command line have no decimal point, so 1e6 is 1000000."""
    if isinstance(value, (Weights, os.PathLike)):
        return _path(value)
    return str(int(value) if isinstance(value, float) and value.is_integer() else value)


def _path(place: Any) -> str:
    """A path as text; what is in no file is refused."""
    if isinstance(place, Weights):
        raise TypeError("Weights are in no file: save them, as by `weights.save('mine.json')`, and name it")
    return str(os.fspath(place))


def _error(line: str, code: int) -> ProgramError:
    """The error that a document or the last lines of the program tell."""
    try:
        error = json.loads(line)["error"]
        return ProgramError(error if isinstance(error, str) else error["message"], code)
    except (ValueError, KeyError, TypeError):
        return ProgramError(line.strip() or f"spar ended with exit code {code}", code)


def _program(program: Optional[Place]) -> str:
    """The program: as named, else the one that came with the package, else the one on the path."""
    if program is not None:
        return os.fspath(program)
    return shutil.which("spar", path=sysconfig.get_path("scripts")) or "spar"


def _started(command: List[str], stderr: int) -> "subprocess.Popen[str]":
    """Starts the program.

    :raises ProgramError: when there is no such program.
    """
    try:
        return subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=stderr, text=True, encoding="utf-8"
        )
    except FileNotFoundError:
        remedy = "put it on the path, or name it with `program=`"
        raise ProgramError(f"{command[0]}: there is no such program; {remedy}", 2) from None


def _ran(command: List[str]) -> "subprocess.CompletedProcess[str]":
    """Runs a command to its end. Ctrl-C ends it as in a terminal, so its files stay usable."""
    with _started(command, subprocess.PIPE) as process:
        try:
            out, err = process.communicate()
        except BaseException:
            process.send_signal(signal.SIGINT)
            process.communicate()
            raise
    return subprocess.CompletedProcess(command, process.returncode, out, err)


def _document(program: Optional[Place], *words: Place, **options: Any) -> Dict[str, Any]:
    """The document that a command prints."""
    command = [_program(program), *map(_path, words), "--json"]
    command += _words(options)
    done = _ran(command)
    if done.returncode != 0:
        raise _error(done.stdout or done.stderr, done.returncode)
    _warn_of_starts(done.stderr)
    document: Dict[str, Any] = json.loads(done.stdout)
    return document


def _warn_of_starts(said: str, seen: int = 0, stacklevel: int = 4) -> int:
    """Warns, as the program has `said`, of runs that were not accepted: it takes their start sets.
    Leaves out as many lines as were seen before, and gives the number seen now."""
    lines = [line for line in said.splitlines(keepends=True) if line.endswith("\n")]
    for line in lines[seen:]:
        if line.startswith("note: run "):
            warnings.warn(line[len("note: ") :].rstrip(), stacklevel=stacklevel)
    return len(lines)


def _history(program: Optional[Place], directory: str) -> List[Event]:
    """The batches of a run, as `export --history` has them."""
    command = [_program(program), "export", directory, "--history", "json"]
    done = _ran(command)
    if done.returncode != 0:
        return []
    batches = []
    for row in json.loads(done.stdout)["rows"]:
        elo, error = row["elo"], row["elo_error"]
        band = (None, None) if elo is None or error is None else (elo - error, elo + error)
        fields = {"stage": "tune", "elo_low": band[0], "elo_high": band[1], **row}
        batches.append({"event": "batch", **fields, "elo": None if band[0] is None else elo})
    return batches


def tune(
    *,
    on_event: Optional[Callable[[Event], object]] = None,
    program: Optional[Place] = None,
    **options: Any,
) -> Run:
    """Runs `spar tune`, and gives the run when it has ended.

    Options are as on the command line: ``tune(game="ataxx", board="5x5", games=2000)``, or
    ``for_="8h"`` for ``--for 8h``; a run may stand for a set: ``start=run``. Ctrl-C
    ends the tune as it does in a terminal: what is finished is kept, and the `Interrupted` that is
    raised has the run.

    :param on_event: called with each event as it happens.
    :param program: the program, where it is neither the package's nor on the path.
    :raises ProgramError: when the program fails.
    """
    return _follow([_program(program), "tune", "--json-events", *_words(options)], on_event)


def resume(
    directory: Place,
    *,
    on_event: Optional[Callable[[Event], object]] = None,
    program: Optional[Place] = None,
    **options: Any,
) -> Run:
    """Continues a run that was stopped, as `spar resume` does, and gives it when it has ended. A
    finished run is given as it is.

    :raises ProgramError: when the program fails, or there is no such run.
    """
    words = ["resume", os.fspath(directory), "--json-events", *_words(options)]
    run = _follow([_program(program), *words], on_event)
    # A finished run only tells its result.
    is_told = any(event["event"] == "run" for event in run.events)
    return run if is_told else Run.open(directory, program=program)


def _follow(command: List[str], on_event: Optional[Callable[[Event], object]]) -> Run:
    """Runs a command that tells events, and gives the run that they are about."""
    events: List[Event] = []
    seen = 0

    def said() -> str:
        # The program writes at the same place in the file, so nothing may move it.
        return os.pread(notes.fileno(), _MOST_NOTES, 0).decode(errors="replace")

    with tempfile.TemporaryFile() as notes, _started(command, notes.fileno()) as process:
        try:
            assert process.stdout is not None
            for line in process.stdout:
                events.append(json.loads(line))
                # Early, since a tune takes long; the program may say it after its first event.
                if len(events) <= 2:
                    seen = _warn_of_starts(said(), seen)
                if on_event is not None:
                    on_event(events[-1])
        except BaseException as error:
            process.send_signal(signal.SIGINT)
            rest, _ = process.communicate()
            events.extend(json.loads(line) for line in rest.splitlines() if line.startswith("{"))
            begun = any(event["event"] == "run" for event in events)
            if isinstance(error, KeyboardInterrupt) and begun:
                raise Interrupted(Run(events)) from None
            raise
        code = process.wait()
        _warn_of_starts(said(), seen)
    if code != 0:
        last = events[-1] if events else {}
        raise _error(json.dumps(last), code)
    return Run(events)


def match(
    a: Place,
    b: Place,
    *,
    program: Optional[Place] = None,
    **options: Any,
) -> Dict[str, Any]:
    """Runs `spar match` between two weight sets, runs or engines, and gives its document: Elo with
    its error, pair counts and more. ``f"{run.directory}:candidate"`` names the tuned weights of a
    run, accepted or not.

    :raises ProgramError: when the program fails.
    """
    return _document(program, "match", a, b, **options)


def generate(path: Place, *, program: Optional[Place] = None, **options: Any) -> Samples:
    """Runs `spar generate`, which plays games and keeps their positions in a file, and reads it.
    After Ctrl-C the same call continues the file.

    :raises ProgramError: when the program fails.
    """
    _document(program, "generate", path, **options)
    return Samples(path)


def fit(
    files: Union[Place, Iterable[Place]],
    output: Place,
    *,
    program: Optional[Place] = None,
    **options: Any,
) -> Tuple[Weights, Dict[str, Any]]:
    """Runs `spar fit`, which fits weights to files of positions, or to `Samples` of them.

    :returns: the weights, and the document of the command, with their errors.
    :raises ProgramError: when the program fails.
    """
    document = _document(program, "fit", *_files(files), output=output, **options)
    return Weights(output), document


def train(
    files: Union[Place, Iterable[Place]],
    output: Place,
    *,
    program: Optional[Place] = None,
    **options: Any,
) -> Tuple[Weights, Dict[str, Any]]:
    """Runs `spar train`, which trains a network on files of positions, or on `Samples` of them.

    :returns: the weights with the network, and the document of the command.
    :raises ProgramError: when the program fails.
    """
    document = _document(program, "train", *_files(files), output=output, **options)
    return Weights(output), document


def _files(files: Union[Place, Iterable[Place]]) -> List[Place]:
    if isinstance(files, Weights):
        return [_path(files)]
    return [files] if isinstance(files, (str, os.PathLike)) else list(files)
