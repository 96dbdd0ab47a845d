"""Working through very much: Python's cyclic collector paused, and no more in hand than a batch."""

from __future__ import annotations

import gc
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from typing import TypeVar

Each = TypeVar("Each")
AT_ONCE = 5_000  # a few megabytes of items


@contextmanager
def without_collection() -> Iterator[None]:
    """Pause the collector: none of so many items is garbage, and all would be searched."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


def batches(each: Iterable[Each], *, most: int = AT_ONCE) -> Iterator[list[Each]]:
    """Give what comes one by one in lists.

    >>> list(batches("abcde", most=2))
    [['a', 'b'], ['c', 'd'], ['e']]
    """
    left = iter(each)
    while some := list(islice(left, most)):
        yield some
