"""Which nodes an exploration is about: everything it walked over, and the narratives it made."""

from __future__ import annotations

from asterism.core.ledger.about import Called, Declared, Says
from asterism.core.ledger.items import Item
from asterism.core.walkers.effects import KINDS, WHAT, colour_rows, injections, narrative_rows, rows, tie_rows
from asterism.core.walkers.fold import JOINED


def says(item: Item) -> Says:
    """Say what an exploration made, and what it stood on: without one of its nodes it is another walk."""
    payload = item.payload
    if item.what != WHAT:
        return Says(needs=frozenset({str(payload["narrative"])}))
    narratives = narrative_rows(payload)
    links = {row.link for row in colour_rows(payload)} | {
        str(hop) for path in rows(payload, "paths") for hop in path[1:]
    }
    nodes = {str(payload["start"])} | {node for node, _, _ in injections(payload)}
    nodes |= {name for narrative in narratives for name in narrative.sources}
    nodes |= {end for tie in tie_rows(payload) for end in (tie.a, tie.b)}
    for link in links:
        ends, _, kind = link.partition("#")
        nodes |= set(ends.split(JOINED)) if JOINED in ends else set()
        nodes |= set() if kind else {link}
    made = frozenset(narrative.id for narrative in narratives)
    return Says(
        makes=made,
        needs=frozenset(nodes) - made,
        called=tuple(Called(narrative.name, narrative.id) for narrative in narratives),
    )


DECLARED = Declared(KINDS, says)
