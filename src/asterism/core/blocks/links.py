"""The structural links of blocks: one per pair and kind, faded when read."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import starmap
from typing import NamedTuple

import numpy as np

from asterism.core.blocks.parameters import BlockParameters
from asterism.core.blocks.scoring import structural_strength
from asterism.core.ledger.columns import Bytes, Floats, Ints, Longs

SIMILAR, CO_OCCURS, OUTCOME = KINDS = ("similar", "co_occurs", "outcome")
CONFLICT = "conflict"  # what a dream marks; it is no link that anything follows
PROTECTED = (OUTCOME,)  # those that fill a block's room before similarity edges do

Key = tuple[str, str, str]  # kind, and the ends in the order of their ids
Rate = Callable[[str], float]


class Link(NamedTuple):
    """What is kept of a link."""

    anchor: float
    hours: float  # the active hour at which it had this strength
    reinforced: int = 0


class Edge(NamedTuple):
    """A similarity edge, by the ids of its ends in their order."""

    a: str
    b: str
    score: float


class Marked(NamedTuple):
    """Two blocks that probably cannot both hold, by their ids in their order."""

    a: str
    b: str
    confidence: float
    reason: str


def strength_of(key: Key, link: Link, hours: float, rate: Rate) -> float:
    """Give a link's strength at an active hour, by the decay rates of its ends."""
    return structural_strength(
        link.anchor, max(0.0, hours - link.hours), decay_rate_a=rate(key[1]), decay_rate_b=rate(key[2])
    )


def key_of(kind: str, a: str, b: str) -> Key:
    """Name a link.

    >>> key_of("similar", "b", "a")
    ('similar', 'a', 'b')
    """
    return (kind, a, b) if a < b else (kind, b, a)


@dataclass(frozen=True)
class PackedLinks:
    """Links as a checkpoint has them, in the order of their keys; ends are numbers of blocks."""

    ids: list[str]  # of the blocks, in order
    kind: Bytes
    a: Ints
    b: Ints
    anchor: Floats
    hours: Floats
    reinforced: Longs

    def around(self, block: str) -> Iterator[tuple[Key, Link]]:
        """Give the links of one block."""
        row = bisect_left(self.ids, block)
        if self.ids[row : row + 1] == [block]:
            for place in np.flatnonzero((self.a == row) | (self.b == row)).tolist():
                key = (KINDS[self.kind[place]], self.ids[self.a[place]], self.ids[self.b[place]])
                yield key, Link(self.anchor[place].item(), self.hours[place].item(), self.reinforced[place].item())


class Links:
    """Every structural link, found by its key or by an end; those of a checkpoint are packed until one is looked up."""

    def __init__(self, packed: PackedLinks | None = None) -> None:
        self.packed = packed
        self._links: dict[Key, Link] = {}
        self._ends: dict[str, set[Key]] = {}

    @property
    def links(self) -> dict[Key, Link]:
        """Every link by its key."""
        if self.packed is not None:
            self._unpack(self.packed)
        return self._links

    @property
    def ends(self) -> dict[str, set[Key]]:
        """The keys of every link by its ends."""
        if self.packed is not None:
            self._unpack(self.packed)
        return self._ends

    def _unpack(self, packed: PackedLinks) -> None:
        self.packed = None
        a, b = ([packed.ids[row] for row in rows.tolist()] for rows in (packed.a, packed.b))
        values = zip(packed.anchor.tolist(), packed.hours.tolist(), packed.reinforced.tolist(), strict=True)
        kinds = [KINDS[code] for code in packed.kind.tolist()]
        self._links = dict(zip(zip(kinds, a, b, strict=True), starmap(Link, values), strict=True))
        for key in self._links:
            for end in key[1:]:
                self._ends.setdefault(end, set()).add(key)

    def put(self, key: Key, link: Link) -> None:
        """Make a link, or change it."""
        self.links[key] = link
        for end in key[1:]:
            self.ends.setdefault(end, set()).add(key)

    def drop(self, key: Key) -> None:
        """Take a link away, if it is there."""
        if self.links.pop(key, None) is not None:
            for end in key[1:]:
                self.ends[end].discard(key)

    def of(self, block: str) -> list[Key]:
        """Give the keys of a block's links, in order."""
        return sorted(self.ends.get(block, ()))

    def around(self, block: str) -> Iterator[tuple[Key, Link]]:
        """Give the links of a block, in no order; packed ones stay packed."""
        if self.packed is not None:
            return self.packed.around(block)
        return ((key, self._links[key]) for key in self._ends.get(block, ()))

    def move(self, old: str, heir: str) -> None:
        """Hand a block's links to its heir, but for similarity edges, which go; of two of a kind the stronger stays."""
        for key in self.of(old):
            kind, a, b = key
            link = self.links[key]
            self.drop(key)
            other = b if a == old else a
            if kind != SIMILAR and other != heir:
                moved = key_of(kind, other, heir)
                self.put(moved, max(link, self.links.get(moved, link)))

    def forget(self, block: str) -> None:
        """Take the similarity edges of a block away; what users made waits for the block to come back."""
        for key in self.of(block):
            if key[0] == SIMILAR:
                self.drop(key)

    def strength(self, key: Key, hours: float, rate: Rate) -> float:
        """Give a link's strength at an active hour."""
        return strength_of(key, self.links[key], hours, rate)

    def faded(self, hours: float, rate: Rate, parameters: BlockParameters) -> Iterator[Key]:
        """Give the links to prune: never reinforced, and below the threshold at this hour."""
        least = parameters.edge_prune_threshold
        for key, link in self.links.items():
            if not link.reinforced and self.strength(key, hours, rate) < least:
                yield key

    def hold(
        self,
        block: str,
        cap: int,
        there: Callable[[str], bool] = lambda _: True,
        pinned: Callable[[str], bool] = lambda _: False,
    ) -> None:
        """Drop the weakest similarity edges of a block above its cap; protected links to what is there count first.

        No edge of a pinned block is dropped.
        """
        mine = [key for key in self.of(block) if there(key[1]) and there(key[2])]
        room = max(0, cap - sum(key[0] in PROTECTED for key in mine))
        similar = sorted((-self.links[key].anchor, key) for key in mine if key[0] == SIMILAR)
        for _, key in similar[room:]:
            if not (pinned(key[1]) or pinned(key[2])):
                self.drop(key)

    def copy(self) -> Links:
        """Copy the links."""
        copied = Links(self.packed)
        copied._links = dict(self._links)
        copied._ends = {end: set(keys) for end, keys in self._ends.items()}
        return copied
