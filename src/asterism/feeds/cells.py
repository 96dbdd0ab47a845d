"""Cells of a block of rows, asked for by column: the same questions whatever the file is."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from asterism.core.ledger.columns import Bools, Bytes, Floats, Longs
from asterism.core.levels.events import NUMBER
from asterism.feeds.digits import Decimals, decimals

Words = NDArray[np.bytes_]

LONGEST_WORD = 40  # bytes of a cell that are looked at as a word or as a time, less than PADDING
WHOLE = re.compile(r"[+-]?\d{1,19}", re.ASCII)


class Wholes(NamedTuple):
    """Whole numbers, and where there is one."""

    values: Longs
    good: Bools


class Cells(Protocol):
    """Rows of a file; a column that is asked for must be there."""

    @property
    def lines(self) -> Longs:
        """Where each row stands in the file, from 1."""
        ...

    def numbers(self, column: str) -> Floats:
        """Give the numbers of a column; NaN where there is none."""
        ...

    def wholes(self, column: str) -> Wholes:
        """Give the whole numbers of a column."""
        ...

    def words(self, column: str) -> Words:
        """Give the cells as text, cut at `LONGEST_WORD` bytes."""
        ...

    def shown(self, column: str, row: int) -> str:
        """Give one cell as it is written."""
        ...


class TextCells:
    """Rows cut out of one block of text, by position. What is not plain and regular counts as not a number."""

    def __init__(self, text: Bytes, edges: Longs, lines: Longs, places: dict[str, int]) -> None:
        self._text = text  # padded
        self._edges = edges  # row by row: where it begins, and one past each separator
        self._places = places
        self._decimals: dict[str, Decimals] = {}
        self.lines = lines

    def _span(self, column: str) -> tuple[Longs, Longs]:
        place = self._places[column]
        return self._edges[:, place], self._edges[:, place + 1] - 1

    def _read(self, column: str) -> Decimals:
        if column not in self._decimals:
            self._decimals[column] = decimals(self._text, *self._span(column))
        return self._decimals[column]

    def numbers(self, column: str) -> Floats:
        """Give the numbers of a column."""
        return self._read(column).floats()

    def wholes(self, column: str) -> Wholes:
        """Give the whole numbers of a column."""
        read = self._read(column)
        values = read.digits.astype(np.int64)
        return Wholes(np.where(read.negative, -values, values), read.wholes())

    def words(self, column: str) -> Words:
        """Give the cells as text."""
        starts, ends = self._span(column)
        widths = np.minimum(ends - starts, LONGEST_WORD)
        longest = max(1, int(widths.max(initial=0)))
        letters = self._text[starts[:, None] + np.arange(longest)]
        letters *= np.arange(longest) < widths[:, None]
        return np.asarray(letters.view(f"S{longest}")[:, 0])

    def shown(self, column: str, row: int) -> str:
        """Give one cell as it is written."""
        starts, ends = self._span(column)
        return self._text[starts[row] : ends[row]].tobytes().decode(errors="replace")


class RowCells:
    """Rows that were split one by one: slower, and any way of writing a number is understood."""

    def __init__(self, rows: Sequence[Sequence[str]], lines: Longs, places: dict[str, int]) -> None:
        self._rows = rows
        self._places = places
        self.lines = lines

    def _column(self, column: str) -> list[str]:
        place = self._places[column]
        return [row[place].strip() for row in self._rows]

    def numbers(self, column: str) -> Floats:
        """Give the numbers of a column."""
        cells = self._column(column)
        return np.array([float(cell) if NUMBER.fullmatch(cell) else np.nan for cell in cells], dtype=np.float64)

    def wholes(self, column: str) -> Wholes:
        """Give the whole numbers of a column."""
        values = [int(cell) if WHOLE.fullmatch(cell) else 2**63 for cell in self._column(column)]
        good = [abs(value) < 2**63 for value in values]
        return Wholes(
            np.array([value if fits else 0 for value, fits in zip(values, good, strict=True)], dtype=np.int64),
            np.array(good, dtype=np.bool_),
        )

    def words(self, column: str) -> Words:
        """Give the cells as text."""
        return np.array([cell.encode()[:LONGEST_WORD] for cell in self._column(column)], dtype=f"S{LONGEST_WORD}")

    def shown(self, column: str, row: int) -> str:
        """Give one cell as it is written."""
        return self._rows[row][self._places[column]].strip()
