"""Which nodes the items of stars and connections are about."""

from __future__ import annotations

from asterism.core.connections.payloads import FIELDS, PAIR
from asterism.core.ledger.about import Called, Declared, Says
from asterism.core.ledger.items import Item
from asterism.core.ledger.model import link_id

PAIRED = frozenset(what for what, fields in FIELDS.items() if fields.keys() >= PAIR.keys())


def says(item: Item) -> Says:
    """Say which star or pair an item is about; a link is there by its evidence, and what is said of it needs it."""
    payload = item.payload
    if item.what == "star_added":
        star = str(payload["star"])
        return Says(makes=frozenset({star}), called=(Called(str(payload["name"]), star),))
    if item.what in PAIRED:
        a, b = str(payload["a"]), str(payload["b"])
        ends, link = frozenset((a, b)), frozenset((link_id(a, b),))
        return Says(makes=link, needs=ends) if item.what == "evidence" else Says(needs=ends | link)
    return Says(needs=frozenset({str(payload["star"])}) if "star" in payload else frozenset())


DECLARED = Declared(frozenset(FIELDS), says)
