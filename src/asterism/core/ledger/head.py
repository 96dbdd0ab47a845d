"""The head of a space: how much it holds, and a sum over all of it, by which a loss is seen.

    mark = the first 16 bytes of a hash of what is kept       sum = marks added up, modulo 2^128

A commit adds the marks of what it brings and takes away those of what it removes, so there is no order in a sum: copies
of a space that exchanged everything have equal sums of items and of erasures, however either came by them.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import blake2b
from typing import NamedTuple

MARK = 16  # bytes
MODULUS = 1 << (8 * MARK)
PARTS = ("items", "erased", "vectors", "settings")


@dataclass(frozen=True, slots=True)
class Total:
    """How many there are, and the sum of their marks."""

    count: int = 0
    marks: int = 0

    def plus(self, other: Total) -> Total:
        """Add what came.

        >>> Total(1, MODULUS - 1).plus(Total(1, 3))
        Total(count=2, marks=2)
        """
        return Total(self.count + other.count, (self.marks + other.marks) % MODULUS)

    def minus(self, other: Total) -> Total:
        """Take away what went.

        >>> Total(2, 2).minus(Total(1, 3)) == Total(1, MODULUS - 1)
        True
        """
        return Total(self.count - other.count, (self.marks - other.marks) % MODULUS)


NONE = Total()


class Head(NamedTuple):
    """The totals of a space: items, what was erased, vectors, and recorded settings."""

    items: Total = NONE
    erased: Total = NONE
    vectors: Total = NONE
    settings: Total = NONE

    def differences(self, found: Head) -> list[str]:
        """Say in words how what was found differs from this, which was recorded.

        >>> Head(items=Total(90, 7)).differences(Head())
        ['items: 90 were recorded, 0 are there']
        >>> Head(erased=Total(2, 7)).differences(Head(erased=Total(2, 8)))
        ['erased: 2 were recorded and are there, but not the same']
        """
        told = []
        for name, recorded, here in zip(PARTS, self, found, strict=True):
            if recorded.count != here.count:
                told.append(f"{name}: {recorded.count:,} were recorded, {here.count:,} are there")
            elif recorded != here:
                told.append(f"{name}: {here.count:,} were recorded and are there, but not the same")
        return told


def mark(*parts: bytes | str | int) -> int:
    """Give the mark of what is kept, by its parts; each is told apart from the next.

    >>> mark("ab", "c") == mark("a", "bc"), mark(b"a") == mark("a"), mark(1) == mark("1")
    (False, True, True)
    """
    hashed = blake2b(digest_size=MARK)
    for part in parts:
        told = part if isinstance(part, bytes) else str(part).encode()
        hashed.update(len(told).to_bytes(8, "big") + told)
    return int.from_bytes(hashed.digest(), "big")


def total(marks: Iterable[int]) -> Total:
    """Add marks up.

    >>> total([1, 2, MODULUS])
    Total(count=3, marks=3)
    """
    count = added = 0
    for each in marks:
        count, added = count + 1, added + each
    return Total(count, added % MODULUS)


def item_mark(item_id: bytes, known_at: int, note: str) -> int:
    """Give the mark of an item: its id, which is its content's, and what the ledger notes beside it."""
    return mark(item_id, known_at, note)
