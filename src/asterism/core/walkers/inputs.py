"""Which nodes an exploration is about: everything it walked over, and the narratives it made."""

from __future__ import annotations

from asterism.core.ledger.about import Called, Declared, Says
from asterism.core.ledger.items import Item, Payload
from asterism.core.ledger.model import kind_in, possible_ends
from asterism.core.walkers.effects import KINDS, WHAT, colour_rows, injections, narrative_rows, rows, tie_rows


def walked_links(payload: Payload) -> set[str]:
    """Name the links that an exploration walked or coloured."""
    hops = {str(hop) for path in rows(payload, "paths") for hop in path[1:]}
    return {row.link for row in colour_rows(payload)} | hops


def says(item: Item) -> Says:
    """Say what an exploration made, and what it stood on: without one of its nodes it is another walk."""
    payload = item.payload
    if item.what != WHAT:
        return Says(needs=frozenset({str(payload["narrative"])}))
    narratives = narrative_rows(payload)
    links = walked_links(payload)
    nodes = {str(payload["start"])} | {node for node, _, _ in injections(payload)}
    nodes |= {name for narrative in narratives for name in narrative.sources}
    nodes |= {end for tie in tie_rows(payload) for end in (tie.a, tie.b)}
    for link in links:
        nodes |= {end for ends in possible_ends(link) for end in ends}
        nodes |= set() if kind_in(link) else {link}
    made = frozenset(narrative.id for narrative in narratives)
    return Says(
        makes=made,
        needs=frozenset(nodes) - made,
        called=tuple(Called(narrative.name, narrative.id) for narrative in narratives),
    )


DECLARED = Declared(KINDS, says)
