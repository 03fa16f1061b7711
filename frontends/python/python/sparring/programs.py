"""The commands of the program `spar` as functions: tunes, matches, positions and fits."""

from __future__ import annotations

import json
import os
import signal
import tempfile
from typing import Any, Callable, Dict, Iterable, List, Optional, Tuple, Union

from ._calls import (
    Place,
    ProgramError as ProgramError,
    document_of,
    error_of,
    path_text,
    program_path,
    started,
    warn_of_starts,
    words_of,
)
from .runs import Event, Interrupted, Run
from .samples import Samples
from .weights import Weights

#: Bytes that the notes before the first event take at most.
_MOST_NOTES = 1 << 16


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
    return _follow([program_path(program), "tune", "--json-events", *words_of(options)], on_event)


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
    words = ["resume", os.fspath(directory), "--json-events", *words_of(options)]
    run = _follow([program_path(program), *words], on_event)
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

    with tempfile.TemporaryFile() as notes, started(command, notes.fileno()) as process:
        try:
            assert process.stdout is not None
            for line in process.stdout:
                events.append(json.loads(line))
                # Early, since a tune takes long; the program may say it after its first event.
                if len(events) <= 2:
                    seen = warn_of_starts(said(), seen)
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
        warn_of_starts(said(), seen)
    if code != 0:
        last = events[-1] if events else {}
        raise error_of(json.dumps(last), code)
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
    return document_of(program, "match", a, b, **options)


def generate(path: Place, *, program: Optional[Place] = None, **options: Any) -> Samples:
    """Runs `spar generate`, which plays games and keeps their positions in a file, and reads it.
    After Ctrl-C the same call continues the file.

    :raises ProgramError: when the program fails.
    """
    document_of(program, "generate", path, **options)
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
    document = document_of(program, "fit", *_files(files), output=output, **options)
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
    document = document_of(program, "train", *_files(files), output=output, **options)
    return Weights(output), document


def _files(files: Union[Place, Iterable[Place]]) -> List[Place]:
    if isinstance(files, Weights):
        return [path_text(files)]
    return [files] if isinstance(files, (str, os.PathLike)) else list(files)
