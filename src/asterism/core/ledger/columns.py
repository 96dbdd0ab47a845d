"""Columns: the projection is held as arrays, one per field, not as a row per thing.

A `Table` is a set of columns of equal length that grow by doubling. Scalar code reads and writes
`table.field[row]`; array code works on `table.trim()`, the same memory cut to the rows in use.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Self

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Longs = NDArray[np.int64]
Ints = NDArray[np.int32]
Bytes = NDArray[np.uint8]
Bools = NDArray[np.bool_]
Masks = NDArray[np.uint64]
Column = NDArray[np.generic]
Columns = dict[str, Column]
Rows = NDArray[np.integer]  # numbers of rows, of whatever width

FIRST_CAPACITY = 16


class Table:
    """Named columns of equal length; subclasses declare `schema` (dtype and first value) and annotate them."""

    schema: ClassVar[Mapping[str, tuple[str, float]]] = {}

    size: int
    capacity: int
    cells: list[memoryview[float]]  # the columns again: Python reads and writes one value of a memoryview faster

    def __init__(self) -> None:
        self.size = 0
        self.capacity = 0
        self._trimmed: Self | None = None
        for name, (dtype, _) in self.schema.items():
            setattr(self, name, np.empty(0, dtype=dtype))
        self.reserve(FIRST_CAPACITY)

    def reserve(self, rows: int) -> None:
        """Make room for this many rows; fresh ones hold the first value of their column."""
        if rows <= self.capacity:
            return
        capacity = max(rows, 2 * self.capacity)
        for name, (dtype, first) in self.schema.items():
            grown = np.full(capacity, first, dtype=dtype)
            grown[: self.size] = getattr(self, name)[: self.size]
            setattr(self, name, grown)
        self.capacity = capacity
        self._take_cells()

    def _take_cells(self) -> None:
        self.cells = [memoryview(getattr(self, name)) for name in self.schema]
        self._trimmed = None

    def add(self) -> int:
        """Append a row of first values and give its number."""
        row = self.size
        if row == self.capacity:
            self.reserve(row + 1)
        self.size = row + 1
        return row

    def extend_to(self, rows: int) -> None:
        """Append rows of first values until there are this many."""
        self.reserve(rows)
        self.size = max(self.size, rows)

    def trim(self) -> Self:
        """Give the same columns cut to the rows in use, sharing memory: what is written there is written here."""
        if self._trimmed is None or self._trimmed.size != self.size:
            self._trimmed = self.load({name: getattr(self, name)[: self.size] for name in self.schema})
        return self._trimmed

    def row(self, row: int) -> tuple[float, ...]:
        """Read one row, every column."""
        return tuple([cell[row] for cell in self.cells])

    def put_row(self, row: int, values: tuple[float, ...]) -> None:
        """Write one row, every column, as `row` read it."""
        for cell, value in zip(self.cells, values, strict=True):
            cell[row] = value

    def dump(self, order: Rows | None = None) -> Columns:
        """Copy the columns out, in another order of rows if asked."""
        if order is None:
            return {name: getattr(self, name)[: self.size].copy() for name in self.schema}
        return {name: getattr(self, name)[: self.size][order] for name in self.schema}

    @classmethod
    def load(cls, columns: Columns) -> Self:
        """Take columns that `dump` gave; they are used as they are, not copied."""
        table = cls.__new__(cls)
        table.size = table.capacity = len(columns[next(iter(cls.schema))])
        table._trimmed = None
        for name, (dtype, _) in cls.schema.items():
            setattr(table, name, columns[name].astype(dtype, copy=False))
        table._take_cells()
        return table

    def copy(self) -> Self:
        """Copy the table, so that what happens to the copy does not happen here."""
        return self.load(self.dump())


def ranks(order: Rows) -> Rows:
    """Turn "who stands first, second, .." into "at which place does each stand".

    >>> ranks(np.array([2, 0, 1])).tolist()
    [1, 2, 0]
    """
    places = np.empty(len(order), dtype=np.intp)
    places[order] = np.arange(len(order))
    return places


def order_by(first: Column, second: Column) -> Rows:
    """Give the order of rows by two numbers each, both of 32 bits and the second not negative; equal ones stay as is.

    >>> order_by(np.array([7, -1, 7]), np.array([2, 9, 0])).tolist()
    [1, 2, 0]
    """
    return np.argsort(first.astype(np.int64) << 32 | second.astype(np.int64), kind="stable")


def text_column(texts: list[str]) -> Bytes:
    """Pack single-line texts into one column of bytes.

    >>> texts_of(text_column(["Sleep", "Läufe"]))
    ['Sleep', 'Läufe']
    """
    return np.frombuffer("\n".join([*texts, ""]).encode(), dtype=np.uint8)


def texts_of(column: Column) -> list[str]:
    """Unpack what `text_column` packed."""
    return column.tobytes().decode().split("\n")[:-1]


def prefixed(prefix: str, columns: Columns) -> Columns:
    """Name columns by the table they belong to.

    >>> list(prefixed("links", {"a": np.zeros(1)}))
    ['links.a']
    """
    return {f"{prefix}.{name}": column for name, column in columns.items()}


def under(prefix: str, columns: Columns) -> Columns:
    """Give the columns of one table, by their own names again."""
    start = f"{prefix}."
    return {name.removeprefix(start): column for name, column in columns.items() if name.startswith(start)}
