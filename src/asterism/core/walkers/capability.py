"""Walks as a row of the table: what explorations left behind."""

from __future__ import annotations

from collections.abc import Sequence
from operator import attrgetter

from asterism.core.ledger.capability import Capability, Unordered
from asterism.core.ledger.columns import prefixed, under
from asterism.core.ledger.items import Item
from asterism.core.walkers import snapshot
from asterism.core.walkers.effects import KINDS
from asterism.core.walkers.explain import EXPLAINS
from asterism.core.walkers.fold import Walks, folded
from asterism.core.walkers.inputs import DECLARED
from asterism.core.walkers.parameters import ExplorationParameters
from asterism.core.walkers.payloads import check_payload
from asterism.core.walkers.shown import SHOWN


def _refold(walks: Walks, items: Sequence[Item]) -> int:
    walks.__dict__ = folded(items, walks.parameters).__dict__
    return len(items)


WALKS: Capability[Walks, ExplorationParameters] = Capability(
    name="exploration",
    parameters=ExplorationParameters,
    kinds=KINDS,
    check=lambda item: check_payload(item.payload, item.what),
    begin=Walks,
    apply=lambda walks, item: walks.apply(item.payload, item.at, item.id, item.what),
    copy=Walks.copy,
    dump=lambda walks: prefixed("walks", snapshot.dump(walks)),
    load=lambda columns, parameters: snapshot.load(under("walks", columns), parameters),
    unordered=Unordered(stale=attrgetter("stale"), refold=_refold),
    graph=SHOWN,
    about=DECLARED,
    explain=EXPLAINS,
)
