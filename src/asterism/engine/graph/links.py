"""Links of every family: connections and structural links, under the ids of what stands for their ends now."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from asterism.core.blocks import read as read_blocks
from asterism.core.connections import read as read_connections
from asterism.core.dialogue.fold import CAUSED, ORDER, Structural
from asterism.core.ledger.model import Link, link_id
from asterism.core.space.projection import Projection
from asterism.core.walkers.crystals import WALK
from asterism.engine.connections.tell import told_pair


def link(folded: Projection, a: str, b: str) -> Link | None:
    """Give the connection between two nodes as seen from `a`, or None."""
    first, second = (read_blocks.standing(folded.blocks, end) for end in (a, b))
    found = read_connections.link(folded.connections, *told_pair(folded, first, second))
    return None if found is None else _standing(folded, found)


def links(folded: Projection, a: str | None = None, b: str | None = None) -> list[Link]:
    """Give links, strongest first: all, those of one node, or those of a pair; what merely followed comes last."""
    if a is not None and b is not None:
        found = link(folded, a, b)
        connections = [found] if found is not None and found.state != "DISSOLVED" else []
    else:
        end = a if a is not None else b
        connections = [
            _standing(folded, each)
            for node in _family(folded, end)
            for each in read_connections.links(folded.connections, node)
        ]
    structural = [*read_blocks.links(folded.blocks, a, b), *_told(folded, a, b)]
    there = [each for each in connections if not (_is_gone(folded, each.a) or _is_gone(folded, each.b))]
    by_id: dict[str, Link] = {}
    for each in sorted([*there, *structural], key=_rank):
        by_id.setdefault(each.id, each)  # of two that became one, the stronger
    return list(by_id.values())


def _is_gone(folded: Projection, node: str) -> bool:
    return node in folded.blocks.blocks and folded.blocks.there(node) is None


def _rank(seen: Link) -> tuple[bool, float, str]:
    return seen.kind == ORDER, -seen.strength, seen.id


def _told(folded: Projection, a: str | None, b: str | None) -> Iterator[Link]:
    """Give the structural links that transcripts and explorations made, seen from the node that was asked for."""
    blocks = folded.blocks
    ends = {read_blocks.standing(blocks, end) for end in (a, b) if end is not None}
    seen_from = a if a is not None else b
    seen_from = None if seen_from is None else read_blocks.standing(blocks, seen_from)
    made = [(each, "transcript") for each in folded.transcripts.structural()]
    for tie in folded.walks.ties.values():
        left, right = read_blocks.standing(blocks, tie.a), read_blocks.standing(blocks, tie.b)
        made.append((Structural(WALK, left, right, tie.polarity), "exploration"))
    for (kind, first, second, strength), origin in made:
        if ends <= {first, second}:
            turned = seen_from == second
            yield Link(
                id=link_id(first, second, kind),
                a=second if turned else first,
                b=first if turned else second,
                kind=kind,
                family="structural",
                direction=None if kind != CAUSED else "b_to_a" if turned else "a_to_b",
                strength=strength,
                confidence=1.0,
                state="",
                evidence=read_blocks.UNTOLD,
                last_engaged=None,
                origin=origin,
                assigned=False,
            )


def _family(folded: Projection, node: str | None) -> list[str | None]:
    return [None] if node is None else [*folded.blocks.family(read_blocks.standing(folded.blocks, node))]


def _standing(folded: Projection, seen: Link) -> Link:
    blocks = folded.blocks
    if not blocks.forebears:
        return seen
    a, b = read_blocks.standing(blocks, seen.a), read_blocks.standing(blocks, seen.b)
    return seen if (a, b) == (seen.a, seen.b) else replace(seen, a=a, b=b, id=link_id(a, b))
