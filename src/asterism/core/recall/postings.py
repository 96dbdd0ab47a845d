"""Postings: which rows hold a key, and which keys a row holds; both ways, growing.

The rows' keys lie one after another in flat arrays that grow at their end. What was loaded also lies sorted by key;
what was added since is in small lists beside it, sorted in when they have grown to half its size. A removed row stays
and is left out when postings are read.
"""

from __future__ import annotations

from array import array
from collections.abc import Mapping

import numpy as np

from asterism.core.ledger.columns import Bools, Columns, Ints, Longs, Rows, text_column, texts_of

FRESH_AT_LEAST = 4096  # postings beside the arrays before a merge is worth it

RowCounts = tuple[Ints, Ints]  # rows, counts

_NONE: Ints = np.empty(0, dtype=np.int32)


class Postings:
    """An inverted index of counted keys, with the rows' own lists of keys for removal and for links."""

    def __init__(self) -> None:
        self.numbers: dict[str, int] = {}
        self.names: list[str] = []
        self.held: list[int] = []  # by key: how many living rows hold it
        self._ends = array("q", [0])  # where each row's keys begin, and the last one's end
        self._keys = array("i")
        self._counts = array("i")
        self._starts: Longs = np.zeros(1, dtype=np.int64)  # by key, into the two below
        self._rows: Ints = _NONE
        self._repeats: Ints = _NONE
        self._fresh: dict[int, tuple[list[int], list[int]]] = {}

    def add(self, counts: Mapping[str, int]) -> None:
        """Append a row that holds these keys."""
        row = len(self._ends) - 1
        for name, count in counts.items():
            key = self.numbers.setdefault(name, len(self.names))
            if key == len(self.names):
                self.names.append(name)
                self.held.append(0)
            self.held[key] += 1
            self._keys.append(key)
            self._counts.append(count)
            rows, repeats = self._fresh.setdefault(key, ([], []))
            rows.append(row)
            repeats.append(count)
        self._ends.append(len(self._keys))
        if len(self._keys) - len(self._rows) > max(FRESH_AT_LEAST, len(self._rows) // 2):
            self._sort_in()

    def remove(self, row: int) -> None:
        """Count a row's keys no longer; the caller leaves dead rows out of what `of` gives."""
        for key in self._keys[self._ends[row] : self._ends[row + 1]]:
            self.held[key] -= 1

    def of(self, name: str) -> RowCounts:
        """Give the rows that hold a key, dead ones too, in ascending order, and how often each does."""
        key = self.numbers.get(name)
        return (_NONE, _NONE) if key is None else self.of_number(key)

    def of_number(self, key: int) -> RowCounts:
        """Give the rows of a key by its number."""
        rows, counts = _NONE, _NONE
        if key < len(self._starts) - 1:
            span = slice(self._starts[key], self._starts[key + 1])
            rows, counts = self._rows[span], self._repeats[span]
        fresh = self._fresh.get(key)
        if fresh is None:
            return rows, counts
        return (
            np.concatenate([rows, np.array(fresh[0], dtype=np.int32)]),
            np.concatenate([counts, np.array(fresh[1], dtype=np.int32)]),
        )

    def spread(self, name: str) -> int:
        """Count the living rows that hold a key."""
        key = self.numbers.get(name)
        return 0 if key is None else self.held[key]

    def keys_of(self, row: int) -> list[str]:
        """Name the keys of a row."""
        return [self.names[key] for key in self._keys[self._ends[row] : self._ends[row + 1]]]

    def numbers_of(self, row: int) -> Ints:
        """Give the numbers of a row's keys."""
        return np.array(self._keys[self._ends[row] : self._ends[row + 1]], dtype=np.int32)

    def counts_of(self, row: int) -> list[tuple[str, int]]:
        """Name the keys of a row, and how often it holds each."""
        return list(zip(self.keys_of(row), self._counts[self._ends[row] : self._ends[row + 1]], strict=True))

    def _sort_in(self) -> None:
        """Lay all postings out by key again."""
        ends = _longs(self._ends)
        rows = np.repeat(np.arange(len(ends) - 1, dtype=np.int32), np.diff(ends))
        self._lay_out(rows, _by_key(_ints(self._keys)))
        self._fresh = {}

    def _lay_out(self, rows: Ints, by_key: Rows) -> None:
        self._rows, self._repeats = rows[by_key], _ints(self._counts)[by_key]
        self._starts = np.zeros(len(self.names) + 1, dtype=np.int64)
        np.cumsum(np.bincount(_ints(self._keys), minlength=len(self.names)), out=self._starts[1:])

    def dump(self, order: Rows) -> Columns:
        """Copy out the postings of these rows, renumbered in this order; keys sorted: equal sets give equal bytes."""
        ends = _longs(self._ends)
        sizes = np.diff(ends)[order]
        rows = np.repeat(np.arange(len(order)), sizes)
        within = np.arange(len(rows)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        places = np.repeat(ends[:-1][order], sizes) + within
        used = sorted(np.unique(_ints(self._keys)[places]).tolist(), key=self.names.__getitem__)
        renumbered = np.zeros(len(self.names), dtype=np.int32)
        renumbered[used] = np.arange(len(used), dtype=np.int32)
        keys = renumbered[_ints(self._keys)[places]]
        in_row = np.lexsort((keys, rows))
        keys = keys[in_row]
        return {
            "names": text_column([self.names[key] for key in used]),
            "sizes": sizes.astype(np.int32),
            "keys": keys,
            "counts": _ints(self._counts)[places][in_row],
        }

    @classmethod
    def load(cls, columns: Columns) -> Postings:
        """Take what `dump` gave."""
        postings = cls()
        postings.names = texts_of(columns["names"])
        postings.numbers = dict(zip(postings.names, range(len(postings.names)), strict=True))
        sizes = columns["sizes"].astype(np.int64)
        postings._ends.frombytes(np.cumsum(sizes).tobytes())
        postings._keys.frombytes(columns["keys"].astype(np.int32, copy=False).tobytes())
        postings._counts.frombytes(columns["counts"].astype(np.int32, copy=False).tobytes())
        rows = np.repeat(np.arange(len(sizes), dtype=np.int32), sizes)
        postings._lay_out(rows, _by_key(_ints(postings._keys)))
        postings.held = np.diff(postings._starts).tolist()
        return postings


def _by_key(keys: Ints) -> Rows:
    """Give the places of keys in their order, equal ones as they stand: by halves, each of which is sorted by radix.

    >>> _by_key(np.array([70_000, 3, 70_000, 4], dtype=np.int32)).tolist()
    [1, 3, 0, 2]
    """
    order = np.argsort((keys & 0xFFFF).astype(np.uint16), kind="stable")
    high = (keys >> 16).astype(np.uint16)
    return order[np.argsort(high[order], kind="stable")] if high.any() else order


def living(found: RowCounts, alive: Bools) -> RowCounts:
    """Leave dead rows out of what `of` gave.

    >>> rows, counts = living((np.array([0, 2]), np.array([1, 5])), np.array([True, True, False]))
    >>> rows.tolist(), counts.tolist()
    ([0], [1])
    """
    rows, counts = found
    kept = alive[rows]
    return rows[kept], counts[kept]


def _ints(values: array[int]) -> Ints:
    return np.array(values, dtype=np.int32)


def _longs(values: array[int]) -> Longs:
    return np.array(values, dtype=np.int64)
