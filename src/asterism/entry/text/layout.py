"""Text in columns: tables, paragraphs and sparklines that fit a width, as lines of styled pieces.

A front door prints the pieces as it can: plain text drops the styles, a terminal turns them into colours.
"""

from __future__ import annotations

import textwrap
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

WIDTH = 80
GAP = 2
BLOCKS = "▁▂▃▄▅▆▇█"
Style = Literal["", "head", "dim", "good", "fair", "weak", "bad", "name", "kind"]


@dataclass(frozen=True, slots=True)
class Piece:
    """A run of characters with one style."""

    text: str
    style: Style = ""


Line = list[Piece]


@dataclass(frozen=True, slots=True)
class Column:
    """A column: its head, which side it leans to, and how narrow it may become (None: it is never cut)."""

    head: str
    align: Literal["left", "right"] = "left"
    least: int | None = None


def cells(text: str) -> int:
    """Count the terminal cells of a text: wide characters take two, combining ones none.

    >>> cells("Schlaf"), cells("睡眠")
    (6, 4)
    """
    wide = sum(unicodedata.east_asian_width(char) in "WF" for char in text)
    return len(text) + wide - sum(bool(unicodedata.combining(char)) for char in text)


def many(count: int, thing: str) -> str:
    """Count things in words.

    >>> many(1, "block"), many(2_000, "link")
    ('1 block', '2,000 links')
    """
    return f"{count:,} {thing}{'' if count == 1 else 's'}"


def cut(text: str, width: int) -> str:
    """Shorten a text to so many cells, with an ellipsis where it was cut.

    >>> cut("inner-critic", 8), cut("sleep", 8)
    ('inner-c…', 'sleep')
    """
    taken = fitting = 0
    for place, char in enumerate(text, start=1):
        taken += cells(char)
        if taken < width:
            fitting = place
        elif taken > width:  # the rest may be as long as it likes: it is not looked at
            return text[:fitting] + "…"
    return text


def sparkline(values: Sequence[float], *, width: int | None = None, top: float = 1.0) -> str:
    """Draw values of 0 to `top` as a small curve; a dot stands for nothing.

    >>> sparkline([0.0, 0.1, 0.5, 1.0])
    '·▁▅█'
    >>> sparkline([0.0, 0.1, 0.5, 1.0], width=2)
    '·█'
    """
    if width is not None and len(values) > width > 1:
        last = len(values) - 1
        values = [values[round(place * last / (width - 1))] for place in range(width)]
    steps = len(BLOCKS)
    return "".join(BLOCKS[min(int(value / top * steps), steps - 1)] if value > 1e-9 else "·" for value in values)


def gauge(value: float, *, width: int = 10) -> str:
    """Draw a share of 1 as a bar.

    >>> gauge(0.62)
    '██████░░░░'
    """
    full = round(max(0.0, min(value, 1.0)) * width)
    return "█" * full + "░" * (width - full)


def table(columns: Sequence[Column], rows: Iterable[Sequence[Piece | str]], *, width: int = WIDTH) -> list[Line]:
    """Lay rows out under heads, cutting the columns that may be cut until all fits."""
    lines = [[cell if isinstance(cell, Piece) else Piece(cell) for cell in row] for row in rows]
    sizes = [
        max([cells(column.head), *(cells(line[place].text) for line in lines)]) for place, column in enumerate(columns)
    ]
    room = width - GAP * (len(columns) - 1)
    while sum(sizes) > room:
        spare = [(size, place) for place, size in enumerate(sizes) if size > (columns[place].least or size)]
        if not spare:
            break
        sizes[max(spare)[1]] -= 1
    heads = [Piece(column.head, "head") for column in columns]
    return [_row(columns, sizes, line) for line in [heads, *lines]]


def _row(columns: Sequence[Column], sizes: Sequence[int], line: Sequence[Piece]) -> Line:
    laid: Line = []
    for column, size, piece in zip(columns, sizes, line, strict=True):
        if laid:
            laid.append(Piece(" " * GAP))
        text = cut(piece.text, size) if column.least is not None else piece.text
        blank = Piece(" " * (size - cells(text)))
        laid += [blank, Piece(text, piece.style)] if column.align == "right" else [Piece(text, piece.style), blank]
    while laid and not laid[-1].text.strip():
        laid.pop()
    return laid


def paragraph(text: str, *, width: int = WIDTH, indent: str = "", style: Style = "") -> list[Line]:
    """Wrap a text; an empty one gives an empty line.

    >>> plain(paragraph("a memory that grows", width=12, indent="  "))
    '  a memory\\n  that grows'
    """
    wrapped = textwrap.wrap(text, width, initial_indent=indent, subsequent_indent=indent, break_long_words=False)
    return [[Piece(line, style)] for line in wrapped] or [[]]


def heading(text: str) -> list[Line]:
    """A title with an empty line before it."""
    return [[], [Piece(text, "name")]]


def sum_lines(rows: Sequence[tuple[str, str]], *, width: int = WIDTH, indent: str = "  ") -> list[Line]:
    """Lay out texts with their figures in one column at the right; long texts wrap, the figure on the first line."""
    figures = max((cells(figure) for _, figure in rows), default=0)
    room = width - len(indent) - figures - GAP
    longest = min(room, max((cells(text) for text, _ in rows), default=0))
    lines: list[Line] = []
    for text, figure in rows:
        first, *rest = textwrap.wrap(text, longest, subsequent_indent="    ") or [""]
        space = " " * (longest - cells(first) + GAP + figures - cells(figure))
        style: Style = "bad" if figure.startswith(("-", "−")) else "good" if figure.startswith("+") else "head"
        lines.append([Piece(indent + first + space), Piece(figure, style)])
        lines += [[Piece(indent + part)] for part in rest]
    return lines


def plain(lines: Iterable[Line]) -> str:
    """Drop the styles."""
    return "\n".join("".join(piece.text for piece in line) for line in lines)
