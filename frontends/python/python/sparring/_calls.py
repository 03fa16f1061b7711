"""Calls of the program `spar`: command lines, documents, errors and notes."""

from __future__ import annotations

import json
import numbers
import os
import shutil
import signal
import subprocess
import sysconfig
import warnings
from typing import Any, Dict, Iterator, List, Optional, Tuple, Union

from .weights import Weights

Place = Union[str, "os.PathLike[str]"]


class ProgramError(RuntimeError):
    """The error of `spar`; `code` is its exit code."""

    def __init__(self, message: str, code: int) -> None:
        super().__init__(message)
        self.code = code

    def __reduce__(self) -> Tuple[Any, ...]:
        return type(self), (str(self), self.code)


def words_of(options: Dict[str, Any]) -> Iterator[str]:
    """Options of the command line: ``round_pairs=5`` is ``--round-pairs 5``. ``for_`` is ``--for``,
    since ``for`` is a word of Python. A list repeats the option; numbers in a tuple are one value:
    ``sprt=(0, 10)`` is ``--sprt 0,10``."""
    for name, value in options.items():
        flag = "--" + name.rstrip("_").replace("_", "-")
        if value is True:
            yield flag
        elif value is None or value is False:
            continue
        elif isinstance(value, (list, tuple)) and not _is_numbers(value):
            for one in value:
                yield from (flag, _text(one))
        else:
            yield from (flag, _text(value))


def _is_numbers(value: Any) -> bool:
    """Whether a value is a tuple of numbers."""
    is_number = (isinstance(one, numbers.Real) for one in value)
    return isinstance(value, tuple) and len(value) > 0 and all(is_number)


def _text(value: Any) -> str:
    """A value as text: the counts of the command line have no decimal point, so 1e6 is 1000000."""
    if isinstance(value, tuple):
        return ",".join(map(_text, value))
    if isinstance(value, (Weights, os.PathLike)):
        return path_text(value)
    return str(int(value) if isinstance(value, float) and value.is_integer() else value)


def path_text(place: Any) -> str:
    """A path as text; what is in no file is refused."""
    if isinstance(place, Weights):
        raise TypeError("Weights are in no file: save them, as by `weights.save('mine.json')`, and name it")
    return str(os.fspath(place))


def error_of(line: str, code: int) -> ProgramError:
    """The error that a document or the last lines of the program tell."""
    try:
        error = json.loads(line)["error"]
        return ProgramError(error if isinstance(error, str) else error["message"], code)
    except (ValueError, KeyError, TypeError):
        return ProgramError(line.strip() or f"spar ended with exit code {code}", code)


def program_path(program: Optional[Place]) -> str:
    """The program: as named, else the one that came with the package, else the one on the path."""
    if program is not None:
        return os.fspath(program)
    return shutil.which("spar", path=sysconfig.get_path("scripts")) or "spar"


def started(command: List[str], stderr: int) -> "subprocess.Popen[str]":
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


def ran(command: List[str]) -> "subprocess.CompletedProcess[str]":
    """Runs a command to its end. Ctrl-C ends it as in a terminal, so its files stay usable."""
    with started(command, subprocess.PIPE) as process:
        try:
            out, err = process.communicate()
        except BaseException:
            process.send_signal(signal.SIGINT)
            process.communicate()
            raise
    return subprocess.CompletedProcess(command, process.returncode, out, err)


def document_of(program: Optional[Place], *words: Place, **options: Any) -> Dict[str, Any]:
    """The document that a command prints."""
    command = [program_path(program), *map(path_text, words), "--json"]
    command += words_of(options)
    done = ran(command)
    if done.returncode != 0:
        raise error_of(done.stdout or done.stderr, done.returncode)
    warn_of_starts(done.stderr)
    document: Dict[str, Any] = json.loads(done.stdout)
    return document


def warn_of_starts(said: str, seen: int = 0, stacklevel: int = 4) -> int:
    """Warns, as the program has `said`, of runs that were not accepted: it takes their start sets.
    Leaves out as many lines as were seen before, and gives the number seen now."""
    lines = [line for line in said.splitlines(keepends=True) if line.endswith("\n")]
    for line in lines[seen:]:
        if line.startswith("note: run "):
            warnings.warn(line[len("note: ") :].rstrip(), stacklevel=stacklevel)
    return len(lines)
