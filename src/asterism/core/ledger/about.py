"""What an item has to do with nodes: which it makes, which it needs, of which it says something.

Every capability declares this for its own kinds of items, beside its payloads; `depends` puts them together.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import NamedTuple

from asterism.core.ledger.items import Item, Payload

NONE: frozenset[str] = frozenset()


class Called(NamedTuple):
    """A name by which people call a node."""

    name: str
    node: str


@dataclass(frozen=True, slots=True)
class Says:
    """What one item has to do with nodes, by their ids; an item that others stand on counts as one, by its own."""

    makes: frozenset[str] = NONE  # they are there because of it, or of another that makes them
    needs: frozenset[str] = NONE  # if one of them is gone, it says nothing
    parts: frozenset[str] = NONE  # if one of them is gone, only what it said of that one goes
    same: frozenset[str] = NONE  # wordings of one thing
    sessions: frozenset[str] = NONE  # names of the sessions it belongs to
    whole: str = ""  # items that share this go together when one of them is about a node that goes
    called: tuple[Called, ...] = ()

    def joined(self, other: Says) -> Says:
        """Give what two capabilities say of one item."""
        return Says(
            self.makes | other.makes,
            self.needs | other.needs,
            self.parts | other.parts,
            self.same | other.same,
            self.sessions | other.sessions,
            self.whole or other.whole,
            self.called + other.called,
        )


NOTHING = Says()


def _nothing_left(_: Payload, __: Collection[str]) -> Payload | None:
    return None


def _of_nothing(_: str) -> str | None:
    return None


@dataclass(frozen=True)
class Declared:
    """What a capability declares of its items; it may add to what another says of a kind."""

    kinds: frozenset[str]
    says: Callable[[Item], Says]
    without: Callable[[Payload, Collection[str]], Payload | None] = _nothing_left  # minus parts; None: nothing is left
    part_of: Callable[[str], str | None] = _of_nothing  # the node that another is a part of, where its id tells


NONE_DECLARED: Declared = Declared(NONE, lambda _: NOTHING)
