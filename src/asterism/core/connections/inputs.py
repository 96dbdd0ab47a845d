"""Which nodes the items of stars and connections are about."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from asterism.core.connections.parameters import ConnectionParameters
from asterism.core.connections.payloads import FIELDS, HOLDS, PAIR
from asterism.core.ledger.about import Called, Declared, Says
from asterism.core.ledger.calendar import day_of, to_date
from asterism.core.ledger.items import Item
from asterism.core.ledger.model import link_id

VALUE = "brightness_observed"
VALUES = "values "  # how what a finding saw of a star is named among what items need; no node is called so
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
        if "finding" in payload:
            values = frozenset(_values(item, end) for end in ends)
            holds = payload["finding"] == HOLDS
            return Says(makes=link, needs=ends | values) if holds else Says(needs=ends | link | values)
        return Says(makes=link, needs=ends) if item.what == "evidence" else Says(needs=ends | link)
    return Says(needs=frozenset({str(payload["star"])}) if "star" in payload else frozenset())


def _values(item: Item, star: str) -> str:
    """Name what a finding saw of a star: `until` is the last day of both, and one of them may have later values."""
    since, until = str(item.payload["since"]), str(item.payload["until"])
    return f"{VALUES}{since} {max(until, to_date(day_of(item.at)).isoformat())} {star}"


def lost(named: Collection[str], before: Sequence[Item], left: Sequence[Item], _: ConnectionParameters) -> set[str]:
    """Name what findings saw of a star, where one of the values is left no more."""
    spans = [(node, *node.removeprefix(VALUES).split(" ", 2)) for node in named if node.startswith(VALUES)]
    if not spans:
        return set()
    kept = {item.id for item in left}
    gone: dict[str, set[str]] = {}
    for item in before:
        if item.what == VALUE and item.id not in kept:
            gone.setdefault(str(item.payload["star"]), set()).add(to_date(day_of(item.at)).isoformat())
    return {node for node, since, until, star in spans if any(since <= day <= until for day in gone.get(star, ()))}


DECLARED = Declared(frozenset(FIELDS), says)
