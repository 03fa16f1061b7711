"""Packages that only some functions need, with the way to get them.

``from ._needed import numpy`` is ``import numpy`` with an error that says what to install.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as numpy

_ADVICE = {
    "numpy": "NumPy is missing, which arrays need; install it with `pip install numpy`",
}


def __getattr__(name: str) -> Any:
    if name not in _ADVICE:
        raise AttributeError(name)
    try:
        return import_module(name)
    except ImportError as error:
        raise ImportError(f"{_ADVICE[name]} ({error})", name=name) from None
