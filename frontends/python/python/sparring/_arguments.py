"""Checks of arguments."""

from __future__ import annotations

import operator
from typing import Any

#: The greatest whole numbers that the engine takes for depths and for nodes.
MOST_DEPTH, MOST_NODES = 2**32 - 1, 2**64 - 1


def not_bool(value: Any) -> Any:
    """The value, unless it is True or False, which Python takes for 1 and 0.

    :raises TypeError: when it is.
    """
    if isinstance(value, bool):
        raise TypeError(f"{value} is not a number")
    return value


def count(name: str, value: Any, least: int, most: int) -> int:
    """A whole number in its range.

    :raises TypeError: when it is no whole number; the error names the argument.
    :raises ValueError: when it is out of range.
    """
    try:
        whole = operator.index(not_bool(value))
    except TypeError:
        reason = f"{name}: {type(value).__name__} is not a whole number; give one from {least}"
        raise TypeError(reason) from None
    if whole < least:
        raise ValueError(f"{name}={whole}: below the least; give {least} or more")
    if whole > most:
        raise ValueError(f"{name}={whole}: above the greatest; give {most} or less")
    return whole
