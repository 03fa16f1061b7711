#!/usr/bin/env python3
"""Makes tune.svg from a finished run of the default tune: python3 docs/images/tune.py RUN

The plots are those of the run's report.html: the Elo curve, and the paths of four weights.
"""

import html
import json
import pathlib
import re
import sys

NAMES = ["connection_horizontal", "advance_squared", "goalkeepers", "safe_steps"]
INK, SOFT = "#1b2430", "#5d6877"
WIDTH, HEIGHT, CURVE, SMALL = 880, 491, 840, 202


def drawing(page, begin):
    """The first drawing of a page from a place on: its size, and what is in it."""
    found = re.compile(r'<svg width="(\d+)" height="(\d+)"[^>]*>(.*?)</svg>', re.S).search(page, begin)
    return int(found[1]), int(found[2]), found[3].strip()


def placed(x, y, width, plot):
    cols, rows, body = plot
    height = width * rows / cols
    return f'<svg x="{x}" y="{y:g}" width="{width}" height="{height:g}" viewBox="0 0 {cols} {rows}">\n{body}\n</svg>'


def text(x, y, size, words, style):
    return f'<text x="{x}" y="{y:g}" font-size="{size}" {style}>{html.escape(words)}</text>'


def main(run):
    page = (run / "report.html").read_text()
    lines = (run / "journal.jsonl").read_text().splitlines()
    result = next(found for line in reversed(lines) if (found := json.loads(line).get("result")))
    bold = f'font-weight="600" fill="{INK}"'
    proof = f"{result['elo']:+.1f} ± {result['elo_error']:.1f} over the start"
    curve = drawing(page, page.index('aria-label="Elo'))
    below = 58 + CURVE * curve[1] / curve[0] + 28
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="system-ui, sans-serif">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" rx="10" fill="#ffffff"/>',
        text(24, 30, 16, "Elo over what SPSA began with, by games", bold),
        text(24, 50, 13, "the running estimate with its 95 % band; the green point is the validation on "
             f"fresh openings: {proof}", f'fill="{SOFT}"'),
        placed(20, 58, CURVE, curve),
    ]
    for place, name in enumerate(NAMES):
        x = 20 + 210 * place
        parts.append(text(x + 6, below, 13, name, bold))
        parts.append(placed(x, below + 8, SMALL, drawing(page, page.index(f'aria-label="{name} over'))))
    (pathlib.Path(__file__).parent / "tune.svg").write_text("\n".join(parts + ["</svg>", ""]))


main(pathlib.Path(sys.argv[1]))
