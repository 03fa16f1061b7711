"""Boards drawn as SVG, for notebooks."""

from __future__ import annotations

import re
from typing import List, Optional, Tuple

_SQUARE = 40
_MARGIN = 22
_LIGHT, _DARK, _MARK, _BLOCK = "#f0e2c4", "#c9a877", "#f6d55c", "#8a7a66"
#: How each piece is drawn: fill, outline.
_PIECES = {
    "P": ("#ffffff", "#333333"),
    "p": ("#333333", "#111111"),
    "x": ("#333333", "#111111"),
    "o": ("#ffffff", "#333333"),
    "g": ("#e0b020", "#7a5c00"),
    "F": ("#e0b020", "#7a5c00"),
    "s": ("#c8ccd4", "#555b66"),
}
#: Pieces that are drawn larger: the flagship of Breakthru.
_LARGE = {"F"}


def squares(fen: str) -> List[str]:
    """The rows of a FEN, the highest first, a letter for each square and ``.`` for an empty one.

    >>> squares("3x/1-o1/4 x 0 1")
    ['...x', '.-o.', '....']
    """
    rows = fen.split()[0].split("/")
    return [re.sub(r"\d+", lambda run: "." * int(run.group()), row) for row in rows]


def _names(move: str) -> List[str]:
    """The squares that a move names."""
    return re.findall(r"[a-z]\d+", move)


def _place(name: str, rows: int) -> Tuple[int, int]:
    return ord(name[0]) - ord("a"), rows - int(name[1:])


def board_svg(game: str, size: str, fen: str, last_move: Optional[str] = None) -> str:
    """A position as SVG, with the squares of the last move marked."""
    columns, rows = (int(number) for number in size.split("x"))
    marked = {_place(name, rows) for name in _names(last_move or "")}
    width, height = columns * _SQUARE + _MARGIN, rows * _SQUARE + _MARGIN
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" role="img" aria-label="{game}: {fen}">'
    ]
    for y, row in enumerate(squares(fen)):
        for x, piece in enumerate(row):
            parts.append(_square(x, y, piece, (x, y) in marked))
        parts.append(_label(_MARGIN / 2, (y + 0.5) * _SQUARE, str(rows - y)))
    for x in range(columns):
        letter = chr(ord("a") + x)
        parts.append(_label(_MARGIN + (x + 0.5) * _SQUARE, rows * _SQUARE + _MARGIN / 2, letter))
    return "".join(parts) + "</svg>"


def _square(x: int, y: int, piece: str, is_marked: bool) -> str:
    fill = _MARK if is_marked else _DARK if (x + y) % 2 else _LIGHT
    if piece == "-":
        fill = _BLOCK
    left, top = _MARGIN + x * _SQUARE, y * _SQUARE
    drawn = f'<rect x="{left}" y="{top}" width="{_SQUARE}" height="{_SQUARE}" fill="{fill}"/>'
    if piece in _PIECES:
        inside, outline = _PIECES[piece]
        radius = _SQUARE * (0.44 if piece in _LARGE else 0.34)
        drawn += (
            f'<circle cx="{left + _SQUARE / 2}" cy="{top + _SQUARE / 2}" r="{radius:.1f}" '
            f'fill="{inside}" stroke="{outline}" stroke-width="2"/>'
        )
    return drawn


def _label(x: float, y: float, text: str) -> str:
    return (
        f'<text x="{x}" y="{y}" font-size="12" font-family="sans-serif" fill="#777" '
        f'text-anchor="middle" dominant-baseline="central">{text}</text>'
    )
