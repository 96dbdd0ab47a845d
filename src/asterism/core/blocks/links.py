"""The structural links of blocks: one per pair and kind, faded when read."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from asterism.core.blocks.parameters import BlockParameters
from asterism.core.blocks.scoring import structural_strength

SIMILAR, CO_OCCURS, OUTCOME = KINDS = ("similar", "co_occurs", "outcome")
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


def key_of(kind: str, a: str, b: str) -> Key:
    """Name a link.

    >>> key_of("similar", "b", "a")
    ('similar', 'a', 'b')
    """
    return (kind, a, b) if a < b else (kind, b, a)


class Links:
    """Every structural link, found by its key or by an end."""

    def __init__(self) -> None:
        self.links: dict[Key, Link] = {}
        self.ends: dict[str, set[Key]] = {}
        self.version = 0  # rises with every change

    def put(self, key: Key, link: Link) -> None:
        """Make a link, or change it."""
        self.version += 1
        self.links[key] = link
        for end in key[1:]:
            self.ends.setdefault(end, set()).add(key)

    def drop(self, key: Key) -> None:
        """Take a link away, if it is there."""
        if self.links.pop(key, None) is not None:
            self.version += 1
            for end in key[1:]:
                self.ends[end].discard(key)

    def of(self, block: str) -> list[Key]:
        """Give the keys of a block's links, in order."""
        return sorted(self.ends.get(block, ()))

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
        link = self.links[key]
        return structural_strength(
            link.anchor, max(0.0, hours - link.hours), decay_rate_a=rate(key[1]), decay_rate_b=rate(key[2])
        )

    def faded(self, hours: float, rate: Rate, parameters: BlockParameters) -> Iterator[Key]:
        """Give the links to prune: never reinforced, and below the threshold at this hour."""
        least = parameters.edge_prune_threshold
        for key, link in self.links.items():
            if not link.reinforced and self.strength(key, hours, rate) < least:
                yield key

    def hold(self, block: str, cap: int, there: Callable[[str], bool] = lambda _: True) -> None:
        """Drop the weakest similarity edges of a block above its cap; protected links to what is there count first."""
        mine = [key for key in self.of(block) if there(key[1]) and there(key[2])]
        room = max(0, cap - sum(key[0] in PROTECTED for key in mine))
        similar = sorted((-self.links[key].anchor, key) for key in mine if key[0] == SIMILAR)
        for _, key in similar[room:]:
            self.drop(key)

    def copy(self) -> Links:
        """Copy the links."""
        copied = Links()
        copied.links = dict(self.links)
        copied.ends = {end: set(keys) for end, keys in self.ends.items()}
        return copied
