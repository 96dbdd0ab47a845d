"""Calling a star otherwise: what was told of it is told again under the new name, and the old one is erased.

A star's id is its name, in every item that tells of it and in every copy of the memory, so it cannot be changed in
place (ADR 30). What was found in its values is not told again: the next look finds it.
"""

from __future__ import annotations

from dataclasses import dataclass

from asterism.core.connections.fold import KINDS
from asterism.core.connections.inputs import PAIRED
from asterism.core.ledger.items import Item, Value, check_text, make_item
from asterism.core.ledger.model import Model
from asterism.core.ledger.nodes import slug
from asterism.core.space.graph import SpaceGraph
from asterism.core.space.projection import Projection
from asterism.core.space.resolve import find
from asterism.engine.care.erase import erase
from asterism.engine.connections.tell import known_star
from asterism.engine.space.live import Live
from asterism.errors import InputError

OTHER_WAY = {"a_to_b": "b_to_a", "b_to_a": "a_to_b"}


@dataclass(frozen=True, slots=True)
class Renamed(Model):
    """What became of a star that is called otherwise."""

    before: str  # its id, and the one it has now
    id: str
    name: str
    items: int  # that were told again
    found: int  # findings that were not: the next look finds them


def rename(live: Live, star: str, name: str) -> Renamed:
    """Tell again what was told of a star, under another name, then erase it under the old one."""
    check_text(name, field="name")
    called = " ".join(name.split())

    def build(folded: Projection) -> tuple[list[Item], Renamed]:
        known, new, graph = known_star(folded, star), slug(called), SpaceGraph(folded)
        other = find(graph, called) or graph.entry(new)
        if other is not None:
            same = other.id == known
            raise InputError(
                f"{called!r} is {'how it is called' if same else f'another node, {other.id}'}",
                code="same_name",
                item=called,
                hint="choose a name that nothing has yet",
            )
        about = [stored.item for stored in live.store.items(live.space, only=KINDS, naming={known})]
        about = [item for item in about if known in (item.payload.get(field) for field in ("star", "a", "b"))]
        told = [item for item in about if "finding" not in item.payload and "reading" not in item.payload]
        items = [live.anew(_renamed(item, known, new, called, stamp=live.stamp())) for item in told]
        return items, Renamed(known, new, called, len(items), len(about) - len(told))

    _, done = live.transact(build, told=KINDS)  # all of it is told again, or nothing is erased
    erase(live, f"node:{done.before}", dry_run=False)
    return done


def _renamed(item: Item, known: str, new: str, name: str, *, stamp: int) -> Item:
    payload: dict[str, Value] = dict(item.payload)
    if item.what in PAIRED:
        a, b = (new if payload[end] == known else str(payload[end]) for end in ("a", "b"))
        payload |= {"a": min(a, b), "b": max(a, b)}
        if a > b and "direction" in payload:
            payload["direction"] = OTHER_WAY.get(str(payload["direction"]), payload["direction"])
    else:
        payload["star"] = new
    if "name" in payload:
        payload["name"] = name
    return make_item(space=item.space, what=item.what, at=item.at, payload=payload, known_at=stamp, source=item.source)
